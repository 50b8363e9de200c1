import type { Connection, Sink } from "./connection.ts";
import { ConnectionReader } from "./connection.ts";
import { browserSurroundings, type Surroundings } from "./surroundings.ts";
import { SharedTabs } from "./tabs.ts";

/** The browser's event stream as one tab uses it. */
export interface EventClient {
  /** How the stream stands. */
  readonly connection: Connection;
  /** Hand on every event after this number, once and in order, until `stop`. */
  start(after: number, sink: Sink): void;
  stop(): void;
  /** Try again at once where it is waiting, signed out or refused. */
  retryNow(): void;
}

/** Where the stream is and what it is read with. */
export interface EventOptions {
  readonly url?: string;
  readonly around?: Surroundings;
}

/**
 * The event stream of this browser: shared by its tabs where it has Web Locks and
 * BroadcastChannel, else one for this tab.
 */
export function browserEvents(options: EventOptions = {}): EventClient {
  return new BrowserEvents(
    options.url ?? "/api/events",
    options.around ?? browserSurroundings(),
  );
}

/** Either way of reading, as far as `BrowserEvents` cares. */
interface Running {
  readonly last: number;
  stop(): void;
  retryNow(): void;
}

class BrowserEvents implements EventClient {
  readonly #url: string;
  readonly #around: Surroundings;
  #connection: Connection = { state: "idle" };
  #running: Running | null = null;
  #stopListening: () => void = () => {};

  constructor(url: string, around: Surroundings) {
    this.#url = url;
    this.#around = around;
  }

  get connection(): Connection {
    return this.#connection;
  }

  start(after: number, sink: Sink): void {
    this.stop();
    const own: Sink = {
      ...sink,
      onConnection: (connection) => {
        this.#connection = connection;
        sink.onConnection(connection);
      },
    };
    let last = after;
    this.#running = this.#open(last, own);
    const stopWake = this.#around.onWake(() => this.retryNow());
    const stopShelf = this.#around.onShelf(
      () => {
        last = this.#running?.last ?? last;
        this.#running?.stop();
        this.#running = null;
      },
      () => {
        this.#running ??= this.#open(last, own);
      },
    );
    this.#stopListening = () => {
      stopWake();
      stopShelf();
    };
  }

  stop(): void {
    this.#stopListening();
    this.#stopListening = () => {};
    this.#running?.stop();
    this.#running = null;
    this.#connection = { state: "idle" };
  }

  retryNow(): void {
    this.#running?.retryNow();
  }

  #open(after: number, sink: Sink): Running {
    const { locks, openChannel } = this.#around;
    if (locks !== null && openChannel !== null) {
      return new SharedTabs(
        { ...this.#around, locks, openChannel },
        this.#url,
        after,
        sink,
      );
    }
    return new SoleTab(this.#around, this.#url, after, sink);
  }
}

/** A stream for this tab alone. */
class SoleTab implements Running {
  readonly #reader: ConnectionReader;

  constructor(around: Surroundings, url: string, after: number, sink: Sink) {
    this.#reader = new ConnectionReader(around, url, after, sink);
    void this.#reader.run();
  }

  get last(): number {
    return this.#reader.last;
  }

  stop(): void {
    this.#reader.stop();
  }

  retryNow(): void {
    this.#reader.retryNow();
  }
}
