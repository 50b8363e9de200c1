import {
  Button,
  cx,
  IconButton,
  KindIcon,
  Menu,
  MenuChoices,
  useLineCount,
  useStrings,
} from "@vitrail/react";
import type { ProjectEntry } from "@vitrail/stream";
import { ChevronDown, ChevronRight, PanelLeft, PanelRight } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { AppHeader } from "../app-header.tsx";
import { useHeadNumber } from "../history/history-queries.ts";
import { ProjectMenu, RenameProject } from "../project-actions.tsx";
import type { Stage } from "./use-stage.ts";

/** Project, artifact and its state; then which panes are shown. */
export function ProjectHeader(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
  readonly isRailOpen: boolean;
  readonly onRail: () => void;
  readonly isWide: boolean;
  /** Actions of the tab that is looked at. */
  readonly actions: ReactNode;
  /** Where only one pane has room: which, and the way to the other. */
  readonly view: "chat" | "stage";
  readonly onView: (view: "chat" | "stage") => void;
}): ReactElement {
  const strings = useStrings();
  const { project, stage, isWide } = props;
  const [isRenaming, setRenaming] = useState(false);
  return (
    <AppHeader
      start={
        <>
          {props.isRailOpen && isWide ? null : (
            <IconButton
              label={strings.rail.show}
              icon={<PanelLeft size={16} aria-hidden className="rtl:-scale-x-100" />}
              aria-expanded={props.isRailOpen}
              onClick={props.onRail}
            />
          )}
          {isRenaming ? (
            <div className="w-full max-w-120">
              <RenameProject project={project} onAway={() => setRenaming(false)} />
            </div>
          ) : (
            <>
              <ProjectTitle project={project} onRename={() => setRenaming(true)} />
              {stage.files.length === 0 ? null : (
                <ChevronRight
                  size={16}
                  aria-hidden
                  className="shrink-0 text-faint max-phone:hidden rtl:-scale-x-100"
                />
              )}
              <FileMenu project={project} stage={stage} />
            </>
          )}
        </>
      }
      end={
        <>
          {props.actions}
          {isWide ? (
            stage.isOpen ? null : (
              <IconButton
                label={strings.project.expandStage}
                icon={<PanelRight size={16} aria-hidden className="rtl:-scale-x-100" />}
                onClick={stage.open}
              />
            )
          ) : (
            <PaneSwitch view={props.view} onView={props.onView} />
          )}
          <span
            aria-hidden
            className="mx-1 h-5 w-px bg-border first:hidden max-phone:hidden"
          />
        </>
      }
    />
  );
}

function ProjectTitle(props: {
  readonly project: ProjectEntry;
  readonly onRename: () => void;
}): ReactElement {
  const { project } = props;
  return (
    <>
      <h1
        className="min-w-0 max-w-80 truncate ps-1 text-14 font-semibold"
        title={project.title}
      >
        <bdi dir="auto">{project.title}</bdi>
      </h1>
      <ProjectMenu project={project} onRename={props.onRename} isInline />
    </>
  );
}

/** The artifact that is looked at, its state, and the way to another. */
function FileMenu(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
}): ReactElement | null {
  const strings = useStrings();
  const { stage } = props;
  const { file, coming } = stage;
  const lines = useLineCount(coming?.text ?? "");
  const number = useHeadNumber(props.project.id, file);
  const state =
    coming !== null
      ? strings.card.streaming(lines)
      : file?.manifest?.status === "error"
        ? strings.files.states.error
        : number === null
          ? null
          : strings.stage.savedRevision(number);
  if (stage.files.length === 0) {
    return state === null ? null : <StateWords words={state} />;
  }
  return (
    <>
      <Menu
        label={strings.stage.choose}
        trigger={
          <Button
            variant="quiet"
            className="min-w-0 shrink max-phone:hidden"
            aria-label={
              file === null ? strings.stage.choose : strings.stage.file(file.path)
            }
          >
            <KindIcon kind={file?.kind ?? null} />
            <bdi className="truncate">{file?.path ?? strings.stage.choose}</bdi>
            <ChevronDown size={16} aria-hidden className="shrink-0" />
          </Button>
        }
      >
        <MenuChoices
          label={strings.stage.files}
          value={file?.path ?? ""}
          choices={stage.files.map((one) => ({ value: one.path, text: one.path }))}
          onChange={(path) => stage.show(path)}
        />
      </Menu>
      {state === null ? null : <StateWords words={state} />}
    </>
  );
}

function StateWords(props: { readonly words: string }): ReactElement {
  return (
    <span className="shrink-0 text-13 text-muted tabular-nums max-wide:hidden">
      {props.words}
    </span>
  );
}

function PaneSwitch(props: {
  readonly view: "chat" | "stage";
  readonly onView: (view: "chat" | "stage") => void;
}): ReactElement {
  const strings = useStrings();
  const choices = [
    { view: "chat", name: strings.project.chat },
    { view: "stage", name: strings.project.stage },
  ] as const;
  return (
    <fieldset className="flex rounded-control border border-border-strong bg-surface">
      <legend className="sr-only">{strings.project.views}</legend>
      {choices.map((choice) => (
        <button
          key={choice.view}
          type="button"
          aria-pressed={props.view === choice.view}
          onClick={() => props.onView(choice.view)}
          className={cx(
            "min-h-7 rounded-control px-3 text-13 font-medium pointer-coarse:min-h-11",
            props.view === choice.view ? "bg-accent-soft text-accent" : "text-muted",
          )}
        >
          {choice.name}
        </button>
      ))}
    </fieldset>
  );
}
