/** What is asked of the server once and kept: agents, settings, examples. */

import { QueryClient, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { AgentInfo, Example, ModelSettingsView } from "@vitrail/protocol";
import { ApiError } from "@vitrail/stream/client";
import { useWiring } from "./workspace-context.tsx";

const FRESH_MS = 30_000;

/** Names of what is kept, for asking again. */
export const KEYS = {
  agents: ["agents"],
  examples: ["examples"],
  settings: ["settings", "model"],
} as const;

/** Returns a new cache; a failed question is asked again only where that may help. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: "always",
        retry: (times, error) =>
          times < 2 && error instanceof ApiError && error.retryable,
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** The agents that can answer. */
export function useAgents(): UseQueryResult<readonly AgentInfo[]> {
  const { api } = useWiring();
  return useQuery({
    queryKey: KEYS.agents,
    queryFn: ({ signal }) => api.agents({ signal }),
  });
}

/** The recordings that can be played. */
export function useExamples(): UseQueryResult<readonly Example[]> {
  const { api } = useWiring();
  return useQuery({
    queryKey: KEYS.examples,
    queryFn: ({ signal }) => api.examples({ signal }),
  });
}

/** How to reach a model. */
export function useModelSettings(): UseQueryResult<ModelSettingsView> {
  const { api } = useWiring();
  return useQuery({
    queryKey: KEYS.settings,
    queryFn: ({ signal }) => api.modelSettings({ signal }),
  });
}

/** Returns the words of a failure, whatever it is. */
export function wordsOf(
  error: unknown,
  fallback: string,
): { readonly words: string; readonly code: string | null } {
  if (error instanceof ApiError) return { words: error.detail, code: error.code };
  return { words: fallback, code: null };
}
