import type { Message } from "@vitrail/protocol";
import { memo, type ReactElement } from "react";
import { useStrings } from "../strings/strings.tsx";

/** What the person wrote, as they wrote it. */
export const UserMessage = memo(function UserMessage(props: {
  readonly message: Message;
}): ReactElement {
  const strings = useStrings();
  const text = props.message.parts
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");
  return (
    <article
      aria-label={strings.chat.messageFrom(strings.chat.you)}
      className="ms-auto max-w-[min(100%,72ch)] rounded-card bg-accent-soft px-3 py-2 text-15 text-text"
    >
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {text}
      </p>
    </article>
  );
});
