import type { ErrorPart, FormPart, Message } from "@vitrail/protocol";
import { memo, type ReactElement, type ReactNode, useMemo } from "react";
import { Notice } from "../controls/notice.tsx";
import { QuestionForm } from "../form/question-form.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { useStrings } from "../strings/strings.tsx";
import { ArtifactCard, type CardActions } from "./artifact-card.tsx";
import { DiagnosticsList } from "./diagnostics-list.tsx";
import { bodyOf, type FlowPart } from "./message-body.ts";
import { DirectiveChips, EmbedPlaceholder, HiddenNote } from "./placeholders.tsx";
import { Reasoning } from "./reasoning.tsx";

/** What stands in a message beside its words. */
export interface MessageActions extends CardActions {
  /** Opens a file that the reply links to. */
  readonly onOpenFile?: ((path: string) => void) | undefined;
  /** The button beside a failure: what mends it, or nothing. */
  readonly mend?: (error: ErrorPart) => ReactNode;
  /** The button beside the words that the length limit was reached, or nothing. */
  readonly goOnReply?: ReactNode;
  /** A form with the way to answer it; without it a form can only be read. */
  readonly form?: (form: FormPart, isStreaming: boolean) => ReactNode;
}

/** How the run of a message ended; none while it runs or where nobody knows. */
export type MessageEnd = "length" | "stopped" | "failed" | "interrupted" | null;

/** A reply: its text, its thinking and its artifacts in their order. */
export const AssistantMessage = memo(function AssistantMessage(props: {
  readonly message: Message;
  readonly who: string;
  readonly isStreaming: boolean;
  readonly end: MessageEnd;
  readonly actions: MessageActions;
  /** What stands below: copy, what the model was shown. */
  readonly foot?: ReactNode;
}): ReactElement {
  const strings = useStrings();
  const { parts } = props.message;
  const body = useMemo(() => bodyOf(parts), [parts]);
  const last = body.shown.length - 1;
  const isEmpty = body.shown.every(
    ({ part }) => part.type === "text" && part.text.trim() === "",
  );
  const hasNothing = isEmpty && body.directives.length === 0 && body.hidden.tags === 0;
  return (
    <article
      aria-label={strings.chat.messageFrom(props.who)}
      aria-busy={props.isStreaming}
      className="flex flex-col gap-3"
    >
      <p className="text-12 font-medium text-muted">{props.who}</p>
      {isEmpty && (props.isStreaming || hasNothing) ? (
        <EmptyReply isStreaming={props.isStreaming} end={props.end} />
      ) : null}
      {body.shown.map(({ key, part }, place) => (
        <PartView
          key={key}
          part={part}
          isStreaming={props.isStreaming && place === last}
          actions={props.actions}
        />
      ))}
      <DirectiveChips directives={body.directives} />
      <HiddenNote {...body.hidden} />
      <EndNotice
        end={props.end}
        hasError={parts.some((part) => part.type === "error")}
        goOn={props.actions.goOnReply}
      />
      {props.foot}
    </article>
  );
});

function EmptyReply(props: {
  readonly isStreaming: boolean;
  readonly end: MessageEnd;
}): ReactElement | null {
  const strings = useStrings();
  if (props.isStreaming) {
    return (
      <p className="text-14 text-muted">
        <span className="streaming-caret">{strings.chat.waiting} </span>
      </p>
    );
  }
  return props.end === null ? (
    <p className="text-14 text-muted">{strings.chat.noAnswer}</p>
  ) : null;
}

function EndNotice(props: {
  readonly end: MessageEnd;
  readonly hasError: boolean;
  readonly goOn: ReactNode;
}): ReactElement | null {
  const strings = useStrings();
  if (props.end === null) return null;
  if (props.end === "failed" && props.hasError) return null;
  if (props.end === "stopped") {
    return <p className="text-13 text-muted">{strings.chat.stopped}</p>;
  }
  return (
    <Notice
      tone="warning"
      className="max-w-prose"
      actions={props.end === "length" ? props.goOn : null}
    >
      {strings.chat[props.end]}
    </Notice>
  );
}

function PartView(props: {
  readonly part: FlowPart;
  readonly isStreaming: boolean;
  readonly actions: MessageActions;
}): ReactNode {
  const { part, isStreaming, actions } = props;
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? null : (
        <Markdown
          text={part.text}
          isStreaming={isStreaming}
          onOpenFile={actions.onOpenFile}
        />
      );
    case "reasoning":
      return <Reasoning text={part.text} isStreaming={isStreaming} />;
    case "artifact":
      return <ArtifactCard part={part} actions={actions} />;
    case "diagnostic":
      return <DiagnosticsList diagnostics={[part]} />;
    case "error":
      return <ErrorNotice part={part} mend={actions.mend} />;
    case "form":
      return (
        actions.form?.(part, isStreaming) ?? (
          <QuestionForm part={part} isStreaming={isStreaming} use={null} />
        )
      );
    case "form_answers":
      return null; // a person's message has them, and shows them
    case "embed":
      return <EmbedPlaceholder part={part} />;
  }
}

function ErrorNotice(props: {
  readonly part: ErrorPart;
  readonly mend: MessageActions["mend"];
}): ReactElement {
  return (
    <Notice
      tone="danger"
      isLive
      code={props.part.code}
      className="max-w-prose"
      actions={props.mend?.(props.part)}
    >
      {props.part.message}
    </Notice>
  );
}
