import { DiagnosticsList, Notice, useStrings } from "@vitrail/react";
import { ApiError } from "@vitrail/stream/client";
import type { ReactElement } from "react";
import { wordsOf } from "./queries.ts";

/** Whether a write was refused since the file has other bytes by now. */
export function isConflict(failure: unknown): failure is ApiError {
  return failure instanceof ApiError && failure.status === 412;
}

/** How an act failed, in the server's words; `conflict` is said of a stale write. */
export function FailureNotice(props: {
  readonly failure: unknown;
  readonly conflict?: string;
  /** What holds beside the server's words, such as what was kept. */
  readonly title?: string;
  readonly className?: string;
}): ReactElement | null {
  const strings = useStrings();
  const { failure } = props;
  if (failure === null) return null;
  const { words, code } = wordsOf(failure, strings.state.unknownError);
  const isStale = props.conflict !== undefined && isConflict(failure);
  const found = failure instanceof ApiError ? failure.diagnostics : [];
  return (
    <Notice
      tone="danger"
      isLive
      code={code}
      {...(props.title === undefined ? {} : { title: props.title })}
      {...(props.className === undefined ? {} : { className: props.className })}
    >
      {isStale ? props.conflict : words}
      <DiagnosticsList diagnostics={found.filter((one) => one.message !== words)} />
    </Notice>
  );
}
