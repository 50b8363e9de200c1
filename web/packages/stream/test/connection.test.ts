import { describe, expect, test } from "vitest";
import {
  type Connection,
  ConnectionReader,
  MAX_DELAY_MS,
  QUIET_MS,
} from "../src/client/connection.ts";
import { FakeBrowser, FakeServer, settle } from "./fake_browser.ts";

function problem(status: number, code: string, headers: Record<string, string> = {}) {
  const body = { title: "", status, detail: "Words.", code, retryable: false };
  return new Response(JSON.stringify(body), { status, headers });
}

/** A reader on a server, and what it told. */
function begin(after = 0) {
  const server = new FakeServer();
  const browser = new FakeBrowser(server);
  const seqs: number[] = [];
  const resets: number[] = [];
  const states: Connection[] = [];
  const reader = new ConnectionReader(browser.openTab(), "/api/events", after, {
    onEvents: (envelopes) => seqs.push(...envelopes.map((envelope) => envelope.seq)),
    onReset: (seq) => resets.push(seq),
    onConnection: (connection) => states.push(connection),
  });
  return { server, time: browser.time, reader, seqs, resets, states };
}

describe("one connection", () => {
  test("events come once and in order, however the bytes are cut", async () => {
    for (const pieceBytes of [1, 2, 3, 7, 64]) {
      const { server, reader, seqs } = begin(2);
      server.pieceBytes = pieceBytes;
      for (const seq of [1, 2, 3, 5]) server.emit(seq);
      void reader.run();
      await settle();
      server.emit(8);
      await settle();
      expect(seqs).toEqual([3, 5, 8]);
      reader.stop();
    }
  });

  test("after a broken line it goes on from the last number", async () => {
    const { server, time, reader, seqs } = begin();
    void reader.run();
    await settle();
    server.emit(1);
    server.emit(4);
    await settle();
    server.breakAll();
    server.emit(6);
    await time.advance(1000);
    expect(server.asked).toEqual([0, 4]);
    expect(seqs).toEqual([1, 4, 6]);
    reader.stop();
  });

  test("the waits double up to a limit, and begin anew after a good stream", async () => {
    const { server, time, reader, states } = begin();
    server.isUp = false;
    void reader.run();
    await settle();
    await time.advance(60_000);
    const waits = () =>
      states.flatMap((s) => (s.state === "waiting" ? [s.retryInMs] : []));
    expect(waits().slice(0, 6)).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000]);
    expect(Math.max(...waits())).toBe(MAX_DELAY_MS);
    server.isUp = true;
    await time.advance(MAX_DELAY_MS);
    expect(states.at(-1)).toEqual({ state: "open" });
    await time.advance(6000);
    server.endAll();
    await settle();
    expect(states.at(-1)).toEqual({ state: "waiting", attempt: 1, retryInMs: 1000 });
    reader.stop();
  });

  test("a server that asks to wait is waited for", async () => {
    const { server, reader, states } = begin();
    server.refusals.push(problem(503, "storage-busy", { "retry-after": "7" }));
    void reader.run();
    await settle();
    expect(states.at(-1)).toEqual({ state: "waiting", attempt: 1, retryInMs: 7000 });
    reader.stop();
  });

  test("without a cookie it asks no more until it is told to", async () => {
    const { server, time, reader, states } = begin();
    server.refusals.push(problem(401, "token-required"));
    void reader.run();
    await settle();
    await time.advance(600_000);
    expect(states.at(-1)).toEqual({ state: "signed-out" });
    expect(server.asked).toHaveLength(1);
    reader.retryNow();
    await settle();
    expect(states.at(-1)).toEqual({ state: "open" });
    reader.stop();
  });

  test("a refusal is told in the server's words and not repeated", async () => {
    const { server, time, reader, states } = begin();
    server.refusals.push(problem(421, "host-not-allowed"));
    void reader.run();
    await settle();
    await time.advance(600_000);
    expect(states.at(-1)).toMatchObject({
      state: "refused",
      code: "host-not-allowed",
      detail: "Words.",
    });
    expect(server.asked).toHaveLength(1);
    reader.stop();
  });

  test("a page in place of a stream is a refusal", async () => {
    const { server, reader, states } = begin();
    server.refusals.push(
      new Response("<p>Sign in</p>", { headers: { "content-type": "text/html" } }),
    );
    void reader.run();
    await settle();
    expect(states.at(-1)).toMatchObject({
      state: "refused",
      code: "response-invalid",
    });
    reader.stop();
  });

  test("silence longer than three heartbeats is a broken line", async () => {
    const { server, time, reader, states } = begin();
    void reader.run();
    await settle();
    for (let beat = 0; beat < 10; beat += 1) {
      await time.advance(QUIET_MS - 1000);
      server.sendAll(": ping\n\n");
      await settle();
    }
    expect(server.asked).toHaveLength(1);
    await time.advance(QUIET_MS + 1);
    expect(states.at(-1)).toMatchObject({ state: "waiting" });
    await time.advance(1000);
    expect(states.at(-1)).toEqual({ state: "open" });
    reader.stop();
  });

  test("another log is told as a reset, and gone on from", async () => {
    const { server, time, reader, seqs, resets } = begin(90);
    void reader.run();
    await settle();
    server.sendAll('id: 2\nevent: reset\ndata: {"seq":2}\n\n');
    await settle();
    server.emit(3);
    await settle();
    expect(resets).toEqual([2]);
    expect(seqs).toEqual([3]);
    server.breakAll();
    await time.advance(1000);
    expect(server.asked).toEqual([90, 3]);
    reader.stop();
  });

  test("what is no envelope is passed over", async () => {
    const { server, reader, seqs } = begin();
    void reader.run();
    await settle();
    server.sendAll("data: not JSON\n\nevent: later\ndata: {}\n\ndata: {}\n\n");
    server.emit(1);
    await settle();
    expect(seqs).toEqual([1]);
    reader.stop();
  });

  test("stop ends the request and every wait", async () => {
    const { server, time, reader, states } = begin();
    const running = reader.run();
    await settle();
    expect(server.openStreams).toBe(1);
    reader.stop();
    await running;
    expect(server.openStreams).toBe(0);
    const told = states.length;
    await time.advance(600_000);
    expect(states).toHaveLength(told);
  });
});
