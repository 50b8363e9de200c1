import { useCallback, useSyncExternalStore } from "react";
import type { PaneMode } from "./panes.tsx";

/** Returns whether a media query holds, followed. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Returns how many panes have room: up to 900 px two with a switch, up to 599 px one. */
export function usePaneMode(): PaneMode {
  const isNarrow = useMedia("(max-width: 900px)");
  const isPhone = useMedia("(max-width: 599px)");
  return isPhone ? "phone" : isNarrow ? "narrow" : "wide";
}
