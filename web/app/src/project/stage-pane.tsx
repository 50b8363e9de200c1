import type { UseQueryResult } from "@tanstack/react-query";
import type { QuarantineRecord } from "@vitrail/protocol";
import {
  Button,
  EmptyState,
  Skeleton,
  type Tab,
  Tabs,
  type UsedPreview,
  usePreview,
  useStrings,
} from "@vitrail/react";
import type { ProjectEntry } from "@vitrail/stream";
import type { FileText } from "@vitrail/stream/client";
import { LayoutTemplate } from "lucide-react";
import {
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useMemo,
  useState,
} from "react";
import { mergeKey, unsavedKey, useUnsaved } from "../editing/unsaved.ts";
import { DraftStrip } from "../history/draft-strip.tsx";
import { useDrafts } from "../history/history-queries.ts";
import { OutsideStrip } from "../history/outside-strip.tsx";
import type { StageTab } from "../routes.ts";
import { ConsoleDrawer } from "./console-drawer.tsx";
import { PreviewComing, PreviewPane } from "./preview-pane.tsx";
import { SourcePane, useFileText } from "./source-pane.tsx";
import { type ConsoleLog, useConsole } from "./use-console.ts";
import { type PreviewBridge, usePreviewApi } from "./use-preview-api.ts";
import type { Stage } from "./use-stage.ts";

const FilesPane = lazy(async () => ({
  default: (await import("../files/files-pane.tsx")).FilesPane,
}));
const VersionsPane = lazy(async () => ({
  default: (await import("../history/versions-pane.tsx")).VersionsPane,
}));
const EditorPane = lazy(async () => ({
  default: (await import("../editing/editor-pane.tsx")).EditorPane,
}));
const MergePane = lazy(async () => ({
  default: (await import("../editing/merge-pane.tsx")).MergePane,
}));

/** The preview, its console and the text of the file that is looked at. */
export interface StageContent {
  readonly bridge: PreviewBridge;
  readonly used: UsedPreview;
  readonly log: ConsoleLog;
  readonly text: UseQueryResult<FileText>;
  readonly merging: Merging;
}

/** The draft that is decided range by range in the source's place. */
export interface Merging {
  /** None while none is, or while its file is not looked at. */
  readonly draft: QuarantineRecord | null;
  readonly begin: (draft: QuarantineRecord) => void;
  readonly end: () => void;
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
  const merging = useMerging(project, stage);
  return { bridge, used, log, text, merging };
}

function useMerging(project: ProjectEntry, stage: Stage): Merging {
  const [id, setId] = useState<string | null>(null);
  const draft = useDrafts(project.id).find((one) => one.id === id);
  return {
    draft: draft !== undefined && draft.path === stage.file?.path ? draft : null,
    begin: (one) => {
      setId(one.id);
      stage.show(one.path, "source");
    },
    end: () => setId(null),
  };
}

/** The artifact: as its page, as its source, among its files. */
export function StagePane(props: {
  readonly project: ProjectEntry;
  readonly name: string;
  readonly stage: Stage;
  /** What the tabs show, asked for above so that the header can act on it. */
  readonly content: StageContent;
  /** Path of the file whose draft is to be shown; none: as it comes. */
  readonly wantedDraft: string | null;
  readonly onDraftShown: () => void;
  readonly onWrite: () => void;
  /** Buttons of the pane itself. */
  readonly paneActions: ReactNode;
}): ReactElement {
  const strings = useStrings();
  const { project, stage } = props;
  const { file, coming } = stage;
  const { bridge, used, log, text, merging } = props.content;
  const path = file?.path ?? stage.missingPath;
  const unsaved = useUnsaved(path === null ? null : unsavedKey(project.id, path));
  const isMerging = merging.draft !== null && stage.tab === "source";
  const onRevision = (revision: string): void => {
    if (file !== null) stage.compare(file.path, { from: null, to: revision });
  };

  const tabs: readonly Tab<StageTab>[] = [
    {
      value: "preview",
      name: strings.stage.preview,
      panel:
        file === null ? (
          <NothingYet stage={stage} onWrite={props.onWrite} />
        ) : used.preview?.mode === "source" && used.preview.path === file.path ? (
          <SourcePane
            projectId={project.id}
            file={file}
            coming={null}
            text={text}
            onRevision={onRevision}
          />
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
      panel: (
        <SourceTab project={project} stage={stage} merging={merging}>
          {file === null && coming === null ? (
            <NothingYet stage={stage} onWrite={props.onWrite} />
          ) : (
            <SourcePane
              projectId={project.id}
              file={file}
              coming={coming}
              text={text}
              onRevision={onRevision}
            />
          )}
        </SourceTab>
      ),
    },
    {
      value: "files",
      name: strings.stage.files,
      panel: (
        <Opened isOpen={stage.tab === "files"}>
          <FilesPane project={project} stage={stage} onWrite={props.onWrite} />
        </Opened>
      ),
    },
    {
      value: "versions",
      name: strings.stage.versions,
      panel: (
        <Opened isOpen={stage.tab === "versions"}>
          <VersionsPane project={project} stage={stage} />
        </Opened>
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
      notices={
        <>
          {isMerging ? null : (
            <DraftStrip
              project={project}
              stage={stage}
              wanted={props.wantedDraft}
              onShown={props.onDraftShown}
              onMerge={merging.begin}
            />
          )}
          <OutsideStrip stage={stage} isEditing={unsaved !== null || isMerging} />
        </>
      }
    />
  );
}

/** A panel that begins to live when it is first looked at. */
function Opened(props: {
  readonly isOpen: boolean;
  readonly children: ReactNode;
}): ReactElement | null {
  const [wasOpen, setWasOpen] = useState(props.isOpen);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense fallback={<Skeleton lines={6} className="p-4" />}>
      {props.children}
    </Suspense>
  );
}

/** The source, or what a person is writing in its place. */
function SourceTab(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
  readonly merging: Merging;
  readonly children: ReactNode;
}): ReactNode {
  const { project, stage } = props;
  const path = stage.file?.path ?? stage.missingPath;
  const { draft } = props.merging;
  const unsaved = useUnsaved(path === null ? null : unsavedKey(project.id, path));
  const merge = useUnsaved(draft === null ? null : mergeKey(project.id, draft));
  const waiting = <Skeleton lines={6} className="p-4" />;
  if (draft !== null && stage.file !== null) {
    return (
      <Suspense fallback={waiting}>
        <MergePane
          projectId={project.id}
          good={stage.file}
          draft={draft}
          unsaved={merge}
          onClose={props.merging.end}
        />
      </Suspense>
    );
  }
  if (unsaved === null || path === null) return props.children;
  return (
    <Suspense fallback={waiting}>
      <EditorPane
        projectId={project.id}
        path={path}
        file={stage.file}
        unsaved={unsaved}
      />
    </Suspense>
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
