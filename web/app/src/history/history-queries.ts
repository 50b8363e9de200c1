/** What is asked of a file's history; each answer is kept until an event makes it old. */

import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import type {
  FileBlame,
  FileDiff,
  ProjectHistory,
  QuarantineRecord,
  RevisionPage,
} from "@vitrail/protocol";
import type { FileHead } from "@vitrail/stream";
import { useRef } from "react";
import { useData, useWiring } from "../workspace-context.tsx";

/** Revisions of one page of a file's history. */
const PAGE = 200;

/** What can never become another: revisions and what tells two of them apart. */
const FOR_EVER = { staleTime: Number.POSITIVE_INFINITY, gcTime: 5 * 60_000 } as const;

/** Returns a number that rises whenever a value is another one. */
function useChanges(value: unknown): number {
  const seen = useRef({ value, changes: 0 });
  if (seen.current.value !== value) {
    seen.current = { value, changes: seen.current.changes + 1 };
  }
  return seen.current.changes;
}

/** The newest revision of every path, those of files that are gone too. */
export function useProjectHistory(
  projectId: string,
  files: readonly FileHead[],
  isWanted: boolean,
): UseQueryResult<ProjectHistory> {
  const { api } = useWiring();
  const changes = useChanges(files);
  return useQuery({
    queryKey: ["history", projectId, changes],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.history(projectId, { signal }),
  });
}

/** The revisions of a file, page by page; asked for again when its newest changes. */
export function useRevisions(
  projectId: string,
  path: string | null,
  head: string | null,
): UseInfiniteQueryResult<InfiniteData<RevisionPage, number | null>> {
  const { api } = useWiring();
  return useInfiniteQuery({
    queryKey: ["revisions", projectId, path, head],
    enabled: path !== null,
    placeholderData: keepPreviousData,
    initialPageParam: null as number | null, // the type of the later ones
    queryFn: ({ signal, pageParam }) =>
      api.revisions(
        projectId,
        path ?? "",
        { before: pageParam, limit: PAGE },
        { signal },
      ),
    getNextPageParam: (page) =>
      page.more ? (page.revisions.at(-1)?.number ?? null) : null,
  });
}

/** The number of a file's newest revision; asked for where only an event told of it. */
export function useHeadNumber(projectId: string, file: FileHead | null): number | null {
  const { api } = useWiring();
  const head = useQuery({
    queryKey: ["head", projectId, file?.path, file?.revision],
    enabled: file !== null && file.number === null && file.revision !== null,
    placeholderData: keepPreviousData,
    ...FOR_EVER,
    queryFn: async ({ signal }) => {
      const page = await api.revisions(
        projectId,
        file?.path ?? "",
        { before: null, limit: 1 },
        { signal },
      );
      return page.revisions[0] ?? null;
    },
  });
  if (file === null) return null;
  return file.number ?? (head.data?.path === file.path ? head.data.number : null);
}

/** What tells two revisions apart. */
export function useFileDiff(
  projectId: string,
  path: string,
  sides: { readonly from: string | null; readonly to: string },
): UseQueryResult<FileDiff> {
  const { api } = useWiring();
  return useQuery({
    queryKey: ["diff", projectId, path, sides.from, sides.to],
    ...FOR_EVER,
    queryFn: ({ signal }) => api.diff(projectId, path, sides, { signal }),
  });
}

/** The text of a revision. */
export function useRevisionText(
  projectId: string,
  id: string | null,
): UseQueryResult<string> {
  const { api } = useWiring();
  return useQuery({
    queryKey: ["revision-text", projectId, id],
    enabled: id !== null,
    ...FOR_EVER,
    queryFn: async ({ signal }) =>
      (await api.revisionText(projectId, id ?? "", { signal })).text,
  });
}

/** Who wrote each range of a file as it is now. */
export function useBlame(
  projectId: string,
  file: FileHead | null,
  isWanted: boolean,
): UseQueryResult<FileBlame> {
  const { api } = useWiring();
  return useQuery({
    queryKey: ["blame", projectId, file?.path, file?.digest],
    enabled: isWanted && file !== null,
    ...FOR_EVER,
    queryFn: ({ signal }) => api.blame(projectId, file?.path ?? "", { signal }),
  });
}

const NO_DRAFTS: readonly QuarantineRecord[] = [];

/** What was kept beside a good file and waits for a decision; null before it is known. */
export function useKnownDrafts(projectId: string): readonly QuarantineRecord[] | null {
  const { api } = useWiring();
  const since = useData((data) => data.drafts.get(projectId) ?? 0);
  const drafts = useQuery({
    queryKey: ["drafts", projectId, since],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.drafts(projectId, { signal }),
  });
  return drafts.data?.drafts ?? null;
}

/** The same, none before they are known. */
export function useDrafts(projectId: string): readonly QuarantineRecord[] {
  return useKnownDrafts(projectId) ?? NO_DRAFTS;
}
