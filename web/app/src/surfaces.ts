/** What lies over the page: at most one at a time, so no dialog stands on a dialog. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

/** A dialog or the palette. */
export type Surface =
  | { readonly surface: "connect" }
  | { readonly surface: "palette" }
  | { readonly surface: "import-transcript"; readonly projectId: string }
  | { readonly surface: "delete-project"; readonly projectId: string }
  | { readonly surface: "delete-conversation"; readonly conversationId: string }
  | null;

const surfaces = createStore<{ readonly open: Surface }>(() => ({ open: null }));

/** Opens a surface in the place of the one that was open. */
export function openSurface(surface: Exclude<Surface, null>): void {
  surfaces.setState({ open: surface });
}

/** Closes what is open. */
export function closeSurface(): void {
  surfaces.setState({ open: null });
}

/** Returns what is open, followed. */
export function useSurface(): Surface {
  return useStore(surfaces, (state) => state.open);
}
