/** What a card says about text that grows, without reading all of it again. */

import { useMemo, useRef } from "react";

/** Returns the number of lines of a growing text; only what is new is read. */
export function useLineCount(text: string): number {
  const seen = useRef({ length: 0, breaks: 0 });
  return useMemo(() => {
    const before =
      text.length >= seen.current.length ? seen.current : { length: 0, breaks: 0 };
    let { breaks } = before;
    for (let at = text.indexOf("\n", before.length); at !== -1; ) {
      breaks += 1;
      at = text.indexOf("\n", at + 1);
    }
    seen.current = { length: text.length, breaks };
    if (text === "") return 0;
    return text.endsWith("\n") ? breaks : breaks + 1;
  }, [text]);
}

const MAX_LINE_CHARS = 160;

/** Returns the last `lines` lines that hold something, each cut to what a card can show. */
export function lastLines(text: string, lines: number): readonly string[] {
  const found: string[] = [];
  let end = text.length;
  while (found.length < lines && end > 0) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + MAX_LINE_CHARS));
    if (line.trim() !== "") found.unshift(line);
    end = start - 1;
  }
  return found;
}
