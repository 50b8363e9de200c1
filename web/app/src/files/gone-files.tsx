import type { FileHistory } from "@vitrail/protocol";
import { AuthorSign, Button, useStrings } from "@vitrail/react";
import { History, Undo2 } from "lucide-react";
import type { ReactElement } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { useWhyReadOnly } from "../read-only.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";

/** Most files that are listed; a project that deletes more has its versions still. */
const MOST = 100;

/** Files that were deleted, each with the way back. */
export function GoneFiles(props: {
  readonly projectId: string;
  readonly gone: readonly FileHistory[];
  readonly now: Date;
  readonly onVersions: (path: string) => void;
  readonly onBack: (path: string) => void;
}): ReactElement | null {
  const strings = useStrings();
  const { api } = useWiring();
  const why = useWhyReadOnly();
  const act = useAct();
  if (props.gone.length === 0) return null;
  const bringBack = (file: FileHistory): void => {
    void act.run(async () => {
      const { head, path } = file;
      await api.restoreFile(props.projectId, path, head.id, { create: true });
      props.onBack(path);
    });
  };
  return (
    <details className="border-b border-border">
      <summary className="flex min-h-10 items-center gap-2 px-3 text-13 font-medium text-muted hover:text-text pointer-coarse:min-h-11">
        {strings.files.gone}
        <span className="font-normal tabular-nums">
          {strings.format.number(props.gone.length)}
        </span>
      </summary>
      <FailureNotice failure={act.failure} className="mx-3 mb-2" />
      <ul>
        {props.gone.slice(0, MOST).map((file) => (
          <li
            key={file.path}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-border px-3 py-1"
          >
            <span className="flex min-w-0 flex-1 basis-40 flex-col">
              <bdi dir="auto" className="text-14 wrap-anywhere text-text">
                {file.path}
              </bdi>
              <span className="flex items-center gap-2 text-12 text-muted">
                <AuthorSign author={file.head.author} isBare />
                {strings.files.goneText(
                  file.head.number,
                  strings.format.ago(file.head.createdAt, props.now),
                )}
              </span>
            </span>
            <span className="flex gap-2">
              <Button
                size="small"
                variant="quiet"
                icon={<History size={16} aria-hidden />}
                aria-label={strings.files.versionsOf(file.path)}
                onClick={() => props.onVersions(file.path)}
              >
                {strings.stage.versions}
              </Button>
              <Button
                size="small"
                icon={<Undo2 size={16} aria-hidden />}
                aria-label={strings.files.bringBackOf(file.path)}
                whyDisabled={why ?? (act.isBusy ? strings.state.loading : null)}
                onClick={() => bringBack(file)}
              >
                {strings.files.bringBack}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
