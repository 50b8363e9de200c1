import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  answersOf,
  type Drafts,
  draftOf,
  faultOf,
  openQuestions,
  skipRest,
  valuesOf,
} from "../src/form/answers.ts";
import {
  choicesOf,
  directionOf,
  type FormModel,
  isColour,
  type Question,
  readForm,
} from "../src/form/schema.ts";
import { en } from "../src/index.ts";

const OPTIONS = [
  { value: "mobile", label: "Mobile" },
  { value: "web", label: "Web" },
];

function form(...questions: readonly object[]): FormModel {
  return readForm({ id: "f", questions });
}

function only(question: object): Question {
  const [first] = form({ id: "q", label: "Q", ...question }).questions;
  if (first === undefined) throw new Error("expected a question");
  return first;
}

const draft = (values: readonly string[], other: string | null = null) => ({
  values,
  other,
  isSkipped: false,
});

describe("a form of any shape", () => {
  test("is read without failing, and its ids are unique", () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.string(),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("any")),
        fc.dictionary(
          fc.constantFrom(
            ...["id", "label", "type", "options", "cards", "questions", "value"],
            ...["defaultValue", "maxSelections", "palette", "__proto__"],
          ),
          tie("any"),
        ),
      ),
    })).any;
    fc.assert(
      fc.property(fc.array(value), (questions) => {
        const read = readForm({ questions });
        const ids = read.questions.map((question) => question.id);
        expect(new Set(ids).size).toBe(ids.length);
        const skipped = skipRest(read, {});
        expect(openQuestions(read, skipped)).toEqual([]);
        answersOf(read, skipped);
      }),
    );
  });

  test("the id __proto__ is an id like any other", () => {
    const read = form({ id: "__proto__", label: "Q", type: "text" });
    const drafts: Drafts = Object.fromEntries([["__proto__", draft(["x"])]]);
    expect(Object.entries(answersOf(read, drafts))).toEqual([["__proto__", "x"]]);
  });

  test("a question without a type yet is told from a text question", () => {
    expect(only({}).isTyped).toBe(false);
    expect(only({ type: "text" }).isTyped).toBe(true);
    expect(only({ type: "hologram" }).type).toBe("text");
  });
});

describe("what a form proposes", () => {
  test.each([
    [{ type: "radio", options: OPTIONS, defaultValue: "web" }, ["web"]],
    [
      { type: "checkbox", options: OPTIONS, defaultValue: ["web", "mobile"] },
      ["web", "mobile"],
    ],
    [{ type: "text", defaultValue: "8 slides" }, ["8 slides"]],
    [{ type: "switch" }, ["false"]],
    [{ type: "range", min: 3 }, ["3"]],
    [{ type: "range" }, ["0"]],
    [{ type: "color" }, ["#".padEnd(7, "0")]],
    [{ type: "text" }, []],
  ])("%j begins as %j", (question, values) => {
    expect(draftOf(only(question), {}).values).toEqual(values);
  });

  test("a default that is no option is an answer of one's own, where that is allowed", () => {
    const question = { type: "radio", options: OPTIONS, defaultValue: "watch" };
    expect(draftOf(only(question), {})).toEqual(draft([], "watch"));
    const closed = only({ ...question, allowCustom: false });
    expect(draftOf(closed, {})).toEqual(draft([]));
  });

  test("a default that comes late fills an untouched answer and no other", () => {
    const before = only({ type: "text" });
    const after = only({ type: "text", defaultValue: "late" });
    expect(draftOf(before, {}).values).toEqual([]);
    expect(draftOf(after, {}).values).toEqual(["late"]);
    const touched = { q: draft(["mine"]) };
    expect(draftOf(after, touched).values).toEqual(["mine"]);
    expect(draftOf(after, { q: draft([""]) }).values).toEqual([""]);
  });
});

describe("what is sent", () => {
  test("one value of one, a list of many, null of what was skipped", () => {
    const read = form(
      { id: "a", label: "A", type: "radio", options: OPTIONS },
      { id: "b", label: "B", type: "checkbox", options: OPTIONS },
      { id: "c", label: "C", type: "text" },
      { id: "d", label: "D", type: "text" },
    );
    const drafts: Drafts = {
      a: draft(["web"]),
      b: draft(["web"], "tv, watch"),
      c: { ...draft(["lost"]), isSkipped: true },
    };
    expect(answersOf(read, drafts)).toEqual({
      a: "web",
      b: ["web", "tv", "watch"],
      c: null,
    });
  });

  test("an answer of one's own is kept as it was typed where one may be chosen", () => {
    const question = only({ type: "radio", options: OPTIONS });
    expect(valuesOf(question, draft([], " a, b "))).toEqual(["a, b"]);
  });

  test("a direction is chosen by its id", () => {
    const question = only({
      type: "direction-cards",
      cards: [{ id: "ed", label: "Editorial", mood: "Quiet" }],
    });
    expect(choicesOf(question)).toEqual([
      { value: "ed", label: "Editorial", description: "Quiet" },
    ]);
  });
});

describe("what is wrong is said", () => {
  test.each([
    [{ type: "text", required: true }, [], en.form.needAnswer],
    [{ type: "text", required: true }, ["  "], en.form.needAnswer],
    [{ type: "text" }, [], null],
    [{ type: "number", min: 1, max: 5 }, ["0"], en.form.atLeast(1)],
    [{ type: "number", min: 1, max: 5 }, ["6"], en.form.atMost(5)],
    [{ type: "number" }, ["many"], en.form.needNumber],
    [{ type: "number" }, ["1e3"], null],
    [{ type: "email" }, ["ada"], en.form.needEmail],
    [{ type: "email" }, ["ada@example.com"], null],
    [{ type: "url" }, ["example.com"], en.form.needUrl],
    [{ type: "url" }, ["https://example.com/a"], null],
    [{ type: "checkbox", options: OPTIONS, maxSelections: 1 }, ["web"], null],
    [
      { type: "checkbox", options: OPTIONS, maxSelections: 1 },
      ["web", "mobile"],
      en.form.tooMany(2, 1),
    ],
  ])("%j with %j", (question, values, fault) => {
    expect(faultOf(only(question), draft(values), en)).toBe(fault);
    const skipped = { ...draft(values), isSkipped: true };
    expect(faultOf(only(question), skipped, en)).toBeNull();
  });

  test("own answers count against the most that may be chosen", () => {
    const question = only({ type: "checkbox", options: OPTIONS, maxSelections: 2 });
    expect(faultOf(question, draft(["web"], "tv, watch"), en)).not.toBeNull();
  });
});

describe("languages and colours of a model", () => {
  test.each([
    ["ar", "rtl"],
    ["he-IL", "rtl"],
    ["az-Arab", "rtl"],
    ["ar-Latn", "ltr"],
    ["zh-CN", "ltr"],
    [null, "auto"],
  ])("%s is written %s", (lang, direction) => {
    expect(directionOf(lang)).toBe(direction);
  });

  test.each(["rebeccapurple", "rgb(1 2 3 / 50%)", "oklch(0.7 0.1 200)"])(
    "%s is a colour",
    (text) => expect(isColour(text)).toBe(true),
  );

  test.each(["", "url(https://a.example)", "var(--x)", "red;x:y", "rgb(url(x))"])(
    "%s is none",
    (text) => expect(isColour(text)).toBe(false),
  );
});
