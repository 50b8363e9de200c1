import type { ModelSettingsView } from "@vitrail/protocol";
import { Button, Skeleton, type Strings, useStrings } from "@vitrail/react";
import { Bot, Disc3, Terminal } from "lucide-react";
import type { ReactElement } from "react";
import { useModelSettings } from "../queries.ts";
import { openSurface } from "../surfaces.ts";

/** Returns who answers by default, in words. */
export function answersWords(settings: ModelSettingsView, strings: Strings): string {
  switch (settings.agent) {
    case "replay":
      return strings.home.modelRecording;
    case "openai":
      return strings.home.modelLive(settings.model);
    case "command":
      return strings.home.modelCommand(settings.command[0] ?? "");
    default:
      return strings.home.modelLive(settings.agent);
  }
}

/** The sign of an agent. */
export function AgentIcon(props: { readonly agent: string }): ReactElement {
  const Icon =
    props.agent === "replay" ? Disc3 : props.agent === "command" ? Terminal : Bot;
  return <Icon size={16} aria-hidden className="shrink-0" />;
}

/** Who answers, and the way to change it. */
export function ModelStrip(): ReactElement {
  const strings = useStrings();
  const settings = useModelSettings();
  const isReplay = settings.data?.agent === "replay";
  return (
    <section
      aria-label={strings.home.model}
      className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-border bg-sunken py-3 ps-4 pe-3"
    >
      {settings.data === undefined ? (
        <Skeleton lines={1} className="max-w-80 flex-1" />
      ) : (
        <p className="flex min-w-0 flex-1 basis-60 items-center gap-3 text-14 text-text">
          <span className="text-muted">
            <AgentIcon agent={settings.data.agent} />
          </span>
          {answersWords(settings.data, strings)}
        </p>
      )}
      <Button onClick={() => openSurface({ surface: "connect" })}>
        {isReplay || settings.data === undefined
          ? strings.home.connect
          : strings.home.changeModel}
      </Button>
    </section>
  );
}
