/** What an artifact's card says: one state out of the part's many fields. */

import type { ArtifactPart } from "@vitrail/protocol";
import type { Strings } from "../strings/strings.tsx";

/** The state of a card, in the order in which it may move on. */
export type CardState =
  | "streaming"
  | "checking"
  | "saved"
  | "saved-cut"
  | "pointer"
  | "quarantined"
  | "refused"
  | "cut";

/** Returns the one state that the card shows. */
export function cardStateOf(part: ArtifactPart): CardState {
  if (part.state === "streaming") return "streaming";
  if (part.quarantined) return "quarantined";
  if (part.refused) return "refused";
  if (part.pointer !== null) return "pointer";
  if (part.saved !== null) {
    return part.saved.status === "error" || part.state === "cut" ? "saved-cut" : "saved";
  }
  return part.state === "cut" ? "cut" : "checking";
}

function cutWords(part: ArtifactPart, strings: Strings): string {
  switch (part.reason) {
    case "stopped":
      return strings.card.cutStopped;
    case "failed":
      return strings.card.cutFailed;
    case "limit":
      return strings.card.cutLimit;
    case "unjoined":
      return strings.card.cutUnjoined;
    default:
      return strings.card.cut;
  }
}

/** Returns the words of the card's state; `lines` of the body so far. */
export function cardWords(part: ArtifactPart, lines: number, strings: Strings): string {
  const { saved } = part;
  switch (cardStateOf(part)) {
    case "streaming":
      return lines === 0 ? strings.card.starting : strings.card.streaming(lines);
    case "checking":
      return strings.card.checking;
    case "saved":
      return saved === null ? "" : strings.card.saved(saved.path, saved.number);
    case "saved-cut": {
      const kept =
        saved === null ? "" : strings.card.savedError(saved.path, saved.number);
      return `${cutWords(part, strings)}. ${kept}`;
    }
    case "pointer":
      return strings.card.opened(part.pointer ?? "");
    case "quarantined":
      return strings.card.quarantined;
    case "refused":
      return strings.card.refused;
    case "cut":
      return cutWords(part, strings);
  }
}
