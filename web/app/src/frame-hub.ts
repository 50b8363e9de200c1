/** While nothing is drawn, views are told of changes this much later, in milliseconds. */
const HIDDEN_MS = 200;

/**
 * Tells all listeners of a change together, at most once a frame: what they then
 * change is one commit. A page that is not drawn has no frames; it is told by a
 * timer, so that its title says when a reply is there.
 */
export class FrameHub {
  readonly #listeners = new Set<() => void>();
  #cancel: (() => void) | null = null;

  /** Call `listener` after changes; returns how to stop it. */
  subscribe(listener: () => void): () => void {
    if (this.#listeners.size === 0) {
      document.addEventListener("visibilitychange", this.#onVisibility);
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      document.removeEventListener("visibilitychange", this.#onVisibility);
      this.#cancel?.();
      this.#cancel = null;
    };
  }

  /** Something changed. */
  readonly changed = (): void => {
    if (this.#cancel !== null || this.#listeners.size === 0) return;
    if (document.hidden) {
      const timer = setTimeout(this.#tell, HIDDEN_MS);
      this.#cancel = () => clearTimeout(timer);
    } else {
      const frame = requestAnimationFrame(this.#tell);
      this.#cancel = () => cancelAnimationFrame(frame);
    }
  };

  /** A frame that was asked for never comes once the page is hidden. */
  readonly #onVisibility = (): void => {
    if (this.#cancel === null) return;
    this.#cancel();
    this.#tell();
  };

  readonly #tell = (): void => {
    this.#cancel = null;
    for (const listener of [...this.#listeners]) listener();
  };
}
