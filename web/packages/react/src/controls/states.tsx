import { Component, type ReactElement, type ReactNode, useEffect, useState } from "react";
import { useStrings } from "../strings/strings.tsx";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import { Notice } from "./notice.tsx";

const SKELETON_AFTER_MS = 200;

/** Returns true once `delayMs` have gone by. */
export function useLater(delayMs: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isLater;
}

/** Grey lines in the place of what is coming; nothing at all for the first 200 ms. */
export function Skeleton(props: {
  readonly lines: number;
  readonly className?: string;
}): ReactElement {
  const strings = useStrings();
  const isShown = useLater(SKELETON_AFTER_MS);
  return (
    <div role="status" className={cx("flex flex-col gap-3", props.className)}>
      <span className="sr-only">{isShown ? strings.state.loading : null}</span>
      {Array.from({ length: props.lines }, (_, line) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
          key={line}
          className={cx(
            "h-4 rounded-control",
            isShown ? "bg-hover" : "bg-transparent",
            line % 3 === 2 ? "w-2/3" : "w-full",
          )}
        />
      ))}
    </div>
  );
}

/** What an empty view says: one sentence, one action. */
export function EmptyState(props: {
  readonly title?: string;
  readonly text: string;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
  readonly className?: string;
}): ReactElement {
  return (
    <div
      className={cx(
        "flex flex-col items-center justify-center gap-2 px-6 py-8 text-center",
        props.className,
      )}
    >
      {props.icon ? <div className="text-faint">{props.icon}</div> : null}
      {props.title ? (
        <p className="text-15 font-semibold text-text">{props.title}</p>
      ) : null}
      <p className="max-w-80 text-14 text-balance text-muted">{props.text}</p>
      {props.action ? <div className="pt-2">{props.action}</div> : null}
    </div>
  );
}

/** Catches a fault of one view, so that the others go on. */
export class ErrorBoundary extends Component<
  {
    readonly children: ReactNode;
    readonly fallback: (error: Error, reset: () => void) => ReactNode;
  },
  { readonly error: Error | null }
> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return this.props.fallback(error, () => this.setState({ error: null }));
  }
}

/** The words of a view that stopped working, with the button that loads it again. */
export function ViewError(props: {
  readonly detail?: string | null;
  readonly code?: string | null;
  readonly onRetry: () => void;
}): ReactElement {
  const strings = useStrings();
  return (
    <Notice
      tone="danger"
      isLive
      title={strings.state.errorTitle}
      code={props.code}
      className="m-4"
      actions={<Button onClick={props.onRetry}>{strings.state.errorReload}</Button>}
    >
      {props.detail ?? strings.state.errorText}
    </Notice>
  );
}
