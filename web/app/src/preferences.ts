/** What the workspace remembers about its person, in this browser. */

import { DEFAULT_LAYOUT, type PaneLayout } from "@vitrail/react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { StageTab } from "./routes.ts";

/** Light, dark, or what the system says. */
export type Theme = "system" | "light" | "dark";

/** What is remembered of one project's stage. */
export interface StageMemory {
  /** It has opened by itself once; it never does again. */
  readonly hasOpened: boolean;
  readonly isOpen: boolean;
  readonly path: string | null;
  readonly tab: StageTab;
}

/** Everything that is remembered. */
export interface Preferences {
  readonly theme: Theme;
  readonly layout: PaneLayout;
  readonly isWrapped: boolean;
  /** Who wrote each line stands beside the source. */
  readonly isBlamed: boolean;
  /** Versions are compared side by side, where there is room. */
  readonly isSplit: boolean;
  /** How many times as fast as recorded a recording plays. */
  readonly speed: number;
  readonly isConsoleOpen: boolean;
  /** By project id. */
  readonly stages: Readonly<Record<string, StageMemory>>;
}

/** A stage that nobody has seen yet. */
export const FRESH_STAGE: StageMemory = {
  hasOpened: false,
  isOpen: false,
  path: null,
  tab: "preview",
};

const DEFAULTS: Preferences = {
  theme: "system",
  layout: DEFAULT_LAYOUT,
  isWrapped: false,
  isBlamed: false,
  isSplit: true,
  speed: 1,
  isConsoleOpen: false,
  stages: {},
};

const KEY = "vitrail:preferences";
const MAX_STAGES = 200;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseRecord(stored: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(stored ?? "null");
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns what was stored, as far as it has the shape of today. */
export function readPreferences(stored: string | null): Preferences {
  const known = parseRecord(stored);
  if (known === null) return DEFAULTS;
  const keep = <Key extends keyof Preferences>(key: Key): Preferences[Key] => {
    const found = known[key];
    const fallback = DEFAULTS[key];
    if (isRecord(found) && isRecord(fallback)) {
      return Object.assign({}, fallback, found);
    }
    const isAlike = typeof found === typeof fallback && !isRecord(fallback);
    return isAlike ? (found as Preferences[Key]) : fallback; // the same primitive type
  };
  return {
    theme: keep("theme"),
    layout: keep("layout"),
    isWrapped: keep("isWrapped"),
    isBlamed: keep("isBlamed"),
    isSplit: keep("isSplit"),
    speed: keep("speed"),
    isConsoleOpen: keep("isConsoleOpen"),
    stages: keep("stages"),
  };
}

function readStorage(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function writeStorage(preferences: Preferences): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // A full or forbidden storage forgets; nothing else depends on it.
  }
}

/** The one store of preferences of this page. */
export const preferences: StoreApi<Preferences> = createStore<Preferences>(() =>
  readPreferences(readStorage()),
);
preferences.subscribe(writeStorage);

/** Returns one preference, followed. */
export function usePreference<T>(select: (preferences: Preferences) => T): T {
  return useStore(preferences, select);
}

/** Changes preferences. */
export function prefer(change: Partial<Preferences>): void {
  preferences.setState(change);
}

/** Changes what is remembered of a project's stage; the oldest are forgotten. */
export function rememberStage(projectId: string, change: Partial<StageMemory>): void {
  const { stages } = preferences.getState();
  const { [projectId]: known = FRESH_STAGE, ...others } = stages;
  const kept = Object.entries(others).slice(-MAX_STAGES);
  prefer({
    stages: { ...Object.fromEntries(kept), [projectId]: { ...known, ...change } },
  });
}

/** Puts the theme on the root element, where the colour roles read it. */
export function applyTheme(theme: Theme, root: HTMLElement): void {
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
}
