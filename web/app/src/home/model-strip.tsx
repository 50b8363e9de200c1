import type { ModelSettingsView } from "@vitrail/protocol";
import { Button, Skeleton, type Strings, useStrings } from "@vitrail/react";
import { Bot, Disc3, Terminal } from "lucide-react";
import type { ReactElement } from "react";
import { Link } from "../link.tsx";
import { useModelSettings, useProviderTitle } from "../queries.ts";
import { openSurface } from "../surfaces.ts";

/** Returns who answers by default, in words; `title` of a provider by its own name. */
export function answersWords(
  settings: ModelSettingsView,
  title: string,
  strings: Strings,
): string {
  switch (settings.agent) {
    case "replay":
      return strings.home.modelRecording;
    case "openai":
      return strings.home.modelLive(settings.model);
    case "command":
      return strings.home.modelCommand(settings.command[0] ?? "");
    default:
      return strings.home.modelLive(title);
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
  const title = useProviderTitle(settings.data?.agent ?? "");
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
          {answersWords(settings.data, title, strings)}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Link
          to={{ view: "models" }}
          className="inline-flex min-h-8 items-center rounded-control px-2 text-14 font-medium text-muted hover:bg-hover hover:text-text pointer-coarse:min-h-11"
        >
          {strings.models.title}
        </Link>
        <Button onClick={() => openSurface({ surface: "connect" })}>
          {isReplay || settings.data === undefined
            ? strings.home.connect
            : strings.home.changeModel}
        </Button>
      </div>
    </section>
  );
}
