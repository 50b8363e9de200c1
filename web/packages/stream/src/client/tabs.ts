import type { Envelope } from "@vitrail/protocol";
import {
  type Connection,
  ConnectionReader,
  SilenceWatch,
  type Sink,
} from "./connection.ts";
import type { Channel, Locks, Surroundings } from "./surroundings.ts";

/** What tabs say to each other; the leading tab's words but for `hello` and `retry`. */
type TabMessage =
  /** Events; the sender had handed on everything up to `after` before them. */
  | {
      readonly say: "events";
      readonly after: number;
      readonly events: readonly Envelope[];
    }
  /** How the stream stands, and up to which number the sender has handed on. */
  | { readonly say: "stand"; readonly last: number; readonly connection: Connection }
  | { readonly say: "reset"; readonly seq: number }
  | { readonly say: "alive" }
  /** A tab came and wants to know how the stream stands. */
  | { readonly say: "hello" }
  | { readonly say: "retry" };

/** Names the Web Lock and the channel; another number where the words change. */
export const TABS_NAME = "vitrail-events-1";
/** How often the leading tab says that it is there. */
export const ALIVE_MS = 20_000;
/**
 * Silence after which another tab takes the lead by force. Browsers wake the timers of
 * tabs in the background once a minute, so it must be more than that.
 */
export const LEADERLESS_MS = 100_000;

/**
 * One event stream for all tabs of a browser: browsers allow six connections a host.
 *
 * Strategy: every tab asks for one Web Lock; the browser gives it to one of them at a
 * time, and to the next when that tab goes, however it goes. The holder reads the
 * stream and posts each batch with the number it follows on. A tab that finds a gap
 * (it came late, it slept, the lead changed) reads the missing stretch by a stream of
 * its own and closes it. So each tab hands on each event once and in order: whatever
 * arrives, a tab takes what is newer than its last, and only where it joins on.
 *
 * A lead that falls silent (its page hangs) is taken by force.
 */
export class SharedTabs {
  readonly #around: Surroundings;
  readonly #locks: Locks;
  readonly #url: string;
  readonly #sink: Sink;
  readonly #channel: Channel;
  readonly #leave = new AbortController();
  #last: number;
  #connection: Connection = { state: "connecting" };
  #lead: ConnectionReader | null = null;
  #catchUp: ConnectionReader | null = null;
  /** What the catch-up has to reach. */
  #missingTo = 0;
  /** Batches that wait for a gap to be filled. */
  #waiting: Extract<TabMessage, { say: "events" }>[] = [];
  #silence: SilenceWatch | null = null;

  constructor(
    around: Surroundings & {
      readonly locks: Locks;
      readonly openChannel: (name: string) => Channel;
    },
    url: string,
    after: number,
    sink: Sink,
  ) {
    this.#around = around;
    this.#locks = around.locks;
    this.#url = url;
    this.#last = after;
    this.#sink = sink;
    this.#channel = around.openChannel(TABS_NAME);
    this.#channel.listen((message) => this.#hear(message as TabMessage)); // our own origin's
    this.#follow();
    this.#post({ say: "hello" });
  }

  /** Number of the last event that was handed on. */
  get last(): number {
    return this.#last;
  }

  /** Leave the lead, if it is here, to another tab. */
  stop(): void {
    if (this.#leave.signal.aborted) return;
    this.#leave.abort();
    this.#lead?.stop();
    this.#endCatchUp();
    this.#silence?.stop();
    this.#channel.close();
  }

  retryNow(): void {
    this.#lead?.retryNow();
    this.#catchUp?.retryNow();
    if (this.#lead === null) this.#post({ say: "retry" });
  }

  /** Stand in line for the lead, and watch over the one who has it. */
  #follow(): void {
    if (this.#leave.signal.aborted) return;
    const queue = new AbortController();
    const leaveQueue = () => queue.abort();
    this.#leave.signal.addEventListener("abort", leaveQueue);
    const done = () => this.#leave.signal.removeEventListener("abort", leaveQueue);
    // not all at the same moment, as they would when a machine wakes up
    const limitMs = LEADERLESS_MS * (1 + this.#around.random() / 4);
    this.#silence = new SilenceWatch(this.#around, limitMs, () => {
      done();
      queue.abort();
      this.#take({ steal: true });
    });
    this.#take({ signal: queue.signal }, done);
  }

  /** Ask for the lock; lead while it is ours. */
  #take(options: { signal?: AbortSignal; steal?: boolean }, done = () => {}): void {
    const reader = { current: null as ConnectionReader | null };
    this.#locks
      .request(TABS_NAME, options, () => {
        done();
        if (this.#leave.signal.aborted) return Promise.resolve();
        reader.current = this.#beginLead();
        return reader.current.run();
      })
      .catch((error: unknown) => {
        // Two refusals are part of the game: we left the line, or our lead was taken.
        // After any other there is no taking turns; what comes doubled is dropped.
        if (!isAbort(error) && reader.current === null) void this.#beginLead().run();
      })
      .finally(() => {
        if (reader.current === null || this.#lead !== reader.current) return;
        reader.current.stop();
        this.#lead = null;
        this.#follow();
      });
  }

  #beginLead(): ConnectionReader {
    this.#silence?.stop();
    this.#endCatchUp();
    this.#waiting = [];
    const lead = new ConnectionReader(this.#around, this.#url, this.#last, {
      onEvents: (events) => {
        this.#post({ say: "events", after: this.#last, events });
        this.#handOn(events);
      },
      onReset: (seq) => {
        this.#post({ say: "reset", seq });
        this.#reset(seq);
      },
      onConnection: (connection) => {
        this.#stand(connection);
        this.#post({ say: "stand", last: this.#last, connection });
      },
    });
    this.#lead = lead;
    this.#tellAlive(lead);
    return lead;
  }

  /** Say now and then that this tab leads, for as long as it does. */
  #tellAlive(lead: ConnectionReader): void {
    this.#around.after(ALIVE_MS, () => {
      if (this.#lead !== lead || this.#leave.signal.aborted) return;
      this.#post({ say: "alive" });
      this.#tellAlive(lead);
    });
  }

  #hear(message: TabMessage): void {
    if (this.#leave.signal.aborted) return;
    if (message.say === "hello") {
      if (this.#lead === null) return;
      this.#post({ say: "stand", last: this.#last, connection: this.#connection });
      return;
    }
    if (message.say === "retry") {
      this.#lead?.retryNow();
      return;
    }
    // A lead that was taken by force may still talk for a moment; ours counts.
    if (this.#lead !== null) return;
    this.#silence?.heard();
    switch (message.say) {
      case "events":
        this.#waiting.push(message);
        this.#drain();
        break;
      case "stand":
        if (message.last > this.#last) this.#fillUpTo(message.last);
        this.#stand(message.connection);
        break;
      case "reset":
        this.#endCatchUp();
        this.#waiting = [];
        this.#reset(message.seq);
        break;
      case "alive":
        break;
    }
  }

  /** Hand on the waiting batches that join on; fill the gap before the first that does not. */
  #drain(): void {
    let batch = this.#waiting[0];
    while (batch !== undefined && batch.after <= this.#last) {
      this.#waiting.shift();
      this.#handOn(batch.events);
      batch = this.#waiting[0];
    }
    if (batch !== undefined) this.#fillUpTo(batch.after);
  }

  /** Read what is missing up to a number that the server has, by a stream of our own. */
  #fillUpTo(seq: number): void {
    this.#missingTo = Math.max(this.#missingTo, seq);
    if (this.#catchUp !== null) return;
    this.#catchUp = new ConnectionReader(this.#around, this.#url, this.#last, {
      onEvents: (events) => {
        this.#handOn(events);
        this.#drain();
      },
      onReset: (to) => {
        this.#endCatchUp();
        this.#waiting = [];
        this.#reset(to);
      },
      onConnection: () => {},
    });
    void this.#catchUp.run();
  }

  #endCatchUp(): void {
    this.#catchUp?.stop();
    this.#catchUp = null;
    this.#missingTo = 0;
  }

  #handOn(events: readonly Envelope[]): void {
    const last = this.#last;
    const fresh = events.filter((envelope) => envelope.seq > last);
    const newest = fresh.at(-1);
    if (newest === undefined) return;
    this.#last = newest.seq;
    if (this.#catchUp !== null && this.#last >= this.#missingTo) this.#endCatchUp();
    this.#sink.onEvents(fresh);
  }

  #reset(seq: number): void {
    this.#last = seq;
    this.#sink.onReset(seq);
  }

  #stand(connection: Connection): void {
    this.#connection = connection;
    this.#sink.onConnection(connection);
  }

  #post(message: TabMessage): void {
    this.#channel.post(message);
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
