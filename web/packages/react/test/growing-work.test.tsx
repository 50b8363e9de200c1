import { render } from "@testing-library/react";
import { act } from "react";
import { describe, expect, test } from "vitest";
import { TooltipProvider } from "../src/index.ts";
import { FrameBudget } from "../src/markdown/frame-budget.ts";
import { Markdown } from "../src/markdown/markdown.tsx";
import { parsed } from "../src/markdown/pipeline.ts";
import { SectionList } from "../src/markdown/sections.ts";

const PIECE = "Some **words** of a reply.\n\n- one\n- two\n\n## A head\n\n";

/** Draws a reply of `before` characters, then counts what each further delta costs. */
function costOfDeltas(before: string, deltas: readonly string[]) {
  const view = (text: string) => (
    <TooltipProvider>
      <Markdown text={text} isStreaming />
    </TooltipProvider>
  );
  const drawn = render(view(before));
  const changes: MutationRecord[] = [];
  const observer = new MutationObserver((found) => changes.push(...found));
  observer.observe(drawn.container, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  const parsedBefore = parsed.chars;
  let text = before;
  for (const delta of deltas) {
    text += delta;
    act(() => drawn.rerender(view(text)));
  }
  changes.push(...observer.takeRecords());
  observer.disconnect();
  drawn.unmount();
  return { nodes: changes.length, chars: parsed.chars - parsedBefore };
}

describe("a further word costs the same at every length of a reply", () => {
  const deltas = [..."A new paragraph with `code`."].map((letter) => letter);

  test("as many elements are changed and as many characters parsed", () => {
    const short = costOfDeltas(PIECE.repeat(32), deltas);
    const long = costOfDeltas(PIECE.repeat(32 * 40), deltas);
    expect(long).toEqual(short);
    expect(long.chars).toBeLessThan(deltas.length * 2 * PIECE.length);
  });

  test("as many sections are made, but for one entry of a list in each 256 blocks", () => {
    const madeBy = (pieces: number): number => {
      const list = new SectionList();
      let text = PIECE.repeat(pieces);
      list.update(text, false);
      const before = list.made;
      for (const delta of deltas) {
        text += delta;
        list.update(text, false);
      }
      return list.made - before;
    };
    const blocks = 3 * 64 * 40;
    const chapters = Math.ceil(blocks / 256);
    expect(madeBy(64 * 40)).toBeLessThanOrEqual(
      madeBy(64) + deltas.length * 2 * (chapters + 32),
    );
  });

  test("a reply in many small pieces is read once", () => {
    const list = new SectionList();
    const text = PIECE.repeat(2_000);
    for (let end = 0; end <= text.length; end += 7)
      list.update(text.slice(0, end), false);
    list.update(text, true);
    expect(list.scanned).toBe(text.length);
  });
});

describe("sections", () => {
  test("hold the blocks in their order, whatever comes in whichever pieces", () => {
    const text = `${PIECE.repeat(90)}[a] and [b]\n\n${PIECE.repeat(300)}[b]: https://b.example\n`;
    const whole = new SectionList().update(text, true);
    const grown = new SectionList();
    for (let end = 0; end < text.length; end += 997)
      grown.update(text.slice(0, end), false);
    const last = grown.update(text, true);
    expect(last).toEqual(whole);
    const blocks = last.flat().flatMap((section) => section.blocks);
    const waiting = blocks.find(
      (block) => block.kind === "prose" && block.text.startsWith("[a]"),
    );
    expect(waiting).toMatchObject({ definitions: "[b]: https://b.example" });
  });

  test("that are full stay the same objects", () => {
    const list = new SectionList();
    const text = PIECE.repeat(200);
    const before = list.update(text, false);
    const after = list.update(`${text}more`, false);
    expect(after[0]).toBe(before[0]);
    expect(after.at(-1)).not.toBe(before.at(-1));
  });
});

describe("the frame budget", () => {
  test("lets through what a frame has room for, the last that asked first", () => {
    const frames: (() => void)[] = [];
    const budget = new FrameBudget((callback) => frames.push(callback), 10);
    expect([budget.take(6), budget.take(6), budget.take(1)]).toEqual([true, true, false]);
    const gone: string[] = [];
    for (const name of ["a", "b", "c"]) budget.wait(6, () => gone.push(name));
    const giveUp = budget.wait(6, () => gone.push("never"));
    giveUp();
    frames.shift()?.();
    expect(gone).toEqual(["c", "b"]);
    frames.shift()?.();
    expect(gone).toEqual(["c", "b", "a"]);
  });
});
