import type { ImportRefusal, ImportResult } from "@vitrail/protocol";
import { type Strings, useStrings } from "@vitrail/react";
import { ApiError } from "@vitrail/stream/client";
import { useState } from "react";
import { useWiring } from "../workspace-context.tsx";
import { type Dropped, isArchive } from "./chosen.ts";
import { type ZipEntry, zipOf } from "./zip.ts";

/** How far an import has come. */
export type ImportState =
  | { readonly state: "idle" }
  | { readonly state: "adding"; readonly files: number }
  | { readonly state: "added"; readonly result: ImportResult }
  | {
      readonly state: "refused";
      readonly names: readonly ImportRefusal[];
      /** Whether all that stands in the way are files that are there already. */
      readonly canReplace: boolean;
      readonly files: readonly ZipEntry[];
    }
  | { readonly state: "failed"; readonly error: unknown };

function isRefusal(value: unknown): value is ImportRefusal {
  return (
    typeof value === "object" &&
    value !== null &&
    ["name", "code", "message"].every(
      (key) => typeof (value as Record<string, unknown>)[key] === "string",
    )
  );
}

/** Whether only another file of that name stands in the way. */
function isThere(refusal: ImportRefusal): boolean {
  return refusal.code === "file-exists";
}

/** Returns the names that an error says are refused. */
export function refusedOf(error: unknown): readonly ImportRefusal[] {
  if (!(error instanceof ApiError)) return [];
  const { refused } = error.details;
  return Array.isArray(refused) ? refused.filter(isRefusal) : [];
}

/** Returns files as one archive; throws where there is none, or where there are too many. */
export async function archiveOf(
  files: readonly ZipEntry[],
  strings: Strings,
): Promise<Blob> {
  const [first] = files;
  if (first === undefined) {
    const words = { code: "nothing-chosen", detail: strings.files.nothingChosen };
    throw new ApiError({ ...words, status: 0, retryable: false });
  }
  return isArchive(files) ? first.content : await zipOf(files);
}

/** What came in with a new project, until its files are looked at. */
const ARRIVALS = new Map<string, ImportResult>();

/** Keeps what an import did for the files panel of the project that it made. */
export function announceArrival(result: ImportResult): void {
  ARRIVALS.set(result.project.id, result);
}

function arrived(projectId: string): ImportState {
  const result = ARRIVALS.get(projectId);
  return result === undefined ? { state: "idle" } : { state: "added", result };
}

/** Adds files to a project: all of them, or none. */
export function useImport(projectId: string): {
  readonly state: ImportState;
  /** `replace` says why files that are there are replaced. */
  readonly add: (
    files: readonly ZipEntry[] | Promise<Dropped>,
    replace?: string,
  ) => Promise<void>;
  readonly forget: () => void;
} {
  const strings = useStrings();
  const { api } = useWiring();
  const [state, setState] = useState<ImportState>(() => arrived(projectId));
  const add = async (
    chosen: readonly ZipEntry[] | Promise<Dropped>,
    replace?: string,
  ): Promise<void> => {
    let files: readonly ZipEntry[] = [];
    try {
      files = "then" in chosen ? (await chosen).files : chosen;
      if (files.length > 0) setState({ state: "adding", files: files.length });
      const archive = await archiveOf(files, strings);
      const about = replace === undefined ? {} : { replace };
      const result = await api.importArchive(projectId, archive, about);
      setState({ state: "added", result });
    } catch (error) {
      const names = refusedOf(error);
      setState(
        names.length === 0
          ? { state: "failed", error }
          : { state: "refused", names, canReplace: names.every(isThere), files },
      );
    }
  };
  const forget = (): void => {
    ARRIVALS.delete(projectId);
    setState({ state: "idle" });
  };
  return { state, add, forget };
}
