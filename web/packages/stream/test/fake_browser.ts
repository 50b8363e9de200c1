import type { Envelope } from "@vitrail/protocol";
import type { Channel, Locks, Surroundings } from "../src/client/surroundings.ts";

/** Let everything that is ready run, until nothing is. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Virtual time: timers run when they are advanced over, in order. */
export class FakeTime {
  now = 0;
  #timers: { at: number; callback: () => void }[] = [];

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  async advance(ms: number): Promise<void> {
    await settle();
    const until = this.now + ms;
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > until) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.now = Math.max(this.now, next.at);
      next.callback();
      await settle();
    }
    this.now = until;
    await settle();
  }
}

/** An event of the log, as short as one can be. */
export function envelope(seq: number, event: Envelope["event"]): Envelope {
  return {
    seq,
    at: "2026-11-30T12:00:00.000Z",
    projectId: null,
    conversationId: null,
    runId: null,
    messageId: null,
    event,
  };
}

type Line = { send: (text: string) => void; end: () => void; break: () => void };

/** A server with a log: streams what is after a number, and what is still to come. */
export class FakeServer {
  readonly log: Envelope[] = [];
  /** Answers to give instead of a stream, in order. */
  readonly refusals: Response[] = [];
  /** `Last-Event-ID` of each request, in order. */
  readonly asked: number[] = [];
  isUp = true;
  /** How many bytes go into one piece of a body. */
  pieceBytes = 1_000_000;
  readonly #lines = new Set<Line>();

  get openStreams(): number {
    return this.#lines.size;
  }

  emit(
    seq: number,
    event: Envelope["event"] = { type: "text", delta: `${seq} 🧪` },
  ): void {
    const made = envelope(seq, event);
    this.log.push(made);
    this.sendAll(frame(made));
  }

  sendAll(text: string): void {
    for (const line of this.#lines) line.send(text);
  }

  /** The network breaks every line. */
  breakAll(): void {
    for (const line of [...this.#lines]) line.break();
  }

  /** The server ends every stream in good order. */
  endAll(): void {
    for (const line of [...this.#lines]) line.end();
  }

  async fetch(url: string, init: RequestInit): Promise<Response> {
    const after = Number(new URL(url, "http://test").searchParams.get("after"));
    const asked = new Headers(init.headers).get("last-event-id");
    this.asked.push(Number(asked));
    if (Number(asked) !== after) throw new Error("the two places of the number differ");
    if (!this.isUp) throw new TypeError("connection refused");
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return refusal;
    return new Response(this.#stream(after, init.signal ?? null), {
      headers: { "content-type": "text/event-stream; charset=utf-8" },
    });
  }

  #stream(after: number, signal: AbortSignal | null): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let drop = () => {};
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const line: Line = {
          send: (text) => {
            const bytes = encoder.encode(text);
            for (let at = 0; at < bytes.length; at += this.pieceBytes) {
              controller.enqueue(bytes.slice(at, at + this.pieceBytes));
            }
          },
          end: () => {
            this.#lines.delete(line);
            controller.close();
          },
          break: () => {
            this.#lines.delete(line);
            controller.error(new TypeError("network error"));
          },
        };
        drop = () => this.#lines.delete(line);
        signal?.addEventListener("abort", () => {
          if (this.#lines.delete(line)) controller.error(signal.reason);
        });
        this.#lines.add(line);
        line.send(": hello\nretry: 1000\n\n");
        const missed = this.log.filter((made) => made.seq > after);
        if (missed.length > 0) line.send(missed.map(frame).join(""));
      },
      cancel: () => drop(),
    });
  }
}

export function frame(made: Envelope): string {
  return `id: ${made.seq}\ndata: ${JSON.stringify(made)}\n\n`;
}

type Waiting = {
  tab: object;
  grant: () => void;
  refuse: () => void;
};

/** One browser: locks and channels that its tabs share. */
export class FakeBrowser {
  readonly time = new FakeTime();
  readonly server: FakeServer;
  #holder: Waiting | null = null;
  #queue: Waiting[] = [];
  readonly #channels = new Set<FakeChannel>();

  constructor(server: FakeServer) {
    this.server = server;
  }

  /** A lock holder that is there and says nothing. */
  hang(): void {
    this.#holder = { tab: {}, grant: () => {}, refuse: () => {} };
  }

  openTab(): FakeTab {
    return new FakeTab(this);
  }

  post(from: FakeChannel, message: unknown): void {
    for (const channel of this.#channels) {
      if (channel !== from) channel.receive(structuredClone(message));
    }
  }

  addChannel(channel: FakeChannel): void {
    this.#channels.add(channel);
  }

  removeChannel(channel: FakeChannel): void {
    this.#channels.delete(channel);
  }

  /** The lock of a tab that is gone goes to the next in line. */
  dropLocksOf(tab: object): void {
    this.#queue = this.#queue.filter((waiting) => waiting.tab !== tab);
    if (this.#holder?.tab === tab) this.#holder = null;
    this.#pass();
  }

  requestLock(
    tab: FakeTab,
    options: { readonly signal?: AbortSignal; readonly steal?: boolean },
    callback: () => Promise<void>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        tab,
        grant: () => {
          const release = () => {
            if (this.#holder === waiting) this.#holder = null;
            this.#pass();
          };
          callback().then(
            () => {
              release();
              resolve();
            },
            (error) => {
              release();
              reject(error);
            },
          );
        },
        refuse: () => reject(new DOMException("stolen", "AbortError")),
      };
      if (options.steal === true) {
        this.#holder?.refuse();
        this.#holder = waiting;
        queueMicrotask(waiting.grant);
        return;
      }
      options.signal?.addEventListener("abort", () => {
        if (!this.#queue.includes(waiting)) return;
        this.#queue = this.#queue.filter((other) => other !== waiting);
        reject(new DOMException("aborted", "AbortError"));
      });
      this.#queue.push(waiting);
      this.#pass();
    });
  }

  #pass(): void {
    if (this.#holder !== null) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#holder = next;
    queueMicrotask(next.grant);
  }
}

/** One tab's surroundings; `kill` is what closing it, or its crash, does. */
export class FakeTab implements Surroundings {
  readonly locks: Locks | null;
  readonly openChannel: ((name: string) => Channel) | null;
  readonly #browser: FakeBrowser;
  #isDead = false;
  readonly #channels: FakeChannel[] = [];
  readonly #aborts: AbortController[] = [];
  #wake: () => void = () => {};
  #shelf: { away: () => void; back: () => void } = { away: () => {}, back: () => {} };

  constructor(browser: FakeBrowser, has: { locks: boolean } = { locks: true }) {
    this.#browser = browser;
    this.locks = has.locks
      ? {
          request: (_, options, callback) =>
            this.#isDead
              ? new Promise(() => {})
              : browser.requestLock(this, options, callback),
        }
      : null;
    this.openChannel = () => {
      const channel = new FakeChannel(browser);
      this.#channels.push(channel);
      return channel;
    };
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    if (this.#isDead) return new Promise(() => {});
    const ours = new AbortController();
    this.#aborts.push(ours);
    init.signal?.addEventListener("abort", () => ours.abort(init.signal?.reason));
    return this.#browser.server.fetch(url, { ...init, signal: ours.signal });
  };

  readonly after = (ms: number, callback: () => void): (() => void) =>
    this.#browser.time.after(ms, () => {
      if (!this.#isDead) callback();
    });

  readonly now = (): number => this.#browser.time.now;

  readonly random = (): number => 0;

  readonly onWake = (listener: () => void): (() => void) => {
    this.#wake = listener;
    return () => {
      this.#wake = () => {};
    };
  };

  readonly onShelf = (away: () => void, back: () => void): (() => void) => {
    this.#shelf = { away, back };
    return () => {};
  };

  wake(): void {
    this.#wake();
  }

  putAway(): void {
    this.#shelf.away();
  }

  bringBack(): void {
    this.#shelf.back();
  }

  /** Messages of other tabs stay in its queue until `thaw`. */
  freeze(): void {
    for (const channel of this.#channels) channel.freeze();
  }

  thaw(): void {
    for (const channel of this.#channels) channel.thaw();
  }

  kill(): void {
    this.#isDead = true;
    for (const channel of this.#channels) channel.kill();
    for (const abort of this.#aborts) abort.abort();
    this.#browser.dropLocksOf(this);
  }
}

class FakeChannel implements Channel {
  readonly #browser: FakeBrowser;
  #listener: (message: unknown) => void = () => {};
  readonly #queue: unknown[] = [];
  #isFrozen = false;
  #isClosed = false;
  #isDead = false;

  constructor(browser: FakeBrowser) {
    this.#browser = browser;
    browser.addChannel(this);
  }

  post(message: unknown): void {
    if (this.#isDead) return;
    if (this.#isClosed) throw new DOMException("closed", "InvalidStateError");
    this.#browser.post(this, message);
  }

  listen(listener: (message: unknown) => void): void {
    this.#listener = listener;
  }

  close(): void {
    this.#isClosed = true;
    this.#browser.removeChannel(this);
  }

  /** Its tab is gone: whatever its code would still do, it does no more. */
  kill(): void {
    this.#isDead = true;
    this.close();
  }

  receive(message: unknown): void {
    this.#queue.push(message);
    if (!this.#isFrozen) queueMicrotask(() => this.#deliver());
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#deliver();
  }

  #deliver(): void {
    while (!this.#isFrozen && !this.#isClosed && this.#queue.length > 0) {
      this.#listener(this.#queue.shift());
    }
  }
}
