import type { PreviewEntry } from "@vitrail/react";
import { useCallback, useMemo, useState } from "react";

const MAX_LINES = 500;

/** One line of the console drawer. */
export interface ConsoleLine {
  readonly id: number;
  readonly entry: PreviewEntry | { readonly type: "link"; readonly href: string };
}

/** What the previewed page wrote and what was refused to it. */
export interface ConsoleLog {
  readonly lines: readonly ConsoleLine[];
  readonly add: (entry: PreviewEntry) => void;
  /** A link to the outside, which only the person may open. */
  readonly addLink: (href: string) => void;
  readonly clear: () => void;
}

let nextId = 0;

/** Returns a log that keeps its last 500 lines; `key` names the document it is of. */
export function useConsole(key: string): ConsoleLog {
  const [log, setLog] = useState<{
    readonly key: string;
    readonly lines: readonly ConsoleLine[];
  }>({
    key,
    lines: [],
  });
  const append = useCallback(
    (entry: ConsoleLine["entry"]) => {
      nextId += 1;
      const line: ConsoleLine = { id: nextId, entry };
      setLog((before) => ({
        key,
        lines: [...(before.key === key ? before.lines : []), line].slice(-MAX_LINES),
      }));
    },
    [key],
  );
  const addLink = useCallback((href: string) => append({ type: "link", href }), [append]);
  const clear = useCallback(() => setLog({ key, lines: [] }), [key]);
  const lines = log.key === key ? log.lines : NO_LINES;
  return useMemo(
    () => ({ lines, add: append, addLink, clear }),
    [lines, append, addLink, clear],
  );
}

const NO_LINES: readonly ConsoleLine[] = [];
