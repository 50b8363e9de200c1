import { useQueryClient } from "@tanstack/react-query";
import type { AgentInfo, ModelSettingsView } from "@vitrail/protocol";
import {
  Button,
  Menu,
  MenuChoices,
  MenuItem,
  MenuSeparator,
  type Strings,
  useStrings,
} from "@vitrail/react";
import { ChevronDown, Cpu, Plug } from "lucide-react";
import type { ReactElement } from "react";
import { AgentIcon } from "../home/model-strip.tsx";
import { prefer, usePreference } from "../preferences.ts";
import { KEYS, useAgents, useModelSettings, useProviderTitle } from "../queries.ts";
import { navigate } from "../routes.ts";
import { openSurface } from "../surfaces.ts";
import { useIsOffline, useWiring } from "../workspace-context.tsx";

const SPEEDS = [1, 2, 4, 1000] as const;

/** Returns the short name of who answers. */
export function agentName(
  settings: ModelSettingsView | undefined,
  words: { readonly recordings: string; readonly title: string },
): string {
  switch (settings?.agent) {
    case "openai":
      return settings.model;
    case "command":
      return settings.command[0]?.split("/").at(-1) ?? settings.agent;
    case "replay":
    case undefined:
      return words.recordings;
    default:
      return words.title;
  }
}

/** Who answers, and how fast recordings play. */
export function AgentMenu(): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const queries = useQueryClient();
  const isOffline = useIsOffline();
  const settings = useModelSettings().data;
  const agents = useAgents().data ?? [];
  const speed = usePreference((preferences) => preferences.speed);
  const name = agentName(settings, {
    recordings: strings.composer.recordings,
    title: useProviderTitle(settings?.agent ?? ""),
  });

  const choose = async (agent: ModelSettingsView["agent"]): Promise<void> => {
    queries.setQueryData(KEYS.settings, await api.saveModelSettings({ agent }));
    await queries.invalidateQueries({ queryKey: KEYS.providers });
  };
  const trigger = (why: string | null): ReactElement => (
    <Button
      size="small"
      variant="quiet"
      className="min-w-0 shrink"
      aria-label={strings.composer.agent(name)}
      whyDisabled={why}
    >
      <AgentIcon agent={settings?.agent ?? "replay"} />
      <span className="truncate">{name}</span>
      <ChevronDown size={16} aria-hidden className="shrink-0" />
    </Button>
  );
  if (isOffline) return trigger(strings.composer.agentOffline);
  return (
    <Menu label={strings.composer.agentMenu} trigger={trigger(null)}>
      <MenuChoices
        label={strings.composer.agentMenu}
        value={settings?.agent ?? "replay"}
        choices={readyAgents(agents, strings)}
        onChange={(agent) => void choose(agent)}
      />
      {settings?.agent === "replay" ? (
        <MenuChoices
          label={strings.composer.speed}
          value={String(speed)}
          choices={SPEEDS.map((factor) => ({
            value: String(factor),
            text:
              factor >= 1000
                ? strings.composer.speedAtOnce
                : strings.composer.speedOf(factor),
          }))}
          onChange={(factor) => prefer({ speed: Number(factor) })}
        />
      ) : null}
      <MenuSeparator />
      <MenuItem
        icon={<Plug size={16} aria-hidden />}
        onSelect={() => openSurface({ surface: "connect" })}
      >
        {strings.home.connect}
      </MenuItem>
      <MenuItem
        icon={<Cpu size={16} aria-hidden />}
        onSelect={() => navigate({ view: "models" })}
      >
        {strings.models.title}
      </MenuItem>
    </Menu>
  );
}

type AgentChoice = {
  readonly value: ModelSettingsView["agent"];
  readonly text: string;
};

/** The agents that can answer now; a provider says its own title. */
function readyAgents(
  agents: readonly AgentInfo[],
  strings: Strings,
): readonly AgentChoice[] {
  const names: Readonly<Partial<Record<AgentInfo["name"], string>>> = {
    replay: strings.connect.replay,
    openai: strings.connect.openai,
    command: strings.connect.command,
  };
  return agents.flatMap((agent) =>
    agent.isReady ? [{ value: agent.name, text: names[agent.name] ?? agent.title }] : [],
  );
}
