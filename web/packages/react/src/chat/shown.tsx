import type { RunPage } from "@vitrail/protocol";
import { ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "../controls/button.tsx";
import { CopyButton } from "../controls/copy-button.tsx";
import { Notice } from "../controls/notice.tsx";
import { Skeleton } from "../controls/states.tsx";
import { useStrings } from "../strings/strings.tsx";

/** What is known of the run behind a message. */
export type ShownState =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly message: string; readonly code: string | null }
  | { readonly state: "loaded"; readonly page: RunPage };

/** A fold that tells which files and which words the model was given. */
export function ShownFold(props: {
  readonly shown: ShownState;
  /** Called when it opens, and again to try again. */
  readonly onLoad: () => void;
}): ReactElement {
  const strings = useStrings();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="group min-w-0 flex-1 basis-60 open:basis-full"
      open={isOpen}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        if (event.currentTarget.open) props.onLoad();
      }}
    >
      <summary className="inline-flex min-h-7 list-none items-center gap-1 rounded-control px-1 text-13 text-muted hover:bg-hover hover:text-text pointer-coarse:min-h-11">
        <ChevronRight
          size={16}
          aria-hidden
          className="transition-transform duration-120 ease-out group-open:rotate-90 rtl:-scale-x-100"
        />
        {strings.chat.shown}
      </summary>
      {isOpen ? <ShownBody shown={props.shown} onLoad={props.onLoad} /> : null}
    </details>
  );
}

function ShownBody(props: {
  readonly shown: ShownState;
  readonly onLoad: () => void;
}): ReactElement {
  const strings = useStrings();
  const { shown } = props;
  switch (shown.state) {
    case "loading":
      return <Skeleton lines={2} className="py-2" />;
    case "failed":
      return (
        <Notice
          tone="danger"
          isLive
          code={shown.code}
          actions={<Button onClick={props.onLoad}>{strings.action.retry}</Button>}
        >
          {shown.message}
        </Notice>
      );
    case "loaded":
      return <ShownPage page={shown.page} />;
  }
}

function ShownPage(props: { readonly page: RunPage }): ReactElement {
  const strings = useStrings();
  const { shown, prompt } = props.page;
  return (
    <div className="mt-1 flex flex-col gap-3 rounded-control border border-border bg-sunken p-3 text-13">
      {shown.length === 0 ? (
        <p className="text-muted">{strings.chat.shownNothing}</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {shown.map((file) => (
            <li key={file.path} className="flex flex-wrap items-baseline gap-x-2">
              <bdi className="font-medium break-all">{file.path}</bdi>
              <span className="text-muted">
                {file.shown === "text"
                  ? strings.chat.shownText
                  : strings.chat.shownSummary}
              </span>
              <code className="font-mono text-12 text-faint" title={file.digest}>
                {file.digest.slice(0, 12)}
              </code>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-col gap-2">
        <div className="flex items-center justify-between">
          <p className="font-medium">{strings.chat.shownPrompt}</p>
          <CopyButton
            label={strings.action.copy}
            text={() =>
              prompt.map((one) => `${one["role"]}\n${one["content"]}`).join("\n\n")
            }
          />
        </div>
        <section
          aria-label={strings.chat.shownPrompt}
          className="rounded-control border border-border bg-surface"
        >
          {prompt.map((one, place) => (
            <details
              // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one fixed prompt
              key={place}
              open={one["role"] !== "system"}
              className="border-b border-border px-2 last:border-b-0"
            >
              <summary className="min-h-7 content-center text-12 font-medium text-muted hover:text-text pointer-coarse:min-h-11">
                {strings.chat.shownMessage(
                  strings.chat.shownRole[one["role"] ?? ""] ?? one["role"] ?? "",
                  (one["content"] ?? "").length,
                )}
              </summary>
              <pre
                className="pb-2 font-mono text-12 break-words whitespace-pre-wrap"
                dir="auto"
              >
                {one["content"]}
              </pre>
            </details>
          ))}
        </section>
      </div>
    </div>
  );
}
