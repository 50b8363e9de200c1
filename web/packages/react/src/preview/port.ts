import {
  BRIDGE_VERSION,
  type FrameMessage,
  type HostMessage,
  MAX_MESSAGES_PER_S,
  readFrameMessage,
  readHello,
} from "@vitrail/bridge/messages";

/** What was not taken from a frame, and how often since the frame was opened. */
export interface RefusedCounts {
  /** Hellos after the first, or with another generation: only a page's script sends them. */
  readonly hostile: number;
  /** Messages that are none of the protocol's. */
  readonly malformed: number;
  /** Messages beyond the rate that a bridge keeps to. */
  readonly flooded: number;
}

export interface PreviewPortEvents {
  /** The document's bridge has said hello. */
  readonly onHello: () => void;
  readonly onMessage: (message: FrameMessage) => void;
  readonly onRefused: (counts: RefusedCounts) => void;
}

/** A bridge drops beyond its own rate; twice that is a page's script at work. */
const MAX_TAKEN_PER_S = 2 * MAX_MESSAGES_PER_S;

/**
 * The host's end of the line to one preview document.
 *
 * The port comes from the frame: the first hello whose source is the frame and
 * whose generation is the one that was loaded brings it. Author scripts share the
 * frame's realm, so whatever comes is taken apart by `readFrameMessage`, and none of
 * it is an order.
 */
export class PreviewPort {
  readonly #frame: () => Window | null;
  readonly #generation: string;
  readonly #events: PreviewPortEvents;
  #port: MessagePort | null = null;
  #refused: RefusedCounts = { hostile: 0, malformed: 0, flooded: 0 };
  #windowStart = 0;
  #taken = 0;

  constructor(frame: () => Window | null, generation: string, events: PreviewPortEvents) {
    this.#frame = frame;
    this.#generation = generation;
    this.#events = events;
    window.addEventListener("message", this.#onWindowMessage);
  }

  get isConnected(): boolean {
    return this.#port !== null;
  }

  send(message: HostMessage): void {
    this.#port?.postMessage(message);
  }

  close(): void {
    window.removeEventListener("message", this.#onWindowMessage);
    this.#port?.close();
    this.#port = null;
  }

  readonly #onWindowMessage = (event: MessageEvent<unknown>): void => {
    const frame = this.#frame();
    if (frame === null || event.source !== frame) {
      return;
    }
    const hello = readHello(event.data);
    if (hello === null) {
      return; // a page may talk to its parent; nobody listens
    }
    const port = event.ports[0];
    const isOurs =
      this.#port === null &&
      port !== undefined &&
      event.ports.length === 1 &&
      hello.version === BRIDGE_VERSION &&
      hello.generation === this.#generation;
    if (!isOurs) {
      this.#refuse("hostile");
      return;
    }
    this.#port = port;
    port.onmessage = this.#onPortMessage;
    this.#events.onHello();
  };

  readonly #onPortMessage = (event: MessageEvent<unknown>): void => {
    if (!this.#isWithinRate(event.timeStamp)) {
      this.#refuse("flooded");
      return;
    }
    const message = readFrameMessage(event.data);
    if (message === null) {
      this.#refuse("malformed");
      return;
    }
    this.#events.onMessage(message);
  };

  #isWithinRate(time: number): boolean {
    if (time - this.#windowStart >= 1_000) {
      this.#windowStart = time;
      this.#taken = 0;
    }
    this.#taken += 1;
    return this.#taken <= MAX_TAKEN_PER_S;
  }

  #refuse(why: keyof RefusedCounts): void {
    this.#refused = { ...this.#refused, [why]: this.#refused[why] + 1 };
    this.#events.onRefused(this.#refused);
  }
}
