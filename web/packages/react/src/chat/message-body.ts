/** What of a reply stands in its flow, and what is told beside it. */

import type { DirectivePart, Part } from "@vitrail/protocol";

/** A part in the flow of a reply. */
export interface ShownPart {
  readonly key: string;
  readonly part: FlowPart;
}

/** Parts that have a place in the flow. */
export type FlowPart = Exclude<
  Part,
  { readonly type: "directive" } | { readonly type: "suppressed" }
>;

/** A reply as it is drawn. */
export interface MessageBody {
  readonly shown: readonly ShownPart[];
  /** Said about the delivery of the whole reply, in their order. */
  readonly directives: readonly DirectivePart[];
  /** How many internal tags are hidden, and how many characters they had. */
  readonly hidden: { readonly tags: number; readonly chars: number };
}

/**
 * Returns the parts of a reply as they are drawn. A tag that was taken out of a text
 * leaves one text behind: a paragraph or a list that it stood in stays whole.
 */
export function bodyOf(parts: readonly Part[]): MessageBody {
  const shown: ShownPart[] = [];
  const directives: DirectivePart[] = [];
  const hasRecovered = parts.some(isRecovered);
  let tags = 0;
  let chars = 0;
  for (const [place, part] of parts.entries()) {
    if (hasRecovered && isToldByCard(part)) continue;
    if (part.type === "directive") directives.push(part);
    else if (part.type === "suppressed") {
      tags += 1;
      chars += part.chars;
    } else {
      const last = shown.at(-1);
      if (part.type === "text" && last?.part.type === "text") {
        const text = last.part.text + part.text;
        shown[shown.length - 1] = { key: last.key, part: { ...last.part, text } };
      } else shown.push({ key: keyOf(part, place), part });
    }
  }
  return { shown, directives, hidden: { tags, chars } };
}

function isRecovered(part: Part): boolean {
  return part.type === "artifact" && part.recovered !== null;
}

/** The card of a recovered artifact says itself how that was found. */
function isToldByCard(part: Part): boolean {
  return part.type === "diagnostic" && part.code === "document-recovered";
}

function keyOf(part: FlowPart, place: number): string {
  return part.type === "artifact" ? `artifact-${part.artifact}` : `${part.type}-${place}`;
}
