/** What a form was answered, and what was typed into it and not sent yet. */

import type { FormAnswersPart, Message, Part } from "@vitrail/protocol";
import type { Answers, Drafts } from "@vitrail/react";

/** Returns what a person answered to a form last; null while it waits for that. */
export function answersTo(
  messages: readonly Message[],
  messageId: string,
  formId: string,
): Answers | null {
  // From the end: in front of the form's own message there is nothing about it.
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    const message = messages[place];
    if (message === undefined || message.id === messageId) return null;
    const told = message.role === "user" ? message.parts.find(isAnswers) : undefined;
    if (told?.messageId === messageId && told.formId === formId) return told.answers;
  }
  return null;
}

function isAnswers(part: Part): part is FormAnswersPart {
  return part.type === "form_answers";
}

const PREFIX = "vitrail:form:";

/** Returns what was typed into a form before the page was loaded again. */
export function readDrafts(key: string): Drafts {
  try {
    return parseDrafts(JSON.parse(sessionStorage.getItem(PREFIX + key) ?? "{}"));
  } catch {
    return {};
  }
}

/** Keeps what is typed into a form for as long as the tab lives. */
export function keepDrafts(key: string, drafts: Drafts): void {
  try {
    if (Object.keys(drafts).length === 0) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(drafts));
  } catch {
    // Without a storage what was typed lives as long as its page.
  }
}

/** Returns the drafts of a stored value; what is none is left out. */
export function parseDrafts(stored: unknown): Drafts {
  if (typeof stored !== "object" || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).flatMap(([id, draft]: [string, unknown]) =>
      isDraft(draft) ? [[id, draft] as const] : [],
    ),
  );
}

function isDraft(value: unknown): value is Drafts[string] {
  if (typeof value !== "object" || value === null) return false;
  const { values, other, isSkipped } = value as Readonly<Record<string, unknown>>;
  const areTexts =
    Array.isArray(values) && values.every((one: unknown) => typeof one === "string");
  const isOwn = other === null || typeof other === "string";
  return areTexts && isOwn && typeof isSkipped === "boolean";
}
