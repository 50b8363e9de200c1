/**
 * Cuts growing Markdown into blocks that will not change any more.
 *
 * Strategy: one pass over the lines, kept between calls. A block is settled at
 * the first line that cannot belong to it: after a blank line outside fences,
 * lists and indented code. Only the tail behind the last settled block is ever
 * parsed again, and no block grows beyond `MAX_BLOCK_CHARS`, so the work for a
 * message is linear in its length, whatever it holds. A fence of the outermost
 * level is not Markdown at all: its lines are collected in segments.
 *
 * Definitions of links (`[a]: https://…`) hold for the whole message, so each
 * block carries those that its labels name.
 */

/** UTF-16 units of the longest block given to the Markdown parser at once. */
export const MAX_BLOCK_CHARS = 16_384;

/** UTF-16 units of one segment of a code block, about. */
const SEGMENT_CHARS = 8192;

/** Labels of one block that may wait for a definition. */
const MAX_LABELS = 200;

/** Markdown that is parsed as one piece. */
export interface ProseBlock {
  readonly kind: "prose";
  readonly text: string;
  /** Lines that define the labels this block uses. */
  readonly definitions: string;
}

/** A fenced code block of the outermost level. */
export interface CodeBlock {
  readonly kind: "code";
  /** First word of the info string; may be empty. */
  readonly language: string;
  /** Pieces of the code in order; all but the last are final. */
  readonly segments: readonly string[];
}

/** Text that is too long for one parse without a place to cut it; shown as it is. */
export interface PlainBlock {
  readonly kind: "plain";
  readonly text: string;
}

/** One block of a message. */
export type Block = ProseBlock | CodeBlock | PlainBlock;

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly indent: number;
  readonly language: string;
}

interface Line {
  readonly text: string;
  readonly indent: number;
  readonly isBlank: boolean;
}

const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\n]*)$/;
const LIST_ITEM = /^( {0,3}(?:[-+*]|(\d{1,9})[.)]))(?:([ \t]+)(?=\S)|[ \t]*$)/;
const TABLE_RULE = /^[ \t|:-]*\|[ \t|:-]*$/;
const DEFINITION = /^ {0,3}\[([^[\]\\]{1,200})\]:[ \t]*\S/;
const LABEL = /\[([^[\]]{1,200})\]/g;

const HTML_ENDS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i,
    /<\/(?:script|pre|style|textarea)>/i,
  ],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![A-Za-z]/, />/],
];

function readLine(text: string): Line {
  let indent = 0;
  let at = 0;
  for (; at < text.length; at += 1) {
    const char = text[at];
    if (char === " ") indent += 1;
    else if (char === "\t") indent += 4 - (indent % 4);
    else break;
  }
  return { text, indent, isBlank: at === text.length };
}

function openFence(line: Line): Fence | null {
  const found = FENCE.exec(line.text);
  if (found === null) return null;
  const [, space = "", mark = "", info = ""] = found;
  if (mark.startsWith("`") && info.includes("`")) return null;
  return {
    mark: mark.charAt(0),
    length: mark.length,
    indent: space.length,
    language: info.trim().split(/\s/, 1)[0] ?? "",
  };
}

function closesFence(line: Line, fence: Fence): boolean {
  if (line.indent > 3) return false;
  const text = line.text.trim();
  return text.length >= fence.length && text === fence.mark.repeat(text.length);
}

function openHtml(line: Line): RegExp | null {
  if (!line.text.includes("<")) return null;
  for (const [start, end] of HTML_ENDS) {
    const found = start.exec(line.text);
    if (found !== null) return end.test(line.text.slice(found[0].length)) ? null : end;
  }
  return null;
}

function itemOf(line: Line): RegExpExecArray | null {
  return TABLE_RULE.test(line.text) ? null : LIST_ITEM.exec(line.text);
}

function normalise(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}

function labelsOf(text: string): string[] {
  const labels = new Set<string>();
  for (const found of text.matchAll(LABEL)) {
    labels.add(normalise(found[1] ?? ""));
    if (labels.size >= MAX_LABELS) break;
  }
  return [...labels];
}

/** Takes a growing text and keeps its blocks; one for each text part. */
export class BlockSplitter {
  /** Characters that were looked at, for the tests of linear work. */
  scanned = 0;

  readonly #settled: Block[] = [];
  readonly #definitions = new Map<string, string>();
  readonly #waiting = new Map<string, number[]>();
  #completed: number[] = [];

  /** Where the block that is not settled begins, and where its next line does. */
  #blockStart = 0;
  #lineStart = 0;
  /** Up to here the unfinished line holds no line break. */
  #searched = 0;
  #source = "";

  #fence: Fence | null = null;
  #segments: string[] = [];
  #segment = "";
  #htmlEnd: RegExp | null = null;
  #isList = false;
  #itemIndent = 0;
  #afterBlank = false;
  #lastIndent = 0;

  /** True if `text` continues what was given before; then `update` does only the new work. */
  continues(text: string): boolean {
    const { length } = this.#source;
    if (text.length < length) return false;
    const from = Math.max(0, length - 64);
    return text.slice(from, length) === this.#source.slice(from);
  }

  /** Settled blocks of the text so far; the same array until one is added or completed. */
  get settled(): readonly Block[] {
    return this.#settled;
  }

  /** Returns the places of settled blocks that a definition completed since the last call. */
  takeCompleted(): readonly number[] {
    const completed = this.#completed;
    this.#completed = [];
    return completed;
  }

  /** Reads on; `text` is the whole text so far. */
  update(text: string): void {
    this.#source = text;
    for (;;) {
      const end = text.indexOf("\n", Math.max(this.#lineStart, this.#searched));
      if (end === -1) break;
      this.scanned += end + 1 - this.#lineStart;
      const raw = text.slice(this.#lineStart, end);
      const start = this.#lineStart;
      this.#lineStart = end + 1;
      this.#take(readLine(raw.endsWith("\r") ? raw.slice(0, -1) : raw), start);
    }
    this.#searched = text.length;
    while (text.length - this.#lineStart > MAX_BLOCK_CHARS) this.#cutLine();
  }

  /** Lets go of the start of a line that has no end in sight. */
  #cutLine(): void {
    const start = this.#lineStart;
    let end = start + MAX_BLOCK_CHARS;
    if (/[\ud800-\udbff]/.test(this.#source.charAt(end - 1))) end -= 1;
    this.scanned += end - start;
    const piece = this.#source.slice(start, end);
    this.#lineStart = end;
    if (this.#fence !== null) {
      this.#segments.push(this.#segment + piece);
      this.#segment = "";
      return;
    }
    this.#settle(start);
    this.#add({ kind: "plain", text: piece });
    this.#begin(end);
  }

  /** Settles what is left: the text is complete, nothing may follow. */
  finish(): void {
    const { length } = this.#source;
    if (this.#lineStart < length) {
      const start = this.#lineStart;
      this.scanned += length - start;
      this.#lineStart = length;
      this.#take(readLine(this.#source.slice(start)), start);
    }
    if (this.#fence !== null) this.#closeFence();
    else this.#settle(length);
  }

  /** The blocks that may still change: none, one, or one and its beginning successor. */
  tail(): readonly Block[] {
    const last = this.#source.slice(this.#lineStart);
    const line = readLine(last);
    if (this.#fence !== null) {
      const closes = closesFence(line, this.#fence);
      const open = closes ? this.#segment : this.#segment + this.#dedent(last);
      return [this.#code([...this.#segments, open])];
    }
    const fence =
      this.#htmlEnd === null && !this.#isInItem(line) ? openFence(line) : null;
    if (fence === null && !this.#parts(line)) return this.#proseOf(this.#blockStart);
    const before = this.#proseOf(this.#blockStart, this.#lineStart);
    if (fence === null) return [...before, ...this.#proseOf(this.#lineStart)];
    return [...before, { kind: "code", language: fence.language, segments: [""] }];
  }

  /** The text of a range as a block; none where it is blank. */
  #proseOf(start: number, end = this.#source.length): readonly Block[] {
    const text = this.#source.slice(start, end);
    return text.trim() === "" ? [] : [this.#prose(text)];
  }

  #take(line: Line, start: number): void {
    if (this.#fence !== null) this.#takeCode(line, this.#fence);
    else if (this.#htmlEnd !== null) this.#takeHtml(line, this.#htmlEnd, start);
    else this.#takeProse(line, start);
  }

  #takeCode(line: Line, fence: Fence): void {
    if (closesFence(line, fence)) {
      this.#closeFence();
      return;
    }
    this.#segment += `${this.#dedent(line.text)}\n`;
    if (this.#segment.length >= SEGMENT_CHARS) {
      this.#segments.push(this.#segment);
      this.#segment = "";
    }
  }

  #closeFence(): void {
    this.#add(this.#code([...this.#segments, this.#segment]));
    this.#fence = null;
    this.#segments = [];
    this.#segment = "";
    this.#begin(this.#lineStart);
  }

  #takeHtml(line: Line, end: RegExp, start: number): void {
    if (end.test(line.text)) this.#htmlEnd = null;
    this.#cutIfLong(start);
  }

  #takeProse(line: Line, start: number): void {
    if (line.isBlank) {
      this.#afterBlank = true;
      this.#cutIfLong(start);
      return;
    }
    const isInItem = this.#isInItem(line);
    if (this.#parts(line)) this.#settle(start);
    const fence = isInItem ? null : openFence(line);
    if (fence !== null) {
      this.#settle(start);
      this.#fence = fence;
      return;
    }
    if (!isInItem) {
      this.#htmlEnd = openHtml(line);
      const item = itemOf(line);
      if (item !== null) this.#enterItem(item, start);
    }
    this.#afterBlank = false;
    this.#lastIndent = line.indent;
    this.#cutIfLong(start);
  }

  #isInItem(line: Line): boolean {
    return this.#isList && line.indent >= this.#itemIndent;
  }

  /** True if a line begins another block because of the blank line before it. */
  #parts(line: Line): boolean {
    if (!this.#afterBlank || line.isBlank || this.#isInItem(line)) return false;
    if (this.#htmlEnd !== null) return false;
    if (this.#isList) return itemOf(line) === null;
    return line.indent < 4 || this.#lastIndent < 4;
  }

  #enterItem(item: RegExpExecArray, start: number): void {
    const [, mark = "", number, space = ""] = item;
    const isEmptyItem = space === "";
    if (!this.#isList && this.#hasText(start)) {
      // Only a bullet with content, or the number 1, may interrupt a paragraph.
      if (isEmptyItem || (number !== undefined && number !== "1")) return;
      this.#settle(start);
    } else if (start - this.#blockStart > MAX_BLOCK_CHARS / 2) this.#settle(start);
    this.#isList = true;
    this.#itemIndent = mark.length + (space.length > 4 || isEmptyItem ? 1 : space.length);
  }

  #hasText(end: number): boolean {
    return this.#source.slice(this.#blockStart, end).trim() !== "";
  }

  #cutIfLong(lineStart: number): void {
    if (this.#lineStart - this.#blockStart <= MAX_BLOCK_CHARS) return;
    const htmlEnd = this.#htmlEnd;
    if (lineStart > this.#blockStart) this.#settle(lineStart);
    if (this.#lineStart - this.#blockStart > MAX_BLOCK_CHARS)
      this.#settle(this.#lineStart);
    this.#htmlEnd = htmlEnd;
  }

  #settle(end: number): void {
    const text = this.#source.slice(this.#blockStart, end);
    if (text.trim() !== "") this.#add(this.#prose(text));
    this.#begin(end);
  }

  #begin(start: number): void {
    this.#blockStart = start;
    this.#isList = false;
    this.#itemIndent = 0;
    this.#afterBlank = false;
    this.#lastIndent = 0;
    this.#htmlEnd = null;
  }

  #code(segments: readonly string[]): CodeBlock {
    return { kind: "code", language: this.#fence?.language ?? "", segments };
  }

  #dedent(text: string): string {
    const indent = this.#fence?.indent ?? 0;
    let at = 0;
    while (at < indent && text[at] === " ") at += 1;
    return text.slice(at);
  }

  #prose(text: string): ProseBlock | PlainBlock {
    if (text.length > MAX_BLOCK_CHARS) return { kind: "plain", text };
    const known = text.includes("[")
      ? labelsOf(text).flatMap((label) => this.#definitions.get(label) ?? [])
      : [];
    return { kind: "prose", text, definitions: known.join("\n") };
  }

  #add(block: Block): void {
    const index = this.#settled.length;
    this.#settled.push(block);
    if (block.kind !== "prose" || !block.text.includes("[")) return;
    for (const label of labelsOf(block.text)) {
      if (this.#definitions.has(label)) continue;
      const waiting = this.#waiting.get(label);
      if (waiting === undefined) this.#waiting.set(label, [index]);
      else waiting.push(index);
    }
    this.#define(block.text);
  }

  /** Takes the definitions at the start of a block and completes who waited for them. */
  #define(text: string): void {
    for (const line of text.split("\n")) {
      if (line.trim() === "") continue;
      const found = DEFINITION.exec(line);
      if (found === null) return;
      const label = normalise(found[1] ?? "");
      if (this.#definitions.has(label)) continue;
      this.#definitions.set(label, line);
      this.#complete(label, line);
    }
  }

  #complete(label: string, line: string): void {
    for (const index of this.#waiting.get(label) ?? []) {
      const block = this.#settled[index];
      if (block?.kind !== "prose") continue;
      const definitions =
        block.definitions === "" ? line : `${block.definitions}\n${line}`;
      this.#settled[index] = { ...block, definitions };
      this.#completed.push(index);
    }
    this.#waiting.delete(label);
  }
}
