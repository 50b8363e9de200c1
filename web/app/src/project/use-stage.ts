import type { ArtifactPart, Message } from "@vitrail/protocol";
import {
  activeRunOf,
  artifactParts,
  type FileHead,
  filesOf,
  isLoaded,
  latestSaved,
  messagesOf,
  type ProjectEntry,
  type WorkspaceState,
} from "@vitrail/stream";
import { useCallback, useEffect, useRef } from "react";
import { FRESH_STAGE, rememberStage, usePreference } from "../preferences.ts";
import { type Comparison, navigate, type Route, type StageTab } from "../routes.ts";
import { useData, useWiring } from "../workspace-context.tsx";

/** What the stage shows and what can be done with it. */
export interface Stage {
  readonly isOpen: boolean;
  readonly tab: StageTab;
  /** The file that is looked at; none before the first. */
  readonly file: FileHead | null;
  /** A file that was looked at and is not there any more. */
  readonly missingPath: string | null;
  readonly files: readonly FileHead[];
  /** The artifact that is coming for this file, or for the first one. */
  readonly coming: ArtifactPart | null;
  /** The last thing that a message said about the file. */
  readonly told: ArtifactPart | null;
  readonly show: (path: string, tab?: StageTab) => void;
  readonly setTab: (tab: StageTab) => void;
  /** Which versions are looked at; none: the newest. */
  readonly comparison: Comparison | null;
  /** Looks at versions of a file. */
  readonly compare: (path: string, comparison: Comparison | null) => void;
  readonly open: () => void;
  readonly close: () => void;
}

function streamingPart(
  data: WorkspaceState,
  conversationId: string | null,
): ArtifactPart | null {
  if (conversationId === null) return null;
  const run = activeRunOf(data, conversationId);
  if (run === null) return null;
  const message = messagesOf(data, conversationId).find(
    (one) => one.id === run.messageId,
  );
  const parts = message === undefined ? [] : artifactParts(message);
  return parts.findLast((part) => part.state === "streaming") ?? null;
}

/** Returns the file that the last message only pointed at, named with its artifact. */
function pointerOf(
  data: WorkspaceState,
  conversationId: string,
): { readonly artifact: string; readonly path: string } | null {
  const message = messagesOf(data, conversationId).at(-1);
  const part = message && artifactParts(message).findLast((one) => one.pointer !== null);
  if (message === undefined || !part?.pointer) return null;
  return { artifact: `${message.id}/${part.artifact}`, path: part.pointer };
}

/**
 * Calls `onPointer` when a reply turns out to point at a file; not for one that was
 * there when its conversation was opened.
 */
function usePointer(conversationId: string | null, onPointer: (path: string) => void) {
  const { store } = useWiring().workspace;
  const latest = useRef(onPointer);
  useEffect(() => {
    latest.current = onPointer;
  });
  useEffect(() => {
    if (conversationId === null) return;
    return store.subscribe((now, before) => {
      if (now.data === before.data || !isLoaded(before.data, conversationId)) return;
      const pointer = pointerOf(now.data, conversationId);
      const known = pointerOf(before.data, conversationId);
      if (pointer !== null && pointer.artifact !== known?.artifact) {
        latest.current(pointer.path);
      }
    });
  }, [store, conversationId]);
}

/** Returns the last part of a conversation that became, or was to become, this file. */
function toldOf(messages: readonly Message[], path: string): ArtifactPart | null {
  for (const message of messages.toReversed()) {
    const part = artifactParts(message).findLast((one) => one.saved?.path === path);
    if (part !== undefined) return part;
  }
  return null;
}

/** Follows the file that is looked at when it gets another name. */
function useMoved(
  gone: string | null,
  files: readonly FileHead[],
  follow: (path: string) => void,
): void {
  const target =
    gone === null ? null : (files.find((file) => file.movedFrom === gone)?.path ?? null);
  const latest = useRef(follow);
  useEffect(() => {
    latest.current = follow;
  });
  useEffect(() => {
    if (target !== null) latest.current(target);
  }, [target]);
}

function identifierOf(file: FileHead): string | null {
  const identifier = file.manifest?.metadata?.["identifier"];
  return typeof identifier === "string" ? identifier : null;
}

/** Returns the file to show where nobody has chosen one. */
function firstFile(files: readonly FileHead[], latest: string | null): FileHead | null {
  const saved = files.find((file) => file.path === latest);
  return saved ?? files.find((file) => file.kind !== null) ?? files[0] ?? null;
}

/**
 * Returns the stage of a project. It opens by itself on the project's first
 * artifact, once; from then on only the person opens and closes it.
 */
export function useStage(
  project: ProjectEntry,
  conversationId: string | null,
  route: Extract<Route, { readonly view: "project" }>,
): Stage {
  const memory = usePreference((known) => known.stages[project.id]) ?? FRESH_STAGE;
  const files = useData((data) => filesOf(data, project.id));
  const streaming = useData((data) => streamingPart(data, conversationId));
  const latestPath = useData((data) =>
    conversationId === null
      ? null
      : (latestSaved(data, conversationId)?.saved.path ?? null),
  );
  const messages = useData((data) =>
    conversationId === null ? null : messagesOf(data, conversationId),
  );

  const current = useRef(route);
  useEffect(() => {
    current.current = route;
  });
  const set = useCallback(
    (path: string | null, tab: StageTab, compare: Comparison | null = null) => {
      rememberStage(project.id, { path, tab, isOpen: true, hasOpened: true });
      navigate({ ...current.current, file: path, tab, compare }, "replace");
    },
    [project.id],
  );

  // What the person closed stays closed; the card leads there too.
  usePointer(conversationId, (path) => {
    if (memory.isOpen || !memory.hasOpened) set(path, "preview");
  });

  // An address that names a file says what to look at.
  useEffect(() => {
    if (route.file === null && route.tab === null) return;
    rememberStage(project.id, {
      ...(route.file === null ? {} : { path: route.file }),
      tab: route.tab ?? "preview",
      isOpen: true,
      hasOpened: true,
    });
  }, [project.id, route.file, route.tab]);

  const hasArtifact = files.length > 0 || streaming !== null;
  useEffect(() => {
    if (hasArtifact && !memory.hasOpened) {
      rememberStage(project.id, { isOpen: true, hasOpened: true });
    }
  }, [project.id, hasArtifact, memory.hasOpened]);

  const chosen = files.find((file) => file.path === memory.path) ?? null;
  const isGone = memory.path !== null && chosen === null;
  useMoved(isGone ? memory.path : null, files, (path) => set(path, memory.tab));
  const file = chosen ?? (memory.path === null ? firstFile(files, latestPath) : null);
  const firstPath = file?.path ?? null;
  useEffect(() => {
    if (memory.path === null && firstPath !== null && route.file === null) {
      rememberStage(project.id, { path: firstPath });
    }
  }, [project.id, memory.path, firstPath, route.file]);

  const told = file === null || messages === null ? null : toldOf(messages, file.path);
  const isSame =
    streaming !== null &&
    file !== null &&
    [told?.identifier, identifierOf(file)].includes(streaming.identifier);
  return {
    isOpen: memory.isOpen,
    tab: memory.tab,
    file,
    missingPath: isGone ? memory.path : null,
    files,
    coming: isSame || file === null ? streaming : null,
    told,
    show: (path, tab) =>
      set(path, tab ?? (memory.tab === "files" ? "preview" : memory.tab)),
    setTab: (tab) => set(file?.path ?? memory.path, tab),
    comparison: memory.tab === "versions" ? route.compare : null,
    compare: (path, comparison) => set(path, "versions", comparison),
    open: () => rememberStage(project.id, { isOpen: true, hasOpened: true }),
    close: () => rememberStage(project.id, { isOpen: false, hasOpened: true }),
  };
}
