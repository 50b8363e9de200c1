import { useQueryClient } from "@tanstack/react-query";
import type { Message } from "@vitrail/protocol";
import {
  CopyButton,
  IconButton,
  ShownFold,
  type ShownState,
  useStrings,
} from "@vitrail/react";
import type { RunEntry } from "@vitrail/stream";
import { Disc3 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { KEYS, wordsOf } from "../queries.ts";
import { useIsOffline, useWiring } from "../workspace-context.tsx";

/** What can be done with a reply that is complete. */
export function MessageFoot(props: {
  readonly message: Message;
  readonly runId: string;
  readonly run: RunEntry | null;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const [shown, setShown] = useState<ShownState>({ state: "loading" });
  const load = async (): Promise<void> => {
    if (shown.state === "loaded") return;
    setShown({ state: "loading" });
    try {
      setShown({ state: "loaded", page: await api.run(props.runId) });
    } catch (error) {
      const { words, code } = wordsOf(error, strings.state.unknownError);
      setShown({ state: "failed", message: words, code });
    }
  };
  return (
    <footer className="-ms-1 flex flex-wrap items-start gap-1">
      <CopyButton
        label={strings.action.copyMessage}
        text={() =>
          props.message.parts
            .map((part) => (part.type === "text" ? part.text : ""))
            .join("")
            .trim()
        }
      />
      <SaveRecording runId={props.runId} />
      <ShownFold shown={shown} onLoad={() => void load()} />
      <UsageWords run={props.run} />
    </footer>
  );
}

/** What the provider counted, where it told. */
function UsageWords(props: { readonly run: RunEntry | null }): ReactElement | null {
  const strings = useStrings();
  const usage = props.run?.usage ?? null;
  if (usage === null) return null;
  const count = (tokens: number | null): string =>
    tokens === null ? strings.chat.unknownCount : strings.format.number(tokens);
  return (
    <p className="ms-1 flex min-h-7 items-center text-12 text-faint tabular-nums">
      {strings.chat.usage(count(usage.inputTokens), count(usage.outputTokens))}
    </p>
  );
}

function SaveRecording(props: { readonly runId: string }): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const queries = useQueryClient();
  const isOffline = useIsOffline();
  const [told, setTold] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    try {
      const example = await api.saveRecording(props.runId);
      setTold(strings.chat.recordingSaved(example.name));
      await queries.invalidateQueries({ queryKey: KEYS.examples });
    } catch (error) {
      setTold(wordsOf(error, strings.state.unknownError).words);
    }
  };
  return (
    <>
      <IconButton
        size="small"
        label={strings.chat.recordingSave}
        whyDisabled={isOffline ? strings.state.readOnly : null}
        icon={<Disc3 size={16} aria-hidden />}
        onClick={() => void save()}
      />
      <p role="status" className={told === null ? "sr-only" : "py-1 text-13 text-muted"}>
        {told}
      </p>
    </>
  );
}
