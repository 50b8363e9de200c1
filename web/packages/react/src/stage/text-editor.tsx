import { type ReactElement, useEffect, useRef } from "react";
import { useStrings } from "../strings/strings.tsx";

/** A file's text as one field; Tab leaves it, and Control or Command with S saves. */
export function TextEditor(props: {
  readonly path: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSave?: () => void;
  /** Focus goes here when it appears. */
  readonly isFocused?: boolean;
}): ReactElement {
  const strings = useStrings();
  const field = useRef<HTMLTextAreaElement>(null);
  const { isFocused = false } = props;
  useEffect(() => {
    if (!isFocused || field.current === null) return;
    field.current.focus();
    field.current.setSelectionRange(0, 0);
    field.current.scrollTop = 0;
  }, [isFocused]);
  return (
    <textarea
      ref={field}
      aria-label={strings.edit.label(props.path)}
      dir="ltr"
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      value={props.text}
      onChange={(event) => props.onChange(event.target.value)}
      onKeyDown={(event) => {
        const isSave =
          event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey);
        if (!isSave || event.altKey || event.shiftKey) return;
        event.preventDefault();
        props.onSave?.();
      }}
      className="code-line min-h-0 w-full flex-1 resize-none border-0 bg-surface px-4 py-2 text-text -outline-offset-2"
    />
  );
}
