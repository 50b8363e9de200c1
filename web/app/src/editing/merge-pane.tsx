import { useQuery } from "@tanstack/react-query";
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

/** What is known of the text that both sides of a draft began from. */
type Base = { readonly isKnown: false } | { readonly isKnown: true; text: string | null };

/**
 * Reads the text that both sides began from: the good file itself where the draft only
 * lost too much, else the version that the model was shown. Without it everything that
 * differs is asked, so that nothing is decided in silence.
 */
function useBase(projectId: string, good: string | null, draft: QuarantineRecord): Base {
  const { api } = useWiring();
  const { path, reason, baseDigest } = draft;
  const base = useQuery({
    queryKey: ["draft-base", projectId, draft.id],
    enabled: reason === "merge-conflict" && baseDigest !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const asked = { before: null, limit: MAX_LOOKED_AT };
      const { revisions } = await api.revisions(projectId, path, asked, { signal });
      const shown = revisions.find((one) => one.digest === baseDigest);
      if (shown === undefined) return null;
      return (await api.revisionText(projectId, shown.id, { signal })).text;
    },
  });
  if (reason === "artifact-regression") return { isKnown: true, text: good };
  if (base.isLoading) return { isKnown: false };
  return { isKnown: true, text: base.data ?? null };
}

/** Newest versions among which the one that the model was shown is looked for. */
const MAX_LOOKED_AT = 200;

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
  const base = useBase(projectId, mine.data?.text ?? null, draft);
  const failure = mine.error ?? theirs.error;
  if (failure !== null) return <FailureNotice failure={failure} className="m-4" />;
  if (mine.data === undefined || theirs.data === undefined || !base.isKnown) {
    return <TextsComing />;
  }
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
      base={base.text}
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
