import type { ProviderView } from "@vitrail/protocol";
import { en } from "@vitrail/react";
import { describe, expect, test } from "vitest";
import {
  faultsOf,
  formOf,
  isChanged,
  keyWords,
  settingsOf,
  verdictWords,
} from "../src/models/provider-form.ts";

function provider(change: Partial<ProviderView> = {}): ProviderView {
  return {
    name: "openai",
    title: "OpenAI-compatible server",
    kind: "server",
    baseUrl: "https://api.openai.com/v1",
    builtInBaseUrl: "https://api.openai.com/v1",
    baseUrlSource: "built-in",
    model: "",
    modelSource: "none",
    wantsKey: true,
    keyHint: null,
    keySource: "none",
    keyPlace: null,
    keyOrigin: null,
    command: [],
    isReady: false,
    whyNot: "No model is chosen.",
    ...change,
  };
}

describe("the form of a provider", () => {
  test("shows what was saved, and leaves empty what comes from elsewhere", () => {
    const saved = provider({
      baseUrl: "http://a/v1",
      baseUrlSource: "settings",
      model: "m",
      modelSource: "environment",
    });
    expect(formOf(saved)).toMatchObject({
      baseUrl: "http://a/v1",
      model: "",
      apiKey: "",
    });
  });

  test("sends only what was changed", () => {
    const saved = provider({ model: "m", modelSource: "settings" });
    const form = formOf(saved);
    expect(isChanged(form, saved)).toBe(false);
    expect(settingsOf({ ...form, model: " n " }, saved)).toEqual({ model: "n" });
    expect(settingsOf({ ...form, model: "" }, saved)).toEqual({ model: "" });
    expect(settingsOf({ ...form, apiKey: " k " }, saved)).toEqual({ apiKey: "k" });
    expect(settingsOf({ ...form, removesKey: true }, saved)).toEqual({ apiKey: "" });
  });

  test("sends a program word by word", () => {
    const program = provider({ name: "command", kind: "program" });
    const form = { ...formOf(program), command: 'llm -m "my model"' };
    expect(settingsOf(form, program)).toEqual({ command: ["llm", "-m", "my model"] });
    expect(faultsOf({ ...form, command: "a 'b" }, program, en)).toEqual({
      command: en.connect.programQuote,
    });
  });

  test("an empty address is the usual one, another must be one", () => {
    const form = formOf(provider());
    expect(faultsOf(form, provider(), en)).toEqual({});
    expect(faultsOf({ ...form, baseUrl: "a.example" }, provider(), en)).toEqual({
      baseUrl: en.connect.badUrl,
    });
  });
});

describe("words about a key", () => {
  test.each([
    [{}, en.models.keyNeeded],
    [{ wantsKey: false }, en.connect.keyHelp],
    [{ keyHint: "x4Qz", keySource: "settings" }, en.connect.keyKept("x4Qz")],
    [
      { keyHint: "x4Qz", keySource: "environment", keyPlace: "OPENAI_API_KEY" },
      en.models.keyFrom("x4Qz", "OPENAI_API_KEY"),
    ],
    [{ keyOrigin: "https://a" }, en.models.keyElsewhere("https://a")],
  ] as const)("%j", (change, words) => {
    const one = provider(change);
    expect(keyWords(formOf(one), one, en)).toBe(words);
    const removed = { ...formOf(one), removesKey: true };
    expect(keyWords(removed, one, en)).toBe(en.connect.keyRemoved);
  });
});

test.each([
  ["works", en.models.works(0.4)],
  ["unreachable", en.models.unreachable],
  ["key-refused", en.models.keyRefused],
  ["no-such-model", en.models.noSuchModel],
  ["busy", en.models.busy],
  ["not-set-up", en.models.notSetUp],
  ["failed", en.connect.testFailed],
] as const)("the verdict %s is said in words", (verdict, words) => {
  const told = { ok: false, verdict, code: null, message: "", models: [], tookMs: 400 };
  expect(verdictWords(told, en)).toBe(words);
});
