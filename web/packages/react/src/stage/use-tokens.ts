import { useEffect, useState } from "react";
import type { TokenReply, TokenRequest, Tokens } from "./tokens.ts";

/** UTF-16 units of the longest text that is coloured. */
export const MAX_COLOURED_CHARS = 1_500_000;

const GIVE_UP_MS = 5000;

function startWorker(): Worker | null {
  if (typeof Worker === "undefined") return null;
  return new Worker(new URL("./tokens.worker.ts", import.meta.url), { type: "module" });
}

/** The colours of a text, as far as they are known. */
export type Colours =
  | { readonly state: "none" | "too-slow" }
  | { readonly state: "known"; readonly tokens: Tokens };

const NONE: Colours = { state: "none" };

/**
 * Returns the tokens of a text once the worker has them, none until then and
 * none for what is too long. A worker that takes longer than five seconds is
 * ended, and that is told: grammars may be slow on text that is no program.
 */
export function useTokens(text: string | null, language: string | null): Colours {
  const [done, setDone] = useState<{
    readonly text: string;
    readonly colours: Colours;
  } | null>(null);
  useEffect(() => {
    if (text === null || language === null || text.length > MAX_COLOURED_CHARS) return;
    const worker = startWorker();
    if (worker === null) return;
    const end = setTimeout(() => {
      worker.terminate();
      setDone({ text, colours: { state: "too-slow" } });
    }, GIVE_UP_MS);
    worker.onmessage = (event: MessageEvent<TokenReply>) => {
      clearTimeout(end);
      setDone({ text, colours: { state: "known", tokens: event.data.tokens } });
      worker.terminate();
    };
    const request: TokenRequest = { id: 1, text, language };
    worker.postMessage(request);
    return () => {
      clearTimeout(end);
      worker.terminate();
    };
  }, [text, language]);
  return done !== null && done.text === text ? done.colours : NONE;
}
