import { CopyButton, IconButton, IconLink, LinkButton, useStrings } from "@vitrail/react";
import type { ProjectEntry } from "@vitrail/stream";
import { Archive, Download, ExternalLink, RotateCw, WrapText } from "lucide-react";
import type { ReactElement } from "react";
import { prefer, usePreference } from "../preferences.ts";
import { formatRoute } from "../routes.ts";
import { useWiring } from "../workspace-context.tsx";
import type { Stage } from "./use-stage.ts";

/** What can be done in the current tab. */
export function StageActions(props: {
  readonly project: ProjectEntry;
  readonly name: string;
  readonly stage: Stage;
  readonly text: string | null;
  readonly onReload: () => void;
}): ReactElement | null {
  const strings = useStrings();
  const { api } = useWiring();
  const { project, stage } = props;
  const { file } = stage;
  if (stage.tab === "files") {
    return stage.files.length === 0 ? null : (
      <LinkButton
        href={api.zipUrl(project.id)}
        download
        icon={<Archive size={16} aria-hidden />}
      >
        <span className="max-phone:sr-only">{strings.project.downloadZip}</span>
      </LinkButton>
    );
  }
  if (file === null) return null;
  return (
    <>
      {stage.tab === "preview" ? (
        <PreviewActions name={props.name} path={file.path} onReload={props.onReload} />
      ) : (
        <SourceActions text={props.text} />
      )}
      <IconLink
        href={api.fileUrl(project.id, file.path)}
        download
        label={strings.files.download(file.path)}
        icon={<Download size={16} aria-hidden />}
      />
    </>
  );
}

function PreviewActions(props: {
  readonly name: string;
  readonly path: string;
  readonly onReload: () => void;
}): ReactElement {
  const strings = useStrings();
  return (
    <>
      <IconButton
        className="max-phone:hidden"
        label={strings.stage.refresh}
        icon={<RotateCw size={16} aria-hidden />}
        onClick={props.onReload}
      />
      <IconLink
        href={formatRoute({ view: "alone", name: props.name, file: props.path })}
        target="_blank"
        rel="noopener"
        label={strings.stage.openAlone}
        icon={<ExternalLink size={16} aria-hidden />}
      />
    </>
  );
}

function SourceActions(props: { readonly text: string | null }): ReactElement {
  const strings = useStrings();
  const isWrapped = usePreference((preferences) => preferences.isWrapped);
  const { text } = props;
  return (
    <>
      <IconButton
        label={strings.stage.wrap}
        aria-pressed={isWrapped}
        className={isWrapped ? "bg-hover text-text" : undefined}
        icon={<WrapText size={16} aria-hidden />}
        onClick={() => prefer({ isWrapped: !isWrapped })}
      />
      {text === null ? null : (
        <span className="contents max-phone:hidden">
          <CopyButton size="medium" label={strings.stage.copySource} text={() => text} />
        </span>
      )}
    </>
  );
}
