/**
 * Two texts that grew out of one, as ranges to choose from.
 *
 * Strategy: both are compared with the text that they began from, line by line.
 * Changes that touch each other are one range. Where only one side changed, its
 * text is proposed; where both did, nobody but the person can say. Without the
 * text in common, the two are compared with each other and all that differs is
 * asked. A comparison that would take too long makes the middle one range.
 */

import { diffArrays } from "diff";

/** Most lines that differ before the rest is taken as one range; bounds the work. */
const MAX_EDITS = 2000;

/** What is taken for a range; none while the person has not said. */
export type RangeChoice = "mine" | "theirs" | "both" | null;

/** A stretch of the result: what both have, or what to choose from. */
export type TextRange =
  | { readonly range: "same"; readonly text: string }
  | {
      readonly range: "differs";
      readonly mine: string;
      readonly theirs: string;
      /** Who changed it since both were one; `both` also where that is not known. */
      readonly changedBy: "mine" | "theirs" | "both";
    };

/** A change: lines `[start, end)` of the old text became `[from, to)` of the new one. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the lines of a text, each with its line break. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/(?<=\n)/);
  return text === "" ? [] : lines;
}

/** The one change between what both begin with and what both end with. */
function wholeChange(old: readonly string[], fresh: readonly string[]): Change {
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start += 1;
  let tail = 0;
  while (tail < most - start && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return { start, end: old.length - tail, from: start, to: fresh.length - tail };
}

function changesOf(old: readonly string[], fresh: readonly string[]): readonly Change[] {
  const told = diffArrays([...old], [...fresh], { maxEditLength: MAX_EDITS });
  if (told === undefined) return [wholeChange(old, fresh)];
  const changes: Change[] = [];
  let start = 0;
  let from = 0;
  let end = 0;
  let to = 0;
  const flush = (): void => {
    if (end > start || to > from) changes.push({ start, end, from, to });
  };
  for (const { added, removed, count } of told) {
    if (removed) end += count;
    else if (added) to += count;
    else {
      flush();
      start = end + count;
      from = to + count;
      end = start;
      to = from;
    }
  }
  flush();
  return changes;
}

/** Walks one side's changes along the base, and says where base lines are on it. */
class Side {
  readonly #changes: readonly Change[];
  #next = 0;
  /** How far this side's line numbers are ahead of the base's, behind all that is past. */
  #shift = 0;

  constructor(changes: readonly Change[]) {
    this.#changes = changes;
  }

  get next(): Change | undefined {
    return this.#changes[this.#next];
  }

  /** This side's line of a base line that no open change holds. */
  at(baseLine: number): number {
    return baseLine + this.#shift;
  }

  /** Passes the changes that begin within a range or at its end; returns its new end. */
  pass(end: number): number {
    let reached = end;
    for (let change = this.next; change && change.start <= reached; change = this.next) {
      reached = Math.max(reached, change.end);
      this.#shift = change.to - change.end;
      this.#next += 1;
    }
    return reached;
  }
}

/** Returns the ranges of two texts; `base` is what both began from, if that is known. */
export function rangesOf(
  base: string | null,
  mine: string,
  theirs: string,
): readonly TextRange[] {
  return base === null ? compared(mine, theirs) : merged(base, mine, theirs);
}

function compared(mine: string, theirs: string): readonly TextRange[] {
  const [old, fresh] = [linesOf(mine), linesOf(theirs)];
  const ranges: TextRange[] = [];
  let at = 0;
  for (const change of changesOf(old, fresh)) {
    addSame(ranges, old.slice(at, change.start));
    ranges.push({
      range: "differs",
      mine: old.slice(change.start, change.end).join(""),
      theirs: fresh.slice(change.from, change.to).join(""),
      changedBy: "both",
    });
    at = change.end;
  }
  addSame(ranges, old.slice(at));
  return ranges;
}

function addSame(ranges: TextRange[], lines: readonly string[]): void {
  if (lines.length > 0) ranges.push({ range: "same", text: lines.join("") });
}

function merged(base: string, mine: string, theirs: string): readonly TextRange[] {
  const lines = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) };
  const own = new Side(changesOf(lines.base, lines.mine));
  const other = new Side(changesOf(lines.base, lines.theirs));
  const ranges: TextRange[] = [];
  let at = 0;
  for (;;) {
    const start = Math.min(
      own.next?.start ?? Number.POSITIVE_INFINITY,
      other.next?.start ?? Number.POSITIVE_INFINITY,
    );
    if (start === Number.POSITIVE_INFINITY) break;
    addSame(ranges, lines.base.slice(at, start));
    const from = { mine: own.at(start), theirs: other.at(start) };
    const end = reach(own, other, start);
    const texts = {
      base: lines.base.slice(start, end).join(""),
      mine: lines.mine.slice(from.mine, own.at(end)).join(""),
      theirs: lines.theirs.slice(from.theirs, other.at(end)).join(""),
    };
    ranges.push(rangeOf(texts));
    at = end;
  }
  addSame(ranges, lines.base.slice(at));
  return ranges;
}

/** Passes every change of both sides that touches the range; returns where it ends. */
function reach(own: Side, other: Side, start: number): number {
  let end = start;
  for (;;) {
    const reached = other.pass(own.pass(end));
    const isStill = reached === end;
    end = reached;
    if (isStill) return end;
  }
}

function rangeOf(texts: {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}): TextRange {
  const { base, mine, theirs } = texts;
  if (mine === theirs) return { range: "same", text: mine };
  const changedBy = mine === base ? "theirs" : theirs === base ? "mine" : "both";
  return { range: "differs", mine, theirs, changedBy };
}

/** Returns what is proposed for each range: the side that changed, if only one did. */
export function proposed(ranges: readonly TextRange[]): readonly RangeChoice[] {
  return ranges.map((one) =>
    one.range === "same" || one.changedBy === "both" ? null : one.changedBy,
  );
}

/** Returns how many ranges wait for the person. */
export function undecided(
  ranges: readonly TextRange[],
  choices: readonly RangeChoice[],
): number {
  return ranges.filter(
    (one, place) => one.range === "differs" && (choices[place] ?? null) === null,
  ).length;
}

/** Returns the text that the choices give; where nobody chose, mine stands. */
export function joined(
  ranges: readonly TextRange[],
  choices: readonly RangeChoice[],
): string {
  return ranges
    .map((one, place) => {
      if (one.range === "same") return one.text;
      switch (choices[place] ?? null) {
        case "theirs":
          return one.theirs;
        case "both":
          return withBreak(one.mine) + one.theirs;
        default:
          return one.mine;
      }
    })
    .join("");
}

/** Two texts below each other do not share a line. */
function withBreak(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
