import { Button, Composer, type ComposerMode, Notice, useStrings } from "@vitrail/react";
import {
  activeRunOf,
  messagesOf,
  type ProjectEntry,
  type RunEntry,
} from "@vitrail/stream";
import {
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { useExamples, useModelSettings, wordsOf } from "../queries.ts";
import { openSurface } from "../surfaces.ts";
import { useData, useIsOffline, useWiring } from "../workspace-context.tsx";
import { AgentMenu } from "./agent-menu.tsx";
import { RunAnnouncer } from "./run-announcer.tsx";
import { nextExamples, suggestionOf } from "./suggestions.ts";
import { Thread, type ThreadProps } from "./thread.tsx";
import { useDraft } from "./use-draft.ts";
import { useThread } from "./use-project.ts";
import { type SendFailure, useSend } from "./use-send.ts";

/** A conversation and the place to write in it. */
export function ChatPane(props: {
  readonly project: ProjectEntry;
  readonly name: string;
  readonly conversationId: string | null;
  readonly openPath: string | null;
  readonly actions: ThreadProps["actions"];
}): ReactElement {
  const strings = useStrings();
  const { project, conversationId } = props;
  const load = useThread(conversationId);
  const isOffline = useIsOffline();
  const run = useData((data) =>
    conversationId === null ? null : activeRunOf(data, conversationId),
  );
  const messages = useData((data) =>
    conversationId === null ? null : messagesOf(data, conversationId),
  );
  const examples = useExamples().data ?? [];
  const isReplay = useModelSettings().data?.agent === "replay";
  const [text, setText] = useDraft(`${project.id}/${conversationId ?? "new"}`);
  const field = useRef<HTMLTextAreaElement>(null);
  const sending = useSend({
    projectId: project.id,
    projectName: props.name,
    conversationId,
    openPath: props.openPath,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation is where one writes next
  useEffect(() => field.current?.focus(), [conversationId]);

  const { send } = sending;
  const sendText = async (words: string): Promise<void> => {
    field.current?.focus();
    if (await send(words)) setText("");
  };
  const latestSend = useRef(sendText);
  useEffect(() => {
    latestSend.current = sendText;
  });
  const retry = useCallback((words: string) => void latestSend.current(words), []);

  const stopping = useStop(run);
  const stop = (): void => {
    field.current?.focus();
    stopping.stop();
  };
  const mode = modeOf(run, stopping.isStopping, sending.isSending);
  const isIdle = run === null && load.state === "loaded" && !sending.isSending;
  const suggestions =
    isReplay && isIdle ? nextExamples(messages ?? [], examples).map(suggestionOf) : [];
  const isEmpty = messages === null || messages.length === 0;
  return (
    <>
      <RunAnnouncer run={run} conversationId={conversationId} />
      <Thread
        projectId={project.id}
        projectName={props.name}
        openPath={props.openPath}
        conversationId={conversationId}
        load={load}
        emptyText={isReplay ? strings.chat.emptyReplay : strings.chat.empty}
        actions={props.actions}
        onRetry={retry}
      />
      <Composer
        field={field}
        text={text}
        onText={(words) => {
          setText(words);
          sending.forget();
        }}
        mode={mode}
        onSend={(words) => void sendText(words)}
        onStop={stop}
        whyNot={isOffline ? strings.composer.sendOffline : null}
        whyNoStop={isOffline ? strings.composer.stopOffline : null}
        placeholder={
          isEmpty ? strings.composer.placeholder : strings.composer.placeholderNext
        }
        suggestions={suggestions}
        onSuggestion={(suggestion) => void sendText(suggestion.text)}
        agent={<AgentMenu />}
        notice={
          <ComposerNotice
            failure={sending.failure ?? stopping.failure}
            onRetry={() => void sendText(text)}
          />
        }
      />
    </>
  );
}

/** The act of stopping a run, for every tab. */
function useStop(run: RunEntry | null): {
  readonly isStopping: boolean;
  readonly failure: SendFailure | null;
  readonly stop: () => void;
} {
  const { workspace } = useWiring();
  const [asked, setAsked] = useState<string | null>(null);
  const [failure, setFailure] = useState<SendFailure | null>(null);
  const stop = (): void => {
    if (run === null) return;
    setAsked(run.id);
    setFailure(null);
    workspace.stopRun(run.id).catch((error: unknown) => {
      setFailure({ kind: "failed", error });
      setAsked(null);
    });
  };
  return { isStopping: run !== null && asked === run.id, failure, stop };
}

function modeOf(
  run: RunEntry | null,
  isStopping: boolean,
  isSending: boolean,
): ComposerMode {
  if (run === null) return isSending ? "sending" : "idle";
  return isStopping ? "stopping" : "running";
}

function ComposerNotice(props: {
  readonly failure: SendFailure | null;
  readonly onRetry: () => void;
}): ReactNode {
  const strings = useStrings();
  const { failure } = props;
  const why = useIsOffline() ? strings.composer.sendOffline : null;
  if (failure === null) return null;
  const connect = (
    <Button onClick={() => openSurface({ surface: "connect" })}>
      {strings.home.connect}
    </Button>
  );
  if (failure.kind === "replay-only") {
    return (
      <Notice tone="info" isLive actions={connect}>
        {strings.composer.replayOnly}
      </Notice>
    );
  }
  const { words, code } = wordsOf(failure.error, strings.state.unknownError);
  return (
    <Notice
      tone="danger"
      isLive
      code={code}
      actions={
        <>
          <Button whyDisabled={why} onClick={props.onRetry}>
            {strings.action.retry}
          </Button>
          {code?.startsWith("agent-") ? connect : null}
        </>
      }
    >
      {words}
    </Notice>
  );
}
