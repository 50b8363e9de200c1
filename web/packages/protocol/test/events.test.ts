import { describe, expect, test } from "vitest";
import { isKnownEvent, parseEnvelope } from "../src/index.ts";

const ENVELOPE = {
  seq: 7,
  at: "2026-11-30T12:00:00.000Z",
  projectId: "p",
  conversationId: null,
  runId: null,
  messageId: null,
  event: { type: "text", delta: "hi" },
};

describe("envelopes", () => {
  test("an envelope is read from its JSON", () => {
    expect(parseEnvelope(JSON.stringify(ENVELOPE))).toEqual(ENVELOPE);
  });

  test("an event of a later version is carried and told apart", () => {
    const later = { ...ENVELOPE, event: { type: "later:thing", x: 1 } };
    const read = parseEnvelope(JSON.stringify(later));
    expect(read).toEqual(later);
    expect(read !== null && isKnownEvent(read.event)).toBe(false);
  });

  test.each([
    ["not JSON", "<html>"],
    ["an array", "[]"],
    ["no event", JSON.stringify({ ...ENVELOPE, event: null })],
    ["an event without a type", JSON.stringify({ ...ENVELOPE, event: {} })],
    ["a number that is not one", JSON.stringify({ ...ENVELOPE, seq: "7" })],
    ["a number beyond exact ones", JSON.stringify({ ...ENVELOPE, seq: 2 ** 60 })],
    ["a place that is not a name", JSON.stringify({ ...ENVELOPE, runId: 3 })],
  ])("%s is no envelope", (_, json) => {
    expect(parseEnvelope(json)).toBeNull();
  });
});
