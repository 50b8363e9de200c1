import type { FileDiff, Lost } from "@vitrail/protocol";
import { LostList, Notice, useStrings } from "@vitrail/react";
import type { FileHead, ProjectEntry } from "@vitrail/stream";
import { ApiError } from "@vitrail/stream/client";
import { type ReactElement, useState } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { useWhyReadOnly } from "../read-only.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";

/** What a change took away; what a person had typed goes back by one click. */
export function Losses(props: {
  readonly project: ProjectEntry;
  readonly file: FileHead | null;
  readonly path: string;
  readonly diff: FileDiff;
}): ReactElement | null {
  const strings = useStrings();
  const { api } = useWiring();
  const { project, file, path, diff } = props;
  const why = useWhyReadOnly();
  const act = useAct();
  const [done, setDone] = useState<string | null>(null);
  // What a draft would lose is said where it waits.
  if (diff.new !== null && diff.new.path !== path) return null;
  if (diff.lost.length === 0) return null;
  const revision = diff.old?.id ?? null;
  const putBack = ({ name, span }: Lost): void => {
    if (revision === null || file === null || !span) return;
    setDone(null);
    void act.run(async () => {
      const from = { revision, passages: [span] };
      try {
        const result = await api.putBack(project.id, path, from, {
          ifMatch: file.digest,
        });
        setDone(
          result.verdict === "quarantined"
            ? strings.edit.savedAside
            : strings.history.isPutBack(name, result.revision.number),
        );
      } catch (failure) {
        if (!(failure instanceof ApiError) || failure.code !== "passages-not-missing") {
          throw failure;
        }
        setDone(strings.history.isThere(name));
      }
    });
  };
  return (
    <div className="flex max-h-60 shrink-0 flex-col gap-2 overflow-y-auto border-b border-border bg-warning-soft px-4 py-2">
      <LostList
        title={strings.history.lost}
        lost={diff.lost}
        {...(revision === null || file === null ? {} : { onPutBack: putBack })}
        whyNot={why ?? (act.isBusy ? strings.history.puttingBack : null)}
      />
      {done === null ? null : (
        <Notice tone="success" isLive>
          {done}
        </Notice>
      )}
      <FailureNotice failure={act.failure} conflict={strings.history.putBackConflict} />
    </div>
  );
}
