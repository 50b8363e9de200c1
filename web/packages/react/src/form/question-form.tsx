import type { FormPart } from "@vitrail/protocol";
import { ClipboardList } from "lucide-react";
import {
  type FocusEvent,
  type FormEvent,
  memo,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
} from "react";
import { DirectedText } from "../chat/directed-text.tsx";
import { Button } from "../controls/button.tsx";
import { Notice } from "../controls/notice.tsx";
import { useStrings } from "../strings/strings.tsx";
import type { Draft } from "./answers.ts";
import {
  type Answers,
  answersOf,
  type ChosenFiles,
  countAnswered,
  type Drafts,
  draftOf,
  faultOf,
  openQuestions,
  skipRest,
} from "./answers.ts";
import { FormSummary } from "./form-summary.tsx";
import { QuestionView } from "./question-view.tsx";
import { directionOf, type FormModel, type Question, rawOf, readForm } from "./schema.ts";
import { UnreadableForm } from "./unreadable-form.tsx";

/** What refused the answers. */
export interface SendFault {
  readonly message: string;
  readonly code: string | null;
  /** What is wrong with single answers, by question. */
  readonly byQuestion: Readonly<Record<string, string>>;
  /** The button that mends it. */
  readonly action?: ReactNode;
}

/** What the page around a form knows of it and does with it. */
export interface FormUse {
  /** What was answered, by question; null while the form waits. */
  readonly answers: Answers | null;
  /** Why it cannot be answered now; null where it can. */
  readonly whyNot: string | null;
  /** What was typed before, and where to keep what is typed now. */
  readonly drafts: Drafts;
  readonly onDrafts: (drafts: Drafts) => void;
  /** Sends the answers; returns what refused them, or null. */
  readonly onSend: (answers: Answers, files: ChosenFiles) => Promise<SendFault | null>;
}

/** A form of a reply: it grows while it streams, is filled in, and then shows its answers. */
export const QuestionForm = memo(function QuestionForm(props: {
  readonly part: FormPart;
  readonly isStreaming: boolean;
  readonly use: FormUse | null;
}): ReactElement {
  const { part, use } = props;
  const raw = rawOf(part.form);
  const [sent, setSent] = useState<Answers | null>(null);
  if (raw !== null) {
    const isCut = part.form["reason"] === "unclosed-form";
    return <UnreadableForm raw={raw} isCut={isCut} />;
  }
  const form = readForm(part.form);
  const answers = use?.answers ?? sent;
  return answers === null ? (
    <OpenForm
      form={form}
      isComing={!part.complete && props.isStreaming}
      use={use}
      onSent={setSent}
    />
  ) : (
    <FormSummary form={form} answers={answers} takesFocus={sent !== null} />
  );
});

type Sending = "sending" | SendFault | null;

function OpenForm(props: {
  readonly form: FormModel;
  readonly isComing: boolean;
  readonly use: FormUse | null;
  readonly onSent: (answers: Answers) => void;
}): ReactElement {
  const strings = useStrings();
  const { form, use } = props;
  const [drafts, setDrafts] = useState<Drafts>(() => use?.drafts ?? {});
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const [sending, setSending] = useState<Sending>(null);
  const files = useRef<Map<string, readonly File[]>>(new Map());
  const root = useRef<HTMLFormElement>(null);

  const refused = sending === "sending" || sending === null ? {} : sending.byQuestion;
  const change = (question: Question, part: Partial<Draft>): void => {
    const draft = { ...draftOf(question, drafts), ...part };
    const next = { ...drafts, [question.id]: draft };
    setDrafts(next);
    use?.onDrafts(withoutFiles(form, next));
    if (sending !== "sending") setSending(null);
  };
  const send = async (given: Drafts): Promise<void> => {
    if (use === null || sending === "sending" || use.whyNot !== null) return;
    const isWhole = form.questions.every(
      (one) => faultOf(one, draftOf(one, given), strings) === null,
    );
    if (!isWhole) {
      setTried(true);
      requestAnimationFrame(() => focusFault(root.current));
      return;
    }
    setDrafts(given);
    setSending("sending");
    const answers = answersOf(form, given);
    const fault = await use.onSend(answers, files.current);
    setSending(fault);
    if (fault === null) props.onSent(answers);
    else requestAnimationFrame(() => focusFault(root.current));
  };
  const why = props.isComing ? strings.form.coming : (use?.whyNot ?? null);
  const headId = useId();
  return (
    <form
      ref={root}
      noValidate
      lang={form.lang ?? undefined}
      dir={form.lang === null ? undefined : directionOf(form.lang)}
      aria-labelledby={headId}
      aria-busy={props.isComing}
      className="max-w-prose overflow-hidden rounded-card border border-border bg-raised"
      onBlur={(event) => {
        const id = questionLeft(event);
        if (id !== null) setLeft((before) => new Set(before).add(id));
      }}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (why === null) void send(drafts);
      }}
    >
      <FormHead id={headId} form={form} />
      <div className="flex flex-col gap-5 px-3 pb-4">
        {form.questions.map((question, place) => (
          <QuestionView
            key={question.id}
            question={question}
            draft={draftOf(question, drafts)}
            isGrowing={props.isComing && place === form.questions.length - 1}
            isFaultShown={isTried || left.has(question.id)}
            refusal={refused[question.id] ?? null}
            onChange={(part) => change(question, part)}
            onFiles={(chosen) => files.current.set(question.id, chosen)}
          />
        ))}
      </div>
      <FormFoot
        form={form}
        drafts={drafts}
        why={why}
        isComing={props.isComing}
        sending={sending}
        onSkip={() => void send(skipRest(form, drafts))}
      />
    </form>
  );
}

/** The question that the focus goes away from. */
function questionLeft(event: FocusEvent<HTMLElement>): string | null {
  const question = event.target.closest<HTMLElement>("[data-question]");
  const isWithin = question?.contains(event.relatedTarget) ?? true;
  return isWithin ? null : (question?.dataset["question"] ?? null);
}

/** Puts the focus where the first answer goes that is wrong or missing. */
function focusFault(root: HTMLElement | null): void {
  const fault = root?.querySelector("[data-fault]");
  const place =
    fault?.querySelector<HTMLElement>("input[data-own]") ??
    fault?.querySelector<HTMLElement>(":is(input, select, textarea)");
  place?.focus();
}

/** What is kept of a form until it is sent: file names are not, for their files are not. */
function withoutFiles(form: FormModel, drafts: Drafts): Drafts {
  const files = new Set(
    form.questions.filter((one) => one.type === "file").map((one) => one.id),
  );
  return Object.fromEntries(Object.entries(drafts).filter(([id]) => !files.has(id)));
}

/** The name of a form and what it is about. */
export function FormHead(props: {
  readonly id: string;
  readonly form: FormModel;
}): ReactElement {
  const strings = useStrings();
  const { title, description } = props.form;
  return (
    <header className="flex items-start gap-3 p-3">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-control bg-sunken text-muted">
        <ClipboardList size={16} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p id={props.id} className="min-h-5 text-14 font-semibold break-words">
          <DirectedText text={title ?? strings.form.untitled} />
        </p>
        {description === null ? null : (
          <p className="text-13 break-words text-muted">
            <DirectedText text={description} />
          </p>
        )}
      </div>
    </header>
  );
}

function FormFoot(props: {
  readonly form: FormModel;
  readonly drafts: Drafts;
  readonly why: string | null;
  readonly isComing: boolean;
  readonly sending: Sending;
  readonly onSkip: () => void;
}): ReactElement {
  const strings = useStrings();
  const { form, drafts, sending } = props;
  const answered = countAnswered(form, drafts);
  const open = openQuestions(form, drafts).map((question) => question.label);
  const isSending = sending === "sending";
  const why = isSending ? strings.form.sending : props.why;
  return (
    <footer
      lang={strings.language}
      className="flex flex-col gap-2 border-t border-border p-3"
    >
      {sending === null || isSending ? null : (
        <Notice tone="danger" isLive code={sending.code} actions={sending.action}>
          {sending.message}
        </Notice>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="me-auto min-w-0 basis-60 text-13 break-words text-muted tabular-nums max-phone:basis-full">
          <bdi dir="auto" className={props.isComing ? "streaming-caret" : undefined}>
            {props.why ??
              (open.length === 0
                ? strings.form.progress(answered, form.questions.length)
                : strings.form.stillNeeded(open.join(" · ")))}
          </bdi>
        </p>
        <Button variant="quiet" whyDisabled={why} onClick={props.onSkip}>
          {answered === 0 ? strings.form.skipAll : strings.form.skipRest}
        </Button>
        <Button type="submit" whyDisabled={why}>
          {isSending ? strings.form.sending : (form.submitLabel ?? strings.form.submit)}
        </Button>
      </div>
    </footer>
  );
}
