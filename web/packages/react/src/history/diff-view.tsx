import { useVirtualizer } from "@tanstack/react-virtual";
import type { DiffHunk } from "@vitrail/protocol";
import { UnfoldVertical } from "lucide-react";
import {
  type ReactElement,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { cx } from "../controls/cx.ts";
import { useWidth } from "../layout/use-width.ts";
import { useStrings } from "../strings/strings.tsx";
import {
  type DiffPiece,
  type DiffRow,
  type DiffSide,
  rowsOf,
  splitLines,
} from "./diff-rows.ts";

const LINE_PX = 20;
const GAP_PX = 28;
/** Narrower than this, two columns of code are no use. */
const SPLIT_PX = 560;

const GROUNDS: Readonly<Record<DiffSide["kind"], string>> = {
  same: "",
  removed: "bg-diff-removed",
  added: "bg-diff-added",
};
const SIGNS: Readonly<Record<DiffSide["kind"], string>> = {
  same: " ",
  removed: "−",
  added: "+",
};

/**
 * A difference by lines, what changed within them marked: side by side where that
 * is wanted and has room, else in one column. Only the lines in view are elements.
 */
export function DiffView(props: {
  readonly label: string;
  readonly hunks: readonly DiffHunk[];
  readonly isSplit: boolean;
  /** The hunks end early: what follows them is not known. */
  readonly isCut?: boolean;
  /** The new side whole; none before it came. */
  readonly text?: string | null;
  /** Asks for the new side's text, to show lines that both have; none: they stay away. */
  readonly onWantText?: (() => void) | null;
}): ReactElement {
  const { hunks, text = null, onWantText = null } = props;
  const scroller = useRef<HTMLElement>(null);
  const { ref, width } = useWidth();
  const isSplit = props.isSplit && width >= SPLIT_PX;
  const gaps = useGaps(hunks, text);
  const isCut = (props.isCut ?? false) || onWantText === null;
  const rows = useMemo(
    () => rowsOf(hunks, isSplit, gaps.known, isCut),
    [hunks, isSplit, gaps.known, isCut],
  );
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (place) => (rows[place]?.row === "gap" ? GAP_PX : LINE_PX),
    overscan: 24,
    // by what it is, so that what was measured stays when a gap is opened above it
    getItemKey: useCallback((place: number) => keyOf(rows[place], place), [rows]),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows, other heights
  useLayoutEffect(() => {
    lines.measure();
    lines.scrollToOffset(0);
  }, [hunks, isSplit, lines]);
  const open = (start: number): void => {
    gaps.open(start);
    onWantText?.();
    // the button goes with its gap
    scroller.current?.focus({ preventScroll: true });
  };
  const digits = digitsOf(hunks, gaps.known.lines?.length ?? 0);
  return (
    <section
      ref={(element) => {
        scroller.current = element;
        ref(element);
      }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
      tabIndex={0}
      aria-label={props.label}
      dir="ltr"
      data-split={isSplit}
      className="code-line min-h-0 flex-1 overflow-auto bg-surface"
    >
      <div className="relative" style={{ blockSize: lines.getTotalSize() }}>
        {lines.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <div
              key={item.key}
              ref={lines.measureElement}
              data-index={item.index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Row
                row={row}
                isSplit={isSplit}
                digits={digits}
                onOpen={onWantText === null ? null : open}
              />
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** Which gaps of a difference are open, and the lines to fill them with. */
function useGaps(hunks: readonly DiffHunk[], text: string | null) {
  const [made, setMade] = useState({ hunks, opened: new Set<number>() });
  const opened = made.hunks === hunks ? made.opened : NONE_OPENED;
  const lines = useMemo(() => (text === null ? null : splitLines(text)), [text]);
  const known = useMemo(() => ({ opened, lines }), [opened, lines]);
  const open = (start: number): void =>
    setMade({ hunks, opened: new Set([...opened, start]) });
  return { known, open };
}

const NONE_OPENED: ReadonlySet<number> = new Set();

function keyOf(row: DiffRow | undefined, place: number): string {
  if (row === undefined) return String(place);
  if (row.row === "gap") return `gap ${row.start}`;
  return `${row.old?.number ?? ""} ${row.new?.number ?? ""}`;
}

/** Returns how many digits the largest line number has; `lines` of the new side. */
function digitsOf(hunks: readonly DiffHunk[], lines: number): number {
  const last = hunks.at(-1);
  if (last === undefined) return 1;
  const most = Math.max(
    lines,
    last.oldStart + last.oldLines,
    last.newStart + last.newLines,
  );
  return String(most).length;
}

function Row(props: {
  readonly row: DiffRow;
  readonly isSplit: boolean;
  readonly digits: number;
  /** Shows the lines of a gap; none where they cannot be had. */
  readonly onOpen: ((start: number) => void) | null;
}): ReactElement {
  const { row, isSplit, digits } = props;
  if (row.row === "gap") return <Gap gap={row} onOpen={props.onOpen} />;
  if (isSplit) {
    return (
      <div className="grid grid-cols-2">
        <Side side={row.old} digits={digits} />
        <Side side={row.new} digits={digits} className="border-s border-border" />
      </div>
    );
  }
  return <Side side={row.new ?? row.old} digits={digits} />;
}

const GAP =
  "flex h-7 w-full items-center gap-2 bg-sunken px-3 font-sans text-12 text-muted";

/** Lines that both sides have and that are not shown. */
function Gap(props: {
  readonly gap: Extract<DiffRow, { readonly row: "gap" }>;
  readonly onOpen: ((start: number) => void) | null;
}): ReactElement {
  const strings = useStrings();
  const { gap, onOpen } = props;
  const words =
    gap.lines === null ? strings.history.gapEnd : strings.history.gap(gap.lines);
  if (onOpen === null) return <p className={GAP}>{words}</p>;
  return (
    <button
      type="button"
      title={strings.history.gapOpen}
      onClick={() => onOpen(gap.start)}
      className={cx(GAP, "hover:bg-hover hover:text-text pointer-coarse:h-11")}
    >
      <UnfoldVertical size={12} aria-hidden className="shrink-0" />
      {words}
    </button>
  );
}

function Side(props: {
  readonly side: DiffSide | null;
  readonly digits: number;
  readonly className?: string;
}): ReactElement {
  const strings = useStrings();
  const { side } = props;
  if (side === null) {
    return <div aria-hidden className={cx("min-h-5 bg-sunken", props.className)} />;
  }
  return (
    <div
      className={cx("flex min-w-0 items-stretch", GROUNDS[side.kind], props.className)}
    >
      <span
        aria-hidden
        className="shrink-0 ps-2 pe-2 text-end text-muted select-none"
        style={{ inlineSize: `calc(${props.digits}ch + 16px)` }}
      >
        {side.number}
      </span>
      <span aria-hidden className="w-4 shrink-0 text-muted select-none">
        {SIGNS[side.kind]}
      </span>
      <span className="min-h-5 min-w-0 flex-1 pe-2 text-text wrap-anywhere whitespace-pre-wrap">
        {side.kind === "same" ? null : (
          <span className="sr-only">
            {side.kind === "added"
              ? strings.history.lineAdded
              : strings.history.lineRemoved}{" "}
          </span>
        )}
        <Pieces pieces={side.pieces} kind={side.kind} />
        {side.left === 0 ? null : (
          <span className="font-sans text-12 text-muted">
            {" "}
            {strings.history.rest(side.left)}
          </span>
        )}
      </span>
    </div>
  );
}

function Pieces(props: {
  readonly pieces: readonly DiffPiece[];
  readonly kind: DiffSide["kind"];
}): ReactElement {
  const Mark = props.kind === "added" ? "ins" : "del";
  const ground = props.kind === "added" ? "bg-diff-added-word" : "bg-diff-removed-word";
  return (
    <>
      {props.pieces.map((piece, place) =>
        piece.isChanged ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one fixed line
          <Mark key={place} className={cx("no-underline", ground)}>
            {piece.text}
          </Mark>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}
