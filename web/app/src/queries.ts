/** What is asked of the server once and kept: agents, settings, examples. */

import {
  QueryClient,
  queryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type {
  AgentInfo,
  Example,
  LocalServers,
  ModelSettingsView,
  ProvidersView,
} from "@vitrail/protocol";
import { type Api, ApiError } from "@vitrail/stream/client";
import { useCallback } from "react";
import { useWiring } from "./workspace-context.tsx";

const FRESH_MS = 30_000;

/** Names of what is kept, for asking again. */
export const KEYS = {
  agents: ["agents"],
  examples: ["examples"],
  localServers: ["providers", "local"],
  providers: ["providers", "all"],
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
  return useQuery(examplesOf(api));
}

/** How to reach a model. */
export function useModelSettings(): UseQueryResult<ModelSettingsView> {
  const { api } = useWiring();
  return useQuery(settingsOf(api));
}

/** Who answers a message, and the recordings that can be played. */
export interface Answering {
  readonly agent: ModelSettingsView["agent"];
  readonly examples: readonly Example[];
}

/**
 * Returns the act of asking who answers. What is not known yet is waited for: who sends
 * while the page still loads is answered by the model that they chose.
 */
export function useAnswering(): () => Promise<Answering> {
  const { api } = useWiring();
  const client = useQueryClient();
  return useCallback(async () => {
    const [{ agent }, examples] = await Promise.all([
      client.ensureQueryData(settingsOf(api)),
      client.ensureQueryData(examplesOf(api)),
    ]);
    return { agent, examples };
  }, [api, client]);
}

function examplesOf(api: Api) {
  return queryOptions({
    queryKey: KEYS.examples,
    queryFn: ({ signal }) => api.examples({ signal }),
  });
}

function settingsOf(api: Api) {
  return queryOptions({
    queryKey: KEYS.settings,
    queryFn: ({ signal }) => api.modelSettings({ signal }),
  });
}

/** The providers of models, and who answers by default. */
export function useProviders(): UseQueryResult<ProvidersView> {
  const { api } = useWiring();
  return useQuery({
    queryKey: KEYS.providers,
    queryFn: ({ signal }) => api.providers({ signal }),
  });
}

/** Returns what people call a provider; its name while that is not known. */
export function useProviderTitle(name: string): string {
  const { data } = useProviders();
  return data?.providers.find((one) => one.name === name)?.title ?? name;
}

/** The model servers of this machine; looked for anew by every page that shows them. */
export function useLocalServers(): UseQueryResult<LocalServers> {
  const { api } = useWiring();
  return useQuery({
    queryKey: KEYS.localServers,
    queryFn: ({ signal }) => api.detectProviders({ signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** Returns the act that takes over what a change of the providers answered. */
export function useTakeProviders(): (view: ProvidersView) => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    async (view) => {
      queries.setQueryData(KEYS.providers, view);
      await Promise.all([
        queries.invalidateQueries({ queryKey: KEYS.settings }),
        queries.invalidateQueries({ queryKey: KEYS.agents }),
      ]);
    },
    [queries],
  );
}

/** Returns the words of a failure, whatever it is. */
export function wordsOf(
  error: unknown,
  fallback: string,
): { readonly words: string; readonly code: string | null } {
  if (error instanceof ApiError) return { words: error.detail, code: error.code };
  return { words: fallback, code: null };
}
