/**
 * What a person typed into files and did not save yet.
 *
 * It lives in the tab's session storage, so it is there again after a reload. A
 * text that does not fit there lives as long as its page, and that is said.
 */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

/** A text that is not a revision yet, and what it began from. */
export interface Unsaved {
  readonly text: string;
  /** Digest of the bytes that it replaces; none: there is no such file. */
  readonly baseDigest: string | null;
  /** The revision that it began from; none where that is not known. */
  readonly baseRevision: string | null;
  /** The person is looking at both texts, this one and the file's. */
  readonly isResolving: boolean;
  /** The draft that this is to become the resolution of; none of the file itself. */
  readonly draft: string | null;
}

/** An unsaved text and whether it survives a reload. */
export interface KeptUnsaved extends Unsaved {
  readonly isKept: boolean;
}

const PREFIX = "vitrail:unsaved:";

/** Names the unsaved text of one file. A project's id has no slash. */
export function unsavedKey(projectId: string, path: string): string {
  return `${projectId}/${path}`;
}

/** Names the resolution of a draft, until it is saved. */
export function mergeKey(
  projectId: string,
  draft: { readonly path: string; readonly id: string },
): string {
  return `${unsavedKey(projectId, draft.path)}#${draft.id}`;
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

/** Returns what was stored, or none where it is not an unsaved text. */
export function readUnsaved(stored: string | null): Unsaved | null {
  let value: unknown;
  try {
    value = JSON.parse(stored ?? "null");
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { text, baseDigest, baseRevision, isResolving, draft } = value as Partial<
    Record<keyof Unsaved, unknown>
  >;
  if (typeof text !== "string" || typeof isResolving !== "boolean") return null;
  if (!isText(baseDigest) || !isText(baseRevision) || !isText(draft)) return null;
  return { text, baseDigest, baseRevision, isResolving, draft };
}

function readAll(): ReadonlyMap<string, KeptUnsaved> {
  const all = new Map<string, KeptUnsaved>();
  try {
    for (let place = 0; place < sessionStorage.length; place += 1) {
      const key = sessionStorage.key(place);
      if (key === null || !key.startsWith(PREFIX)) continue;
      const read = readUnsaved(sessionStorage.getItem(key));
      if (read !== null) all.set(key.slice(PREFIX.length), { ...read, isKept: true });
    }
  } catch {
    // A forbidden storage holds nothing.
  }
  return all;
}

function store(key: string, unsaved: Unsaved | null): boolean {
  try {
    if (unsaved === null) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(unsaved));
    return true;
  } catch {
    return false;
  }
}

const texts = createStore<ReadonlyMap<string, KeptUnsaved>>(readAll);

/** Keeps an unsaved text, or lets it go. */
export function keepUnsaved(key: string, unsaved: Unsaved | null): void {
  const isKept = store(key, unsaved);
  const next = new Map(texts.getState());
  if (unsaved === null) next.delete(key);
  else next.set(key, { ...unsaved, isKept });
  texts.setState(next, true);
}

/** Changes an unsaved text; nothing where there is none any more. */
export function changeUnsaved(key: string, change: Partial<Unsaved>): void {
  const known = texts.getState().get(key);
  if (known === undefined) return;
  const { isKept: _, ...unsaved } = known;
  keepUnsaved(key, { ...unsaved, ...change });
}

/** Returns the unsaved text of a file, followed. */
export function useUnsaved(key: string | null): KeptUnsaved | null {
  return useStore(texts, (all) => (key === null ? null : (all.get(key) ?? null)));
}
