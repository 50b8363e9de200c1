import { type ReactElement, type ReactNode, useId } from "react";
import { DirectedText } from "../chat/directed-text.tsx";
import { Button } from "../controls/button.tsx";
import { useStrings } from "../strings/strings.tsx";
import { type Draft, faultOf, isChoice, valuesOf } from "./answers.ts";
import { QuestionField } from "./fields.tsx";
import { choicesOf, type Question } from "./schema.ts";

interface QuestionProps {
  readonly question: Question;
  readonly draft: Draft;
  /** More of it may come: a field that is there never becomes another. */
  readonly isGrowing: boolean;
  readonly isFaultShown: boolean;
  /** What the server said about the answer. */
  readonly refusal: string | null;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** One question: its words, its field, its way past, and what is wrong with its answer. */
export function QuestionView(props: QuestionProps): ReactElement {
  const strings = useStrings();
  const id = useId();
  const { question, draft } = props;
  const fault = shownFault(props, faultOf(question, draft, strings));
  const hasHelp = question.help !== null || question.maxSelections !== null;
  const ids = { label: `${id}-label`, help: `${id}-help`, fault: `${id}-fault` };
  const described = [hasHelp ? ids.help : null, fault === null ? null : ids.fault];
  return (
    <div
      data-question={question.id}
      data-fault={fault === null ? undefined : true}
      className="flex flex-col gap-1"
    >
      <div className="flex items-start justify-between gap-2">
        <QuestionLabel question={question} id={id} labelId={ids.label} />
        <SkipButton {...props} />
      </div>
      {hasHelp ? <Help question={question} id={ids.help} /> : null}
      <AnswerPlace {...props}>
        <QuestionField
          // Whether an answer of one's own is allowed is known at the end of a question.
          question={props.isGrowing ? { ...question, allowsCustom: false } : question}
          draft={draft}
          id={id}
          labelId={ids.label}
          describedBy={described.filter((one) => one !== null).join(" ") || undefined}
          isInvalid={fault !== null}
          onChange={props.onChange}
          onFiles={props.onFiles}
        />
      </AnswerPlace>
      {fault === null ? null : (
        <p id={ids.fault} className="text-13 text-danger">
          {fault}
        </p>
      )}
    </div>
  );
}

function QuestionLabel(props: {
  readonly question: Question;
  readonly id: string;
  readonly labelId: string;
}): ReactElement {
  const strings = useStrings();
  const { question } = props;
  const isGroup = isChoice(question) && question.type !== "select";
  const Label = isGroup ? "p" : "label";
  return (
    <Label
      id={props.labelId}
      {...(isGroup ? {} : { htmlFor: props.id })}
      className="min-w-0 py-1 text-14 font-medium break-words pointer-coarse:py-3"
    >
      <DirectedText text={question.label} />
      {question.isRequired ? (
        <span lang={strings.language} className="ms-2 text-12 font-normal text-muted">
          {strings.form.required}
        </span>
      ) : null}
    </Label>
  );
}

function SkipButton(props: QuestionProps): ReactElement {
  const { form } = useStrings();
  const { question, draft } = props;
  return (
    <Button
      size="small"
      variant="quiet"
      className="-me-2"
      aria-label={
        draft.isSkipped ? form.answerOf(question.label) : form.skipOf(question.label)
      }
      onClick={() => props.onChange({ isSkipped: !draft.isSkipped })}
    >
      {draft.isSkipped ? form.answer : form.skip}
    </Button>
  );
}

function Help(props: { readonly question: Question; readonly id: string }): ReactElement {
  const strings = useStrings();
  const { help, maxSelections: most } = props.question;
  return (
    <p id={props.id} className="text-13 break-words text-muted">
      {help === null ? null : <DirectedText text={help} />}
      {help === null || most === null ? null : " "}
      {most === null ? null : (
        <span lang={strings.language}>{strings.form.upTo(most)}</span>
      )}
    </p>
  );
}

/** The field, or what stands in its place. */
function AnswerPlace(
  props: QuestionProps & { readonly children: ReactNode },
): ReactElement {
  const strings = useStrings();
  if (props.draft.isSkipped) {
    return (
      <p lang={strings.language} className="flex min-h-8 items-center text-14 text-muted">
        {strings.form.skipped}
      </p>
    );
  }
  if (props.isGrowing && !hasField(props.question)) {
    // As high as the first option, so that nothing moves when that takes its place.
    return (
      <div aria-hidden className="h-7 rounded-control bg-sunken pointer-coarse:h-11" />
    );
  }
  return <>{props.children}</>;
}

/** Whether enough has come of a question to draw its field. */
function hasField(question: Question): boolean {
  return question.isTyped && (!isChoice(question) || choicesOf(question).length > 0);
}

/** Too many is said at once; the rest once the person has left the question. */
function shownFault(props: QuestionProps, fault: string | null): string | null {
  const { question, draft } = props;
  if (fault === null) return draft.isSkipped ? null : props.refusal;
  const most = question.maxSelections;
  const isTooMany = most !== null && valuesOf(question, draft).length > most;
  return props.isFaultShown || isTooMany ? fault : null;
}
