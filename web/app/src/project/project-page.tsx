import {
  Button,
  EmptyState,
  type PaneLayout,
  Panes,
  Skeleton,
  usePaneMode,
  useStrings,
  ViewError,
} from "@vitrail/react";
import { conversationsOf, type ProjectEntry } from "@vitrail/stream";
import { FolderX } from "lucide-react";
import { type ReactElement, useEffect, useMemo, useState } from "react";
import { AppHeader } from "../app-header.tsx";
import { prefer, usePreference } from "../preferences.ts";
import { wordsOf } from "../queries.ts";
import { NEW_CONVERSATION, navigate, type Route } from "../routes.ts";
import { useData, useWiring } from "../workspace-context.tsx";
import { ChatPane } from "./chat-pane.tsx";
import { PaneActions } from "./pane-actions.tsx";
import { ProjectHeader } from "./project-header.tsx";
import { Rail } from "./rail.tsx";
import { CompactStageActions, StageActions } from "./stage-actions.tsx";
import { StagePane, useStageContent } from "./stage-pane.tsx";
import { useProject } from "./use-project.ts";
import { type Stage, useStage } from "./use-stage.ts";

type ProjectRoute = Extract<Route, { readonly view: "project" }>;

/** A project by its address: what is missing or failed is said, the rest is worked in. */
export function ProjectPage(props: { readonly route: ProjectRoute }): ReactElement {
  const strings = useStrings();
  const load = useProject(props.route.name);
  switch (load.state) {
    case "loaded":
      return (
        <OpenProject key={load.project.id} project={load.project} route={props.route} />
      );
    case "loading":
      return (
        <div className="flex min-h-0 flex-1 flex-col">
          <AppHeader />
          <main className="flex-1 p-8">
            <Skeleton lines={8} className="mx-auto max-w-190" />
          </main>
        </div>
      );
    case "missing":
      return (
        <div className="flex min-h-0 flex-1 flex-col">
          <AppHeader />
          <main className="flex flex-1">
            <EmptyState
              className="flex-1"
              icon={<FolderX size={24} aria-hidden />}
              text={strings.project.missing}
              action={
                <Button onClick={() => navigate({ view: "home" })}>
                  {strings.project.missingAction}
                </Button>
              }
            />
          </main>
        </div>
      );
    case "failed": {
      const { words, code } = wordsOf(load.error, strings.state.unknownError);
      return (
        <div className="flex min-h-0 flex-1 flex-col">
          <AppHeader />
          <main>
            <ViewError detail={words} code={code} onRetry={load.retry} />
          </main>
        </div>
      );
    }
  }
}

/**
 * Returns the conversation that an address means. An address without one means
 * the last used one at the time it was opened; a later one does not take its
 * place under the person's hands.
 */
function useConversationId(project: ProjectEntry, route: ProjectRoute): string | null {
  const latest = useData((data) => conversationsOf(data, project.id)[0]?.id ?? null);
  const { conversation } = route;
  const [opened, setOpened] = useState({ conversation, latest });
  const isGone = useData(
    (data) => opened.latest !== null && !data.conversations.has(opened.latest),
  );
  if (opened.conversation !== conversation || (isGone && opened.latest !== latest)) {
    setOpened({ conversation, latest });
  }
  if (conversation === NEW_CONVERSATION) return null;
  return conversation ?? opened.latest;
}

function useTitle(project: ProjectEntry, conversationId: string | null): void {
  const strings = useStrings();
  const conversation = useData((data) =>
    conversationId === null ? null : (data.conversations.get(conversationId) ?? null),
  );
  const isRunning = (conversation?.activeRunId ?? null) !== null;
  const { title } = project;
  useEffect(() => {
    document.title = strings.format.title(
      isRunning ? strings.format.running(title) : title,
    );
  }, [strings, title, isRunning]);
}

function OpenProject(props: {
  readonly project: ProjectEntry;
  readonly route: ProjectRoute;
}): ReactElement {
  const { project, route } = props;
  const { api } = useWiring();
  const mode = usePaneMode();
  const layout = usePreference((preferences) => preferences.layout);
  const conversationId = useConversationId(project, route);
  const stage = useStage(project, conversationId, route);
  const [view, setView] = useStageView(stage, mode === "narrow");
  const [isRailOver, setRailOver] = useState(false);
  const content = useStageContent(project, stage);
  const [wantedDraft, setWantedDraft] = useState<string | null>(null);
  useTitle(project, conversationId);

  const isWide = mode === "wide";
  const shownLayout: PaneLayout = {
    ...layout,
    isRailOpen: isWide ? layout.isRailOpen : isRailOver,
    folded: stage.isOpen ? (layout.folded === "chat" ? "chat" : null) : "stage",
  };
  const changeLayout = (next: PaneLayout): void => {
    const folded = next.folded === "chat" ? "chat" : null;
    prefer({
      layout: {
        ...next,
        folded,
        isRailOpen: isWide ? next.isRailOpen : layout.isRailOpen,
      },
    });
  };
  const toggleRail = (): void => {
    if (isWide) prefer({ layout: { ...layout, isRailOpen: !layout.isRailOpen } });
    else setRailOver(!isRailOver);
  };
  const write = (): void => {
    setView("chat");
    if (layout.folded === "chat") prefer({ layout: { ...layout, folded: null } });
    requestAnimationFrame(() => document.querySelector("textarea")?.focus());
  };
  const closeStage = (): void => {
    if (isWide) {
      stage.close();
      prefer({ layout: { ...layout, folded: null } });
      document.querySelector("textarea")?.focus();
    } else write();
  };

  const foldChat = (): void =>
    prefer({ layout: { ...layout, folded: layout.folded === "chat" ? null : "chat" } });
  const isStageShown = stage.isOpen && (isWide || view === "stage");

  const { show } = stage;
  const actions = useStable({
    onOpen: (path: string) => {
      show(path, "preview");
      setView("stage");
    },
    onSource: (path: string) => {
      show(path, "source");
      setView("stage");
    },
    onOpenFile: (path: string) => {
      show(path, "preview");
      setView("stage");
    },
    onDecide: (path: string) => {
      content.merging.end();
      show(path);
      setView("stage");
      setWantedDraft(path);
    },
    downloadUrl: (path: string) => api.fileUrl(project.id, path),
  });

  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ProjectHeader
          project={project}
          stage={stage}
          isRailOpen={shownLayout.isRailOpen}
          onRail={toggleRail}
          isWide={isWide}
          view={view}
          onView={setView}
          actions={
            isStageShown && mode !== "phone" ? (
              <StageActions
                project={project}
                name={route.name}
                stage={stage}
                text={content.text.data ?? null}
                isMerging={content.merging.draft !== null}
                onReload={content.used.reload}
              />
            ) : null
          }
        />
        <Panes
          mode={mode}
          view={view}
          layout={shownLayout}
          onLayout={changeLayout}
          onSheetAway={write}
          onRailAway={() => setRailOver(false)}
          rail={
            <Rail
              project={project}
              name={route.name}
              conversationId={conversationId}
              onHide={toggleRail}
              onGo={() => setRailOver(false)}
            />
          }
          chat={
            <ChatPane
              project={project}
              name={route.name}
              conversationId={conversationId}
              openPath={stage.file?.path ?? null}
              actions={actions}
            />
          }
          stage={
            <StagePane
              project={project}
              name={route.name}
              stage={stage}
              content={content}
              wantedDraft={wantedDraft}
              onDraftShown={() => setWantedDraft(null)}
              onWrite={write}
              paneActions={
                <>
                  {mode === "phone" ? (
                    <CompactStageActions
                      project={project}
                      name={route.name}
                      stage={stage}
                      text={content.text.data ?? null}
                      isMerging={content.merging.draft !== null}
                      onReload={content.used.reload}
                    />
                  ) : null}
                  <PaneActions
                    isWide={isWide}
                    isChatFolded={layout.folded === "chat"}
                    onChat={foldChat}
                    onClose={closeStage}
                  />
                </>
              }
            />
          }
        />
      </div>
    </div>
  );
}

/** Returns the same functions for the same names, which call what was given last. */
function useStable<T extends Readonly<Record<string, (path: string) => unknown>>>(
  latest: T,
): T {
  const [holder] = useState(() => ({ latest }));
  useEffect(() => {
    holder.latest = latest;
  });
  return useMemo(() => {
    const names = Object.keys(holder.latest);
    const stable = names.map((name) => [
      name,
      (path: string) => holder.latest[name]?.(path),
    ]);
    return Object.fromEntries(stable) as T; // the same names with the same signatures
  }, [holder]);
}

/** Which pane is looked at where one has room; the stage comes forward when it first opens. */
function useStageView(
  stage: Stage,
  comesForward: boolean,
): readonly ["chat" | "stage", (view: "chat" | "stage") => void] {
  const [view, setView] = useState<"chat" | "stage">("chat");
  const [wasOpen, setWasOpen] = useState(stage.isOpen);
  if (stage.isOpen !== wasOpen) {
    setWasOpen(stage.isOpen);
    if (stage.isOpen && comesForward) setView("stage");
  }
  return [view, setView];
}
