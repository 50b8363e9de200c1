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
    expect(rows[0]).toEqual({ row: "gap", lines: 4 });
    expect(
      rows
        .slice(1)
        .map((row) => row.row === "line" && [numbers(row.old), numbers(row.new)]),
    ).toEqual([
      [5, 5],
      [6, 6],
      [7, null],
      [8, 7],
    ]);
  });

  test("in one column, the old lines come before the new ones", () => {
    const rows = rowsOf([HUNK], false).slice(1);
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
