import { Button, EmptyState, IconButton, type Tab, Tabs, useStrings } from "@vitrail/react";
import { usePreview } from "@vitrail/react";
import type { ProjectEntry } from "@vitrail/stream";
import { LayoutTemplate, X } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { ConsoleDrawer } from "./console-drawer.tsx";
import { FilesPane } from "./files-pane.tsx";
import { PreviewComing, PreviewPane } from "./preview-pane.tsx";
import { SourcePane, useFileText } from "./source-pane.tsx";
import { StageActions } from "./stage-actions.tsx";
import { useConsole } from "./use-console.ts";
import { usePreviewApi } from "./use-preview-api.ts";
import type { Stage } from "./use-stage.ts";
import type { StageTab } from "../routes.ts";

/** The artifact: as its page, as its source, among its files. */
export function StagePane(props: {
  readonly project: ProjectEntry;
  readonly name: string;
  readonly stage: Stage;
  readonly onWrite: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const strings = useStrings();
  const { project, stage } = props;
  const { file, coming } = stage;
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
  const text = useFileText(project.id, file, stage.isOpen && stage.tab === "source");

  const tabs: readonly Tab<StageTab>[] = [
    {
      value: "preview",
      name: strings.stage.preview,
      panel:
        file === null ? (
          <NothingYet stage={stage} onWrite={props.onWrite} />
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
      end={
        <>
          <StageActions
            project={project}
            name={props.name}
            stage={stage}
            text={text.data ?? null}
            onReload={used.reload}
          />
          <IconButton
            label={strings.stage.close}
            icon={<X size={16} aria-hidden />}
            onClick={props.onClose}
          />
        </>
      }
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
