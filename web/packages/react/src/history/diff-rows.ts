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
  | {
      readonly row: "gap";
      /** What both sides have; null: so many as stand behind the last hunk. */
      readonly lines: number | null;
      /** 0-based line of the new side that it begins with; names the gap. */
      readonly start: number;
    }
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

/** What is known of the lines between hunks. */
export interface GapLines {
  /** Gaps that were opened, by their `start`. */
  readonly opened: ReadonlySet<number>;
  /** The new side's lines; none before they came. */
  readonly lines: readonly string[] | null;
}

const CLOSED: GapLines = { opened: new Set(), lines: null };

/** Returns the lines of a text without their breaks, as a difference counts them. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Adds what stands between two hunks: as its lines where it was opened. */
function addGap(
  gap: { readonly oldStart: number; readonly newStart: number },
  count: number | null,
  known: GapLines,
  rows: DiffRow[],
): void {
  const { oldStart, newStart } = gap;
  const lines = known.opened.has(newStart) ? known.lines : null;
  if (lines === null) {
    rows.push({ row: "gap", lines: count, start: newStart });
    return;
  }
  const end = count === null ? lines.length : newStart + count;
  for (const [place, text] of lines.slice(newStart, end).entries()) {
    const line = { kind: "same", text, words: [] } as const;
    rows.push({
      row: "line",
      old: sideOf(line, oldStart + place + 1),
      new: sideOf(line, newStart + place + 1),
    });
  }
}

/** Whether lines may follow a hunk: it ends with lines that did not change. */
function mayGoOn(hunk: DiffHunk, lines: readonly string[] | null): boolean {
  if (lines !== null) return hunk.newStart + hunk.newLines < lines.length;
  return hunk.lines.at(-1)?.kind === "same";
}

/**
 * Returns the rows of a difference; `isSplit`: old and new side by side. `isCut`: it
 * ends early, so that nothing is known of what follows.
 */
export function rowsOf(
  hunks: readonly DiffHunk[],
  isSplit: boolean,
  known: GapLines = CLOSED,
  isCut = false,
): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  const layout = isSplit ? pairLayout(rows) : columnLayout(rows);
  let at = { oldStart: 0, newStart: 0 };
  for (const hunk of hunks) {
    const lines = hunk.oldStart - at.oldStart;
    if (lines > 0) addGap(at, lines, known, rows);
    addHunk(hunk, rows, layout);
    at = {
      oldStart: hunk.oldStart + hunk.oldLines,
      newStart: hunk.newStart + hunk.newLines,
    };
  }
  const last = hunks.at(-1);
  if (last !== undefined && !isCut && mayGoOn(last, known.lines)) {
    addGap(at, null, known, rows);
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
