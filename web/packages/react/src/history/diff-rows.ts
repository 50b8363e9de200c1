/**
 * The hunks of a difference as rows to draw, in one column or side by side.
 *
 * Strategy: hunks come from the server with their words marked, so nothing is
 * compared here. A run of removed lines and the added lines behind it stand for
 * each other, first beside first; what is longer has blanks beside it.
 */

import type { DiffHunk, DiffLine } from "@vitrail/protocol";
import { Offsets } from "@vitrail/protocol";

/** UTF-16 units of a line that are drawn; what is longer says how much is left out. */
export const MAX_LINE_UNITS = 4000;

/** A piece of a line, and whether it is what changed in it. */
export interface DiffPiece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** One line of a side. */
export interface DiffSide {
  readonly kind: DiffLine["kind"];
  /** 1-based. */
  readonly number: number;
  readonly pieces: readonly DiffPiece[];
  /** UTF-16 units of the line that are not in the pieces. */
  readonly left: number;
}

/** One row: lines that are left out, or a line of one side or of both. */
export type DiffRow =
  | { readonly row: "gap"; readonly lines: number }
  | {
      readonly row: "line";
      readonly old: DiffSide | null;
      readonly new: DiffSide | null;
    };

/** Returns the pieces of a line: what changed in it stands apart. */
export function piecesOfLine(line: DiffLine): readonly DiffPiece[] {
  const text = line.text.slice(0, MAX_LINE_UNITS);
  if (line.words.length === 0) return text === "" ? [] : [{ text, isChanged: false }];
  const offsets = new Offsets(line.text);
  const pieces: DiffPiece[] = [];
  let from = 0;
  const add = (to: number, isChanged: boolean): void => {
    const piece = text.slice(from, to);
    if (piece !== "") pieces.push({ text: piece, isChanged });
    from = Math.max(from, to);
  };
  for (const span of line.words) {
    const [start, end] = offsets.toUnitRange(span);
    add(start, false);
    add(end, true);
  }
  add(text.length, false);
  return pieces;
}

function sideOf(line: DiffLine, number: number): DiffSide {
  return {
    kind: line.kind,
    number,
    pieces: piecesOfLine(line),
    left: Math.max(0, line.text.length - MAX_LINE_UNITS),
  };
}

/** Where the rows of a change go: as they come, or each removed beside an added one. */
interface Layout {
  readonly add: (removed: readonly DiffSide[], added: readonly DiffSide[]) => void;
}

function columnLayout(rows: DiffRow[]): Layout {
  return {
    add: (removed, added) => {
      for (const old of removed) rows.push({ row: "line", old, new: null });
      for (const fresh of added) rows.push({ row: "line", old: null, new: fresh });
    },
  };
}

function pairLayout(rows: DiffRow[]): Layout {
  return {
    add: (removed, added) => {
      const count = Math.max(removed.length, added.length);
      for (let place = 0; place < count; place += 1) {
        rows.push({
          row: "line",
          old: removed[place] ?? null,
          new: added[place] ?? null,
        });
      }
    },
  };
}

function addHunk(hunk: DiffHunk, rows: DiffRow[], layout: Layout): void {
  let oldNumber = hunk.oldStart;
  let newNumber = hunk.newStart;
  let removed: DiffSide[] = [];
  let added: DiffSide[] = [];
  const flush = (): void => {
    layout.add(removed, added);
    removed = [];
    added = [];
  };
  for (const line of hunk.lines) {
    if (line.kind === "removed") {
      if (added.length > 0) flush();
      oldNumber += 1;
      removed.push(sideOf(line, oldNumber));
    } else if (line.kind === "added") {
      newNumber += 1;
      added.push(sideOf(line, newNumber));
    } else {
      flush();
      oldNumber += 1;
      newNumber += 1;
      rows.push({
        row: "line",
        old: sideOf(line, oldNumber),
        new: sideOf(line, newNumber),
      });
    }
  }
  flush();
}

/** Returns the rows of a difference; `isSplit`: old and new side by side. */
export function rowsOf(hunks: readonly DiffHunk[], isSplit: boolean): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  const layout = isSplit ? pairLayout(rows) : columnLayout(rows);
  let seen = 0;
  for (const hunk of hunks) {
    const lines = hunk.oldStart - seen;
    if (lines > 0) rows.push({ row: "gap", lines });
    addHunk(hunk, rows, layout);
    seen = hunk.oldStart + hunk.oldLines;
  }
  return rows;
}

/** Returns how many lines a difference adds and removes. */
export function countsOf(hunks: readonly DiffHunk[]): {
  readonly added: number;
  readonly removed: number;
} {
  let added = 0;
  let removed = 0;
  for (const hunk of hunks) {
    for (const line of hunk.lines) {
      if (line.kind === "added") added += 1;
      if (line.kind === "removed") removed += 1;
    }
  }
  return { added, removed };
}
