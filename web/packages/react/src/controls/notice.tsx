import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { useStrings } from "../strings/strings.tsx";
import { IconButton } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { cx } from "./cx.ts";

/** What a notice is about; the icon says it as well as the colour. */
export type NoticeTone = "info" | "success" | "warning" | "danger";

const GROUNDS: Readonly<Record<NoticeTone, string>> = {
  info: "bg-info-soft",
  success: "bg-success-soft",
  warning: "bg-warning-soft",
  danger: "bg-danger-soft",
};

/** The sign of a tone, with its colour. */
export function ToneIcon(props: { readonly tone: NoticeTone }): ReactElement {
  switch (props.tone) {
    case "info":
      return <Info size={16} aria-hidden className="shrink-0 text-info" />;
    case "success":
      return <CircleCheck size={16} aria-hidden className="shrink-0 text-success" />;
    case "warning":
      return <TriangleAlert size={16} aria-hidden className="shrink-0 text-warning" />;
    case "danger":
      return <CircleAlert size={16} aria-hidden className="shrink-0 text-danger" />;
  }
}

/**
 * What happened, what was kept, what to do, beside its cause. `code` is there
 * to copy; it never stands without words.
 */
export function Notice(props: {
  readonly tone: NoticeTone;
  readonly title?: string;
  readonly children?: ReactNode;
  readonly code?: string | null | undefined;
  readonly actions?: ReactNode;
  /** Reads itself aloud when it appears. */
  readonly isLive?: boolean;
  readonly className?: string;
}): ReactElement {
  const strings = useStrings();
  const code = props.code ?? null;
  return (
    <div
      role={props.isLive ? (props.tone === "danger" ? "alert" : "status") : undefined}
      className={cx(
        "flex items-start gap-2 rounded-control px-3 py-2 text-14 text-text",
        GROUNDS[props.tone],
        props.className,
      )}
    >
      <span className="flex h-5 items-center">
        <ToneIcon tone={props.tone} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {props.title ? <p className="font-medium">{props.title}</p> : null}
        {props.children ? <div className="break-words">{props.children}</div> : null}
        {props.actions ? (
          <div className="flex flex-wrap items-center gap-2 pt-1">{props.actions}</div>
        ) : null}
      </div>
      {code === null ? null : (
        <CopyButton label={`${strings.action.copy}: ${code}`} text={() => code} />
      )}
    </div>
  );
}

/** One line across a pane that says what was done, until it is closed. */
export function Strip(props: {
  readonly tone: NoticeTone;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly onClose: () => void;
}): ReactElement {
  const strings = useStrings();
  return (
    <div
      role="status"
      className={cx(
        "flex shrink-0 items-start gap-2 border-b border-border py-1 ps-3 pe-2 text-14 text-text",
        GROUNDS[props.tone],
      )}
    >
      <span className="flex h-7 items-center pointer-coarse:h-11">
        <ToneIcon tone={props.tone} />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <div className="min-w-0 py-1 wrap-anywhere pointer-coarse:py-3">
          {props.children}
        </div>
        {props.actions ? (
          <div className="flex flex-wrap items-center gap-2">{props.actions}</div>
        ) : null}
      </div>
      <IconButton
        size="small"
        label={strings.action.close}
        icon={<X size={16} aria-hidden />}
        onClick={props.onClose}
      />
    </div>
  );
}
