import { Button, TextField, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { isConflict } from "../failure-notice.tsx";
import { wordsOf } from "../queries.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { useWiring } from "../workspace-context.tsx";
import { PartsChoice, usePageParts } from "./page-parts.tsx";

/** What a renaming did. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
  readonly digest: string;
  /** Paths of the files whose references followed. */
  readonly rewritten: readonly string[];
  /** How many files kept their place beside it in its new folder. */
  readonly parts: number;
}

/** Returns the folder of a path, with its slash; empty for the project's own. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** A file's name as a field, folders and all: Enter keeps the new one, Escape the old. */
export function RenameFile(props: {
  readonly projectId: string;
  readonly file: FileHead;
  readonly onRenamed: (renamed: Renamed) => void;
  readonly onAway: () => void;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const { projectId, file } = props;
  const why = useWhyReadOnly();
  const [path, setPath] = useState(file.path);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const folder = folderOf(file.path);
  const isMoving = folderOf(path.trim()) !== folder;
  const parts = usePageParts(projectId, file, isMoving);
  const own = (parts.data?.own ?? []).filter((part) => part.startsWith(folder));
  const [isWhole, setWhole] = useState(true);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = form.current?.querySelector("input");
    // The name without its extension is what one changes.
    const start = file.path.lastIndexOf("/") + 1;
    const dot = file.path.lastIndexOf(".");
    field?.setSelectionRange(start, dot > start ? dot : file.path.length);
  }, [file.path]);
  const rename = async (): Promise<void> => {
    const to = path.trim();
    if (to === file.path) return props.onAway();
    if (to === "") return setFault(strings.files.renameMissing);
    if (why !== null) return setFault(why);
    setBusy(true);
    try {
      const move = {
        from: file.path,
        to,
        digest: file.digest,
        parts: isMoving && isWhole && own.length > 0,
      };
      const result = await api.moveFile(projectId, move);
      props.onRenamed({
        from: file.path,
        to: result.moved.path,
        digest: result.moved.digest,
        parts: result.parts.length,
        rewritten: result.rewritten.map((one) => one.path),
      });
    } catch (error) {
      const { words } = wordsOf(error, strings.state.unknownError);
      setFault(isConflict(error) ? strings.files.changedSince(file.path) : words);
      setBusy(false);
    }
  };
  return (
    <form
      ref={form}
      className="flex flex-wrap items-start gap-2 py-1 ps-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void rename();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        props.onAway();
      }}
    >
      <div className="min-w-40 flex-1">
        <TextField
          autoFocus
          isLabelHidden
          label={strings.files.renameTo(file.path)}
          value={path}
          fault={fault}
          onChange={(event) => setPath(event.target.value)}
        />
      </div>
      <Button type="submit" whyDisabled={isBusy ? strings.state.loading : null}>
        {strings.action.rename}
      </Button>
      <Button variant="quiet" onClick={props.onAway}>
        {strings.action.cancel}
      </Button>
      {!isMoving || parts.data === undefined || own.length === 0 ? null : (
        <div className="basis-full pe-2">
          <PartsChoice
            parts={parts.data}
            own={own}
            label={strings.files.moveParts(own.length)}
            isChosen={isWhole}
            onChoose={setWhole}
          />
        </div>
      )}
    </form>
  );
}
