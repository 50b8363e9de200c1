import { expect, test } from "vitest";
import { isScriptUrl } from "../src/guard.ts";

test.each([
  "javascript:x",
  " \u0001JavaScript:x",
  "java\nscript:x",
  "\tj\ta\tv\ta\ts\tc\tr\ti\tp\tt\t:x",
])("%j runs as a script", (address) => {
  expect(isScriptUrl(address)).toBe(true);
});

test.each(["", "a.html", "javascript", "x javascript:", "http://javascript:1", "\u0001"])(
  "%j does not",
  (address) => {
    expect(isScriptUrl(address)).toBe(false);
  },
);
