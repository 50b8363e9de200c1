import { type FileDiff, type Lost, sliceCodePoints } from "@vitrail/protocol";
import { LostList, Notice, useStrings } from "@vitrail/react";
import type { FileHead, ProjectEntry } from "@vitrail/stream";
import { ApiError } from "@vitrail/stream/client";
import { type ReactElement, useState } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { useFileText } from "../project/source-pane.tsx";
import { useWhyReadOnly } from "../read-only.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";
import { useRevisionText } from "./history-queries.ts";

/** Shorter passages stand in many a file by chance, and say nothing. */
const MIN_CHARS = 12;

/** Returns whether the file has a passage of an older version now, word for word. */
function useIsBack(
  projectId: string,
  file: FileHead | null,
  revision: string | null,
  wasPutBack: ReadonlySet<string>,
): (lost: Lost) => boolean {
  const before = useRevisionText(projectId, revision).data;
  const now = useFileText(projectId, file, revision !== null).data?.text;
  return (lost) => {
    const isOurs = wasPutBack.has(keyOf(lost));
    if (now === undefined) return isOurs; // the text with it is on its way
    if (before === undefined || !lost.span) return false;
    const passage = sliceCodePoints(before, lost.span).trim();
    const isTelling = isOurs || passage.length >= MIN_CHARS;
    return isTelling && now.includes(passage);
  };
}

function keyOf(lost: Lost): string {
  return String(lost.span);
}

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
  const revision = diff.old?.id ?? null;
  const [wasPutBack, setPutBack] = useState<ReadonlySet<string>>(new Set());
  const isTyped = diff.lost.some((one) => one.what === "typed" && one.span);
  const isBack = useIsBack(project.id, file, isTyped ? revision : null, wasPutBack);
  // What a draft would lose is said where it waits.
  if (diff.new !== null && diff.new.path !== path) return null;
  if (diff.lost.length === 0) return null;
  const putBack = (lost: Lost): void => {
    const { name, span } = lost;
    if (revision === null || file === null || !span) return;
    setDone(null);
    void act.run(async () => {
      const from = { revision, passages: [span] };
      try {
        const result = await api.putBack(project.id, path, from, {
          ifMatch: file.digest,
        });
        if (result.verdict !== "quarantined") {
          setPutBack((all) => new Set(all).add(keyOf(lost)));
        }
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
        isBack={isBack}
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
