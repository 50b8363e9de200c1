import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FrameHub } from "../src/frame-hub.ts";

describe("the frame hub", () => {
  let frames: (() => void)[];
  beforeEach(() => {
    frames = [];
    vi.stubGlobal("requestAnimationFrame", (callback: () => void) =>
      frames.push(callback),
    );
    vi.stubGlobal("cancelAnimationFrame", (id: number) => {
      frames[id - 1] = () => undefined;
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test("tells all listeners in one frame, however many changes came", () => {
    const hub = new FrameHub();
    const told: string[] = [];
    hub.subscribe(() => told.push("a"));
    hub.subscribe(() => told.push("b"));
    for (let change = 0; change < 1_000; change += 1) hub.changed();
    expect([frames.length, told]).toEqual([1, []]);
    frames[0]?.();
    expect(told).toEqual(["a", "b"]);
    hub.changed();
    expect(frames).toHaveLength(2);
  });

  test("asks for no frame where nobody listens, and gives up the one it asked for", () => {
    const hub = new FrameHub();
    hub.changed();
    expect(frames).toHaveLength(0);
    const told: string[] = [];
    const stop = hub.subscribe(() => told.push("a"));
    hub.changed();
    stop();
    frames[0]?.();
    expect(told).toEqual([]);
    hub.subscribe(() => told.push("b"));
    hub.changed();
    frames[1]?.();
    expect(told).toEqual(["b"]);
  });

  test("tells at once when the page is hidden while a frame is awaited", () => {
    const hub = new FrameHub();
    const told: string[] = [];
    hub.subscribe(() => told.push("a"));
    hub.changed();
    document.dispatchEvent(new Event("visibilitychange"));
    expect(told).toEqual(["a"]);
    frames[0]?.();
    expect(told).toEqual(["a"]);
  });

  test("tells by a timer while the page is hidden", () => {
    vi.useFakeTimers();
    vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    const hub = new FrameHub();
    const told: string[] = [];
    hub.subscribe(() => told.push("a"));
    hub.changed();
    hub.changed();
    expect([frames.length, told]).toEqual([0, []]);
    vi.runAllTimers();
    expect(told).toEqual(["a"]);
    vi.useRealTimers();
  });
});
