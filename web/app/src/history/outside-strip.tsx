import { Button, Strip, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { type ReactElement, useEffect, useState } from "react";
import type { Stage } from "../project/use-stage.ts";

/** A change of the open file that another program made. */
interface OutsideChange {
  readonly path: string;
  /** What was shown before; none where no revision had it. */
  readonly from: string | null;
  readonly to: string | null;
  readonly number: number | null;
}

/** Returns the change to tell after the file that is looked at became another one. */
export function changeOf(
  before: FileHead | null,
  now: FileHead | null,
  told: OutsideChange | null,
): OutsideChange | null {
  if (now === null || before === null || now.path !== before.path) return null;
  if (now.digest === before.digest) {
    const isSame = told !== null && told.to === now.revision;
    return isSame ? { ...told, number: now.number } : told;
  }
  // Who writes or restores the file has seen it, and it is not the other program's any more.
  if (now.author === "person" || now.author === "restore") return null;
  if (now.author !== "outside") return told;
  const from = told === null ? before.revision : told.from;
  return { path: now.path, from, to: now.revision, number: now.number };
}

/** Tells that another program changed the file that is looked at, until that is closed. */
export function OutsideStrip(props: {
  readonly stage: Stage;
  /** The person is writing into the file; what is said there is enough. */
  readonly isEditing: boolean;
}): ReactElement | null {
  const strings = useStrings();
  const { stage } = props;
  const { file } = stage;
  const [seen, setSeen] = useState<{
    readonly file: FileHead | null;
    readonly told: OutsideChange | null;
  }>({ file, told: null });
  useEffect(() => {
    setSeen((last) =>
      last.file === file ? last : { file, told: changeOf(last.file, file, last.told) },
    );
  }, [file]);
  const { told } = seen;
  if (told === null || told.path !== file?.path || props.isEditing) return null;
  const close = (): void => setSeen({ file, told: null });
  const { to } = told;
  return (
    <Strip
      tone="info"
      onClose={close}
      actions={
        to === null ? null : (
          <Button
            size="small"
            onClick={() => {
              close();
              stage.compare(told.path, { from: told.from, to });
            }}
          >
            {strings.changed.compare}
          </Button>
        )
      }
    >
      <span className="font-medium">{strings.changed.title(told.path)}</span>{" "}
      <span className="text-13 text-muted">{strings.changed.text(told.number)}</span>
    </Strip>
  );
}
