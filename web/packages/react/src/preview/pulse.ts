import type { PreviewPort } from "./port.ts";

/** How often a page is asked whether it still answers. */
export const PING_EVERY_MS = 1_000;
/** How long a page may be silent before it counts as busy. */
export const BUSY_AFTER_MS = 2_500;

/**
 * Asks a page whether it answers, and says so when that changes.
 *
 * Nobody is asked while the tab is hidden: a throttled page is not a busy one.
 */
export class Pulse {
  readonly #port: PreviewPort;
  readonly #onChange: (isBusy: boolean) => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #asked = 0;
  #askedAt: number | null = null;
  #isBusy = false;

  constructor(port: PreviewPort, onChange: (isBusy: boolean) => void) {
    this.#port = port;
    this.#onChange = onChange;
    this.#timer = setInterval(() => this.#beat(), PING_EVERY_MS);
  }

  /** The page has answered the ping of that number. */
  answered(id: number): void {
    if (id === this.#asked && this.#askedAt !== null) {
      this.#askedAt = null;
      this.#say(false);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    if (!this.#port.isConnected) {
      return;
    }
    if (document.visibilityState === "hidden") {
      this.#askedAt = null;
      return;
    }
    const now = Date.now();
    if (this.#askedAt === null) {
      this.#asked += 1;
      this.#askedAt = now;
      this.#port.send({ type: "ping", id: this.#asked });
    } else if (now - this.#askedAt >= BUSY_AFTER_MS) {
      this.#say(true);
    }
  }

  #say(isBusy: boolean): void {
    if (this.#isBusy !== isBusy) {
      this.#isBusy = isBusy;
      this.#onChange(isBusy);
    }
  }
}
