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

const FRAME = /(?:\(|at |@)((?:https?|blob|data):[^\s()]*?):(\d+):(\d+)\)?$/;

/** Return where a stack of the page begins; the bridge's own frames are not in it. */
export function placeOfStack(
  stack: string | undefined,
  skip: number,
): SourcePlace | null {
  const frames = (stack ?? "").split("\n").filter((line) => FRAME.test(line.trim()));
  const match = FRAME.exec(frames[skip]?.trim() ?? "");
  return match === null
    ? null
    : placeAt(match[1] ?? "", Number(match[2]), Number(match[3]));
}

/** Report what the page writes to its console, and let the console have it too. */
export function installConsole(view: Window & typeof globalThis, send: Send): void {
  const target = view.console;
  let isReporting = false;
  const report = (level: ConsoleLevel, args: readonly unknown[]): void => {
    if (isReporting) {
      return; // a value that logs while it is shown
    }
    isReporting = true;
    try {
      const place = placeOfStack(new Error("place").stack, 2);
      send({ type: "console", level, text: cut(formatted(args)), place });
    } finally {
      isReporting = false;
    }
  };
  const wrap = (name: string, seen: (args: unknown[]) => void): void => {
    const native: unknown = Reflect.get(target, name);
    if (typeof native !== "function") {
      return;
    }
    const wrapped = (...args: unknown[]): void => {
      seen(args);
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
    wrap(name, (args) => report(level, args));
  }
  wrap("assert", ([claim, ...rest]) => {
    if (!claim) {
      report("error", ["Assertion failed", ...rest]);
    }
  });
}
