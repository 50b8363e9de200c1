import { expect, test } from "vitest";
import { formatted, inspect } from "../src/inspect.ts";

test("values are shown on one line", () => {
  expect(inspect("a")).toBe("a");
  expect(inspect([1, "a", null, undefined, true])).toBe(
    '[1, "a", null, undefined, true]',
  );
  expect(inspect({ a: 1, "b c": "x" })).toBe('{a: 1, "b c": "x"}');
  expect(inspect(new Map())).toBe("Map {}");
  expect(inspect(-0)).toBe("-0");
  expect(inspect(10n)).toBe("10n");
  expect(inspect(Symbol("s"))).toBe("Symbol(s)");
  expect(inspect(/a/)).toBe("/a/");
  expect(inspect(function named() {})).toBe("[function named]");
});

test("depth and width are bounded, circles end", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  expect(inspect(circle)).toBe("{self: {self: {…}}}");
  expect(inspect(Array.from({ length: 30 }, (_, index) => index))).toMatch(/19, …\]$/);
});

test("an error shows its stack, inside a value its message", () => {
  const error = new TypeError("broken");
  expect(inspect(error)).toContain("TypeError: broken");
  expect(inspect({ error })).toBe("{error: TypeError: broken}");
});

test("nothing of the page is run, and nothing throws", () => {
  let isRun = false;
  const value = {
    get trap() {
      isRun = true;
      return 1;
    },
  };
  expect(inspect(value)).toBe("{trap: [getter]}");
  expect(isRun).toBe(false);
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("no");
      },
    },
  );
  expect(inspect(hostile)).toBe("[unreadable]");
});

test("placeholders are filled as a console does", () => {
  expect(formatted(["%s is %d", "a", 1.5, "rest"])).toBe("a is 1 rest");
  expect(formatted(["%cstyled%c", "color:red", ""])).toBe("styled");
  expect(formatted(["100%", 1])).toBe("100% 1");
  expect(formatted(["%s %s", "a"])).toBe("a %s");
  expect(formatted(["%%"])).toBe("%");
  expect(formatted([{ a: 1 }, "b"])).toBe("{a: 1} b");
  expect(formatted([])).toBe("");
});
