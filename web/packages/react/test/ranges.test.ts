import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  joined,
  linesOf,
  proposed,
  rangesOf,
  type TextRange,
  undecided,
} from "../src/history/ranges.ts";

const line = fc.constantFrom("a", "b", "c", "", "  d");
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, ends]) => lines.join("\n") + (ends && lines.length > 0 ? "\n" : ""));

function all(ranges: readonly TextRange[], choice: "mine" | "theirs") {
  return joined(
    ranges,
    ranges.map(() => choice),
  );
}

describe("ranges of two texts", () => {
  test("lines joined are the text", () => {
    fc.assert(fc.property(text, (one) => linesOf(one).join("") === one));
  });

  test("without what both began from, each side can be had whole", () => {
    fc.assert(
      fc.property(text, text, (mine, theirs) => {
        const ranges = rangesOf(null, mine, theirs);
        expect(all(ranges, "mine")).toBe(mine);
        expect(all(ranges, "theirs")).toBe(theirs);
      }),
    );
  });

  test("with what both began from, each side can be had whole", () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const ranges = rangesOf(base, mine, theirs);
        expect(all(ranges, "mine")).toBe(mine);
        expect(all(ranges, "theirs")).toBe(theirs);
      }),
      { numRuns: 1000 },
    );
  });

  test("where only one side changed nothing is asked and its text is proposed", () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        const mine = rangesOf(base, changed, base);
        expect(undecided(mine, proposed(mine))).toBe(0);
        expect(joined(mine, proposed(mine))).toBe(changed);
        const theirs = rangesOf(base, base, changed);
        expect(undecided(theirs, proposed(theirs))).toBe(0);
        expect(joined(theirs, proposed(theirs))).toBe(changed);
      }),
    );
  });

  test("every line of both sides stands in some range", () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const told = rangesOf(base, mine, theirs).flatMap((one) =>
          one.range === "same" ? [one.text] : [one.mine, one.theirs],
        );
        const held = new Set(told.flatMap((one) => linesOf(one)));
        for (const own of [...linesOf(mine), ...linesOf(theirs)])
          expect(held).toContain(own);
      }),
    );
  });

  test("changes far from each other are both taken", () => {
    const base = "one\ntwo\nthree\nfour\nfive\n";
    const ranges = rangesOf(
      base,
      base.replace("one", "ONE"),
      base.replace("five", "FIVE"),
    );
    expect(undecided(ranges, proposed(ranges))).toBe(0);
    expect(joined(ranges, proposed(ranges))).toBe("ONE\ntwo\nthree\nfour\nFIVE\n");
  });

  test("the same line changed by both waits for the person, who may take both", () => {
    const ranges = rangesOf("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n");
    expect(undecided(ranges, proposed(ranges))).toBe(1);
    const choices = ranges.map((one) =>
      one.range === "differs" ? ("both" as const) : null,
    );
    expect(joined(ranges, choices)).toBe("a\nmine\ntheirs\nc\n");
  });

  test("texts with nothing in common are one range, at once", () => {
    const [mine, theirs] = ["m", "t"].map((sign) =>
      Array.from({ length: 20_000 }, (_, place) => `${sign}${place}`).join("\n"),
    ) as [string, string];
    const ranges = rangesOf(null, `same\n${mine}`, `same\n${theirs}`);
    expect(ranges.map((one) => one.range)).toEqual(["same", "differs"]);
    expect(all(ranges, "theirs")).toBe(`same\n${theirs}`);
  });
});
