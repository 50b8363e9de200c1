import { Button, EmptyState, Notice, TextField, useStrings } from "@vitrail/react";
import { type ProjectEntry, projectsByUse } from "@vitrail/stream";
import { FolderOpen, Plus } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { withinFolder } from "../files/chosen.ts";
import { DropArea } from "../files/drop-area.tsx";
import { Link } from "../link.tsx";
import { ProjectMenu, RenameProject } from "../project-actions.tsx";
import { wordsOf } from "../queries.ts";
import { nameFault } from "../rename-form.tsx";
import { navigate, projectRoute } from "../routes.ts";
import { useData, useIsOffline, useWiring } from "../workspace-context.tsx";
import { ImportButton, ImportFailure, useImportProject } from "./import-project.tsx";

/** The list of projects, the last used first, with the way to a new one. */
export function Projects(): ReactElement {
  const strings = useStrings();
  const projects = useData(projectsByUse);
  const isOffline = useIsOffline();
  const [isNaming, setNaming] = useState(false);
  const isEmpty = projects.length === 0;
  const opener = useRef<HTMLButtonElement>(null);
  const [wasNaming, setWasNaming] = useState(false);
  useEffect(() => {
    if (wasNaming && !isNaming) opener.current?.focus();
    setWasNaming(isNaming);
  }, [isNaming, wasNaming]);
  const importing = useImportProject();
  const buttons = (
    <div className="flex flex-wrap items-center justify-center gap-2">
      <ImportButton importing={importing} />
      <Button
        ref={opener}
        variant="primary"
        icon={<Plus size={16} aria-hidden />}
        whyDisabled={isOffline ? strings.state.readOnly : null}
        onClick={() => setNaming(true)}
      >
        {strings.home.newProject}
      </Button>
    </div>
  );
  return (
    <DropArea
      words={strings.home.importDrop}
      onDrop={(dropped) =>
        importing.take(
          dropped.then((one) => ({ files: withinFolder(one), folder: one.folder })),
        )
      }
      className="-m-4 p-4"
    >
      <section aria-labelledby="home-projects" className="flex flex-col gap-3">
        <div className="flex min-h-8 items-center justify-between gap-2">
          <h2 id="home-projects" className="text-18 font-semibold">
            {strings.home.projects}
          </h2>
          {isNaming || isEmpty ? null : buttons}
        </div>
        <ImportFailure importing={importing} />
        {isNaming ? <NewProject onAway={() => setNaming(false)} /> : null}
        {isEmpty ? (
          isNaming ? null : (
            <EmptyState
              className="rounded-card border border-border"
              icon={<FolderOpen size={24} aria-hidden />}
              text={strings.home.projectsEmpty}
              action={buttons}
            />
          )
        ) : (
          <ul className="overflow-hidden rounded-card border border-border">
            {projects.map((project) => (
              <ProjectRow key={project.id} project={project} />
            ))}
          </ul>
        )}
      </section>
    </DropArea>
  );
}

function NewProject(props: { readonly onAway: () => void }): ReactElement {
  const strings = useStrings();
  const { workspace } = useWiring();
  const [title, setTitle] = useState("");
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const fault = nameFault(title, {
    missing: strings.home.nameMissing,
    tooLong: strings.home.nameTooLong,
  });
  const create = async (): Promise<void> => {
    setTried(true);
    if (fault !== null) return;
    try {
      const project = await workspace.createProject(title.trim());
      navigate(projectRoute(project.name));
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <form
      className="flex flex-col gap-3 rounded-card border border-border p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") props.onAway();
      }}
    >
      <TextField
        autoFocus
        label={strings.home.newProjectName}
        placeholder={strings.home.newProjectPlaceholder}
        value={title}
        fault={isTried ? fault : null}
        onChange={(event) => setTitle(event.target.value)}
      />
      {failure === null ? null : <Failure error={failure} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary">
          {strings.action.create}
        </Button>
        <Button variant="quiet" onClick={props.onAway}>
          {strings.action.cancel}
        </Button>
      </div>
    </form>
  );
}

/** The words of a failed act, beside it. */
function Failure(props: { readonly error: unknown }): ReactElement {
  const strings = useStrings();
  const { words, code } = wordsOf(props.error, strings.state.unknownError);
  return (
    <Notice tone="danger" isLive code={code}>
      {words}
    </Notice>
  );
}

function ProjectRow(props: { readonly project: ProjectEntry }): ReactElement {
  const strings = useStrings();
  const { project } = props;
  const [isRenaming, setRenaming] = useState(false);
  const name = project.name ?? project.title;
  return (
    <li className="flex min-h-11 items-center gap-2 border-b border-border ps-4 pe-2 last:border-b-0 hover:bg-hover">
      {isRenaming ? (
        <RenameProject project={project} onAway={() => setRenaming(false)} />
      ) : (
        <>
          <Link
            to={projectRoute(name)}
            className="flex min-h-11 min-w-0 flex-1 items-center gap-3"
            aria-label={strings.home.openProject(project.title)}
          >
            <bdi
              dir="auto"
              className="min-w-0 flex-1 truncate font-medium"
              title={project.title}
            >
              {project.title}
            </bdi>
            <span className="shrink-0 text-13 text-muted tabular-nums">
              {strings.format.time(project.updatedAt, new Date())}
            </span>
          </Link>
          <ProjectMenu project={project} onRename={() => setRenaming(true)} />
        </>
      )}
    </li>
  );
}
