import type { WorkspaceState } from "@vitrail/stream";
import type { Api, Connection, Workspace, WorkspaceView } from "@vitrail/stream/client";
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useSyncExternalStore,
} from "react";
import { FrameHub } from "./frame-hub.ts";

/** What the views are wired to. */
export interface Wiring {
  readonly api: Api;
  readonly workspace: Workspace;
}

const WiringContext = createContext<Wiring | null>(null);

/** Gives every view below it the workspace. */
export function WiringProvider(props: {
  readonly wiring: Wiring;
  readonly children: ReactNode;
}): ReactElement {
  return <WiringContext value={props.wiring}>{props.children}</WiringContext>;
}

/** Returns the workspace and its API. */
export function useWiring(): Wiring {
  const wiring = useContext(WiringContext);
  if (wiring === null) throw new Error("expected a WiringProvider above this view");
  return wiring;
}

type Store = Workspace["store"];

const hubs = new WeakMap<Store, FrameHub>();

function hubOf(store: Store): FrameHub {
  let hub = hubs.get(store);
  if (hub === undefined) {
    hub = new FrameHub();
    hubs.set(store, hub);
    store.subscribe(hub.changed);
  }
  return hub;
}

/**
 * Returns what `select` takes from the workspace, drawn at most once a frame
 * however many events come. `select` returns the same value for the same view.
 */
export function useView<T>(select: (view: WorkspaceView) => T): T {
  const { store } = useWiring().workspace;
  const subscribe = useCallback(
    (changed: () => void) => hubOf(store).subscribe(changed),
    [store],
  );
  return useSyncExternalStore(subscribe, () => select(store.getState()));
}

/** Returns what `select` takes from the folded state. */
export function useData<T>(select: (data: WorkspaceState) => T): T {
  return useView((view) => select(view.data));
}

/** Returns true while the event stream is lost: the workspace can be read, not used. */
export function useIsOffline(): boolean {
  return useView((view) => isLost(view.connection));
}

/** Returns true for a connection that a person should hear about. */
export function isLost(connection: Connection): boolean {
  return connection.state === "waiting" || connection.state === "refused";
}
