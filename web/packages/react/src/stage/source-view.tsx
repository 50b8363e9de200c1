import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, useLayoutEffect, useMemo, useRef, useState } from "react";
import { cx } from "../controls/cx.ts";
import { AuthorSign } from "../history/author-sign.tsx";
import type { BlameBlock } from "../history/blame-lines.ts";
import { useStrings } from "../strings/strings.tsx";
import { LineIndex } from "./line-index.ts";
import { languageOfPath, piecesOf, type Tokens } from "./tokens.ts";
import { MAX_COLOURED_CHARS, useTokens } from "./use-tokens.ts";

const LINE_PX = 20;
/** Beside each line may stand a button: a little higher, so that one is hit for sure. */
const BLAMED_LINE_PX = 24;
const PAD_PX = 8;
const AT_END_PX = 40;
const BLAME_PX = 64;

/** Longest line that gets colours, in UTF-16 units: each colour is an element. */
const MAX_COLOURED_LINE = 4000;

const WIDE_CHAR =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;

/** Returns how many columns of a fixed-width font a line takes, about. */
function columnsOf(line: string): number {
  return line.length + (line.match(WIDE_CHAR)?.length ?? 0);
}

function useLines(text: string): { readonly index: LineIndex; readonly count: number } {
  const holder = useRef<LineIndex | null>(null);
  return useMemo(() => {
    const index = holder.current ?? new LineIndex();
    holder.current = index;
    index.update(text);
    return { index, count: index.count };
  }, [text]);
}

/** Returns the columns of the longest line; while a text grows only new lines are measured. */
function useColumns(lines: {
  readonly index: LineIndex;
  readonly count: number;
}): number {
  const seen = useRef({ index: lines.index, line: 0, columns: 0 });
  return useMemo(() => {
    const isNew = seen.current.index !== lines.index || lines.count < seen.current.line;
    let { line, columns } = isNew ? { line: 0, columns: 0 } : seen.current;
    for (line = Math.max(0, line - 1); line < lines.count; line += 1) {
      columns = Math.max(columns, columnsOf(lines.index.line(line)));
    }
    seen.current = { index: lines.index, line, columns };
    return columns;
  }, [lines]);
}

/** Who wrote the lines, beside them; a press leads to the change. */
export interface BlameGutter {
  readonly blocks: readonly BlameBlock[];
  readonly onShow: (block: BlameBlock) => void;
}

/** Returns the block that begins at each line that begins one. */
function useBlockStarts(blame: BlameGutter | null): ReadonlyMap<number, BlameBlock> {
  const blocks = blame?.blocks ?? null;
  return useMemo(
    () => new Map((blocks ?? []).map((block) => [block.line, block])),
    [blocks],
  );
}

/** Read-only code with line numbers; only the lines in view are elements. */
export function SourceView(props: {
  readonly path: string;
  readonly text: string;
  readonly isWrapped: boolean;
  /** The text still grows: its end is followed while the reader is there. */
  readonly isStreaming?: boolean;
  readonly blame?: BlameGutter | null;
}): ReactElement {
  const strings = useStrings();
  const { text, isWrapped, blame = null } = props;
  const starts = useBlockStarts(blame);
  const scroller = useRef<HTMLElement>(null);
  const lines = useLines(text);
  const columns = useColumns(lines);
  const colours = useTokens(
    props.isStreaming ? null : text,
    useMemo(() => languageOfPath(props.path), [props.path]),
  );
  const tokens = colours.state === "known" ? colours.tokens : null;
  const plain =
    text.length > MAX_COLOURED_CHARS
      ? strings.stage.tooLongToColour
      : colours.state === "too-slow"
        ? strings.stage.tooSlowToColour
        : null;
  const linePx = blame === null ? LINE_PX : BLAMED_LINE_PX;
  const rows = useVirtualizer({
    count: lines.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => linePx,
    overscan: 24,
    paddingStart: PAD_PX,
    paddingEnd: PAD_PX,
  });
  useFollowEnd(scroller, rows.getTotalSize(), props.isStreaming === true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another wrap, other heights
  useLayoutEffect(() => rows.measure(), [isWrapped, linePx, rows]);

  const gutter = String(Math.max(1, lines.count)).length;
  return (
    <>
      {plain === null ? null : (
        <p role="status" className="border-b border-border px-4 py-1 text-12 text-muted">
          {plain}
        </p>
      )}
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
        tabIndex={0}
        aria-label={strings.card.sourceOf(props.path)}
        dir="ltr"
        className="code-line min-h-0 flex-1 overflow-auto bg-surface"
      >
        <div
          className="relative"
          style={{
            blockSize: rows.getTotalSize(),
            inlineSize: isWrapped
              ? "100%"
              : `calc(${columns + gutter}ch + ${blame === null ? 48 : 48 + BLAME_PX}px)`,
            minInlineSize: "100%",
          }}
        >
          {rows.getVirtualItems().map((row) => (
            <div
              key={row.key}
              ref={isWrapped ? rows.measureElement : undefined}
              data-index={row.index}
              className="absolute inset-x-0 top-0 flex"
              style={{
                transform: `translateY(${row.start}px)`,
                lineHeight: `${linePx}px`,
              }}
            >
              {blame === null ? null : (
                <BlameCell block={starts.get(row.index) ?? null} onShow={blame.onShow} />
              )}
              <span
                aria-hidden
                className="shrink-0 pe-4 text-end text-faint select-none"
                style={{ inlineSize: `calc(${gutter}ch + 32px)` }}
              >
                {row.index + 1}
              </span>
              <CodeLine
                text={text}
                range={lines.index.range(row.index)}
                tokens={tokens}
                isWrapped={isWrapped}
              />
            </div>
          ))}
        </div>
      </section>
    </>
  );
}

/** The sign of who wrote the lines from here on; a blank where that goes on. */
function BlameCell(props: {
  readonly block: BlameBlock | null;
  readonly onShow: (block: BlameBlock) => void;
}): ReactElement {
  const strings = useStrings();
  const { block } = props;
  const style = { inlineSize: BLAME_PX };
  if (block === null) {
    return <span aria-hidden className="shrink-0 border-e border-border" style={style} />;
  }
  const { author, number } = block.by;
  const who = strings.history.authors[author];
  const name = number === null ? who : `${who}, ${strings.history.revision(number)}`;
  return (
    <span className="shrink-0 border-e border-border font-sans text-12" style={style}>
      <button
        type="button"
        aria-label={strings.stage.blameOf(name)}
        title={name}
        onClick={() => props.onShow(block)}
        className="flex h-6 w-full items-center gap-1 px-2 text-muted hover:bg-hover hover:text-text"
      >
        <AuthorSign author={author} isBare />
        <span className="truncate tabular-nums">
          {number === null ? null : strings.format.number(number)}
        </span>
      </button>
    </span>
  );
}

function useFollowEnd(
  scroller: { readonly current: HTMLElement | null },
  height: number,
  isActive: boolean,
): void {
  const follows = useRef(true);
  const [element, setElement] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setElement(scroller.current), [scroller]);
  useLayoutEffect(() => {
    if (element === null) return;
    const onScroll = (): void => {
      const end = element.scrollHeight - element.clientHeight;
      follows.current = end - element.scrollTop <= AT_END_PX;
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [element]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with the height
  useLayoutEffect(() => {
    if (isActive && follows.current && element !== null) {
      element.scrollTop = element.scrollHeight;
    }
  }, [height, isActive, element]);
}

function CodeLine(props: {
  readonly text: string;
  readonly range: readonly [number, number];
  readonly tokens: Tokens | null;
  readonly isWrapped: boolean;
}): ReactElement {
  const [start, end] = props.range;
  const isColoured = props.tokens !== null && end - start <= MAX_COLOURED_LINE;
  return (
    <span
      className={cx(
        "min-h-5 min-w-0 flex-1 pe-4",
        props.isWrapped ? "break-all whitespace-pre-wrap" : "whitespace-pre",
      )}
    >
      {isColoured && props.tokens !== null
        ? piecesOf(props.text, props.tokens, start, end).map((piece, place) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one fixed line
              key={place}
              className={piece.name === "" ? undefined : `tok-${piece.name}`}
            >
              {piece.text}
            </span>
          ))
        : props.text.slice(start, end)}
    </span>
  );
}
