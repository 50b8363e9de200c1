import type { FrameMessage } from "@vitrail/bridge/messages";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PreviewPort, type RefusedCounts } from "../../src/preview/port.ts";
import { BUSY_AFTER_MS, PING_EVERY_MS, Pulse } from "../../src/preview/pulse.ts";

let frame: HTMLIFrameElement;
let port: PreviewPort;
let hellos: number;
let messages: FrameMessage[];
let refused: RefusedCounts[];

beforeEach(() => {
  frame = document.createElement("iframe");
  document.body.append(frame);
  hellos = 0;
  messages = [];
  refused = [];
  port = new PreviewPort(() => frame.contentWindow, "g-1", {
    onHello: () => {
      hellos += 1;
    },
    onMessage: (message) => messages.push(message),
    onRefused: (counts) => refused.push(counts),
  });
});

afterEach(() => {
  port.close();
  frame.remove();
  vi.useRealTimers();
});

function hello(
  fields: object = {},
  source: Window | null = frame.contentWindow,
  ports: MessagePort[] = [new MessageChannel().port1],
): void {
  const data = { vitrail: "hello", version: 1, generation: "g-1", ...fields };
  window.dispatchEvent(new MessageEvent("message", { data, source, ports }));
}

test("the first hello of the frame with the generation is taken", () => {
  hello();
  expect(hellos).toBe(1);
  expect(port.isConnected).toBe(true);
  expect(refused).toEqual([]);
});

test("every later hello counts as hostile", () => {
  hello();
  hello();
  hello({ generation: "g-2" });
  expect(hellos).toBe(1);
  expect(refused.at(-1)).toEqual({ hostile: 2, malformed: 0, flooded: 0 });
});

test("another generation, version or number of ports is not taken", () => {
  hello({ generation: "g-0" });
  hello({ version: 2 });
  hello({}, frame.contentWindow, []);
  const two = new MessageChannel();
  hello({}, frame.contentWindow, [two.port1, two.port2]);
  expect(port.isConnected).toBe(false);
  expect(refused.at(-1)?.hostile).toBe(4);
});

test("another window is not listened to, nor is other talk of the page", () => {
  hello({}, window);
  hello({}, null);
  hello({ vitrail: "other" });
  expect(port.isConnected).toBe(false);
  expect(refused).toEqual([]);
});

test("what comes over the port is taken apart, and counted where it is nonsense", async () => {
  const channel = new MessageChannel();
  hello({}, frame.contentWindow, [channel.port1]);
  channel.port2.postMessage({ type: "ready", title: "T" });
  channel.port2.postMessage({ type: "write", path: "a" });
  await vi.waitFor(() => expect(refused).toHaveLength(1));
  expect(messages).toEqual([{ type: "ready", title: "T" }]);
  expect(refused[0]).toEqual({ hostile: 0, malformed: 1, flooded: 0 });
  channel.port2.close();
});

test("a flood is cut", async () => {
  const channel = new MessageChannel();
  hello({}, frame.contentWindow, [channel.port1]);
  for (let index = 0; index < 300; index += 1) {
    channel.port2.postMessage({ type: "pong", id: index });
  }
  await vi.waitFor(() => expect(refused.at(-1)?.flooded).toBe(100));
  expect(messages).toHaveLength(200);
  channel.port2.close();
});

test("a page that does not answer in time is busy until it does", () => {
  vi.useFakeTimers();
  const sent: number[] = [];
  const said: boolean[] = [];
  const line = { isConnected: true, send: ({ id }: { id: number }) => sent.push(id) };
  const pulse = new Pulse(line as unknown as PreviewPort, (isBusy) => said.push(isBusy));
  vi.advanceTimersByTime(PING_EVERY_MS);
  expect(sent).toEqual([1]);
  pulse.answered(1);
  vi.advanceTimersByTime(PING_EVERY_MS);
  vi.advanceTimersByTime(BUSY_AFTER_MS + PING_EVERY_MS);
  expect(said).toEqual([true]);
  pulse.answered(1);
  expect(said).toEqual([true]);
  pulse.answered(2);
  expect(said).toEqual([true, false]);
  pulse.stop();
});

test("a hidden tab is not asked", () => {
  vi.useFakeTimers();
  const visibility = vi.spyOn(document, "visibilityState", "get");
  const said: boolean[] = [];
  const line = { isConnected: true, send: () => {} };
  const pulse = new Pulse(line as unknown as PreviewPort, (isBusy) => said.push(isBusy));
  vi.advanceTimersByTime(PING_EVERY_MS);
  visibility.mockReturnValue("hidden");
  vi.advanceTimersByTime(BUSY_AFTER_MS * 10);
  visibility.mockReturnValue("visible");
  vi.advanceTimersByTime(PING_EVERY_MS);
  expect(said).toEqual([]);
  pulse.stop();
  visibility.mockRestore();
});
