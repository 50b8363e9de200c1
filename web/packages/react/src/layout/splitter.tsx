import { type KeyboardEvent, type PointerEvent, type ReactElement, useRef } from "react";
import { cx } from "../controls/cx.ts";

const STEP_PX = 16;
const BIG_STEP_PX = 64;

/** The size of a pane and how far it may go, in CSS px. */
export interface SplitterRange {
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

function clamp(value: number, range: SplitterRange): number {
  return Math.round(Math.min(range.max, Math.max(range.min, value)));
}

/** Returns +1 where a move towards the end of the line is a move to the right. */
function lineSign(element: Element): 1 | -1 {
  return getComputedStyle(element).direction === "rtl" ? -1 : 1;
}

/**
 * The edge of a pane, within it (a vertical one lies at the end of its
 * positioned parent): dragged by pointer, moved by arrow keys (Shift
 * for larger steps), Home and End for the limits, Enter or a double click to
 * fold the pane away.
 */
export function Splitter(props: {
  readonly label: string;
  /** Id of the pane whose size it is. */
  readonly controls: string;
  /** `vertical` stands between panes that lie side by side. */
  readonly orientation: "vertical" | "horizontal";
  readonly range: SplitterRange;
  /** True if the pane lies behind the edge: a move towards the end makes it smaller. */
  readonly isAfter?: boolean;
  readonly onChange: (value: number) => void;
  readonly onFold: () => void;
}): ReactElement {
  const start = useRef<{ readonly at: number; readonly value: number } | null>(null);
  const isVertical = props.orientation === "vertical";
  const towards = props.isAfter ? -1 : 1;

  const position = (event: PointerEvent): number =>
    isVertical ? event.clientX * lineSign(event.currentTarget) : event.clientY;

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.shiftKey ? BIG_STEP_PX : STEP_PX;
    const sign = isVertical ? lineSign(event.currentTarget) : 1;
    const { range } = props;
    const moves: Readonly<Record<string, number>> = isVertical
      ? {
          ArrowRight: range.value + step * sign * towards,
          ArrowLeft: range.value - step * sign * towards,
          Home: range.min,
          End: range.max,
        }
      : {
          ArrowDown: range.value + step * towards,
          ArrowUp: range.value - step * towards,
          Home: range.min,
          End: range.max,
        };
    const next = moves[event.key];
    if (next !== undefined) props.onChange(clamp(next, range));
    else if (event.key === "Enter") props.onFold();
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that is moved is the window splitter pattern
    <div
      role="separator"
      tabIndex={0}
      aria-label={props.label}
      aria-controls={props.controls}
      aria-orientation={props.orientation}
      aria-valuenow={Math.round(props.range.value)}
      aria-valuemin={Math.round(props.range.min)}
      aria-valuemax={Math.round(props.range.max)}
      onKeyDown={onKeyDown}
      onDoubleClick={props.onFold}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { at: position(event), value: props.range.value };
      }}
      onPointerMove={(event) => {
        if (start.current === null) return;
        const moved = (position(event) - start.current.at) * towards;
        props.onChange(clamp(start.current.value + moved, props.range));
      }}
      onPointerUp={() => {
        start.current = null;
      }}
      onPointerCancel={() => {
        start.current = null;
      }}
      className={cx(
        "z-10 shrink-0 touch-none bg-border select-none focus-visible:bg-focus",
        "after:absolute after:content-[''] hover:bg-border-strong",
        isVertical
          ? "absolute inset-y-0 end-0 w-px cursor-col-resize after:inset-y-0 after:-inset-x-1"
          : "relative h-px cursor-row-resize after:inset-x-0 after:-inset-y-1",
      )}
    />
  );
}
