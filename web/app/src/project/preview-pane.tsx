import {
  Button,
  cx,
  EmptyState,
  Notice,
  PreviewFrame,
  type PreviewState,
  Skeleton,
  type UsedPreview,
  useStrings,
  ViewError,
} from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { Hourglass } from "lucide-react";
import { type ReactElement, useState } from "react";
import { wordsOf } from "../queries.ts";
import type { ConsoleLog } from "./use-console.ts";
import type { PreviewBridge } from "./use-preview-api.ts";

/** The file as its page, in the sandboxed frame; what stands in the way is said over it. */
export function PreviewPane(props: {
  readonly file: FileHead;
  readonly bridge: PreviewBridge;
  readonly used: UsedPreview;
  readonly log: ConsoleLog;
  readonly onOpenPath: (path: string) => void;
}): ReactElement {
  const strings = useStrings();
  const { used, file, log } = props;
  const [state, setState] = useState<PreviewState>({ kind: "loading" });
  if (used.error !== null && used.preview === null) {
    const { words, code } = wordsOf(used.error, strings.stage.previewFailed);
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ViewError detail={words} code={code} onRetry={used.reload} />
      </div>
    );
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <PreviewNotice state={state} onReload={used.reload} />
      <div className="relative min-h-0 flex-1 bg-paper">
        {state.kind === "loading" && used.preview === null ? (
          <Skeleton lines={4} className="absolute inset-x-0 top-0 bg-surface p-6" />
        ) : null}
        <div
          className={cx("absolute inset-0", used.preview === null ? "invisible" : null)}
        >
          <PreviewFrame
            preview={used.preview}
            title={strings.stage.frame(file.path)}
            keep={props.bridge.keep}
            onState={setState}
            onConsole={(entry) => log.add(entry)}
            onLink={(link) => {
              if (link.kind === "page") props.onOpenPath(link.href);
              else if (link.isTrusted) log.addLink(link.href);
            }}
          />
        </div>
      </div>
    </div>
  );
}

function PreviewNotice(props: {
  readonly state: PreviewState;
  readonly onReload: () => void;
}): ReactElement | null {
  const strings = useStrings();
  const { state } = props;
  const words = ((): string | null => {
    switch (state.kind) {
      case "busy":
        return strings.stage.busy;
      case "left":
        return strings.stage.left;
      case "expired":
        return strings.stage.expired;
      case "unreachable":
        return strings.stage.unreachable;
      case "ready":
        return state.usesFallback ? strings.stage.fallback : null;
      default:
        return null;
    }
  })();
  if (words === null) return null;
  const isCalm = state.kind === "ready";
  return (
    <Notice
      tone={isCalm ? "info" : "warning"}
      isLive
      className="m-2"
      actions={
        isCalm ? null : <Button onClick={props.onReload}>{strings.stage.refresh}</Button>
      }
    >
      {words}
    </Notice>
  );
}

/** What stands in the preview's place while the first version is still coming. */
export function PreviewComing(props: { readonly name: string }): ReactElement {
  const strings = useStrings();
  return (
    <EmptyState
      className="min-h-0 flex-1"
      icon={<Hourglass size={24} aria-hidden />}
      text={strings.stage.streamingPreview(props.name)}
    />
  );
}
