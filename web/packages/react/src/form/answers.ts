/** What a person answers: as it is typed, what is wrong with it, and what is sent. */

import type { Strings } from "../strings/strings.tsx";
import { choicesOf, type FormModel, type Question } from "./schema.ts";

/**
 * An answer as it is typed. Only touched ones are kept; an untouched one is what the
 * form proposes at that time, so a default that comes late fills it, and nothing else.
 */
export interface Draft {
  /** What is chosen, or the one text that was typed. */
  readonly values: readonly string[];
  /** An answer of one's own beside the options; null while that is not chosen. */
  readonly other: string | null;
  readonly isSkipped: boolean;
}

/** The touched answers of a form, by question. */
export type Drafts = Readonly<Record<string, Draft>>;

/** The files that were chosen, by question; they live as long as the page. */
export type ChosenFiles = ReadonlyMap<string, readonly File[]>;

/** What is sent for one question; null: the person skipped it. */
export type Answer = string | readonly string[] | null;

/** What is sent, by question. */
export type Answers = Readonly<Record<string, Answer>>;

const CHOOSING: ReadonlySet<Question["type"]> = new Set([
  "radio",
  "checkbox",
  "select",
  "direction-cards",
]);

/** Whether one chooses among options here. */
export function isChoice(question: Question): boolean {
  return CHOOSING.has(question.type);
}

function emptyOf(question: Question): readonly string[] {
  switch (question.type) {
    case "switch":
      return ["false"];
    case "range":
      return [String(question.min ?? 0)];
    case "color":
      // What a colour field of a browser shows where nobody chose one.
      return ["#".padEnd(7, "0")];
    default:
      return [];
  }
}

function proposalOf(question: Question): Draft {
  const { defaults } = question;
  if (defaults.length === 0) {
    return { values: emptyOf(question), other: null, isSkipped: false };
  }
  if (!isChoice(question)) {
    return { values: defaults.slice(0, 1), other: null, isSkipped: false };
  }
  const known = new Set(choicesOf(question).map((option) => option.value));
  const values = defaults.filter((value) => known.has(value));
  const own = defaults.filter((value) => !known.has(value)).join(", ");
  const isOwn = own !== "" && question.allowsCustom;
  return {
    values: question.type === "checkbox" ? values : values.slice(0, 1),
    other: isOwn && (question.type === "checkbox" || values.length === 0) ? own : null,
    isSkipped: false,
  };
}

/** Returns how a question stands: as it was touched, or as the form proposes it. */
export function draftOf(question: Question, drafts: Drafts): Draft {
  return Object.hasOwn(drafts, question.id)
    ? (drafts[question.id] ?? proposalOf(question))
    : proposalOf(question);
}

function ownParts(question: Question, other: string | null): readonly string[] {
  if (other === null) return [];
  // Several may be typed where several may be chosen.
  const parts = question.type === "checkbox" ? other.split(/[,\n]/) : [other];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Returns the values of an answer, its own ones last; empty where there is none. */
export function valuesOf(question: Question, draft: Draft): readonly string[] {
  if (draft.isSkipped) return [];
  const values = draft.values.filter((value) => value.trim() !== "");
  const own = ownParts(question, draft.other);
  return [...values, ...own.filter((value) => !values.includes(value))];
}

function numberFault(question: Question, value: string, strings: Strings): string | null {
  const number = Number(value);
  if (!Number.isFinite(number)) return strings.form.needNumber;
  const { min, max } = question;
  if (min !== null && max !== null && min > max) return null; // no number would do
  if (min !== null && number < min) return strings.form.atLeast(min);
  return max !== null && number > max ? strings.form.atMost(max) : null;
}

function isUrl(value: string): boolean {
  return URL.canParse(value.trim()) && /^[a-z][a-z0-9+.-]*:\S+$/i.test(value.trim());
}

/** Returns what is wrong with an answer, in words; null where nothing is. */
export function faultOf(
  question: Question,
  draft: Draft,
  strings: Strings,
): string | null {
  if (draft.isSkipped) return null;
  const values = valuesOf(question, draft);
  const [value] = values;
  if (value === undefined) return question.isRequired ? strings.form.needAnswer : null;
  switch (question.type) {
    case "checkbox": {
      const { maxSelections: most } = question;
      return most !== null && values.length > most
        ? strings.form.tooMany(values.length, most)
        : null;
    }
    case "number":
    case "range":
      return numberFault(question, value, strings);
    case "email":
      return /^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : strings.form.needEmail;
    case "url":
      return isUrl(value) ? null : strings.form.needUrl;
    default:
      return null;
  }
}

/** Returns the questions that still need an answer before the form can be sent. */
export function openQuestions(form: FormModel, drafts: Drafts): readonly Question[] {
  return form.questions.filter((question) => {
    const draft = draftOf(question, drafts);
    const isOpen = question.isRequired && !draft.isSkipped;
    return isOpen && valuesOf(question, draft).length === 0;
  });
}

/** Returns how many questions have an answer. */
export function countAnswered(form: FormModel, drafts: Drafts): number {
  return form.questions.filter(
    (question) => valuesOf(question, draftOf(question, drafts)).length > 0,
  ).length;
}

/** Returns the answers with every question skipped that has none. */
export function skipRest(form: FormModel, drafts: Drafts): Drafts {
  const open = form.questions.filter(
    (question) => valuesOf(question, draftOf(question, drafts)).length === 0,
  );
  const skipped = open.map((question) => [
    question.id,
    { ...draftOf(question, drafts), isSkipped: true },
  ]);
  return { ...drafts, ...Object.fromEntries(skipped) };
}

/**
 * Returns what is sent: several values of a question that takes several, else one. A
 * question without an answer that nobody skipped is left out.
 */
export function answersOf(form: FormModel, drafts: Drafts): Answers {
  // By entries, since a question may be called `__proto__`.
  return Object.fromEntries(
    form.questions.flatMap((question): readonly (readonly [string, Answer])[] => {
      const draft = draftOf(question, drafts);
      const values = valuesOf(question, draft);
      const [value] = values;
      if (value === undefined) {
        return draft.isSkipped ? [[question.id, null]] : [];
      }
      const isList = question.type === "checkbox" || question.isMultiple;
      return [[question.id, isList ? values : value]];
    }),
  );
}

/** Returns a value as it reads: the label of its option, else the value itself. */
export function displayOf(question: Question, value: string): string {
  const option = choicesOf(question).find((one) => one.value === value);
  return option?.label ?? value;
}
