import {
  CommandPalette,
  KindIcon,
  type PaletteCommand,
  useStrings,
} from "@vitrail/react";
import { filesOf, projectsByUse } from "@vitrail/stream";
import {
  Code,
  Cpu,
  Eye,
  Files,
  Folder,
  History,
  House,
  Moon,
  Play,
  Plug,
  Plus,
  Sun,
  SunMoon,
} from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { usePlayExample } from "./home/play-example.ts";
import { prefer, preferences } from "./preferences.ts";
import { useExamples } from "./queries.ts";
import { NEW_CONVERSATION, navigate, projectRoute, useRoute } from "./routes.ts";
import { closeSurface, openSurface } from "./surfaces.ts";
import { useData, useIsOffline } from "./workspace-context.tsx";

const ICON = { size: 16, "aria-hidden": true, className: "shrink-0 text-muted" } as const;

const TABS = [
  { tab: "preview", Icon: Eye },
  { tab: "source", Icon: Code },
  { tab: "files", Icon: Files },
  { tab: "versions", Icon: History },
] as const;

/** The acts of the workspace by name, with the projects, files and recordings one can go to. */
export function Palette(): ReactElement {
  const strings = useStrings();
  const route = useRoute();
  const projects = useData(projectsByUse);
  const examples = useExamples().data;
  const play = usePlayExample();
  const isOffline = useIsOffline();
  const name = route.view === "project" ? route.name : null;
  const project = projects.find((one) => one.name === name) ?? null;
  const files = useData((data) => (project === null ? NONE : filesOf(data, project.id)));

  const commands = useMemo<readonly PaletteCommand[]>(() => {
    const here: PaletteCommand[] =
      route.view !== "project" || project === null
        ? []
        : [
            {
              id: "new-conversation",
              name: strings.rail.newConversation,
              group: "commands",
              icon: <Plus {...ICON} />,
              run: () => navigate(projectRoute(route.name, NEW_CONVERSATION)),
            },
            ...TABS.map(
              ({ tab, Icon }): PaletteCommand => ({
                id: `tab-${tab}`,
                name: strings.stage[tab],
                group: "commands",
                icon: <Icon {...ICON} />,
                run: () => navigate({ ...route, tab, compare: null }),
              }),
            ),
          ];
    return [
      ...here,
      {
        id: "home",
        name: strings.rail.home,
        group: "commands",
        icon: <House {...ICON} />,
        run: () => navigate({ view: "home" }),
      },
      {
        id: "connect",
        name: strings.home.connect,
        group: "commands",
        icon: <Plug {...ICON} />,
        run: () => openSurface({ surface: "connect" }),
      },
      {
        id: "models",
        name: strings.models.title,
        group: "commands",
        icon: <Cpu {...ICON} />,
        run: () => navigate({ view: "models" }),
      },
      {
        id: "theme-system",
        name: `${strings.theme.menu}: ${strings.theme.system}`,
        group: "commands",
        icon: <SunMoon {...ICON} />,
        run: () => prefer({ theme: "system" }),
      },
      {
        id: "theme-light",
        name: `${strings.theme.menu}: ${strings.theme.light}`,
        group: "commands",
        icon: <Sun {...ICON} />,
        run: () => prefer({ theme: "light" }),
      },
      {
        id: "theme-dark",
        name: `${strings.theme.menu}: ${strings.theme.dark}`,
        group: "commands",
        icon: <Moon {...ICON} />,
        run: () => prefer({ theme: "dark" }),
      },
      ...files.map(
        (file): PaletteCommand => ({
          id: `file-${file.path}`,
          name: strings.palette.goFile(file.path),
          group: "files",
          icon: <KindIcon kind={file.kind} />,
          run: () => {
            if (route.view === "project") {
              navigate({ ...route, file: file.path, tab: "preview", compare: null });
            }
          },
        }),
      ),
      ...projects.map(
        (one): PaletteCommand => ({
          id: `project-${one.id}`,
          name: strings.palette.goProject(one.title),
          group: "go",
          icon: <Folder {...ICON} />,
          run: () => navigate(projectRoute(one.name ?? one.title)),
        }),
      ),
      ...(isOffline ? [] : (examples ?? []))
        .filter((example) => example.follows === null)
        .map(
          (example): PaletteCommand => ({
            id: `example-${example.name}`,
            name: strings.home.playExample(example.title),
            group: "examples",
            icon: <Play {...ICON} />,
            run: () => void play(example, preferences.getState().speed),
          }),
        ),
    ];
  }, [route, project, strings, files, projects, examples, isOffline, play]);
  return <CommandPalette commands={commands} onClose={closeSurface} />;
}

const NONE = [] as const;
