import { ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Notice } from "../controls/notice.tsx";
import { useStrings } from "../strings/strings.tsx";

/** A form that nobody could read: said in words, the model's own text kept at hand. */
export function UnreadableForm(props: {
  readonly raw: string;
  /** It may have been a form; its end never came. */
  readonly isCut: boolean;
}): ReactElement {
  const strings = useStrings();
  const [isOpen, setOpen] = useState(false);
  return (
    <Notice
      tone="warning"
      className="max-w-prose"
      title={props.isCut ? strings.form.endless : strings.form.unreadable}
    >
      <p>{strings.form.unreadableText}</p>
      <details
        className="group"
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary className="-ms-1 inline-flex min-h-7 list-none items-center gap-1 rounded-control px-1 text-13 hover:bg-hover pointer-coarse:min-h-11">
          <ChevronRight
            size={16}
            aria-hidden
            className="transition-transform duration-120 ease-out group-open:rotate-90 rtl:-scale-x-100"
          />
          {strings.form.rawText}
        </summary>
        {isOpen ? (
          <pre
            dir="auto"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
            tabIndex={0}
            className="mt-1 max-h-80 overflow-auto rounded-control bg-sunken p-2 font-mono text-12 break-words whitespace-pre-wrap"
          >
            {props.raw}
          </pre>
        ) : null}
      </details>
    </Notice>
  );
}
