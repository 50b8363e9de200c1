import { Button, cx, TextField, useStrings } from "@vitrail/react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { wordsOf } from "./queries.ts";
import { useIsOffline } from "./workspace-context.tsx";

const MAX_TITLE_CHARS = 200;

/** Returns what is wrong with a title, in the words given, or none. */
export function nameFault(
  title: string,
  words: { readonly missing: string; readonly tooLong: string },
): string | null {
  if (title.trim() === "") return words.missing;
  return title.trim().length > MAX_TITLE_CHARS ? words.tooLong : null;
}

/** A title as a field: Enter keeps the new one, Escape the old one. */
export function RenameForm(props: {
  readonly title: string;
  readonly label: string;
  /** What is said of a blank title. */
  readonly missing: string;
  readonly isNarrow?: boolean;
  readonly onRename: (title: string) => Promise<void>;
  readonly onAway: () => void;
}): ReactElement {
  const strings = useStrings();
  const [title, setTitle] = useState(props.title);
  const [failure, setFailure] = useState<string | null>(null);
  const isOffline = useIsOffline();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.select(), []);
  const rename = async (): Promise<void> => {
    if (isOffline) return setFailure(strings.state.readOnly);
    const fault = nameFault(title, {
      missing: props.missing,
      tooLong: strings.home.nameTooLong,
    });
    if (fault !== null) return setFailure(fault);
    try {
      if (title.trim() !== props.title) await props.onRename(title.trim());
      props.onAway();
    } catch (error) {
      setFailure(wordsOf(error, strings.state.unknownError).words);
    }
  };
  return (
    <form
      ref={form}
      className={cx("flex flex-1 items-start gap-2 py-1", props.isNarrow && "flex-wrap")}
      onSubmit={(event) => {
        event.preventDefault();
        void rename();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        props.onAway();
      }}
    >
      <div className={cx("min-w-0 flex-1", props.isNarrow && "basis-full")}>
        <TextField
          autoFocus
          isLabelHidden
          label={props.label}
          value={title}
          fault={failure}
          onChange={(event) => setTitle(event.target.value)}
        />
      </div>
      <Button type="submit">{strings.action.save}</Button>
      <Button variant="quiet" onClick={props.onAway}>
        {strings.action.cancel}
      </Button>
    </form>
  );
}
