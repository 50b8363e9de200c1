import type { ProjectEntry } from "@vitrail/stream";
import { ApiError } from "@vitrail/stream/client";
import { useCallback, useEffect, useState } from "react";
import { useData, useView, useWiring } from "../workspace-context.tsx";

/** A project by its folder name, as far as it is here. */
export type ProjectLoad =
  | { readonly state: "loading" }
  | { readonly state: "missing" }
  | { readonly state: "failed"; readonly error: unknown; readonly retry: () => void }
  | { readonly state: "loaded"; readonly project: ProjectEntry };

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Calls `open` whenever `id` is another one, and again on `retry`. */
function useOpened(
  id: string | null,
  open: (id: string) => Promise<void>,
): {
  readonly opened: string | null;
  readonly error: unknown;
  readonly retry: () => void;
} {
  const [opened, setOpened] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn asks again
  useEffect(() => {
    if (id === null) return;
    let isWanted = true;
    setError(null);
    open(id).then(
      () => {
        if (isWanted) setOpened(id);
      },
      (reason: unknown) => {
        if (isWanted) setError(reason);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [id, open, turn]);
  const retry = useCallback(() => setTurn((before) => before + 1), []);
  return { opened, error, retry };
}

/** Returns the project of that folder name, with its lists asked for. */
export function useProject(name: string): ProjectLoad {
  const { workspace } = useWiring();
  const boot = useView((view) => view.boot);
  const project = useData((data) => {
    for (const entry of data.projects.values()) {
      if (entry.name === name || (entry.name === null && entry.title === name))
        return entry;
    }
    return null;
  });
  const open = useCallback((id: string) => workspace.openProject(id), [workspace]);
  const opened = useOpened(project?.id ?? null, open);
  if (opened.error !== null) {
    return isMissing(opened.error)
      ? { state: "missing" }
      : { state: "failed", error: opened.error, retry: opened.retry };
  }
  if (project !== null && opened.opened === project.id)
    return { state: "loaded", project };
  if (project === null && boot.state === "ready") return { state: "missing" };
  return { state: "loading" };
}

/** A conversation's messages, as far as they are here. */
export type ThreadLoad =
  | { readonly state: "loading" | "loaded" | "missing" }
  | { readonly state: "failed"; readonly error: unknown; readonly retry: () => void };

/** Asks for a conversation's messages; one that has not begun is loaded at once. */
export function useThread(id: string | null): ThreadLoad {
  const { workspace } = useWiring();
  const isHere = useData(
    (data) => id === null || data.threads.get(id)?.load === "loaded",
  );
  const open = useCallback(
    (conversation: string) => workspace.openConversation(conversation),
    [workspace],
  );
  const opened = useOpened(id, open);
  if (isHere) return { state: "loaded" };
  // It was here and is not any more: somebody deleted it.
  if (opened.opened === id && opened.error === null) return { state: "missing" };
  if (opened.error === null) return { state: "loading" };
  return isMissing(opened.error)
    ? { state: "missing" }
    : { state: "failed", error: opened.error, retry: opened.retry };
}
