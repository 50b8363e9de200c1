/** What the form of a model holds, what is wrong with it, and what it sends. */

import type { AgentTest, ModelSettings, ModelSettingsView } from "@vitrail/protocol";
import type { Strings } from "@vitrail/react";
import { joinCommand, splitCommand } from "./command-line.ts";

/** Who can be connected here; all others have their place on the page of providers. */
export type QuickAgent = "replay" | "openai" | "command";

/** Whether an agent is one of those that can be connected here. */
export function isQuick(agent: ModelSettingsView["agent"]): agent is QuickAgent {
  return agent === "replay" || agent === "openai" || agent === "command";
}

/** The form as it is typed. */
export interface ConnectForm {
  readonly agent: QuickAgent;
  readonly baseUrl: string;
  readonly model: string;
  /** A new key; empty: the saved one stays. */
  readonly apiKey: string;
  readonly removesKey: boolean;
  readonly command: string;
}

/** What is wrong with a form, by field. */
export type ConnectFaults = Partial<Record<"baseUrl" | "model" | "command", string>>;

/** Returns the form of the settings as they are. */
export function formOf(settings: ModelSettingsView): ConnectForm {
  return {
    agent: isQuick(settings.agent) ? settings.agent : "openai",
    baseUrl: settings.baseUrl,
    model: settings.model,
    apiKey: "",
    removesKey: false,
    command: joinCommand(settings.command),
  };
}

/** Returns what is wrong with the address of a server, in words. */
export function urlFault(url: string, strings: Strings): string | null {
  if (url.trim() === "") return strings.connect.needBaseUrl;
  return /^https?:\/\/[^\s/]+/i.test(url.trim()) ? null : strings.connect.badUrl;
}

/** Returns what is wrong with a program's line, in words. */
export function commandFault(line: string, strings: Strings): string | null {
  const words = splitCommand(line);
  if (words === null) return strings.connect.programQuote;
  return words.length === 0 ? strings.connect.needCommand : null;
}

/** Returns what is wrong with the fields that the chosen agent needs. */
export function faultsOf(form: ConnectForm, strings: Strings): ConnectFaults {
  const faults: ConnectFaults = {};
  if (form.agent === "openai") {
    const baseUrl = urlFault(form.baseUrl, strings);
    if (baseUrl !== null) faults.baseUrl = baseUrl;
    if (form.model.trim() === "") faults.model = strings.connect.needModel;
  }
  if (form.agent === "command") {
    const command = commandFault(form.command, strings);
    if (command !== null) faults.command = command;
  }
  return faults;
}

function keyOf(form: ConnectForm): { readonly apiKey?: string } {
  if (form.apiKey.trim() !== "") return { apiKey: form.apiKey.trim() };
  return form.removesKey ? { apiKey: "" } : {};
}

/** Returns what is saved: the agent, and the fields that belong to it. */
export function settingsOf(form: ConnectForm): ModelSettings {
  switch (form.agent) {
    case "replay":
      return { agent: "replay" };
    case "openai":
      return {
        agent: "openai",
        baseUrl: form.baseUrl.trim(),
        model: form.model.trim(),
        ...keyOf(form),
      };
    case "command":
      return { agent: "command", command: splitCommand(form.command) ?? [] };
  }
}

/** Returns what is tried; none for recordings, which need no trial. */
export function testOf(form: ConnectForm): AgentTest | null {
  const { agent, ...settings } = settingsOf(form);
  return agent === "openai" || agent === "command" ? { ...settings, agent } : null;
}
