import { describe, expect, test } from "vitest";
import { lastLines } from "../src/chat/growing.ts";
import { LineIndex } from "../src/stage/line-index.ts";
import { tokenise } from "../src/stage/tokenise.ts";
import { languageOfPath, piecesOf } from "../src/stage/tokens.ts";
import { formatBytes, formatDuration } from "../src/strings/plural.ts";

describe("lines", () => {
  test("growing by any pieces gives the lines of the whole", () => {
    const text = "one\r\ntwo\n\nfour\n";
    for (let size = 1; size <= text.length; size += 1) {
      const index = new LineIndex();
      for (let end = size; end < text.length; end += size)
        index.update(text.slice(0, end));
      index.update(text);
      const lines = Array.from({ length: index.count }, (_, line) => index.line(line));
      expect(lines).toEqual(["one", "two", "", "four"]);
    }
  });

  test("another text is read anew", () => {
    const index = new LineIndex();
    index.update("a\nb\nc");
    index.update("x\ny");
    expect([index.count, index.line(0), index.line(1)]).toEqual([2, "x", "y"]);
    index.update("");
    expect(index.count).toBe(0);
  });

  test("a card shows the last lines that hold something", () => {
    expect(lastLines("a\nb\n\n c\n\n", 2)).toEqual(["b", " c"]);
    expect(lastLines("", 3)).toEqual([]);
  });
});

describe("tokens", () => {
  test("they cover the text, in order, and are found for every line", () => {
    const text =
      '<p class="a">Hi</p>\n<style>a { color: red }</style>\n<script>let b = 1;</script>\n';
    const tokens = tokenise(text, "markup");
    expect(tokens.ends.at(-1)).toBe(text.length);
    for (let start = 0; start < text.length; start += 7) {
      const pieces = piecesOf(text, tokens, start, start + 20);
      expect(pieces.map((piece) => piece.text).join("")).toBe(
        text.slice(start, start + 20),
      );
    }
    const names = piecesOf(text, tokens, 0, text.length).map((piece) => piece.name);
    expect(names).toEqual(expect.arrayContaining(["tag", "attr-name", "keyword"]));
  });

  test("an unknown language is plain text", () => {
    expect(languageOfPath("a/b.unknown")).toBeNull();
    expect(languageOfPath("page.HTML")).toBe("markup");
    expect(tokenise("x", "nothing").names).toEqual([""]);
  });
});

test("sizes and times read as people say them", () => {
  expect([812, 4200, 1_500_000, 0].map(formatBytes)).toEqual([
    "812 B",
    "4.2 kB",
    "1.5 MB",
    "0 B",
  ]);
  expect([0.2, 8, 60, 65].map(formatDuration)).toEqual([
    "1 s",
    "8 s",
    "1 min",
    "1 min 5 s",
  ]);
});
