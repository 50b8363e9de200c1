import { QueryClientProvider } from "@tanstack/react-query";
import {
  Button,
  EmptyState,
  ErrorBoundary,
  en,
  Skeleton,
  StringsProvider,
  TooltipProvider,
  useStrings,
  ViewError,
} from "@vitrail/react";
import {
  lazy,
  type ReactElement,
  Suspense,
  useEffect,
  useLayoutEffect,
  useState,
} from "react";
import { AppHeader } from "./app-header.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { DeleteProject } from "./home/delete-project.tsx";
import { HomePage } from "./home/home-page.tsx";
import { applyTheme, usePreference } from "./preferences.ts";
import { DeleteConversation } from "./project/delete-conversation.tsx";
import { createQueryClient, wordsOf } from "./queries.ts";
import { navigate, useRoute } from "./routes.ts";
import { closeSurface, openSurface, useSurface } from "./surfaces.ts";
import { useView, useWiring, type Wiring, WiringProvider } from "./workspace-context.tsx";

const ProjectPage = lazy(async () => ({
  default: (await import("./project/project-page.tsx")).ProjectPage,
}));
const AlonePage = lazy(async () => ({
  default: (await import("./alone-page.tsx")).AlonePage,
}));
const ModelsPage = lazy(async () => ({
  default: (await import("./models/models-page.tsx")).ModelsPage,
}));
const ConnectDialog = lazy(async () => ({
  default: (await import("./connect/connect-dialog.tsx")).ConnectDialog,
}));
const ImportTranscript = lazy(async () => ({
  default: (await import("./project/import-transcript.tsx")).ImportTranscript,
}));
const Palette = lazy(async () => ({
  default: (await import("./palette.tsx")).Palette,
}));

/** The workspace: wired once, then one view for each address. */
export function App(props: { readonly wiring: Wiring }): ReactElement {
  const [queries] = useState(createQueryClient);
  return (
    <StringsProvider strings={en}>
      <QueryClientProvider client={queries}>
        <WiringProvider wiring={props.wiring}>
          <TooltipProvider>
            <Frame />
          </TooltipProvider>
        </WiringProvider>
      </QueryClientProvider>
    </StringsProvider>
  );
}

function useTheme(): void {
  const theme = usePreference((preferences) => preferences.theme);
  useEffect(() => applyTheme(theme, document.documentElement), [theme]);
}

function usePaletteKey(): void {
  // Laid before the first paint: what is seen already hears its key.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPalette =
        event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isPalette || event.altKey || event.shiftKey) return;
      event.preventDefault();
      openSurface({ surface: "palette" });
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

function Frame(): ReactElement {
  const { workspace } = useWiring();
  const route = useRoute();
  useTheme();
  usePaletteKey();
  useEffect(() => {
    void workspace.start();
    return () => workspace.stop();
  }, [workspace]);
  return (
    <div className="flex h-dvh flex-col">
      <ConnectionBanner />
      <ErrorBoundary
        key={route.view === "project" ? route.name : route.view}
        fallback={() => <ViewError onRetry={() => location.reload()} />}
      >
        <Suspense fallback={<Loading />}>
          <Page />
        </Suspense>
      </ErrorBoundary>
      <Suspense fallback={null}>
        <Surfaces />
      </Suspense>
    </div>
  );
}

function Page(): ReactElement {
  const strings = useStrings();
  const { workspace } = useWiring();
  const route = useRoute();
  const boot = useView((view) => view.boot);
  if (boot.state === "failed") {
    const { words, code } = wordsOf(boot.error, strings.state.unknownError);
    return (
      <Standing>
        <ViewError detail={words} code={code} onRetry={() => void workspace.start()} />
      </Standing>
    );
  }
  if (boot.state !== "ready") {
    return <Loading />;
  }
  switch (route.view) {
    case "home":
      return <HomePage />;
    case "models":
      return <ModelsPage />;
    case "project":
      return <ProjectPage route={route} />;
    case "alone":
      return <AlonePage name={route.name} file={route.file} />;
    case "unknown":
      return (
        <Standing>
          <EmptyState
            className="h-full"
            text={strings.state.noSuchPage}
            action={
              <Button onClick={() => navigate({ view: "home" })}>
                {strings.rail.home}
              </Button>
            }
          />
        </Standing>
      );
  }
}

function Loading(): ReactElement {
  return (
    <Standing>
      <Skeleton lines={8} className="mx-auto max-w-240 px-4 py-8" />
    </Standing>
  );
}

/** A page that has nothing of its own to show yet. */
function Standing(props: { readonly children: ReactElement }): ReactElement {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AppHeader />
      <main className="min-h-0 flex-1 overflow-y-auto">{props.children}</main>
    </div>
  );
}

function Surfaces(): ReactElement | null {
  const open = useSurface();
  switch (open?.surface) {
    case "connect":
      return <ConnectDialog onClose={closeSurface} />;
    case "palette":
      return <Palette />;
    case "import-transcript":
      return <ImportTranscript projectId={open.projectId} onClose={closeSurface} />;
    case "delete-project":
      return <DeleteProject projectId={open.projectId} onClose={closeSurface} />;
    case "delete-conversation":
      return (
        <DeleteConversation conversationId={open.conversationId} onClose={closeSurface} />
      );
    default:
      return null;
  }
}
