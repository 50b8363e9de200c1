import type { Message, Part } from "@vitrail/protocol";
import { describe, expect, test } from "vitest";
import { answersTo, parseDrafts } from "../src/project/form-answers.ts";

function message(id: string, role: Message["role"], ...parts: readonly Part[]): Message {
  return {
    id,
    conversationId: "c",
    role,
    parts,
    chars: 0,
    runId: null,
    createdAt: "2026-01-01T00:00:00.000Z",
  };
}

const answers = (messageId: string, formId: string, value: string): Part => ({
  type: "form_answers",
  messageId,
  formId,
  answers: { a: value },
});

describe("a form's answers", () => {
  const thread = [
    message("m1", "assistant"),
    message("m2", "user", answers("m1", "brief", "first")),
    message("m3", "assistant"),
    message("m4", "user", answers("m1", "brief", "second")),
    message("m5", "user", answers("m3", "brief", "other")),
  ];

  test("are the last ones that name it and its message", () => {
    expect(answersTo(thread, "m1", "brief")).toEqual({ a: "second" });
    expect(answersTo(thread, "m3", "brief")).toEqual({ a: "other" });
    expect(answersTo(thread, "m1", "more")).toBeNull();
    expect(answersTo([], "m1", "brief")).toBeNull();
  });

  test("are a person's only", () => {
    const forged = [
      message("m1", "assistant"),
      message("m2", "assistant", answers("m1", "brief", "x")),
    ];
    expect(answersTo(forged, "m1", "brief")).toBeNull();
  });
});

test.each([null, 7, "x", [], { a: 1 }, { a: { values: [1] } }, { a: { values: ["x"] } }])(
  "%j holds no draft",
  (stored) => expect(parseDrafts(stored)).toEqual({}),
);

test("a draft comes back as it was kept", () => {
  const drafts = { a: { values: ["x"], other: null, isSkipped: false } };
  expect(parseDrafts(JSON.parse(JSON.stringify(drafts)))).toEqual(drafts);
});
