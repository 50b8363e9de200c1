import {
  CopyButton,
  IconButton,
  IconLink,
  LinkButton,
  Menu,
  MenuItem,
  MenuLink,
  useStrings,
} from "@vitrail/react";
import type { ProjectEntry } from "@vitrail/stream";
import type { FileText } from "@vitrail/stream/client";
import {
  Archive,
  Download,
  Ellipsis,
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
  /** A draft of the file is decided range by range in the source's place. */
  readonly isMerging: boolean;
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
      {stage.tab === "source" && !props.isMerging ? (
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

/** Returns the act of beginning to change the text that is shown; none where there is none. */
function useEdit(
  project: ProjectEntry,
  stage: Stage,
  text: FileText | null,
): (() => void) | null {
  const { file } = stage;
  if (file === null || text === null) return null;
  return () =>
    keepUnsaved(unsavedKey(project.id, file.path), {
      text: text.text,
      baseDigest: text.digest,
      baseRevision: text.digest === file.digest ? file.revision : null,
      isResolving: false,
      draft: null,
    });
}

/** The same acts where there is room for one button only. */
export function CompactStageActions(props: {
  readonly project: ProjectEntry;
  readonly name: string;
  readonly stage: Stage;
  readonly text: FileText | null;
  /** A draft of the file is decided range by range in the source's place. */
  readonly isMerging: boolean;
  readonly onReload: () => void;
}): ReactElement | null {
  const strings = useStrings();
  const { api } = useWiring();
  const { project, stage } = props;
  const { file, tab } = stage;
  const unsaved = useUnsaved(file === null ? null : unsavedKey(project.id, file.path));
  const edit = useEdit(project, stage, props.text);
  if (tab === "files" ? stage.files.length === 0 : file === null) return null;
  return (
    <Menu
      align="end"
      label={strings.stage.actions}
      trigger={
        <IconButton
          label={strings.stage.actions}
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      {tab === "preview" && file !== null ? (
        <>
          <MenuItem icon={<RotateCw size={16} aria-hidden />} onSelect={props.onReload}>
            {strings.stage.refresh}
          </MenuItem>
          <MenuLink
            icon={<ExternalLink size={16} aria-hidden />}
            href={formatRoute({ view: "alone", name: props.name, file: file.path })}
          >
            {strings.stage.openAlone}
          </MenuLink>
        </>
      ) : null}
      {tab === "source" && unsaved === null && !props.isMerging ? (
        <CompactSourceItems stage={stage} edit={edit} />
      ) : null}
      {tab === "files" ? (
        <MenuLink
          icon={<Archive size={16} aria-hidden />}
          href={api.zipUrl(project.id)}
          download
        >
          {strings.project.downloadZip}
        </MenuLink>
      ) : file === null ? null : (
        <MenuLink
          icon={<Download size={16} aria-hidden />}
          href={api.fileUrl(project.id, file.path)}
          download
        >
          {strings.files.download(file.path)}
        </MenuLink>
      )}
    </Menu>
  );
}

function CompactSourceItems(props: {
  readonly stage: Stage;
  readonly edit: (() => void) | null;
}): ReactElement {
  const strings = useStrings();
  const isWrapped = usePreference((preferences) => preferences.isWrapped);
  const isBlamed = usePreference((preferences) => preferences.isBlamed);
  const { stage, edit } = props;
  return (
    <>
      {edit === null ? null : (
        <MenuItem
          icon={<SquarePen size={16} aria-hidden />}
          whyDisabled={stage.coming === null ? null : strings.edit.streaming}
          onSelect={edit}
        >
          {strings.edit.edit}
        </MenuItem>
      )}
      <MenuItem
        icon={<UserPen size={16} aria-hidden />}
        onSelect={() => prefer({ isBlamed: !isBlamed })}
      >
        {isBlamed ? strings.stage.blameHide : strings.stage.blame}
      </MenuItem>
      <MenuItem
        icon={<WrapText size={16} aria-hidden />}
        onSelect={() => prefer({ isWrapped: !isWrapped })}
      >
        {isWrapped ? strings.stage.unwrap : strings.stage.wrap}
      </MenuItem>
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
  const edit = useEdit(project, stage, text);
  if (edit === null) return null;
  return (
    <IconButton
      data-edit-button
      label={strings.edit.edit}
      icon={<SquarePen size={16} aria-hidden />}
      whyDisabled={stage.coming === null ? null : strings.edit.streaming}
      onClick={edit}
    />
  );
}
