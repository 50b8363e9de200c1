import { formatted } from "./inspect.ts";
import type { ConsoleLevel, SourcePlace } from "./messages.ts";
import { apply, defineProperty } from "./natives.ts";
import { cut, placeAt, type Send } from "./outbox.ts";

const LEVEL_OF: Readonly<Record<string, ConsoleLevel>> = {
  debug: "debug",
  log: "log",
  info: "info",
  warn: "warn",
  error: "error",
  trace: "log",
  dir: "log",
  table: "log",
};

type Called = (...args: unknown[]) => void;

const FRAME = /(?:\(|at |@)((?:https?|blob|data):[^\s()]*?):(\d+):(\d+)\)?$/;

/** Frames of the bridge above the page's own, where the engine cannot leave them out. */
const OWN_FRAMES = 3;

/** Return the place of one frame of a stack; null where there is no such frame. */
export function placeOfStack(stack: string, skip: number): SourcePlace | null {
  const frames = stack.split("\n").filter((line) => FRAME.test(line.trim()));
  const match = FRAME.exec(frames[skip]?.trim() ?? "");
  return match === null
    ? null
    : placeAt(match[1] ?? "", Number(match[2]), Number(match[3]));
}

const captureStack = Error.captureStackTrace as
  | typeof Error.captureStackTrace
  | undefined;

/** Return where the function that was called stands in the page. */
function placeOfCaller(called: Called): SourcePlace | null {
  if (captureStack === undefined) {
    return placeOfStack(new Error("place").stack ?? "", OWN_FRAMES);
  }
  const holder = { stack: "" };
  captureStack(holder, called);
  return placeOfStack(holder.stack, 0);
}

/** Report what the page writes to its console, and let the console have it too. */
export function installConsole(view: Window & typeof globalThis, send: Send): void {
  const target = view.console;
  let isReporting = false;
  const report = (
    level: ConsoleLevel,
    args: readonly unknown[],
    called: Called,
  ): void => {
    if (isReporting) {
      return; // a value that logs while it is shown
    }
    isReporting = true;
    try {
      const place = placeOfCaller(called);
      send({ type: "console", level, text: cut(formatted(args)), place });
    } finally {
      isReporting = false;
    }
  };
  const wrap = (name: string, seen: (args: unknown[], called: Called) => void): void => {
    const native: unknown = Reflect.get(target, name);
    if (typeof native !== "function") {
      return;
    }
    const wrapped: Called = (...args) => {
      seen(args, wrapped);
      apply(native, target, args);
    };
    defineProperty(wrapped, "name", { value: name });
    defineProperty(target, name, {
      value: wrapped,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  };
  for (const [name, level] of Object.entries(LEVEL_OF)) {
    wrap(name, (args, called) => report(level, args, called));
  }
  wrap("assert", ([claim, ...rest], called) => {
    if (!claim) {
      report("error", ["Assertion failed", ...rest], called);
    }
  });
}
