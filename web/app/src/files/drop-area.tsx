import { cx } from "@vitrail/react";
import { type ReactElement, type ReactNode, useState } from "react";
import { useWhyReadOnly } from "../read-only.ts";
import { type Dropped, droppedFiles } from "./chosen.ts";

/** An area that takes files and folders which are dropped on it, and says so meanwhile. */
export function DropArea(props: {
  readonly words: string;
  readonly onDrop: (dropped: Promise<Dropped>) => void;
  readonly className: string;
  readonly children: ReactNode;
}): ReactElement {
  const [isOver, setOver] = useState(false);
  const why = useWhyReadOnly();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button within does the same by keyboard
    <div
      className={cx("relative", props.className)}
      onDragOver={(event) => {
        if (why !== null || !event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        const { relatedTarget } = event;
        const isInside =
          relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget);
        if (!isInside) setOver(false);
      }}
      onDrop={(event) => {
        if (why !== null) return;
        event.preventDefault();
        setOver(false);
        props.onDrop(droppedFiles(event.dataTransfer.items));
      }}
    >
      {props.children}
      <p
        aria-hidden
        className={cx(
          "pointer-events-none absolute inset-2 flex items-center justify-center rounded-card border border-accent bg-accent-soft text-15 font-medium text-accent",
          isOver ? null : "hidden",
        )}
      >
        {props.words}
      </p>
    </div>
  );
}
