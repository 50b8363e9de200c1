import { useVirtualizer } from "@tanstack/react-virtual";
import type { DiffHunk } from "@vitrail/protocol";
import { UnfoldVertical } from "lucide-react";
import { type ReactElement, useLayoutEffect, useMemo, useRef } from "react";
import { cx } from "../controls/cx.ts";
import { useWidth } from "../layout/use-width.ts";
import { useStrings } from "../strings/strings.tsx";
import { type DiffPiece, type DiffRow, type DiffSide, rowsOf } from "./diff-rows.ts";

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
}): ReactElement {
  const scroller = useRef<HTMLElement>(null);
  const { ref, width } = useWidth();
  const isSplit = props.isSplit && width >= SPLIT_PX;
  const rows = useMemo(() => rowsOf(props.hunks, isSplit), [props.hunks, isSplit]);
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (place) => (rows[place]?.row === "gap" ? GAP_PX : LINE_PX),
    overscan: 24,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows, other heights
  useLayoutEffect(() => {
    lines.measure();
    lines.scrollToOffset(0);
  }, [rows, lines]);
  const digits = digitsOf(props.hunks);
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
              <Row row={row} isSplit={isSplit} digits={digits} />
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** Returns how many digits the largest line number has. */
function digitsOf(hunks: readonly DiffHunk[]): number {
  const last = hunks.at(-1);
  if (last === undefined) return 1;
  const most = Math.max(last.oldStart + last.oldLines, last.newStart + last.newLines);
  return String(most).length;
}

function Row(props: {
  readonly row: DiffRow;
  readonly isSplit: boolean;
  readonly digits: number;
}): ReactElement {
  const strings = useStrings();
  const { row, isSplit, digits } = props;
  if (row.row === "gap") {
    return (
      <p className="flex h-7 items-center gap-2 bg-sunken px-3 font-sans text-12 text-muted">
        <UnfoldVertical size={12} aria-hidden className="shrink-0" />
        {strings.history.gap(row.lines)}
      </p>
    );
  }
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
