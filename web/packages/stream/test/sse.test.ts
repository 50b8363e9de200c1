import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type SseFrame, SseParser } from "../src/client/sse.ts";

function parse(pieces: readonly string[]): { frames: SseFrame[]; parser: SseParser } {
  const parser = new SseParser();
  return { frames: pieces.flatMap((piece) => parser.feed(piece)), parser };
}

const STREAM =
  "\ufeff: hello\r\nretry: 250\r\n\r\nid: 1\ndata: one\n\ndata:two\rdata: lines\r\r" +
  'event: reset\ndata: {"seq":4}\n\nid: 7\n\nid:\ndata: 🧪\n\nunknown: x\ndata\n\ndata: cut';

describe("the event stream format", () => {
  test("fields, comments and every line end are read as the standard says", () => {
    const { frames, parser } = parse([STREAM]);
    expect(frames).toEqual([
      { id: "1", event: "message", data: "one" },
      { id: "1", event: "message", data: "two\nlines" },
      { id: "1", event: "reset", data: '{"seq":4}' },
      { id: "", event: "message", data: "🧪" },
      { id: "", event: "message", data: "" },
    ]);
    expect(parser.retryMs).toBe(250);
  });

  test("an id without data counts, an id with a null and a crooked retry do not", () => {
    const { parser } = parse(["id: 7\n\nid: 8\0\n\nretry: soon\nretry: -1\n\n"]);
    expect(parser.lastId).toBe("7");
    expect(parser.retryMs).toBeNull();
  });

  test("a stream cut at every place gives the same frames", () => {
    const whole = parse([STREAM]).frames;
    for (let at = 0; at <= STREAM.length; at += 1) {
      expect(parse([STREAM.slice(0, at), STREAM.slice(at)]).frames).toEqual(whole);
    }
    expect(parse(Array.from(STREAM)).frames).toEqual(whole);
  });

  test("any lines cut anyhow give the same frames", () => {
    const line = fc.oneof(
      fc.constantFrom("data: a", "data", "id: 3", "event: x", ":", "", "retry: 9"),
      fc.string({ maxLength: 6 }),
    );
    const text = fc
      .array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")), { maxLength: 12 })
      .map((lines) => lines.map(([words, end]) => words + end).join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 6 }), (whole, cuts) => {
        const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length];
        places.sort((a, b) => a - b);
        const pieces = places.map((at, i) => whole.slice(places[i - 1] ?? 0, at));
        expect(parse(pieces).frames).toEqual(parse([whole]).frames);
      }),
    );
  });
});
