import { Button, IconButton, Notice, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { X } from "lucide-react";
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
  if (now.author !== "outside") return told;
  const from = told === null ? before.revision : told.from;
  return { path: now.path, from, to: now.revision, number: now.number };
}

/** Tells that another program changed the file that is looked at, until that is closed. */
export function OutsideStrip(props: { readonly stage: Stage }): ReactElement | null {
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
  if (told === null || told.path !== file?.path) return null;
  const close = (): void => setSeen({ file, told: null });
  const { to } = told;
  return (
    <Notice
      tone="info"
      isLive
      className="shrink-0 items-center rounded-none border-b border-border py-1"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0">
          <span className="font-medium">{strings.changed.title(told.path)}</span>{" "}
          <span className="text-13 text-muted">{strings.changed.text(told.number)}</span>
        </p>
        <span className="flex items-center gap-1">
          {to === null ? null : (
            <Button
              size="small"
              onClick={() => {
                close();
                stage.compare(told.path, { from: told.from, to });
              }}
            >
              {strings.changed.compare}
            </Button>
          )}
          <IconButton
            size="small"
            label={strings.changed.dismiss}
            icon={<X size={16} aria-hidden />}
            onClick={close}
          />
        </span>
      </div>
    </Notice>
  );
}
