import { useStrings } from "@vitrail/react";
import { ApiError } from "@vitrail/stream/client";
import { useState } from "react";
import { useWiring } from "../workspace-context.tsx";
import { isArchive } from "./chosen.ts";
import { type ZipEntry, zipOf } from "./zip.ts";

/** One name that an import refused, and why. */
export interface RefusedName {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** How far an import has come. */
export type ImportState =
  | { readonly state: "idle" }
  | { readonly state: "adding"; readonly files: number }
  | { readonly state: "added"; readonly files: number }
  | { readonly state: "refused"; readonly names: readonly RefusedName[] }
  | { readonly state: "failed"; readonly error: unknown };

function isRefusedName(value: unknown): value is RefusedName {
  return (
    typeof value === "object" &&
    value !== null &&
    ["name", "code", "message"].every(
      (key) => typeof (value as Record<string, unknown>)[key] === "string",
    )
  );
}

/** Returns the names that an error says are refused. */
export function refusedOf(error: unknown): readonly RefusedName[] {
  if (!(error instanceof ApiError)) return [];
  const { refused } = error.details;
  return Array.isArray(refused) ? refused.filter(isRefusedName) : [];
}

/** Adds files to a project: all of them, or none. */
export function useImport(projectId: string): {
  readonly state: ImportState;
  readonly add: (files: readonly ZipEntry[]) => Promise<void>;
  readonly forget: () => void;
} {
  const strings = useStrings();
  const { api } = useWiring();
  const [state, setState] = useState<ImportState>({ state: "idle" });
  const add = async (files: readonly ZipEntry[]): Promise<void> => {
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
      const added = await api.importZip(projectId, archive);
      setState({ state: "added", files: added.files.length });
    } catch (error) {
      const names = refusedOf(error);
      setState(
        names.length === 0 ? { state: "failed", error } : { state: "refused", names },
      );
    }
  };
  return { state, add, forget: () => setState({ state: "idle" }) };
}
