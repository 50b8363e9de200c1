import { ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import { GrowingText } from "../markdown/growing-text.tsx";
import { useStrings } from "../strings/strings.tsx";
import { useLineCount } from "./growing.ts";

/** The model's thinking: folded, with its length; never an artifact, never Markdown. */
export function Reasoning(props: {
  readonly text: string;
  readonly isStreaming: boolean;
}): ReactElement {
  const strings = useStrings();
  const lines = useLineCount(props.text);
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="group max-w-prose text-13"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="-ms-1 inline-flex min-h-7 list-none items-center gap-1 rounded-control px-1 text-muted hover:bg-hover pointer-coarse:min-h-11">
        <ChevronRight
          size={16}
          aria-hidden
          className="transition-transform duration-120 ease-out group-open:rotate-90 rtl:-scale-x-100"
        />
        {props.isStreaming
          ? strings.chat.thinkingNow(lines)
          : strings.chat.thinking(lines)}
      </summary>
      {isOpen ? (
        <div
          dir="auto"
          className="mt-1 border-s-2 border-border ps-3 break-words whitespace-pre-wrap text-muted"
        >
          <GrowingText text={props.text.trim()} />
        </div>
      ) : null}
    </details>
  );
}
