/** How much Markdown is parsed in one frame: a long reply comes in over frames that stay short. */

import { type RefObject, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";

/** UTF-16 units, a block counted as `BLOCK_CHARS`; some milliseconds of parsing and drawing. */
const CHARS_A_FRAME = 8192;

/** What the elements of a block cost beside its text, in UTF-16 units. */
export const BLOCK_CHARS = 256;

/** Fired where `content-visibility` begins or ends to leave something out. */
const SIGHT_EVENT = "contentvisibilityautostatechange";

interface Waiting {
  readonly cost: number;
  readonly go: () => void;
}

/** One budget for all messages of the page, since they share its frames. */
export class FrameBudget {
  readonly #requestFrame: (callback: () => void) => void;
  readonly #limit: number;
  readonly #waiting = new Set<Waiting>();
  #left: number;
  #isAsked = false;

  constructor(requestFrame: (callback: () => void) => void, limit = CHARS_A_FRAME) {
    this.#requestFrame = requestFrame;
    this.#limit = limit;
    this.#left = limit;
  }

  /** Takes from this frame; false where the frame is used up. */
  take(cost: number): boolean {
    this.#ask();
    if (this.#left <= 0) return false;
    this.#left -= cost;
    return true;
  }

  /** Calls `go` in a frame that has room, the last one that asked first; returns how to give up. */
  wait(cost: number, go: () => void): () => void {
    const entry = { cost, go };
    this.#waiting.add(entry);
    this.#ask();
    return () => this.#waiting.delete(entry);
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#requestFrame(() => this.#begin());
  }

  #begin(): void {
    this.#isAsked = false;
    this.#left = this.#limit;
    const going: Waiting[] = [];
    // What came last is what is looked at: a thread is read from its end.
    for (const entry of [...this.#waiting].reverse()) {
      if (!this.take(entry.cost)) break;
      this.#waiting.delete(entry);
      going.push(entry);
    }
    if (going.length > 0) flushSync(() => going.map((entry) => entry.go()));
  }
}

const budget = new FrameBudget((callback) => requestAnimationFrame(callback));

/**
 * Returns true once there was room to draw something of that cost; from then on
 * for good. What comes near the view goes first.
 */
export function useFrameBudget(
  cost: number,
  isUrgent: boolean,
  place: RefObject<HTMLElement | null>,
): boolean {
  const [isReady, setReady] = useState(() => isUrgent || budget.take(cost));
  useLayoutEffect(() => {
    const element = place.current;
    if (isReady || element === null) return;
    const go = (): void => setReady(true);
    let giveUp = budget.wait(cost, go);
    // Whoever asks last goes first, so what comes into sight asks again.
    const onSight = (event: Event): void => {
      const isSkipped = "skipped" in event && event.skipped === true;
      if (isSkipped || event.target !== element) return;
      giveUp();
      giveUp = budget.wait(cost, go);
    };
    element.addEventListener(SIGHT_EVENT, onSight);
    return () => {
      element.removeEventListener(SIGHT_EVENT, onSight);
      giveUp();
    };
  }, [isReady, cost, place]);
  return isReady;
}
