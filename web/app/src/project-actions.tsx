import { IconButton, Menu, MenuItem, MenuLink, useStrings } from "@vitrail/react";
import type { ProjectEntry } from "@vitrail/stream";
import {
  Archive,
  Ellipsis,
  FileClock,
  MessagesSquare,
  Pencil,
  Trash2,
} from "lucide-react";
import type { ReactElement } from "react";
import { useWhyReadOnly } from "./read-only.ts";
import { RenameForm } from "./rename-form.tsx";
import { openSurface } from "./surfaces.ts";
import { useWiring } from "./workspace-context.tsx";

/** What can be done with a project. */
export function ProjectMenu(props: {
  readonly project: Pick<ProjectEntry, "id" | "title">;
  readonly onRename: () => void;
  /** Whether it stands beside a title rather than at the end of a row. */
  readonly isInline?: boolean;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const { project } = props;
  const why = useWhyReadOnly();
  return (
    <Menu
      {...(props.isInline ? {} : { align: "end" })}
      label={strings.home.projectActions(project.title)}
      trigger={
        <IconButton
          {...(props.isInline ? { size: "small", className: "max-phone:hidden" } : {})}
          label={strings.home.projectActions(project.title)}
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      <MenuItem
        icon={<Pencil size={16} aria-hidden />}
        whyDisabled={why}
        onSelect={props.onRename}
      >
        {strings.action.rename}
      </MenuItem>
      <MenuLink
        icon={<Archive size={16} aria-hidden />}
        href={api.zipUrl(project.id)}
        download
      >
        {strings.project.downloadZip}
      </MenuLink>
      <MenuLink
        icon={<FileClock size={16} aria-hidden />}
        href={api.exportUrl(project.id, "bundle")}
        download
      >
        {strings.project.downloadBundle}
      </MenuLink>
      <MenuItem
        icon={<MessagesSquare size={16} aria-hidden />}
        whyDisabled={why}
        onSelect={() =>
          openSurface({ surface: "import-transcript", projectId: project.id })
        }
      >
        {strings.rail.importTranscript}
      </MenuItem>
      <MenuItem
        isDanger
        whyDisabled={why}
        icon={<Trash2 size={16} aria-hidden />}
        onSelect={() => openSurface({ surface: "delete-project", projectId: project.id })}
      >
        {strings.action.remove}
      </MenuItem>
    </Menu>
  );
}

/** A project's title as a field: Enter keeps the new one, Escape the old one. */
export function RenameProject(props: {
  readonly project: Pick<ProjectEntry, "id" | "title">;
  readonly onAway: () => void;
}): ReactElement {
  const strings = useStrings();
  const { workspace } = useWiring();
  const { id, title } = props.project;
  return (
    <RenameForm
      title={title}
      label={strings.home.renameProject(title)}
      missing={strings.home.nameMissing}
      onRename={(next) => workspace.renameProject(id, next)}
      onAway={props.onAway}
    />
  );
}
