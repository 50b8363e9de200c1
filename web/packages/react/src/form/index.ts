/** Question forms of a reply, drawn with plain fields. */

export type { Answers, ChosenFiles, Draft, Drafts } from "./answers.ts";
export { type FormUse, QuestionForm, type SendFault } from "./question-form.tsx";
export { readForm } from "./schema.ts";
