import type { UseQueryResult } from "@tanstack/react-query";
import {
  Button,
  EmptyState,
  type Tab,
  Tabs,
  type UsedPreview,
  usePreview,
  useStrings,
} from "@vitrail/react";
import type { ProjectEntry } from "@vitrail/stream";
import { LayoutTemplate } from "lucide-react";
import { type ReactElement, type ReactNode, useMemo } from "react";
import type { StageTab } from "../routes.ts";
import { ConsoleDrawer } from "./console-drawer.tsx";
import { FilesPane } from "./files-pane.tsx";
import { PreviewComing, PreviewPane } from "./preview-pane.tsx";
import { SourcePane, useFileText } from "./source-pane.tsx";
import { type ConsoleLog, useConsole } from "./use-console.ts";
import { type PreviewBridge, usePreviewApi } from "./use-preview-api.ts";
import type { Stage } from "./use-stage.ts";

/** The preview, its console and the text of the file that is looked at. */
export interface StageContent {
  readonly bridge: PreviewBridge;
  readonly used: UsedPreview;
  readonly log: ConsoleLog;
  readonly text: UseQueryResult<string>;
}

/** Returns what the stage shows of its file, asked for as far as it is looked at. */
export function useStageContent(project: ProjectEntry, stage: Stage): StageContent {
  const { file } = stage;
  const bridge = usePreviewApi();
  const path = file?.path ?? null;
  const digest = file?.digest ?? null;
  const target = useMemo(
    () =>
      stage.isOpen && path !== null && digest !== null
        ? { projectId: project.id, path, digest }
        : null,
    [stage.isOpen, project.id, path, digest],
  );
  const used = usePreview(bridge, target);
  const log = useConsole(used.preview?.generation ?? "");
  const isSource = stage.tab === "source" || used.preview?.mode === "source";
  const text = useFileText(project.id, file, stage.isOpen && isSource);
  return { bridge, used, log, text };
}

/** The artifact: as its page, as its source, among its files. */
export function StagePane(props: {
  readonly project: ProjectEntry;
  readonly name: string;
  readonly stage: Stage;
  /** What the tabs show, asked for above so that the header can act on it. */
  readonly content: StageContent;
  readonly onWrite: () => void;
  /** Buttons of the pane itself. */
  readonly paneActions: ReactNode;
}): ReactElement {
  const strings = useStrings();
  const { project, stage } = props;
  const { file, coming } = stage;
  const { bridge, used, log, text } = props.content;
  const path = file?.path ?? null;

  const tabs: readonly Tab<StageTab>[] = [
    {
      value: "preview",
      name: strings.stage.preview,
      panel:
        file === null ? (
          <NothingYet stage={stage} onWrite={props.onWrite} />
        ) : used.preview?.mode === "source" && used.preview.path === file.path ? (
          <SourcePane projectId={project.id} file={file} coming={null} text={text} />
        ) : (
          <>
            <PreviewPane
              file={file}
              bridge={bridge}
              used={used}
              log={log}
              onOpenPath={(to) => stage.show(to, "preview")}
            />
            <ConsoleDrawer log={log} />
          </>
        ),
    },
    {
      value: "source",
      name: strings.stage.source,
      panel:
        file === null && coming === null ? (
          <NothingYet stage={stage} onWrite={props.onWrite} />
        ) : (
          <SourcePane projectId={project.id} file={file} coming={coming} text={text} />
        ),
    },
    {
      value: "files",
      name: strings.stage.files,
      panel: (
        <FilesPane
          projectId={project.id}
          files={stage.files}
          current={path}
          onOpen={(to) => stage.show(to, "preview")}
          onWrite={props.onWrite}
        />
      ),
    },
  ];
  return (
    <Tabs
      label={strings.project.stage}
      value={stage.tab}
      tabs={tabs}
      onChange={stage.setTab}
      end={props.paneActions}
    />
  );
}

function NothingYet(props: {
  readonly stage: Stage;
  readonly onWrite: () => void;
}): ReactElement {
  const strings = useStrings();
  const { stage } = props;
  if (stage.missingPath !== null) {
    return (
      <EmptyState
        className="min-h-0 flex-1"
        text={strings.stage.fileMissing(stage.missingPath)}
        action={
          <Button onClick={() => stage.setTab("files")}>
            {strings.stage.fileMissingAction}
          </Button>
        }
      />
    );
  }
  if (stage.coming !== null) {
    const { title, identifier } = stage.coming;
    return <PreviewComing name={title === "" ? identifier : title} />;
  }
  return (
    <EmptyState
      className="min-h-0 flex-1"
      icon={<LayoutTemplate size={24} aria-hidden />}
      title={strings.stage.emptyTitle}
      text={strings.stage.empty}
      action={<Button onClick={props.onWrite}>{strings.stage.emptyAction}</Button>}
    />
  );
}
