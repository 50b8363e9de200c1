/**
 * Groups the blocks of a growing text, so that a further word costs the same
 * at the start of a message and at the end of a long one.
 *
 * Strategy: blocks are put into sections, sections into chapters, each of a
 * limited size. A section or chapter that is full stays the same object, so
 * that nothing in it is compared, drawn or laid out again; a further word makes
 * one section, its chapter and the list of chapters anew.
 */

import { type Block, BlockSplitter } from "./blocks.ts";

/** Blocks that end a section, and the UTF-16 units that do. */
const SECTION_BLOCKS = 8;
const SECTION_CHARS = 4096;
const CHAPTER_SECTIONS = 32;

/** Some blocks in a row. */
export interface Section {
  readonly blocks: readonly Block[];
  /** UTF-16 units of its blocks. */
  readonly chars: number;
}

/** Some sections in a row. */
export type Chapter = readonly Section[];

const NO_CHAPTERS: readonly Chapter[] = [];

/** Returns the UTF-16 units of a block. */
function charsOf(block: Block): number {
  if (block.kind !== "code") return block.text.length;
  return block.segments.reduce((sum, segment) => sum + segment.length, 0);
}

function isFull(section: Section): boolean {
  return section.blocks.length >= SECTION_BLOCKS || section.chars >= SECTION_CHARS;
}

/** Takes a growing text and keeps its sections; one for each text part. */
export class SectionList {
  /** Sections and chapters that were made, with what they list; for the tests of linear work. */
  made = 0;

  readonly #splitter = new BlockSplitter();
  /** What is settled. */
  #chapters = NO_CHAPTERS;
  /** Settled blocks that have their section. */
  #placed = 0;
  /** For each section the place of its first block. */
  readonly #starts: number[] = [];

  /** True if `text` continues what was given before; then `update` does only the new work. */
  continues(text: string): boolean {
    return this.#splitter.continues(text);
  }

  /** Characters that were looked at, for the tests of linear work. */
  get scanned(): number {
    return this.#splitter.scanned;
  }

  /** Reads on and returns all chapters; `text` is the whole text so far. */
  update(text: string, isComplete: boolean): readonly Chapter[] {
    this.#splitter.update(text);
    if (isComplete) this.#splitter.finish();
    const { settled } = this.#splitter;
    for (const place of this.#splitter.takeCompleted()) {
      const block = settled[place];
      if (place < this.#placed && block !== undefined) this.#replace(place, block);
    }
    for (; this.#placed < settled.length; this.#placed += 1) {
      const block = settled[this.#placed];
      if (block === undefined) break;
      const before = this.#chapters;
      this.#chapters = this.#with(before, block);
      const isNew = this.#chapters.at(-1)?.at(-1)?.blocks.length === 1;
      if (isNew) this.#starts.push(this.#placed);
    }
    return this.#splitter
      .tail()
      .reduce((chapters, block) => this.#with(chapters, block), this.#chapters);
  }

  /** Returns the chapters with one more block. */
  #with(chapters: readonly Chapter[], block: Block): readonly Chapter[] {
    const chapter = chapters.at(-1);
    const section = chapter?.at(-1);
    if (chapter === undefined || section === undefined) {
      return this.#end(chapters, [this.#section([block])]);
    }
    if (!isFull(section)) {
      const grown = this.#section([...section.blocks, block]);
      return this.#end(chapters.slice(0, -1), [...chapter.slice(0, -1), grown]);
    }
    const next = this.#section([block]);
    if (chapter.length >= CHAPTER_SECTIONS) return this.#end(chapters, [next]);
    return this.#end(chapters.slice(0, -1), [...chapter, next]);
  }

  #section(blocks: readonly Block[]): Section {
    this.made += blocks.length;
    return { blocks, chars: blocks.reduce((sum, block) => sum + charsOf(block), 0) };
  }

  #end(chapters: readonly Chapter[], last: Chapter): readonly Chapter[] {
    this.made += last.length + chapters.length;
    return [...chapters, last];
  }

  /** Puts a completed block into the section that holds it. */
  #replace(place: number, block: Block): void {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle;
    }
    const at = Math.floor(low / CHAPTER_SECTIONS);
    const chapter = this.#chapters[at];
    const section = chapter?.[low % CHAPTER_SECTIONS];
    if (chapter === undefined || section === undefined) return;
    const blocks = section.blocks.with(place - (this.#starts[low] ?? 0), block);
    const sections = chapter.with(low % CHAPTER_SECTIONS, { ...section, blocks });
    this.#chapters = this.#chapters.with(at, sections);
  }
}
