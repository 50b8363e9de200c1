import { cx, IconButton, Splitter, type Strings, useStrings } from "@vitrail/react";
import { ChevronDown, Eraser, SquareTerminal } from "lucide-react";
import { type ReactElement, useState } from "react";
import { prefer, usePreference } from "../preferences.ts";
import type { ConsoleLine, ConsoleLog } from "./use-console.ts";

const MIN_PX = 80;
const MAX_PX = 480;
const START_PX = 160;

type Tone = "plain" | "warn" | "error";

interface Written {
  readonly level: string;
  readonly text: string;
  readonly place: string;
  readonly tone: Tone;
}

function placeOf(place: { readonly url: string; readonly line: number } | null): string {
  if (place === null) return "";
  return `${place.url.split("/").at(-1) ?? ""}:${place.line}`;
}

/** Returns a line in words. */
function writtenOf(line: ConsoleLine, strings: Strings): Written {
  const { entry } = line;
  const { levels } = strings.console;
  switch (entry.type) {
    case "console": {
      const tone =
        entry.level === "error" ? "error" : entry.level === "warn" ? "warn" : "plain";
      const level = levels[entry.level] ?? entry.level;
      return { level, text: entry.text, place: placeOf(entry.place), tone };
    }
    case "error":
      return {
        level: levels["error"] ?? entry.kind,
        text: entry.text,
        place: placeOf(entry.place),
        tone: "error",
      };
    case "blocked":
      return {
        level: strings.console.blocked,
        text: strings.console.blockedBy(entry.url, entry.rule),
        place: placeOf(entry.place),
        tone: "warn",
      };
    case "dropped":
      return {
        level: strings.console.note,
        text: strings.console.dropped(entry.count),
        place: "",
        tone: "warn",
      };
    case "link":
      return {
        level: strings.console.link,
        text: entry.href,
        place: "",
        tone: "plain",
      };
    case "refused":
      return {
        level: strings.console.note,
        text: strings.console.refused,
        place: "",
        tone: "warn",
      };
  }
}

const TONES: Readonly<Record<Tone, string>> = {
  plain: "text-text",
  warn: "bg-warning-soft text-text",
  error: "bg-danger-soft text-text",
};

/** What the page wrote to its console, below the preview; folded until it is wanted. */
export function ConsoleDrawer(props: { readonly log: ConsoleLog }): ReactElement {
  const strings = useStrings();
  const isOpen = usePreference((preferences) => preferences.isConsoleOpen);
  const [heightPx, setHeight] = useState(START_PX);
  const { lines } = props.log;
  const toggle = (): void => prefer({ isConsoleOpen: !isOpen });
  return (
    <section aria-label={strings.console.title} className="flex shrink-0 flex-col">
      {isOpen ? (
        <Splitter
          label={strings.project.resizeDrawer}
          controls="console-lines"
          orientation="horizontal"
          range={{ value: heightPx, min: MIN_PX, max: MAX_PX }}
          isAfter
          onChange={setHeight}
          onFold={toggle}
        />
      ) : null}
      <div className="flex min-h-8 items-center justify-between border-t border-border bg-sunken pe-1 pointer-coarse:min-h-11">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls="console-lines"
          onClick={toggle}
          className="flex min-h-8 flex-1 items-center gap-2 px-3 text-13 text-muted hover:text-text pointer-coarse:min-h-11"
        >
          <SquareTerminal size={16} aria-hidden />
          {strings.console.title}
          <span className="tabular-nums">
            {lines.length === 0 ? null : strings.console.lines(lines.length)}
          </span>
          <ChevronDown
            size={16}
            aria-hidden
            className={cx(
              "ms-auto transition-transform duration-120 ease-out",
              isOpen ? null : "rotate-180",
            )}
          />
        </button>
        {isOpen ? (
          <IconButton
            size="small"
            label={strings.console.clear}
            icon={<Eraser size={16} aria-hidden />}
            onClick={props.log.clear}
          />
        ) : null}
      </div>
      <div
        id="console-lines"
        hidden={!isOpen}
        role="log"
        aria-label={strings.console.title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
        tabIndex={0}
        className="overflow-y-auto border-t border-border"
        style={{ blockSize: heightPx }}
      >
        {lines.length === 0 ? (
          <p className="px-3 py-2 text-13 text-muted">{strings.console.empty}</p>
        ) : (
          <ol className="font-mono text-12">
            {lines.map((line) => (
              <ConsoleRow key={line.id} line={line} />
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

function ConsoleRow(props: { readonly line: ConsoleLine }): ReactElement {
  const strings = useStrings();
  const written = writtenOf(props.line, strings);
  const { entry } = props.line;
  return (
    <li
      className={cx("flex gap-3 border-b border-border px-3 py-1", TONES[written.tone])}
    >
      <span className="w-16 shrink-0 text-muted">{written.level}</span>
      {entry.type === "link" ? (
        <a
          href={entry.href}
          target="_blank"
          rel="noopener noreferrer"
          className="min-w-0 flex-1 break-all text-accent underline"
        >
          {written.text}
        </a>
      ) : (
        <span dir="auto" className="min-w-0 flex-1 break-words whitespace-pre-wrap">
          {written.text}
        </span>
      )}
      <span className="shrink-0 text-muted">{written.place}</span>
    </li>
  );
}
