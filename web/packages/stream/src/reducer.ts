import type { Envelope } from "@vitrail/protocol";
import { Draft } from "./draft.ts";
import type { WorkspaceState } from "./state.ts";

/** Fold one event into the state; the same as `reduceAll` with a batch of one. */
export function reduce(state: WorkspaceState, envelope: Envelope): WorkspaceState {
  return reduceAll(state, [envelope]);
}

/**
 * Fold a batch of events, in the order of their numbers, into the state.
 *
 * An event whose number is not newer than the state's changes nothing, so that
 * duplicates and replayed prefixes are harmless; where nothing is newer the very same
 * state comes back. What no event touched stays the same object.
 *
 * Strategy: a batch copies each list and map that it touches once, appends to the copy,
 * and joins the pieces of each text once at its end. A stream of n deltas in b batches
 * costs O(n) for the deltas and one copy of the touched message's parts per batch.
 */
export function reduceAll(
  state: WorkspaceState,
  envelopes: readonly Envelope[],
): WorkspaceState {
  let draft: Draft | null = null;
  for (const envelope of envelopes) {
    if (envelope.seq <= (draft?.seq ?? state.seq)) continue;
    draft ??= new Draft(state);
    draft.add(envelope);
  }
  return draft?.finish() ?? state;
}
