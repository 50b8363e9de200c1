import type { ErrorPart, Message } from "@vitrail/protocol";
import {
  AssistantMessage,
  Button,
  EmptyState,
  type MessageActions,
  type MessageEnd,
  Notice,
  Skeleton,
  type Strings,
  ThreadView,
  UserMessage,
  useStrings,
} from "@vitrail/react";
import { messagesOf, type RunEntry, runOf } from "@vitrail/stream";
import { MessagesSquare } from "lucide-react";
import { memo, type ReactElement, type ReactNode, useMemo } from "react";
import { wordsOf } from "../queries.ts";
import { navigate, projectRoute } from "../routes.ts";
import { openSurface } from "../surfaces.ts";
import { useData, useIsOffline } from "../workspace-context.tsx";
import { ContinueArtifact, useContinue } from "./continue-artifact.tsx";
import { DecideHeld } from "./decide-held.tsx";
import { MessageFoot } from "./message-foot.tsx";
import { ReplyForm, type ReplyPlace } from "./reply-form.tsx";
import { textOf } from "./suggestions.ts";
import type { ThreadLoad } from "./use-project.ts";

const CONNECT_CODES = new Set([
  "agent-not-configured",
  "agent-key-refused",
  "agent-unreachable",
  "agent-refused",
]);

/** What a thread needs of the page around it. */
export interface ThreadProps {
  readonly projectId: string;
  readonly projectName: string;
  /** The file the person has open. */
  readonly openPath: string | null;
  readonly conversationId: string | null;
  readonly load: ThreadLoad;
  readonly emptyText: string;
  readonly actions: Pick<
    MessageActions,
    "onOpen" | "onSource" | "downloadUrl" | "onOpenFile"
  > & {
    /** Leads to where a draft of the file is decided about. */
    readonly onDecide: (path: string) => void;
  };
  /** Sends the text again. */
  readonly onRetry: (text: string) => void;
}

/** The messages of a conversation, or what stands in their place. */
export function Thread(props: ThreadProps): ReactElement {
  const strings = useStrings();
  const { load, conversationId } = props;
  switch (load.state) {
    case "loading":
      return (
        <div className="min-h-0 flex-1 px-4 py-8">
          <Skeleton lines={6} className="mx-auto max-w-190" />
        </div>
      );
    case "missing":
      return (
        <EmptyState
          className="flex-1"
          text={strings.project.conversationMissing}
          action={
            <Button onClick={() => navigate(projectRoute(props.projectName))}>
              {strings.project.conversationMissingAction}
            </Button>
          }
        />
      );
    case "failed": {
      const { words, code } = wordsOf(load.error, strings.state.unknownError);
      return (
        <div className="min-h-0 flex-1 p-4">
          <Notice
            tone="danger"
            isLive
            code={code}
            actions={<Button onClick={load.retry}>{strings.action.retry}</Button>}
          >
            {words}
          </Notice>
        </div>
      );
    }
    case "loaded":
      return <Messages {...props} key={conversationId ?? "new"} />;
  }
}

function Messages(props: ThreadProps): ReactElement {
  const strings = useStrings();
  const { projectId, conversationId, openPath, onRetry } = props;
  const where = useMemo(
    () => (conversationId === null ? null : { projectId, conversationId, openPath }),
    [projectId, conversationId, openPath],
  );
  const messages = useData((data) =>
    conversationId === null ? NONE : messagesOf(data, conversationId),
  );
  if (messages.length === 0) {
    return (
      <EmptyState
        className="min-h-0 flex-1"
        icon={<MessagesSquare size={24} aria-hidden />}
        title={strings.chat.emptyTitle}
        text={props.emptyText}
      />
    );
  }
  return (
    <ThreadView id={conversationId ?? "new"}>
      {messages.map((message, place) =>
        message.role === "user" ? (
          <UserMessage key={message.id} message={message} />
        ) : (
          <Reply
            key={message.id}
            message={message}
            place={where}
            actions={props.actions}
            prompt={place > 0 ? messages[place - 1] : undefined}
            behind={messages[place + 1]?.role ?? null}
            isLast={place === messages.length - 1}
            onRetry={onRetry}
          />
        ),
      )}
    </ThreadView>
  );
}

const NONE: readonly Message[] = [];

const Reply = memo(function Reply(props: {
  readonly message: Message;
  readonly place: ReplyPlace | null;
  readonly prompt: Message | undefined;
  /** Who wrote the message behind this one. */
  readonly behind: Message["role"] | null;
  readonly isLast: boolean;
  readonly actions: ThreadProps["actions"];
  readonly onRetry: (text: string) => void;
}): ReactElement {
  const strings = useStrings();
  const { message, place, prompt, isLast, onRetry } = props;
  const messageId = message.id;
  const run = useData((data) => runOf(data, message));
  const isStreaming = run?.state === "running";
  const goOn = useContinue(message, run, props.behind);
  const asked = prompt?.role === "user" ? textOf(prompt) : null;
  const actions = useMemo<MessageActions>(
    () => ({
      ...props.actions,
      goOn: (part) =>
        part.artifact === goOn?.artifact ? <ContinueArtifact use={goOn} isAlone /> : null,
      decide: (held) =>
        place === null ? null : (
          <DecideHeld
            projectId={place.projectId}
            held={held}
            onDecide={props.actions.onDecide}
          />
        ),
      goOnReply:
        goOn === null || goOn.continuing.state === "below" ? null : (
          <ContinueArtifact use={goOn} isAlone={false} />
        ),
      form: (part, isComing) =>
        place === null ? null : (
          <ReplyForm
            part={part}
            messageId={messageId}
            place={place}
            isStreaming={isComing}
            isRunning={isStreaming}
          />
        ),
      mend: (error) => (
        <Mend
          error={error}
          asked={isLast && !isStreaming ? asked : null}
          onRetry={onRetry}
        />
      ),
    }),
    [props.actions, goOn, messageId, place, isLast, isStreaming, asked, onRetry],
  );
  const who = run === null ? null : whoOf(run, strings);
  return (
    <AssistantMessage
      message={message}
      who={who ?? strings.product}
      isStreaming={isStreaming}
      end={endOf(run?.reason ?? null)}
      actions={actions}
      foot={
        isStreaming || message.runId === null ? null : (
          <MessageFoot message={message} runId={message.runId} run={run} />
        )
      }
    />
  );
});

/** Returns who wrote a reply: a recording, a model by its name, or a program. */
function whoOf(run: RunEntry, strings: Strings): string {
  if (run.agent === "replay") return strings.chat.recording;
  return run.model ?? (run.agent === "command" ? strings.connect.command : run.agent);
}

function endOf(reason: string | null): MessageEnd {
  switch (reason) {
    case "length":
    case "stopped":
    case "failed":
    case "interrupted":
      return reason;
    default:
      return null;
  }
}

/** The buttons beside a failure: try it again, or mend the connection to the model. */
function Mend(props: {
  readonly error: ErrorPart;
  readonly asked: string | null;
  readonly onRetry: (text: string) => void;
}): ReactNode {
  const strings = useStrings();
  const { error, asked } = props;
  const why = useIsOffline() ? strings.composer.sendOffline : null;
  const isConnection = CONNECT_CODES.has(error.code);
  if (asked === null && !isConnection) return null;
  return (
    <>
      {asked === null ? null : (
        <Button whyDisabled={why} onClick={() => props.onRetry(asked)}>
          {strings.action.retry}
        </Button>
      )}
      {isConnection ? (
        <Button onClick={() => openSurface({ surface: "connect" })}>
          {strings.home.connect}
        </Button>
      ) : null}
    </>
  );
}
