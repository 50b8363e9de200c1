/** Who wrote each line, out of who wrote each span. */

import { type BlamedSpan, Offsets } from "@vitrail/protocol";

/** A stretch of neighbouring lines that one revision wrote. */
export interface BlameBlock {
  /** 0-based. */
  readonly line: number;
  readonly lines: number;
  readonly by: BlamedSpan;
}

/** Whether a span is later work than another; what no revision has is the latest. */
function isNewer(one: BlamedSpan, other: BlamedSpan): boolean {
  return (
    (one.number ?? Number.POSITIVE_INFINITY) > (other.number ?? Number.POSITIVE_INFINITY)
  );
}

/**
 * Returns the blocks of a text's lines in order. A line that several revisions
 * wrote belongs to the newest of them. Spans that do not fit the text give none.
 */
export function blameBlocks(
  text: string,
  spans: readonly BlamedSpan[],
): readonly BlameBlock[] {
  const offsets = new Offsets(text);
  if ((spans.at(-1)?.span[1] ?? 0) > offsets.codePoints) return [];
  const blocks: BlameBlock[] = [];
  let place = 0;
  let line = 0;
  for (let start = 0; start < text.length; line += 1) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found + 1;
    const [first, last] = [offsets.toCodePoints(start), offsets.toCodePoints(end)];
    while ((spans[place]?.span[1] ?? Number.POSITIVE_INFINITY) <= first) place += 1;
    const by = newestWithin(spans, place, last);
    if (by !== null) addLine(blocks, line, by);
    start = end;
  }
  return blocks;
}

function newestWithin(
  spans: readonly BlamedSpan[],
  first: number,
  end: number,
): BlamedSpan | null {
  let newest: BlamedSpan | null = null;
  for (let place = first; place < spans.length; place += 1) {
    const span = spans[place];
    if (span === undefined || span.span[0] >= end) break;
    if (newest === null || isNewer(span, newest)) newest = span;
  }
  return newest;
}

function addLine(blocks: BlameBlock[], line: number, by: BlamedSpan): void {
  const last = blocks.at(-1);
  const goesOn =
    last !== undefined &&
    last.by.revision === by.revision &&
    last.line + last.lines === line;
  if (goesOn) blocks[blocks.length - 1] = { ...last, lines: last.lines + 1 };
  else blocks.push({ line, lines: 1, by });
}
