import type { Example, Message, ModelSettingsView } from "@vitrail/protocol";
import { DEFAULT_LAYOUT, en } from "@vitrail/react";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinCommand, splitCommand } from "../src/connect/command-line.ts";
import { faultsOf, formOf, settingsOf, testOf } from "../src/connect/form.ts";
import { readPreferences } from "../src/preferences.ts";
import { nextExamples, recordingOf } from "../src/project/suggestions.ts";
import { formatRoute, parseRoute } from "../src/routes.ts";

describe("addresses", () => {
  test.each([
    "/",
    "/models",
    "/p/spring",
    "/p/spring/c/new",
    "/p/a%20b/c/1?file=x%2Fy.html&tab=source",
    "/p/spring?file=x.html&tab=versions&to=r2",
    "/p/spring?file=x.html&tab=versions&from=r1&to=r2",
    "/p/spring/view?file=a.html",
  ])("%s comes back as it went", (address) => {
    const [path = "", search = ""] = address.split(/(?=\?)/);
    expect(formatRoute(parseRoute(path, search))).toBe(address);
  });

  test.each(["/x", "/p", "/p/a/b", "/p/%E0%A4%A", "/p/a/view"])(
    "%s is nothing",
    (path) => {
      expect(parseRoute(path, "").view).toBe("unknown");
    },
  );
});

describe("preferences", () => {
  test.each([null, "", "{", "[]", "7", '{"theme":3,"layout":"x","stages":null}'])(
    "%s gives those of a new person",
    (stored) => {
      expect(readPreferences(stored)).toMatchObject({
        theme: "system",
        layout: DEFAULT_LAYOUT,
      });
    },
  );

  test("what is stored is kept, what is new has its default", () => {
    const read = readPreferences('{"theme":"dark","layout":{"railPx":300}}');
    expect(read.theme).toBe("dark");
    expect(read.layout).toEqual({ ...DEFAULT_LAYOUT, railPx: 300 });
  });
});

describe("a program as one line", () => {
  test.each([
    ["llm -m my-model", ["llm", "-m", "my-model"]],
    [`a "b c" 'd "e"' f\\ g`, ["a", "b c", 'd "e"', "f g"]],
    ['""', [""]],
    ["  ", []],
    ['a "b', null],
    ["a 'b", null],
    ["a\\", null],
  ])("%s", (line, words) => {
    expect(splitCommand(line)).toEqual(words);
  });

  test("joining and splitting give the same words", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(splitCommand(joinCommand(words))).toEqual(words);
      }),
    );
  });
});

describe("the form of a model", () => {
  const settings: ModelSettingsView = {
    agent: "openai",
    baseUrl: "http://127.0.0.1:11434/v1",
    model: "small",
    keyHint: "abcd",
    keySource: "settings",
    command: ["llm", "a b"],
  };

  test("what was not typed is not sent", () => {
    const form = formOf(settings);
    expect(faultsOf(form, en)).toEqual({});
    expect(settingsOf(form)).toEqual({
      agent: "openai",
      baseUrl: "http://127.0.0.1:11434/v1",
      model: "small",
    });
    expect(settingsOf({ ...form, apiKey: " k " })).toMatchObject({ apiKey: "k" });
    expect(settingsOf({ ...form, removesKey: true })).toMatchObject({ apiKey: "" });
    expect(testOf({ ...form, agent: "replay" })).toBeNull();
    expect(testOf({ ...form, agent: "command" })).toEqual({
      agent: "command",
      command: ["llm", "a b"],
    });
  });

  test("what is missing is said at its field", () => {
    const form = { ...formOf(settings), baseUrl: "127.0.0.1", model: " " };
    expect(Object.keys(faultsOf(form, en))).toEqual(["baseUrl", "model"]);
    expect(faultsOf({ ...form, agent: "command", command: "a 'b" }, en)).toEqual({
      command: en.connect.programQuote,
    });
    expect(faultsOf({ ...form, agent: "replay" }, en)).toEqual({});
  });
});

describe("suggestions", () => {
  const example = (name: string, follows: string | null): Example => ({
    name,
    title: name,
    description: "",
    prompt: `prompt of ${name}`,
    follows,
    durationS: 1,
    isShipped: true,
  });
  const examples = [example("a", null), example("b", "a"), example("c", "b")];
  const asked = (text: string): Message => ({
    id: text,
    conversationId: "c",
    role: "user",
    parts: [{ type: "text", text, start: 0 }],
    runId: null,
    createdAt: "",
    chars: text.length,
  });

  test("an empty conversation begins, a played one goes on", () => {
    const names = (messages: readonly Message[]) =>
      nextExamples(messages, examples).map((one) => one.name);
    expect(names([])).toEqual(["a"]);
    expect(names([asked("prompt of a")])).toEqual(["b"]);
    expect(names([asked("prompt of c")])).toEqual([]);
    expect(names([asked("something else")])).toEqual([]);
  });

  test("a recording answers its own prompt only", () => {
    expect(recordingOf(" prompt of b\n", examples)?.name).toBe("b");
    expect(recordingOf("prompt", examples)).toBeNull();
  });
});
