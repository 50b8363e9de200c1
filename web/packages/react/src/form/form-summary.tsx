import { ClipboardCheck } from "lucide-react";
import { type ReactElement, useEffect, useId, useRef } from "react";
import { DirectedText } from "../chat/directed-text.tsx";
import { useStrings } from "../strings/strings.tsx";
import { type Answers, displayOf } from "./answers.ts";
import { directionOf, type FormModel, type Question } from "./schema.ts";

/** A form that was answered: the questions and what was said, to read. */
export function FormSummary(props: {
  readonly form: FormModel;
  readonly answers: Answers;
  /** It stands where the person has just sent the form. */
  readonly takesFocus: boolean;
}): ReactElement {
  const strings = useStrings();
  const { form, answers, takesFocus } = props;
  const headId = useId();
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) root.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <section
      ref={root}
      tabIndex={-1}
      lang={form.lang ?? undefined}
      dir={form.lang === null ? undefined : directionOf(form.lang)}
      aria-labelledby={headId}
      data-state="answered"
      className="max-w-prose overflow-hidden rounded-card border border-border bg-raised"
    >
      <header className="flex items-center gap-3 p-3">
        <span className="flex size-8 shrink-0 items-center justify-center rounded-control bg-sunken text-success">
          <ClipboardCheck size={16} aria-hidden />
        </span>
        <div className="min-w-0 flex-1">
          <p id={headId} className="text-14 font-semibold break-words">
            <DirectedText text={form.title ?? strings.form.untitled} />
          </p>
          <p lang={strings.language} className="text-13 text-muted">
            {strings.form.answered}
          </p>
        </div>
      </header>
      <dl className="flex flex-col gap-3 border-t border-border p-3">
        {form.questions.map((question) => (
          <div key={question.id} className="min-w-0">
            <dt className="text-13 break-words text-muted">
              <DirectedText text={question.label} />
            </dt>
            <dd className="text-14 break-words whitespace-pre-wrap">
              <Said question={question} answers={answers} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Said(props: {
  readonly question: Question;
  readonly answers: Answers;
}): ReactElement {
  const strings = useStrings();
  const { question, answers } = props;
  const said = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
  const values = (typeof said === "string" ? [said] : (said ?? [])).filter(
    (value) => value.trim() !== "",
  );
  const [value] = values;
  if (value === undefined)
    return <span className="text-faint">{strings.form.skipped}</span>;
  if (question.type === "switch") {
    return <>{value === "true" ? strings.form.on : strings.form.off}</>;
  }
  if (values.length === 1) return <DirectedText text={displayOf(question, value)} />;
  return (
    <ul className="list-disc ps-5">
      {values.map((one) => (
        <li key={one}>
          <DirectedText text={displayOf(question, one)} />
        </li>
      ))}
    </ul>
  );
}
