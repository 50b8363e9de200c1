import type { ProjectEntry } from "@vitrail/stream";
import { useCallback } from "react";
import { navigate, projectRoute } from "../routes.ts";
import { useWiring } from "../workspace-context.tsx";

/** Returns the way to the conversation in which a run wrote; nothing happens where it is gone. */
export function useOpenRun(project: ProjectEntry): (runId: string) => Promise<void> {
  const { api } = useWiring();
  const name = project.name ?? project.title;
  return useCallback(
    async (runId) => {
      try {
        const { run } = await api.run(runId);
        navigate(projectRoute(name, run.conversationId));
      } catch {
        // A run's conversation may be deleted; its revisions stay.
      }
    },
    [api, name],
  );
}
