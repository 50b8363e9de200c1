import { type Envelope, parseEnvelope } from "@vitrail/protocol";
import { type ApiError, errorOf, invalidResponse } from "./errors.ts";
import { type SseFrame, SseParser } from "./sse.ts";
import type { Surroundings } from "./surroundings.ts";

/** How the event stream stands. */
export type Connection =
  | { readonly state: "idle" }
  | { readonly state: "connecting" }
  | { readonly state: "open" }
  /** Lost; `attempt` counts from 1 and the next one is `retryInMs` from when this was told. */
  | { readonly state: "waiting"; readonly attempt: number; readonly retryInMs: number }
  /** The cookie is gone; a new link from the terminal brings it back. */
  | { readonly state: "signed-out" }
  /** The server will not have us, for a reason that waiting does not mend. */
  | { readonly state: "refused"; readonly code: string; readonly detail: string };

/** Who reads a connection. */
export interface Sink {
  /** Events in order, as many as arrived together. */
  readonly onEvents: (envelopes: readonly Envelope[]) => void;
  /** The server's log is another one than before; it goes on from this number. */
  readonly onReset: (seq: number) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Bytes came, be it a heartbeat. */
  readonly onAlive?: () => void;
}

/** The shortest wait before the second attempt, where the server names none. */
export const BASE_DELAY_MS = 1000;
/** The longest wait between two attempts; a person looks at the screen meanwhile. */
export const MAX_DELAY_MS = 15_000;
/** Silence after which a stream counts as dead: three heartbeats of the server. */
export const QUIET_MS = 45_000;
/** A stream that held this long was a good one: the next failure is a first one. */
const SETTLED_MS = 5_000;

type Outcome =
  | { readonly kind: "not-now"; readonly retryAfterMs: number }
  | { readonly kind: "signed-out" }
  | { readonly kind: "refused"; readonly error: ApiError };

/** No answer, a stream that ended or broke, silence: all mean "try again later". */
const NOT_NOW: Outcome = { kind: "not-now", retryAfterMs: 0 };

/**
 * Reads `/api/events` from a number on, for as long as it is not stopped.
 *
 * Strategy: `fetch` and not EventSource, since the status of a refusal, the wait before
 * a retry and silence on an open line are all things that EventSource keeps to itself.
 * Each attempt names the last number that was handed on, so nothing is lost or doubled
 * by however many attempts it takes.
 */
export class ConnectionReader {
  readonly #around: Surroundings;
  readonly #url: string;
  readonly #sink: Sink;
  readonly #stop = new AbortController();
  #last: number;
  #attempt = 0;
  #baseMs = BASE_DELAY_MS;
  #wake: (() => void) | null = null;

  constructor(around: Surroundings, url: string, after: number, sink: Sink) {
    this.#around = around;
    this.#url = url;
    this.#last = after;
    this.#sink = sink;
  }

  /** Number of the last event that was handed on. */
  get last(): number {
    return this.#last;
  }

  /** Read until `stop`; rejects only where the sink throws. */
  async run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#sink.onConnection({ state: "connecting" });
      const began = this.#around.now();
      const before = this.#last;
      const outcome = await this.#readOnce();
      if (this.#stop.signal.aborted) return;
      const wasGood = this.#last !== before || this.#around.now() - began >= SETTLED_MS;
      this.#attempt = wasGood ? 1 : this.#attempt + 1;
      await this.#pause(outcome);
    }
  }

  /** Read no more; what is under way is called off. */
  stop(): void {
    this.#stop.abort();
    this.#wake?.();
  }

  /** Try again at once where it is waiting. */
  retryNow(): void {
    this.#wake?.();
  }

  async #pause(outcome: Outcome): Promise<void> {
    switch (outcome.kind) {
      case "signed-out":
        this.#sink.onConnection({ state: "signed-out" });
        await this.#sleep(null);
        return;
      case "refused":
        this.#sink.onConnection({
          state: "refused",
          code: outcome.error.code,
          detail: outcome.error.detail,
        });
        await this.#sleep(null);
        return;
      case "not-now": {
        const retryInMs = Math.max(outcome.retryAfterMs, this.#delayMs());
        this.#sink.onConnection({ state: "waiting", attempt: this.#attempt, retryInMs });
        await this.#sleep(retryInMs);
      }
    }
  }

  /** Doubling waits, each shortened by up to a half so that many tabs do not march in step. */
  #delayMs(): number {
    const doubled = this.#baseMs * 2 ** Math.min(this.#attempt - 1, 10);
    const limited = Math.min(doubled, MAX_DELAY_MS);
    return Math.round(limited * (1 - this.#around.random() / 2));
  }

  /** Wait for so long, or until woken; null waits for the waking alone. */
  #sleep(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const cancel =
        ms === null ? () => {} : this.#around.after(ms, () => this.#wake?.());
      this.#wake = () => {
        this.#wake = null;
        cancel();
        resolve();
      };
      if (this.#stop.signal.aborted) this.#wake();
    });
  }

  async #readOnce(): Promise<Outcome> {
    const line = new AbortController();
    const hangUp = () => line.abort();
    this.#stop.signal.addEventListener("abort", hangUp);
    const watch = new SilenceWatch(this.#around, QUIET_MS, hangUp);
    try {
      const response = await this.#ask(line.signal);
      if (response === null) return NOT_NOW;
      if (!response.ok) return await refusal(response);
      const type = response.headers.get("content-type") ?? "";
      if (!type.startsWith("text/event-stream") || response.body === null) {
        return { kind: "refused", error: invalidResponse(response.status) };
      }
      watch.heard();
      this.#sink.onConnection({ state: "open" });
      await this.#readBody(response.body, watch);
      return NOT_NOW;
    } finally {
      watch.stop();
      this.#stop.signal.removeEventListener("abort", hangUp);
      line.abort();
    }
  }

  /** The server's answer, or null where there is none. */
  async #ask(signal: AbortSignal): Promise<Response | null> {
    const init: RequestInit = {
      headers: { accept: "text/event-stream", "last-event-id": String(this.#last) },
      cache: "no-store",
      credentials: "same-origin",
      signal,
    };
    try {
      return await this.#around.fetch(`${this.#url}?after=${this.#last}`, init);
    } catch {
      return null;
    }
  }

  /** Read until the stream ends, breaks or is called off. */
  async #readBody(body: ReadableStream<Uint8Array>, watch: SilenceWatch): Promise<void> {
    const parser = new SseParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (;;) {
      const piece = await readPiece(reader);
      if (piece === null || this.#stop.signal.aborted) return;
      watch.heard();
      this.#sink.onAlive?.();
      const frames = parser.feed(decoder.decode(piece, { stream: true }));
      if (parser.retryMs !== null) this.#baseMs = Math.max(parser.retryMs, 1);
      this.#handOn(frames);
    }
  }

  /** Hand on what is newer, in runs of events between resets. */
  #handOn(frames: readonly SseFrame[]): void {
    let batch: Envelope[] = [];
    const flush = () => {
      if (batch.length > 0) this.#sink.onEvents(batch);
      batch = [];
    };
    for (const frame of frames) {
      if (frame.event === "reset") {
        flush();
        this.#last = resetSeq(frame.data) ?? this.#last;
        this.#sink.onReset(this.#last);
        continue;
      }
      const envelope = frame.event === "message" ? parseEnvelope(frame.data) : null;
      if (envelope === null || envelope.seq <= this.#last) continue;
      this.#last = envelope.seq;
      batch.push(envelope);
    }
    flush();
  }
}

/** Calls back once nothing was heard for so long. One timer at a time, whatever comes. */
export class SilenceWatch {
  readonly #around: Surroundings;
  readonly #limitMs: number;
  readonly #onSilence: () => void;
  #heardAt: number;
  #cancel: () => void;

  constructor(around: Surroundings, limitMs: number, onSilence: () => void) {
    this.#around = around;
    this.#limitMs = limitMs;
    this.#onSilence = onSilence;
    this.#heardAt = around.now();
    this.#cancel = around.after(limitMs, () => this.#check());
  }

  heard(): void {
    this.#heardAt = this.#around.now();
  }

  stop(): void {
    this.#cancel();
  }

  #check(): void {
    const leftMs = this.#heardAt + this.#limitMs - this.#around.now();
    if (leftMs <= 0) this.#onSilence();
    else this.#cancel = this.#around.after(leftMs, () => this.#check());
  }
}

async function refusal(response: Response): Promise<Outcome> {
  if (response.status === 401) return { kind: "signed-out" };
  const error = await errorOf(response);
  const isPassing = response.status >= 500 || [408, 425, 429].includes(response.status);
  if (isPassing)
    return { kind: "not-now", retryAfterMs: (error.retryAfterS ?? 0) * 1000 };
  return { kind: "refused", error };
}

/** The next piece of a body, or null at its end, be it a broken one. */
async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<Uint8Array | null> {
  try {
    return (await reader.read()).value ?? null;
  } catch {
    return null;
  }
}

function resetSeq(data: string): number | null {
  const found = /^\{"seq":([0-9]{1,15})\}$/.exec(data)?.[1];
  return found === undefined ? null : Number(found);
}
