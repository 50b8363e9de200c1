import type { ImportRefusal, ImportResult } from "@vitrail/protocol";
import { useStrings } from "@vitrail/react";
import { ApiError } from "@vitrail/stream/client";
import { useState } from "react";
import { useWiring } from "../workspace-context.tsx";
import { isArchive } from "./chosen.ts";
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

/** Adds files to a project: all of them, or none. */
export function useImport(projectId: string): {
  readonly state: ImportState;
  /** `replace` says why files that are there are replaced. */
  readonly add: (files: readonly ZipEntry[], replace?: string) => Promise<void>;
  readonly forget: () => void;
} {
  const strings = useStrings();
  const { api } = useWiring();
  const [state, setState] = useState<ImportState>({ state: "idle" });
  const add = async (files: readonly ZipEntry[], replace?: string): Promise<void> => {
    const [first] = files;
    if (first === undefined) {
      const words = { code: "nothing-chosen", detail: strings.files.nothingChosen };
      const error = new ApiError({ ...words, status: 0, retryable: false });
      setState({ state: "failed", error });
      return;
    }
    setState({ state: "adding", files: files.length });
    try {
      const archive = isArchive(files) ? first.content : await zipOf(files);
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
  return { state, add, forget: () => setState({ state: "idle" }) };
}
