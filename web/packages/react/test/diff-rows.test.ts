import type { BlamedSpan, DiffHunk } from "@vitrail/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blameBlocks } from "../src/history/blame-lines.ts";
import {
  countsOf,
  type DiffSide,
  MAX_LINE_UNITS,
  piecesOfLine,
  rowsOf,
  splitLines,
} from "../src/history/diff-rows.ts";

const HUNK: DiffHunk = {
  oldStart: 4,
  oldLines: 4,
  newStart: 4,
  newLines: 3,
  lines: [
    { kind: "same", text: "a", words: [] },
    { kind: "removed", text: "old 🧪 one", words: [[4, 5]] },
    { kind: "removed", text: "gone", words: [] },
    { kind: "added", text: "old 🧫 one", words: [[4, 5]] },
    { kind: "same", text: "z", words: [] },
  ],
};

const numbers = (side: DiffSide | null) => side?.number ?? null;

describe("rows of a difference", () => {
  test("side by side, what replaces a line stands beside it", () => {
    const rows = rowsOf([HUNK], true);
    expect(rows[0]).toEqual({ row: "gap", lines: 4, start: 0 });
    expect(
      rows
        .slice(1, -1)
        .map((row) => row.row === "line" && [numbers(row.old), numbers(row.new)]),
    ).toEqual([
      [5, 5],
      [6, 6],
      [7, null],
      [8, 7],
    ]);
  });

  test("in one column, the old lines come before the new ones", () => {
    const rows = rowsOf([HUNK], false).slice(1, -1);
    expect(
      rows.map((row) => row.row === "line" && [numbers(row.old), numbers(row.new)]),
    ).toEqual([
      [5, 5],
      [6, null],
      [7, null],
      [null, 6],
      [8, 7],
    ]);
  });

  test("a gap that is opened has the lines of both sides, numbered on each", () => {
    const hunk = { ...HUNK, newStart: 4, newLines: 3 };
    const lines = ["1", "2", "3", "4", "a", "old 🧫 one", "z", "8", "9"];
    const known = { opened: new Set([0, 7]), lines };
    const rows = rowsOf([hunk], false, known);
    const sides = rows.map((row) => (row.row === "line" ? (row.new ?? row.old) : null));
    expect(sides.map((side) => side?.pieces.map((piece) => piece.text).join(""))).toEqual(
      [...["1", "2", "3", "4", "a", "old 🧪 one", "gone", "old 🧫 one", "z", "8", "9"]],
    );
    const last = rows.at(-1);
    expect(last?.row === "line" && [numbers(last.old), numbers(last.new)]).toEqual([
      10, 9,
    ]);
  });

  test("what follows the last hunk can be opened, unless the hunks end early", () => {
    expect(rowsOf([HUNK], false).at(-1)).toEqual({ row: "gap", lines: null, start: 7 });
    expect(rowsOf([HUNK], false, undefined, true).at(-1)?.row).toBe("line");
    const known = { opened: new Set<number>(), lines: Array(7).fill("x") };
    expect(rowsOf([HUNK], false, known).at(-1)?.row).toBe("line");
  });

  test("lines end where a difference ends them", () => {
    expect(splitLines("a\r\nb\rc\n\nd")).toEqual(["a", "b", "c", "", "d"]);
    expect(splitLines("a\n")).toEqual(["a"]);
    expect(splitLines("")).toEqual([]);
  });

  test("a word beyond the basic plane is marked whole", () => {
    const line = HUNK.lines[1];
    if (line === undefined) throw new Error("expected a line");
    expect(piecesOfLine(line)).toEqual([
      { text: "old ", isChanged: false },
      { text: "🧪", isChanged: true },
      { text: " one", isChanged: false },
    ]);
  });

  test("the pieces of a line are its text, whatever is marked in it", () => {
    const words = fc
      .uniqueArray(fc.nat(20), { maxLength: 6 })
      .map((places) => places.sort((a, b) => a - b))
      .map((places) =>
        places.flatMap((place, at) =>
          at % 2 === 0 && places[at + 1] !== undefined
            ? [[place, places[at + 1]] as [number, number]]
            : [],
        ),
      );
    fc.assert(
      fc.property(words, (spans) => {
        const text = "ab🧪c 数据 🧫🧪 d efgh ijk";
        const pieces = piecesOfLine({ kind: "added", text, words: spans });
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      }),
    );
  });

  test("a line without end says how much is left out", () => {
    const text = "x".repeat(MAX_LINE_UNITS + 7);
    const [row] = rowsOf(
      [
        {
          oldStart: 0,
          oldLines: 0,
          newStart: 0,
          newLines: 1,
          lines: [{ kind: "added", text, words: [[0, MAX_LINE_UNITS + 7]] }],
        },
      ],
      false,
    );
    expect(row?.row === "line" && row.new?.left).toBe(7);
  });

  test("lines are counted by what became of them", () => {
    expect(countsOf([HUNK])).toEqual({ added: 1, removed: 2 });
  });
});

function span(start: number, end: number, number: number): BlamedSpan {
  return {
    span: [start, end],
    revision: `r${number}`,
    number,
    author: "model",
    runId: null,
    createdAt: null,
  };
}

describe("who wrote each line", () => {
  test("a line of several revisions belongs to the newest", () => {
    const blocks = blameBlocks("🧪a\nbc\nd\n", [
      span(0, 4, 1),
      span(4, 5, 3),
      span(5, 8, 1),
    ]);
    expect(blocks.map((one) => [one.line, one.lines, one.by.number])).toEqual([
      [0, 1, 1],
      [1, 1, 3],
      [2, 1, 1],
    ]);
  });

  test("neighbouring lines of one revision are one block", () => {
    expect(blameBlocks("a\nb\nc", [span(0, 5, 2)])).toMatchObject([
      { line: 0, lines: 3 },
    ]);
  });

  test("spans of another text give nothing", () => {
    expect(blameBlocks("a", [span(0, 5, 2)])).toEqual([]);
  });

  test("every line has one block where the spans cover the text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "\n", "🧪"), { maxLength: 40 }),
        (chars) => {
          const spans = chars.map((_, at) => span(at, at + 1, (at * 7) % 5));
          const text = chars.join("");
          const lines =
            text.split("\n").length - (text.endsWith("\n") || text === "" ? 1 : 0);
          const blocks = blameBlocks(text, spans);
          expect(blocks.reduce((sum, one) => sum + one.lines, 0)).toBe(lines);
        },
      ),
    );
  });
});
