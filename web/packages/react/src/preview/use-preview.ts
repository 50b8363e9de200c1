import type { PreviewInfo } from "@vitrail/protocol";
import { useCallback, useEffect, useState } from "react";
import type { PreviewApi } from "./types.ts";

/** What to preview: one revision of one file. */
export interface PreviewTarget {
  readonly projectId: string;
  readonly path: string;
  /** Another digest is another document. */
  readonly digest: string;
}

export interface UsedPreview {
  readonly preview: PreviewInfo | null;
  /** Why the preview could not be opened. */
  readonly error: unknown;
  /** Open the same file again, as a new document. */
  readonly reload: () => void;
}

/**
 * Open a preview of a file, and a new one whenever the file changes.
 *
 * The one before stays until the new one is there. What was opened and is no longer
 * wanted is closed, however quickly the target changes.
 */
export function usePreview(api: PreviewApi, target: PreviewTarget | null): UsedPreview {
  const { open, drop } = api;
  const [opened, setOpened] = useState<PreviewInfo | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  const { projectId, path, digest } = target ?? { projectId: null, path: "", digest: "" };

  // biome-ignore lint/correctness/useExhaustiveDependencies: digest and turn are what make it another document
  useEffect(() => {
    if (projectId === null) {
      setOpened(null);
      setError(null);
      return;
    }
    let isWanted = true;
    open(projectId, path).then(
      (preview) => {
        if (isWanted) {
          setOpened(preview);
          setError(null);
        } else {
          drop(preview.capability);
        }
      },
      (reason: unknown) => {
        if (isWanted) {
          setError(reason);
        }
      },
    );
    return () => {
      isWanted = false;
    };
  }, [open, drop, projectId, path, digest, turn]);

  // closed once another has taken its place
  useEffect(() => {
    return () => {
      if (opened !== null) {
        drop(opened.capability);
      }
    };
  }, [opened, drop]);

  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { preview: opened, error, reload };
}
