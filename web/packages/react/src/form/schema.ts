/** A question form as the views take it: what came over the wire, made whole and typed. */

import type { FormPart } from "@vitrail/protocol";

/** How a question is answered. */
export type QuestionType = (typeof QUESTION_TYPES)[number];

const QUESTION_TYPES = [
  "radio",
  "checkbox",
  "select",
  "textarea",
  "number",
  "range",
  "date",
  "time",
  "datetime-local",
  "color",
  "url",
  "email",
  "tel",
  "file",
  "switch",
  "direction-cards",
  "text",
] as const;

/** One thing that can be chosen. */
export interface FormOption {
  readonly value: string;
  readonly label: string;
  readonly description: string | null;
}

/** One direction of a design: what it is called, how it feels, what it looks like. */
export interface FormCard {
  readonly id: string;
  readonly label: string;
  readonly mood: string;
  readonly references: readonly string[];
  /** Colours in the words of CSS. */
  readonly palette: readonly string[];
  readonly displayFont: string | null;
}

/** One question of a form. */
export interface Question {
  readonly id: string;
  readonly label: string;
  readonly type: QuestionType;
  /** False while the type may still come; it is `text` until then. */
  readonly isTyped: boolean;
  readonly options: readonly FormOption[];
  readonly cards: readonly FormCard[];
  readonly placeholder: string | null;
  readonly help: string | null;
  readonly isRequired: boolean;
  /** Values that are chosen from the start; one of every type but `checkbox`. */
  readonly defaults: readonly string[];
  readonly maxSelections: number | null;
  /** Whether an answer of one's own may be given beside the options. */
  readonly allowsCustom: boolean;
  readonly customLabel: string | null;
  readonly customPlaceholder: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly isMultiple: boolean;
  readonly accept: string | null;
}

/** A form as far as it has come. */
export interface FormModel {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly submitLabel: string | null;
  /** BCP 47; null where the model named none. */
  readonly lang: string | null;
  readonly questions: readonly Question[];
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function fieldsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function optionOf(fields: Fields): FormOption | null {
  const label = textOf(fields["label"]);
  if (label === null) return null;
  const value = typeof fields["value"] === "string" ? fields["value"] : label;
  return { value, label, description: textOf(fields["description"]) };
}

function cardOf(fields: Fields): FormCard | null {
  const id = textOf(fields["id"]);
  if (id === null) return null;
  return {
    id,
    label: textOf(fields["label"]) ?? id,
    mood: textOf(fields["mood"]) ?? "",
    references: textsOf(fields["references"]),
    palette: textsOf(fields["palette"]),
    displayFont: textOf(fields["displayFont"]),
  };
}

function isType(value: unknown): value is QuestionType {
  return QUESTION_TYPES.some((type) => type === value);
}

function questionOf(fields: Fields): Question | null {
  const id = textOf(fields["id"]);
  if (id === null) return null;
  const { type } = fields;
  return {
    id,
    label: textOf(fields["label"]) ?? id,
    type: isType(type) ? type : "text",
    isTyped: type !== undefined,
    options: fieldsOf(fields["options"]).flatMap((one) => optionOf(one) ?? []),
    cards: fieldsOf(fields["cards"]).flatMap((one) => cardOf(one) ?? []),
    placeholder: textOf(fields["placeholder"]),
    help: textOf(fields["help"]),
    isRequired: fields["required"] === true,
    defaults: textsOf(fields["defaultValue"]),
    maxSelections: type === "checkbox" ? numberOf(fields["maxSelections"]) : null,
    allowsCustom: fields["allowCustom"] !== false,
    customLabel: textOf(fields["customLabel"]),
    customPlaceholder: textOf(fields["customPlaceholder"]),
    min: numberOf(fields["min"]),
    max: numberOf(fields["max"]),
    step: numberOf(fields["step"]),
    isMultiple: fields["multiple"] === true,
    accept: textOf(fields["accept"]),
  };
}

/**
 * Returns a form from its part. What is missing or of another type than it should be is
 * left out: a part that is half here, or of a later version, still draws.
 */
export function readForm(form: FormPart["form"]): FormModel {
  const seen = new Set<string>();
  const questions = fieldsOf(form["questions"])
    .flatMap((one) => questionOf(one) ?? [])
    .filter((one) => !seen.has(one.id) && seen.add(one.id));
  return {
    id: typeof form["id"] === "string" ? form["id"] : "",
    title: textOf(form["title"]),
    description: textOf(form["description"]),
    submitLabel: textOf(form["submitLabel"]),
    lang: textOf(form["lang"]),
    questions,
  };
}

/** Returns the model's own text of a form that nobody could read; null of any other. */
export function rawOf(form: FormPart["form"]): string | null {
  return typeof form["raw"] === "string" ? form["raw"] : null;
}

/** What can be chosen of a question: its options, or its cards where it has those. */
export function choicesOf(question: Question): readonly FormOption[] {
  if (question.type !== "direction-cards" || question.cards.length === 0) {
    return question.options;
  }
  return question.cards.map((card) => ({
    value: card.id,
    label: card.label,
    description: textOf(card.mood),
  }));
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(
  "ar arc ckb dv fa he iw khw ks nqo ps sd syr ug ur yi".split(" "),
);
const RIGHT_TO_LEFT_SCRIPTS = /-(?:adlm|arab|hebr|nkoo|rohg|syrc|thaa)\b/i;

/** Returns the direction in which a language is written; `auto` where none is named. */
export function directionOf(lang: string | null): "ltr" | "rtl" | "auto" {
  if (lang === null) return "auto";
  if (RIGHT_TO_LEFT_SCRIPTS.test(lang)) return "rtl";
  if (/-latn\b/i.test(lang)) return "ltr";
  const [language = ""] = lang.toLowerCase().split("-");
  return RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
}

/** A colour by its name or numbers: nothing in it can name an address or a variable. */
const COLOUR =
  /^(?:#[0-9a-f]{3,8}|[a-z]{3,24}|(?:rgb|hsl|oklch|oklab|lab|lch|hwb)a?\([\d\s.,%/+a-z-]{1,80}\))$/i;

/** Whether a text of a model may be drawn as a colour. */
export function isColour(text: string): boolean {
  return COLOUR.test(text.trim());
}
