import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePointLength, Offsets, sliceCodePoints } from "../src/index.ts";

/** Every kind of character, lone surrogates included. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("a", "é", "数", "🧪", "👩🏽‍🚀", "\ud83e", "\udd2a", "\n"),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

describe("offsets", () => {
  test("every code point offset goes to its unit offset and back", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const offsets = new Offsets(text);
        const characters = Array.from(text);
        expect(offsets.codePoints).toBe(characters.length);
        expect(codePointLength(text)).toBe(characters.length);
        let unit = 0;
        for (let codePoint = 0; codePoint <= characters.length; codePoint += 1) {
          expect(offsets.toUnits(codePoint)).toBe(unit);
          expect(offsets.toCodePoints(unit)).toBe(codePoint);
          unit += characters[codePoint]?.length ?? 0;
        }
      }),
    );
  });

  test("the middle of a pair counts as its start", () => {
    const offsets = new Offsets("a🧪b");
    expect([0, 1, 2, 3, 4].map((unit) => offsets.toCodePoints(unit))).toEqual([
      0, 1, 1, 2, 3,
    ]);
  });

  test("a span cuts what the same span cuts of a list of characters", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
        const characters = Array.from(text);
        const [start, end] = [a, b]
          .map((n) => n % (characters.length + 1))
          .sort((x, y) => x - y) as [number, number];
        expect(sliceCodePoints(text, [start, end])).toBe(
          characters.slice(start, end).join(""),
        );
      }),
    );
  });

  test("an offset outside the text is refused in words", () => {
    const offsets = new Offsets("🧪");
    expect(() => offsets.toUnits(2)).toThrow(
      "expected a code point offset from 0 to 1, got 2",
    );
    expect(() => offsets.toCodePoints(-1)).toThrow(RangeError);
    expect(() => offsets.toUnits(0.5)).toThrow(RangeError);
  });
});
