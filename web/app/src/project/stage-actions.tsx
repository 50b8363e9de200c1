import { CopyButton, IconButton, IconLink, LinkButton, useStrings } from "@vitrail/react";
import type { ProjectEntry } from "@vitrail/stream";
import type { FileText } from "@vitrail/stream/client";
import {
  Archive,
  Download,
  ExternalLink,
  RotateCw,
  SquarePen,
  UserPen,
  WrapText,
} from "lucide-react";
import type { ReactElement } from "react";
import { keepUnsaved, unsavedKey, useUnsaved } from "../editing/unsaved.ts";
import { prefer, usePreference } from "../preferences.ts";
import { formatRoute } from "../routes.ts";
import { useWiring } from "../workspace-context.tsx";
import type { Stage } from "./use-stage.ts";

/** What can be done in the current tab. */
export function StageActions(props: {
  readonly project: ProjectEntry;
  readonly name: string;
  readonly stage: Stage;
  readonly text: FileText | null;
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
      ) : null}
      {stage.tab === "source" ? (
        <SourceActions project={project} stage={stage} text={props.text} />
      ) : null}
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

function SourceActions(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
  readonly text: FileText | null;
}): ReactElement | null {
  const strings = useStrings();
  const isWrapped = usePreference((preferences) => preferences.isWrapped);
  const isBlamed = usePreference((preferences) => preferences.isBlamed);
  const { text, project, stage } = props;
  const { file } = stage;
  const unsaved = useUnsaved(file === null ? null : unsavedKey(project.id, file.path));
  if (unsaved !== null) return null;
  return (
    <>
      {text === null || file === null ? null : (
        <EditButton project={project} stage={stage} text={text} />
      )}
      {file === null || file.revision === null ? null : (
        <IconButton
          label={strings.stage.blame}
          aria-pressed={isBlamed}
          className={isBlamed ? "bg-hover text-text" : undefined}
          icon={<UserPen size={16} aria-hidden />}
          onClick={() => prefer({ isBlamed: !isBlamed })}
        />
      )}
      <IconButton
        label={strings.stage.wrap}
        aria-pressed={isWrapped}
        className={isWrapped ? "bg-hover text-text" : undefined}
        icon={<WrapText size={16} aria-hidden />}
        onClick={() => prefer({ isWrapped: !isWrapped })}
      />
      {text === null ? null : (
        <span className="contents max-phone:hidden">
          <CopyButton
            size="medium"
            label={strings.stage.copySource}
            text={() => text.text}
          />
        </span>
      )}
    </>
  );
}

/** Begins to change the text that is shown. */
function EditButton(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
  readonly text: FileText;
}): ReactElement | null {
  const strings = useStrings();
  const { text, project, stage } = props;
  const { file } = stage;
  if (file === null) return null;
  return (
    <IconButton
      data-edit-button
      label={strings.edit.edit}
      icon={<SquarePen size={16} aria-hidden />}
      whyDisabled={stage.coming === null ? null : strings.edit.streaming}
      onClick={() =>
        keepUnsaved(unsavedKey(project.id, file.path), {
          text: text.text,
          baseDigest: text.digest,
          baseRevision: text.digest === file.digest ? file.revision : null,
          isResolving: false,
          draft: null,
        })
      }
    />
  );
}
