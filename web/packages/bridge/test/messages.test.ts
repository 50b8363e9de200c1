import fc from "fast-check";
import { expect, test } from "vitest";
import {
  MAX_SIZE_PX,
  MAX_TEXT_CHARS,
  readFrameMessage,
  readHello,
  readHostMessage,
} from "../src/messages.ts";

test("a message is rebuilt from the fields it may have", () => {
  const place = { url: "a", line: 1, column: 2, extra: 1 };
  expect(
    readFrameMessage({ type: "console", level: "warn", text: "x", place, more: {} }),
  ).toEqual({
    type: "console",
    level: "warn",
    text: "x",
    place: { url: "a", line: 1, column: 2 },
  });
});

test.each([
  [null],
  [undefined],
  ["console"],
  [[]],
  [{}],
  [{ type: "toString" }],
  [{ type: "__proto__" }],
  [{ type: "console", level: "loud", text: "x" }],
  [{ type: "console", level: "log", text: 1 }],
  [{ type: "size", width: Number.POSITIVE_INFINITY, height: 1 }],
  [{ type: "size", width: Number.NaN, height: 1 }],
  [{ type: "size", width: -1, height: 1 }],
  [{ type: "size", width: "1", height: 1 }],
  [{ type: "link", kind: "top", href: "a", search: "", hash: "" }],
  [{ type: "link", kind: "page", href: {}, search: "", hash: "" }],
  [{ type: "pong", id: 1.5 }],
  [{ type: "error", kind: "fatal", text: "x" }],
  [{ type: "dropped", count: -1 }],
])("%j is no message", (value) => {
  expect(readFrameMessage(value)).toBeNull();
});

test("what is too large is cut", () => {
  const long = readFrameMessage({
    type: "console",
    level: "log",
    text: "x".repeat(MAX_TEXT_CHARS * 2),
  });
  expect(long).toMatchObject({ text: "x".repeat(MAX_TEXT_CHARS), place: null });
  expect(readFrameMessage({ type: "size", width: 1e12, height: 5 })).toEqual({
    type: "size",
    width: MAX_SIZE_PX,
    height: 5,
  });
});

test("a link is trusted only where it says exactly true", () => {
  const link = { type: "link", kind: "outside", href: "a", search: "", hash: "" };
  expect(readFrameMessage({ ...link, isTrusted: 1 })).toMatchObject({ isTrusted: false });
  expect(readFrameMessage({ ...link, isTrusted: true })).toMatchObject({
    isTrusted: true,
  });
});

test("a hello has a generation and a version", () => {
  const hello = { vitrail: "hello", version: 1, generation: "g" };
  expect(readHello(hello)).toEqual(hello);
  expect(readHello({ ...hello, vitrail: "hi" })).toBeNull();
  expect(readHello({ ...hello, generation: 1 })).toBeNull();
  expect(readHello(null)).toBeNull();
});

test("a host asks with a number", () => {
  expect(readHostMessage({ type: "ping", id: 3 })).toEqual({ type: "ping", id: 3 });
  expect(readHostMessage({ type: "ping" })).toBeNull();
  expect(readHostMessage({ type: "reload", id: 3 })).toBeNull();
});

test("no value at all breaks the readers", () => {
  fc.assert(
    fc.property(
      fc.anything({ withNullPrototype: true, withObjectString: true }),
      (value) => {
        readFrameMessage(value);
        readHello(value);
        readHostMessage(value);
      },
    ),
  );
});
