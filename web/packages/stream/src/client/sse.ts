/** One event of a `text/event-stream`. */
export interface SseFrame {
  /** The last `id:` seen, this frame's own included; empty before the first. */
  readonly id: string;
  /** `message` where the stream names no other. */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads the event stream format of the HTML standard (§9.2.6) from text cut anywhere.
 *
 * Strategy: only new text is searched; the pieces of a line that is not over yet are
 * kept as they came and joined once, so that a long frame in small pieces stays linear.
 */
export class SseParser {
  /** What the stream last asked for by `retry:`, in ms. */
  retryMs: number | null = null;
  /** The last `id:` seen; a frame without data counts too. */
  lastId = "";
  #line: string[] = [];
  #data: string[] = [];
  #event = "";
  #isFirst = true;
  #endedWithCr = false;

  /** Take the next piece; return the frames that it completes. */
  feed(text: string): SseFrame[] {
    const frames: SseFrame[] = [];
    const lines = this.#afterLast(text).split(/\r\n|\n|\r/);
    const begun = lines.pop() ?? "";
    for (const line of lines) {
      this.#line.push(line);
      this.#endLine(frames);
    }
    if (begun !== "") this.#line.push(begun);
    return frames;
  }

  /** The piece without a byte order mark, and without the half of a CR LF that was cut. */
  #afterLast(text: string): string {
    if (text === "") return text;
    const skipped =
      (this.#isFirst && text[0] === "\ufeff") || (this.#endedWithCr && text[0] === "\n");
    this.#isFirst = false;
    this.#endedWithCr = text.endsWith("\r");
    return skipped ? text.slice(1) : text;
  }

  #endLine(frames: SseFrame[]): void {
    const line = this.#line.join("");
    this.#line = [];
    if (line === "") {
      if (this.#data.length > 0) {
        frames.push({
          id: this.lastId,
          event: this.#event || "message",
          data: this.#data.join("\n"),
        });
      }
      this.#data = [];
      this.#event = "";
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    this.#field(name, value);
  }

  #field(name: string, value: string): void {
    switch (name) {
      case "data":
        this.#data.push(value);
        break;
      case "event":
        this.#event = value;
        break;
      case "id":
        if (!value.includes("\0")) this.lastId = value;
        break;
      case "retry":
        if (/^[0-9]+$/.test(value)) this.retryMs = Number(value);
        break;
      default:
        break;
    }
  }
}
