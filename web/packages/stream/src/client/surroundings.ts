/**
 * What the client needs of the browser; tests bring their own.
 *
 * Nothing else in this folder touches a global.
 */
export interface Surroundings {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Call back once after `ms`; the result calls it off. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** A clock that never goes back, in ms. */
  readonly now: () => number;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** Null where the browser has no Web Locks. */
  readonly locks: Locks | null;
  /** Null where the browser has no BroadcastChannel. */
  readonly openChannel: ((name: string) => Channel) | null;
  /** Told when trying again at once is worth it: network back, tab in front again. */
  readonly onWake: (listener: () => void) => () => void;
  /** Told when the page is put away (it may never come back), and when it comes back. */
  readonly onShelf: (away: () => void, back: () => void) => () => void;
}

/** The part of the Web Locks API that is used. */
export interface Locks {
  request(
    name: string,
    options: { readonly signal?: AbortSignal; readonly steal?: boolean },
    callback: () => Promise<void>,
  ): Promise<void>;
}

/** A BroadcastChannel: what one tab posts, every other tab of the origin gets. */
export interface Channel {
  post(message: unknown): void;
  listen(listener: (message: unknown) => void): void;
  close(): void;
}

/** The browser that this runs in. */
export function browserSurroundings(): Surroundings {
  return {
    fetch: (url, init) => fetch(url, init),
    after: (ms, callback) => {
      const handle = setTimeout(callback, ms);
      return () => clearTimeout(handle);
    },
    now: () => performance.now(),
    random: () => Math.random(),
    locks: "locks" in navigator ? browserLocks(navigator.locks) : null,
    openChannel: typeof BroadcastChannel === "undefined" ? null : openChannel,
    onWake: (listener) => {
      const onVisible = () => {
        if (document.visibilityState === "visible") listener();
      };
      window.addEventListener("online", listener);
      document.addEventListener("visibilitychange", onVisible);
      return () => {
        window.removeEventListener("online", listener);
        document.removeEventListener("visibilitychange", onVisible);
      };
    },
    onShelf: (away, back) => {
      const onBack = (event: PageTransitionEvent) => {
        if (event.persisted) back();
      };
      window.addEventListener("pagehide", away);
      window.addEventListener("pageshow", onBack);
      return () => {
        window.removeEventListener("pagehide", away);
        window.removeEventListener("pageshow", onBack);
      };
    },
  };
}

function browserLocks(locks: LockManager): Locks {
  return {
    request: async (name, options, callback) => {
      await locks.request(name, options, callback);
    },
  };
}

function openChannel(name: string): Channel {
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => {
      channel.onmessage = (event: MessageEvent<unknown>) => listener(event.data);
    },
    close: () => channel.close(),
  };
}
