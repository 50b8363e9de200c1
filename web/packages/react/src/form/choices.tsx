import { type ReactElement, useId } from "react";
import { DirectedText } from "../chat/directed-text.tsx";
import { cx } from "../controls/cx.ts";
import { FIELD } from "../controls/field.tsx";
import { useStrings } from "../strings/strings.tsx";
import type { Draft } from "./answers.ts";
import {
  choicesOf,
  type FormCard,
  type FormOption,
  isColour,
  type Question,
} from "./schema.ts";

/** What every field of a question is given. */
export interface FieldProps {
  readonly question: Question;
  readonly draft: Draft;
  /** Of the control, or of the first one of several. */
  readonly id: string;
  readonly labelId: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}

const ROW =
  "flex min-h-7 cursor-pointer items-start gap-2 rounded-control px-1 py-1 hover:bg-hover pointer-coarse:min-h-11 pointer-coarse:py-3";

/** One of several, or several of several, each in sight. */
export function ChoiceField(props: FieldProps): ReactElement {
  const strings = useStrings();
  const name = useId();
  const { question, draft, onChange } = props;
  const isMany = question.type === "checkbox";
  const choose = (value: string, isChosen: boolean): void => {
    if (!isMany) onChange({ values: [value], other: null });
    else if (isChosen) onChange({ values: [...draft.values, value] });
    else onChange({ values: draft.values.filter((one) => one !== value) });
  };
  const chooseOwn = (isChosen: boolean): void =>
    onChange(
      isMany ? { other: isChosen ? "" : null } : { values: [], other: draft.other ?? "" },
    );
  const cards = new Map(question.cards.map((card) => [card.id, card]));
  return (
    <fieldset
      aria-labelledby={props.labelId}
      aria-describedby={props.describedBy}
      className={cx(
        question.cards.length > 0
          ? "grid grid-cols-2 gap-2 max-phone:grid-cols-1"
          : "-mx-1 flex flex-col",
      )}
    >
      {choicesOf(question).map((option, place) => (
        <Choice
          // biome-ignore lint/suspicious/noArrayIndexKey: options only ever grow at their end
          key={place}
          id={`${props.id}-${place}`}
          name={name}
          option={option}
          card={cards.get(option.value)}
          isMany={isMany}
          isChosen={draft.values.includes(option.value)}
          isInvalid={props.isInvalid}
          onChoose={(isChosen) => choose(option.value, isChosen)}
        />
      ))}
      {question.allowsCustom ? (
        <div className={question.cards.length > 0 ? "col-span-full -mx-1" : undefined}>
          <label htmlFor={`${props.id}-own`} className={ROW}>
            <input
              id={`${props.id}-own`}
              type={isMany ? "checkbox" : "radio"}
              name={name}
              checked={draft.other !== null}
              onChange={(event) => chooseOwn(event.target.checked)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 text-14">
              {question.customLabel ?? strings.form.other}
            </span>
          </label>
          <OwnAnswer {...props} />
        </div>
      ) : null}
    </fieldset>
  );
}

function Choice(props: {
  readonly id: string;
  readonly name: string;
  readonly option: FormOption;
  readonly card: FormCard | undefined;
  readonly isMany: boolean;
  readonly isChosen: boolean;
  readonly isInvalid: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}): ReactElement {
  const { option, card, isMany, isChosen } = props;
  return (
    <label
      htmlFor={props.id}
      className={
        card === undefined
          ? ROW
          : cx(
              "flex cursor-pointer items-start gap-2 rounded-control border px-3 py-2",
              isChosen
                ? "border-accent bg-accent-soft"
                : "border-border-strong hover:bg-hover",
            )
      }
    >
      <input
        id={props.id}
        type={isMany ? "checkbox" : "radio"}
        name={props.name}
        checked={isChosen}
        aria-invalid={isMany && props.isInvalid ? true : undefined}
        onChange={(event) => props.onChoose(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      {card === undefined ? <OptionWords option={option} /> : <CardWords card={card} />}
    </label>
  );
}

function OptionWords(props: { readonly option: FormOption }): ReactElement {
  const { label, description } = props.option;
  return (
    <span className="min-w-0 flex-1 text-14 break-words">
      <DirectedText text={label} />
      {description === null ? null : (
        <span className="block text-13 text-muted">
          <DirectedText text={description} />
        </span>
      )}
    </span>
  );
}

/** The text of an answer of one's own, once that is chosen. */
function OwnAnswer(props: FieldProps): ReactElement | null {
  const strings = useStrings();
  const { question, draft, onChange } = props;
  if (draft.other === null) return null;
  return (
    <div className="ps-7 pe-1 pt-1">
      <input
        data-own
        dir="auto"
        value={draft.other}
        aria-label={strings.form.otherOf(question.label)}
        placeholder={question.customPlaceholder ?? undefined}
        onChange={(event) => onChange({ other: event.target.value })}
        className={cx(FIELD, "border-border-strong")}
      />
    </div>
  );
}

/** A direction in its own letters and colours. */
function CardWords(props: { readonly card: FormCard }): ReactElement {
  const { card } = props;
  const palette = card.palette.filter(isColour);
  return (
    <span className="flex min-w-0 flex-1 flex-col gap-1">
      <span
        className="text-14 font-medium break-words"
        style={card.displayFont === null ? undefined : { fontFamily: card.displayFont }}
      >
        <DirectedText text={card.label} />
      </span>
      {card.mood === "" ? null : (
        <span className="text-13 break-words text-muted">
          <DirectedText text={card.mood} />
        </span>
      )}
      {palette.length === 0 ? null : (
        <span aria-hidden className="flex flex-wrap gap-1 pt-1">
          {palette.map((colour, place) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a palette may name a colour twice
              key={place}
              title={colour}
              className="size-4 rounded-full border border-border-strong"
              style={{ backgroundColor: colour }}
            />
          ))}
        </span>
      )}
      {card.references.length === 0 ? null : (
        <span className="text-12 break-words text-muted">
          <DirectedText text={card.references.join(" · ")} />
        </span>
      )}
    </span>
  );
}

const OWN = "own";

/** One of many, from a list that opens. Places and not values, which may be anything. */
export function SelectField(props: FieldProps): ReactElement {
  const strings = useStrings();
  const { question, draft, onChange } = props;
  const options = choicesOf(question);
  const chosen = options.findIndex((option) => draft.values.includes(option.value));
  const choose = (place: string): void => {
    if (place === OWN) onChange({ values: [], other: draft.other ?? "" });
    else {
      const option = options[Number(place)];
      const isNone = place === "" || option === undefined;
      onChange({ values: isNone ? [] : [option.value], other: null });
    }
  };
  const description = options[chosen]?.description ?? null;
  return (
    <div>
      <select
        id={props.id}
        value={draft.other !== null ? OWN : chosen === -1 ? "" : String(chosen)}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid ? true : undefined}
        aria-required={question.isRequired ? true : undefined}
        onChange={(event) => choose(event.target.value)}
        className={cx(FIELD, props.isInvalid ? "border-danger" : "border-border-strong")}
      >
        <option value="">{question.placeholder ?? strings.form.choose}</option>
        {options.map((option, place) => (
          <option key={option.value} value={place}>
            {option.label}
          </option>
        ))}
        {question.allowsCustom ? (
          <option value={OWN}>{question.customLabel ?? strings.form.other}</option>
        ) : null}
      </select>
      {description === null ? null : (
        <p className="pt-1 text-13 text-muted">
          <DirectedText text={description} />
        </p>
      )}
      <div className="-ms-7 -me-1">
        <OwnAnswer {...props} />
      </div>
    </div>
  );
}
