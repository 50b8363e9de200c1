import { afterEach, expect, test, vi } from "vitest";
import { type FrameMessage, MAX_MESSAGES_PER_S } from "../src/messages.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.resetModules();
});

async function sender() {
  vi.useFakeTimers();
  const { outbox } = await import("../src/outbox.ts");
  const posted: FrameMessage[] = [];
  return { posted, send: outbox((message) => posted.push(message)) };
}

const LINE = { type: "console", level: "log", text: "x", place: null } as const;

test("beyond the rate messages are counted, and the count is told", async () => {
  const { posted, send } = await sender();
  for (let index = 0; index < MAX_MESSAGES_PER_S + 7; index += 1) {
    send(LINE);
  }
  expect(posted).toHaveLength(MAX_MESSAGES_PER_S);
  vi.advanceTimersByTime(1_000);
  send(LINE);
  expect(posted.slice(-2)).toEqual([{ type: "dropped", count: 7 }, LINE]);
});

test("an answer to the host is never dropped", async () => {
  const { posted, send } = await sender();
  for (let index = 0; index <= MAX_MESSAGES_PER_S; index += 1) {
    send(LINE);
  }
  send({ type: "pong", id: 1 });
  expect(posted.at(-1)).toEqual({ type: "pong", id: 1 });
});
