/** What the form of a provider holds, what is wrong with it, and what it sends. */

import type {
  ProviderSettings,
  ProviderTry,
  ProviderVerdict,
  ProviderView,
} from "@vitrail/protocol";
import type { Strings } from "@vitrail/react";
import { joinCommand, splitCommand } from "../connect/command-line.ts";
import { commandFault, urlFault } from "../connect/form.ts";

/** The form as it is typed. */
export interface ProviderForm {
  /** Empty: the one that is built in, or the environment's. */
  readonly baseUrl: string;
  readonly model: string;
  /** A new key; empty: the saved one stays. */
  readonly apiKey: string;
  readonly removesKey: boolean;
  readonly command: string;
}

/** What is wrong with a form, by field. */
export type ProviderFaults = Partial<Record<"baseUrl" | "command", string>>;

/** Returns the form of a provider as it is: what was saved; what was not is left empty. */
export function formOf(provider: ProviderView): ProviderForm {
  return {
    baseUrl: provider.baseUrlSource === "settings" ? (provider.baseUrl ?? "") : "",
    model: provider.modelSource === "settings" ? provider.model : "",
    apiKey: "",
    removesKey: false,
    command: joinCommand(provider.command),
  };
}

/** Returns what is wrong with what was typed. */
export function faultsOf(
  form: ProviderForm,
  provider: ProviderView,
  strings: Strings,
): ProviderFaults {
  if (provider.kind === "program") {
    const command = commandFault(form.command, strings);
    return command === null ? {} : { command };
  }
  if (form.baseUrl.trim() === "") return {};
  const baseUrl = urlFault(form.baseUrl, strings);
  return baseUrl === null ? {} : { baseUrl };
}

/** Whether something was typed that is not saved. */
export function isChanged(form: ProviderForm, provider: ProviderView): boolean {
  return Object.keys(settingsOf(form, provider)).length > 0;
}

/** Returns what is saved: only what was changed. */
export function settingsOf(form: ProviderForm, provider: ProviderView): ProviderSettings {
  const saved = formOf(provider);
  if (provider.kind === "program") {
    if (form.command.trim() === saved.command.trim()) return {};
    return { command: splitCommand(form.command) ?? [] };
  }
  const baseUrl = form.baseUrl.trim();
  const model = form.model.trim();
  const apiKey = form.apiKey.trim();
  return {
    ...(baseUrl === saved.baseUrl ? {} : { baseUrl }),
    ...(model === saved.model ? {} : { model }),
    ...(apiKey !== "" ? { apiKey } : form.removesKey ? { apiKey: "" } : {}),
  };
}

/** Returns what is tried: what was typed, over what is saved. */
export function tryOf(form: ProviderForm, provider: ProviderView): ProviderTry {
  return settingsOf(form, provider);
}

/** Returns where a provider's key is and what becomes of it, in words. */
export function keyWords(
  form: ProviderForm,
  provider: ProviderView,
  strings: Strings,
): string {
  const { keyHint: hint, keyPlace: place, keyOrigin: origin } = provider;
  if (form.removesKey) return strings.connect.keyRemoved;
  if (hint !== null && provider.keySource === "environment") {
    return strings.models.keyFrom(hint, place ?? strings.models.environment);
  }
  if (hint !== null) return strings.connect.keyKept(hint);
  if (origin !== null) return strings.models.keyElsewhere(origin);
  return provider.wantsKey ? strings.models.keyNeeded : strings.connect.keyHelp;
}

/** Returns what a test came to, in a few words. */
export function verdictWords(verdict: ProviderVerdict, strings: Strings): string {
  switch (verdict.verdict) {
    case "works":
      return verdict.tookMs === null
        ? strings.connect.testOk
        : strings.models.works(verdict.tookMs / 1000);
    case "unreachable":
      return strings.models.unreachable;
    case "key-refused":
      return strings.models.keyRefused;
    case "no-such-model":
      return strings.models.noSuchModel;
    case "busy":
      return strings.models.busy;
    case "not-set-up":
      return strings.models.notSetUp;
    default:
      return strings.connect.testFailed;
  }
}
