import {
  type FrameMessage,
  MAX_MESSAGES_PER_S,
  MAX_TEXT_CHARS,
  MAX_URL_CHARS,
  type SourcePlace,
} from "./messages.ts";
import { now } from "./natives.ts";

/** Sends messages; what is more than the host takes is counted, not sent. */
export type Send = (message: FrameMessage) => void;

/** Return a sender over `post` that keeps to the rate the host accepts. */
export function outbox(post: (message: FrameMessage) => void): Send {
  let windowStart = 0;
  let sent = 0;
  let dropped = 0;
  return (message) => {
    const time = now();
    if (time - windowStart >= 1_000 || time < windowStart) {
      windowStart = time;
      sent = 0;
    }
    if (sent >= MAX_MESSAGES_PER_S && message.type !== "pong") {
      dropped += 1;
      return;
    }
    if (dropped > 0) {
      post({ type: "dropped", count: dropped });
      dropped = 0;
    }
    sent += 1;
    post(message);
  };
}

/** Cut a text to what a message may hold. */
export function cut(text: string): string {
  return text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS - 1)}…` : text;
}

/** Return a place for a message; null where nothing is known. */
export function placeAt(url: string, line: number, column: number): SourcePlace | null {
  return line > 0 ? { url: url.slice(0, MAX_URL_CHARS), line, column } : null;
}
