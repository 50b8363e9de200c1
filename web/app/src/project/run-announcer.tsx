import { type Strings, useStrings } from "@vitrail/react";
import { messagesOf, type RunEntry, runOf } from "@vitrail/stream";
import type { ReactElement } from "react";
import { useData } from "../workspace-context.tsx";

function endWords(run: RunEntry, strings: Strings): string {
  switch (run.state) {
    case "running":
      return strings.chat.running;
    case "done":
      return run.reason === "length" ? strings.chat.length : strings.chat.ended;
    case "stopped":
      return strings.chat.stopped;
    case "failed":
      return strings.chat.failed;
    case "interrupted":
      return strings.chat.interrupted;
  }
}

/** Tells assistive technology how the last run stands: politely, once a change. */
export function RunAnnouncer(props: {
  readonly run: RunEntry | null;
  readonly conversationId: string | null;
}): ReactElement {
  const strings = useStrings();
  const { run, conversationId } = props;
  const last = useData((data) => {
    if (run !== null) return run;
    if (conversationId === null) return null;
    const message = messagesOf(data, conversationId).at(-1);
    return message === undefined ? null : runOf(data, message);
  });
  return (
    <p role="status" className="sr-only">
      {last === null ? null : endWords(last, strings)}
    </p>
  );
}
