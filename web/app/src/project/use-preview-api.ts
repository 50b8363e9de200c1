import type { PreviewApi } from "@vitrail/react";
import { ApiError } from "@vitrail/stream/client";
import { useMemo } from "react";
import { useWiring } from "../workspace-context.tsx";

/** What a preview does over HTTP. */
export type PreviewBridge = PreviewApi;

/** Returns the preview's acts on the API of this workspace. */
export function usePreviewApi(): PreviewBridge {
  const { api } = useWiring();
  return useMemo<PreviewApi>(
    () => ({
      open: (projectId, path) => api.createPreview(projectId, { path }),
      keep: async (capability) => {
        try {
          await api.keepPreview(capability);
          return true;
        } catch (error) {
          if (error instanceof ApiError && !error.retryable) return false;
          throw error;
        }
      },
      drop: (capability) => void api.closePreview(capability).catch(() => undefined),
    }),
    [api],
  );
}
