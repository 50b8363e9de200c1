import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Block, BlockSplitter, MAX_BLOCK_CHARS } from "../src/markdown/blocks.ts";

function split(text: string): readonly Block[] {
  const splitter = new BlockSplitter();
  splitter.update(text);
  splitter.finish();
  return [...splitter.settled];
}

function grow(text: string, cuts: readonly number[]): readonly Block[] {
  const splitter = new BlockSplitter();
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    splitter.update(text.slice(0, cut));
    splitter.tail();
  }
  splitter.update(text);
  splitter.finish();
  return [...splitter.settled];
}

function kinds(text: string): readonly string[] {
  return split(text).map((block) => block.kind);
}

function textOf(block: Block): string {
  return block.kind === "code" ? block.segments.join("") : block.text;
}

describe("blocks", () => {
  test.each([
    ["paragraphs part at blank lines", "a\nb\n\nc\n", ["a\nb\n\n", "c\n"]],
    [
      "a loose list is one block",
      "- a\n\n- b\n\n  more\n\nend",
      ["- a\n\n- b\n\n  more\n\n", "end"],
    ],
    [
      "a list interrupts a paragraph",
      "text\n- a\n\n  more\n",
      ["text\n", "- a\n\n  more\n"],
    ],
    ["a number other than 1 does not", "text\n2. a\n", ["text\n2. a\n"]],
    [
      "indented code with gaps is one block",
      "    a\n\n    b\n\nc",
      ["    a\n\n    b\n\n", "c"],
    ],
    [
      "a fence in an item belongs to the list",
      "1. x\n\n   ```\n   a\n\n   b\n   ```\n",
      ["1. x\n\n   ```\n   a\n\n   b\n   ```\n"],
    ],
    ["a table's rule is no list", "a | b\n- | -\n1 | 2\n", ["a | b\n- | -\n1 | 2\n"]],
    [
      "a comment keeps its blank lines",
      "<!-- a\n\n``` -->\n\nb",
      ["<!-- a\n\n``` -->\n\n", "b"],
    ],
  ])("%s", (_, text, blocks) => {
    expect(split(text).map(textOf)).toEqual(blocks);
  });

  test("a fence is a code block with its language, dedented", () => {
    const [before, code, after] = split("a\n  ```js x\n  let b;\n\n    c\n  ```\nd");
    expect(before?.kind).toBe("prose");
    expect(code).toEqual({ kind: "code", language: "js", segments: ["let b;\n\n  c\n"] });
    expect(after && textOf(after)).toBe("d");
  });

  test("an unclosed fence is code to the end; tildes and longer marks close by their kind", () => {
    expect(kinds("```\na\n~~~\nb")).toEqual(["code"]);
    expect(split("````\n```\nx\n````\n").map(textOf)).toEqual(["```\nx\n"]);
  });

  test("a definition completes the blocks before and after it", () => {
    const blocks = split("[a]\n\n[a]: https://x.example\n\nagain [A]\n");
    expect(blocks[0]).toMatchObject({ definitions: "[a]: https://x.example" });
    expect(blocks[2]).toMatchObject({ definitions: "[a]: https://x.example" });
  });

  test("nothing is lost, whatever the text is", () => {
    const piece = fc.constantFrom(
      "a",
      " ",
      "\n",
      "\n\n",
      "- ",
      "1. ",
      "```",
      "~~~",
      "> ",
      "    ",
      "[x]: y",
      "[x]",
      "<!--",
      "-->",
      "|",
      "é😀",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat(160)),
        (pieces, cuts) => {
          const text = pieces.join("");
          const whole = split(text);
          expect(grow(text, cuts)).toEqual(whole);
          const letters = (value: string) => value.match(/[aé😀y]/gu)?.length ?? 0;
          const kept = whole.map((block) =>
            block.kind === "code" ? `${block.language}${textOf(block)}` : textOf(block),
          );
          if (!text.includes("```") && !text.includes("~~~")) {
            expect(letters(kept.join(""))).toBe(letters(text));
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe("work is linear", () => {
  const inputs = {
    prose: "A sentence of some words, and another.\n\n".repeat(6000),
    "one line": "word ".repeat(60_000),
    "one fence": `\`\`\`\n${"let a = 1;\n".repeat(25_000)}`,
    "one list": "- item of a list\n".repeat(15_000),
    "one paragraph": "line of text\n".repeat(20_000),
    definitions: Array.from(
      { length: 4000 },
      (_, n) => `[l${n}]: https://x.example/${n}\n\n[l${n}]\n\n`,
    ).join(""),
  };

  test.each(Object.entries(inputs))("%s: each character is read once", (_, text) => {
    const splitter = new BlockSplitter();
    for (let end = 0; end < text.length; end += 997) splitter.update(text.slice(0, end));
    splitter.update(text);
    expect(splitter.scanned).toBeLessThanOrEqual(text.length);
  });

  test.each(Object.entries(inputs))("%s: no piece outgrows one parse", (_, text) => {
    const prose = split(text).filter((block) => block.kind === "prose");
    expect(prose.every((block) => textOf(block).length <= MAX_BLOCK_CHARS)).toBe(true);
  });

  test("the tail of a growing text stays small", () => {
    for (const text of Object.values(inputs)) {
      const splitter = new BlockSplitter();
      splitter.update(text);
      const live = splitter
        .tail()
        .map((block) =>
          block.kind === "code" ? (block.segments.at(-1) ?? "") : textOf(block),
        )
        .join("").length;
      expect(live).toBeLessThanOrEqual(2 * MAX_BLOCK_CHARS);
    }
  });
});
