import type { QuarantineRecord } from "@vitrail/protocol";
import { Button, ConflictView, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import type { ReactElement } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { useRevisionText } from "../history/history-queries.ts";
import { useFileText } from "../project/source-pane.tsx";
import { useWhyReadOnly } from "../read-only.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";
import { TextsComing } from "./discard-dialog.tsx";
import { changeUnsaved, type KeptUnsaved, keepUnsaved, mergeKey } from "./unsaved.ts";

/**
 * Returns the text that both sides began from, put together from the ranges that
 * clash; none where they do not say where they stand.
 */
export function baseOf(good: string, draft: QuarantineRecord): string | null {
  // What only lost too much was made in place of the good file as it is.
  if (draft.reason === "artifact-regression") return good;
  if (draft.conflicts.length === 0) return null;
  const chars = [...good];
  const pieces: string[] = [];
  let at = 0;
  for (const { span, ours, base } of draft.conflicts) {
    if (span === null || span[0] < at) return null;
    if (chars.slice(span[0], span[1]).join("") !== ours) return null;
    pieces.push(chars.slice(at, span[0]).join(""), base);
    at = span[1];
  }
  pieces.push(chars.slice(at).join(""));
  return pieces.join("");
}

/** The good file and a draft of it, to take from both, range by range. */
export function MergePane(props: {
  readonly projectId: string;
  readonly good: FileHead;
  readonly draft: QuarantineRecord;
  /** What the person has written of the result, where there is any. */
  readonly unsaved: KeptUnsaved | null;
  readonly onClose: () => void;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const { projectId, good, draft, unsaved } = props;
  const key = mergeKey(projectId, draft);
  const why = useWhyReadOnly();
  const act = useAct();
  const mine = useFileText(projectId, good, true);
  const theirs = useRevisionText(projectId, draft.revision);
  const failure = mine.error ?? theirs.error;
  if (failure !== null) return <FailureNotice failure={failure} className="m-4" />;
  if (mine.data === undefined || theirs.data === undefined) return <TextsComing />;
  const goodText = mine.data;
  const save = (content: string): void => {
    void act.run(async () => {
      await api.acceptDraft(
        projectId,
        draft.id,
        { content },
        { ifMatch: goodText.digest },
      );
      keepUnsaved(key, null);
      props.onClose();
    });
  };
  const onMine = (text: string): void => {
    if (unsaved !== null) changeUnsaved(key, { text });
    else {
      keepUnsaved(key, {
        text,
        baseDigest: goodText.digest,
        baseRevision: good.revision,
        isResolving: true,
        draft: draft.id,
      });
    }
  };
  return (
    <ConflictView
      path={draft.path}
      base={baseOf(goodText.text, draft)}
      mine={unsaved?.text ?? goodText.text}
      theirs={theirs.data}
      text={`${strings.drafts.reasons[draft.reason]} ${strings.conflict.textDraft}`}
      theirsName={strings.conflict.model}
      onMine={onMine}
      onSave={save}
      whyNotSave={why ?? (act.isBusy ? strings.conflict.saving : null)}
      failure={<FailureNotice failure={act.failure} conflict={strings.drafts.changed} />}
      actions={
        <Button variant="quiet" onClick={props.onClose}>
          {strings.conflict.later}
        </Button>
      }
    />
  );
}
