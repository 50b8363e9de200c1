import { type ComponentProps, type ReactElement, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

/** How a field looks whose line one writes in; the border's colour goes with it. */
export const FIELD =
  "w-full min-h-8 rounded-control border bg-surface px-2 text-14 text-text pointer-coarse:min-h-11 pointer-coarse:text-touch";

/** A labelled line of text with its help and, where it has one, its fault. */
export function TextField(
  props: Omit<ComponentProps<"input">, "id" | "className"> & {
    readonly label: string;
    readonly help?: ReactNode;
    readonly fault?: string | null | undefined;
    readonly isLabelHidden?: boolean;
    readonly isCode?: boolean;
  },
): ReactElement {
  const { label, help, fault, isLabelHidden, isCode, ...native } = props;
  const id = useId();
  const helpId = `${id}-help`;
  const hasNote = Boolean(fault) || help !== undefined;
  return (
    <div className="flex flex-col gap-1">
      <label
        htmlFor={id}
        className={isLabelHidden ? "sr-only" : "text-13 font-medium text-text"}
      >
        {label}
      </label>
      <input
        {...native}
        id={id}
        aria-invalid={fault ? true : undefined}
        aria-describedby={hasNote ? helpId : undefined}
        className={cx(
          FIELD,
          fault ? "border-danger" : "border-border-strong",
          isCode ? "font-mono text-13" : null,
        )}
      />
      {hasNote ? (
        <div id={helpId} className={cx("text-12", fault ? "text-danger" : "text-muted")}>
          {fault ?? help}
        </div>
      ) : null}
    </div>
  );
}
