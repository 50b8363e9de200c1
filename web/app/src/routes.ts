/** Addresses of the workspace: each view has one, and it can be sent to somebody. */

import { useSyncExternalStore } from "react";

/** Tabs of the stage. */
export type StageTab = "preview" | "source" | "files" | "versions";

/** Two revisions to compare; without an older one, what the newer one changed. */
export interface Comparison {
  readonly from: string | null;
  readonly to: string;
}

/** What an address says. */
export type Route =
  | { readonly view: "home" }
  | { readonly view: "models" }
  | {
      readonly view: "project";
      /** Folder name of the project. */
      readonly name: string;
      /** A conversation's id; `new` for one that begins; none: the last used one. */
      readonly conversation: string | null;
      readonly file: string | null;
      readonly tab: StageTab | null;
      /** Which versions of the file are looked at; none: the newest. */
      readonly compare: Comparison | null;
    }
  | { readonly view: "alone"; readonly name: string; readonly file: string }
  | { readonly view: "unknown" };

/** The conversation that a route means before its first message. */
export const NEW_CONVERSATION = "new";

const TABS: readonly string[] = [
  "preview",
  "source",
  "files",
  "versions",
] satisfies StageTab[];

function isTab(value: string | null): value is StageTab {
  return value !== null && TABS.includes(value);
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Returns the route of an address: `/`, `/models`, `/p/NAME`, `/p/NAME/c/ID`, `/p/NAME/view?file=`. */
export function parseRoute(path: string, search: string): Route {
  const parts = path.split("/").filter((part) => part !== "");
  if (parts.length === 0) return { view: "home" };
  if (parts.length === 1 && parts[0] === "models") return { view: "models" };
  const name = parts[0] === "p" && parts[1] !== undefined ? decode(parts[1]) : null;
  if (name === null) return { view: "unknown" };
  const query = new URLSearchParams(search);
  const file = query.get("file");
  if (parts.length === 3 && parts[2] === "view" && file !== null) {
    return { view: "alone", name, file };
  }
  const isConversation = parts.length === 4 && parts[2] === "c";
  if (parts.length !== 2 && !isConversation) return { view: "unknown" };
  const conversation = isConversation ? decode(parts[3] ?? "") : null;
  const tab = query.get("tab");
  return {
    view: "project",
    name,
    conversation,
    file,
    tab: isTab(tab) ? tab : null,
    compare: comparisonOf(query),
  };
}

function comparisonOf(query: URLSearchParams): Comparison | null {
  const to = query.get("to");
  return to === null ? null : { from: query.get("from"), to };
}

/** Returns the address of a route. */
export function formatRoute(route: Route): string {
  switch (route.view) {
    case "home":
    case "unknown":
      return "/";
    case "models":
      return "/models";
    case "alone": {
      const query = new URLSearchParams({ file: route.file });
      return `/p/${encodeURIComponent(route.name)}/view?${query}`;
    }
    case "project": {
      const base = `/p/${encodeURIComponent(route.name)}`;
      const path =
        route.conversation === null
          ? base
          : `${base}/c/${encodeURIComponent(route.conversation)}`;
      const query = new URLSearchParams();
      if (route.file !== null) query.set("file", route.file);
      if (route.tab !== null) query.set("tab", route.tab);
      if (route.compare !== null) {
        if (route.compare.from !== null) query.set("from", route.compare.from);
        query.set("to", route.compare.to);
      }
      const search = query.toString();
      return search === "" ? path : `${path}?${search}`;
    }
  }
}

/** Returns the route of a project's page without anything chosen in it. */
export function projectRoute(name: string, conversation: string | null = null): Route {
  return { view: "project", name, conversation, file: null, tab: null, compare: null };
}

const CHANGED = "vitrail:navigated";

/** Goes to a route; `replace` leaves no step to go back to. */
export function navigate(route: Route, how: "push" | "replace" = "push"): void {
  const address = formatRoute(route);
  if (address === location.pathname + location.search) return;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  window.dispatchEvent(new Event(CHANGED));
}

function subscribe(changed: () => void): () => void {
  window.addEventListener("popstate", changed);
  window.addEventListener(CHANGED, changed);
  return () => {
    window.removeEventListener("popstate", changed);
    window.removeEventListener(CHANGED, changed);
  };
}

let last: { readonly address: string; readonly route: Route } | null = null;

function current(): Route {
  const address = location.pathname + location.search;
  if (last?.address !== address) {
    last = { address, route: parseRoute(location.pathname, location.search) };
  }
  return last.route;
}

/** Returns the route of the page, followed. */
export function useRoute(): Route {
  return useSyncExternalStore(subscribe, current);
}
