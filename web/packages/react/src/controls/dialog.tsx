import { X } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useId, useRef } from "react";
import { useStrings } from "../strings/strings.tsx";
import { IconButton } from "./button.tsx";
import { cx } from "./cx.ts";

/**
 * A modal dialog: the browser's own, so focus stays inside, the rest is inert
 * and Escape closes it. Focus begins at `data-autofocus` or the first field, and
 * goes back to where it was.
 */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Without a visible title bar; the title still names it. */
  readonly isBare?: boolean;
  readonly className?: string;
}): ReactElement {
  const strings = useStrings();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open) return;
    const before = document.activeElement;
    element.showModal();
    element
      .querySelector<HTMLElement>("[data-autofocus], input:checked, input, textarea")
      ?.focus();
    return () => {
      element.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) props.onClose();
      }}
      className={cx(
        "m-auto w-[calc(100vw-16px)] max-w-120 rounded-card border border-border bg-raised p-0 text-text shadow-overlay",
        props.className,
      )}
    >
      <div className="flex max-h-[85dvh] flex-col">
        <div
          className={
            props.isBare
              ? "sr-only"
              : "flex items-center justify-between gap-2 border-b border-border py-2 ps-4 pe-2"
          }
        >
          <h2 id={titleId} className="text-15 font-semibold">
            {props.title}
          </h2>
          {props.isBare ? null : (
            <IconButton
              label={strings.action.close}
              icon={<X size={16} aria-hidden />}
              onClick={props.onClose}
            />
          )}
        </div>
        {props.children}
      </div>
    </dialog>
  );
}
