import type { Message } from "@vitrail/protocol";
import { ChevronRight, ClipboardCheck } from "lucide-react";
import { memo, type ReactElement, useState } from "react";
import { useStrings } from "../strings/strings.tsx";

/** What the person wrote, as they wrote it; of answers to a form, that they were given. */
export const UserMessage = memo(function UserMessage(props: {
  readonly message: Message;
}): ReactElement {
  const strings = useStrings();
  const { parts } = props.message;
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  return (
    <article
      aria-label={strings.chat.messageFrom(strings.chat.you)}
      className="ms-auto max-w-[min(100%,72ch)] rounded-card bg-accent-soft px-3 py-2 text-15 text-text"
    >
      {parts.some((part) => part.type === "form_answers") ? (
        <ToldAnswers text={text} />
      ) : (
        <p dir="auto" className="break-words whitespace-pre-wrap">
          {text}
        </p>
      )}
    </article>
  );
});

/** The form above shows the answers; what the model was told of them is folded here. */
function ToldAnswers(props: { readonly text: string }): ReactElement {
  const strings = useStrings();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="group"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-7 list-none items-center gap-2 rounded-control text-14 pointer-coarse:min-h-11">
        <ClipboardCheck size={16} aria-hidden className="shrink-0 text-muted" />
        {strings.form.toldAnswers}
        <ChevronRight
          size={16}
          aria-hidden
          className="shrink-0 text-muted transition-transform duration-120 ease-out group-open:rotate-90 rtl:-scale-x-100"
        />
      </summary>
      {isOpen ? (
        <p dir="auto" className="pt-1 text-13 break-words whitespace-pre-wrap">
          {props.text}
        </p>
      ) : null}
    </details>
  );
}
