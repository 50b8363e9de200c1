import type { QuarantineRecord } from "@vitrail/protocol";
import { Button, DraftNotice, isInPlace, Strip, useStrings } from "@vitrail/react";
import type { ProjectEntry } from "@vitrail/stream";
import { type ReactElement, type Ref, useEffect, useRef, useState } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import type { Stage } from "../project/use-stage.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";
import { useDrafts } from "./history-queries.ts";

/** The drafts in the order in which they are shown: those of the open file first. */
function inOrder(
  drafts: readonly QuarantineRecord[],
  path: string | null,
): readonly QuarantineRecord[] {
  const isOpen = (draft: QuarantineRecord): boolean =>
    draft.path === path || draft.draft === path;
  return [...drafts.filter(isOpen), ...drafts.filter((draft) => !isOpen(draft))];
}

/** What was kept aside and waits, above the tabs of the stage. */
export function DraftStrip(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
  /** Path of the file whose draft was asked for, to be shown and focused; or none. */
  readonly wanted: string | null;
  readonly onShown: () => void;
  /** Begins to choose range by range. */
  readonly onMerge: (draft: QuarantineRecord) => void;
}): ReactElement | null {
  const { stage, wanted, onShown } = props;
  const drafts = inOrder(
    useDrafts(props.project.id),
    stage.file?.path ?? stage.missingPath,
  );
  const [place, setPlace] = useState(0);
  const [told, setTold] = useState<string | null>(null);
  const strip = useRef<HTMLDivElement>(null);
  const asked = drafts.find((one) => one.path === wanted);
  const draft = asked ?? drafts[place] ?? drafts[0];
  const isAsked = asked !== undefined;
  useEffect(() => {
    if (!isAsked) return;
    setPlace(0); // it is the first of the file that is open
    strip.current?.focus();
    onShown();
  }, [isAsked, onShown]);
  if (draft === undefined) {
    return told === null ? null : (
      <Strip tone="success" onClose={() => setTold(null)}>
        {told}
      </Strip>
    );
  }
  return (
    <OneDraft
      key={draft.id}
      strip={strip}
      project={props.project}
      stage={stage}
      draft={draft}
      others={drafts.length - 1}
      onNext={() => setPlace((place + 1) % drafts.length)}
      onMerge={() => props.onMerge(draft)}
      onSettled={(words) => {
        setPlace(0);
        setTold(words);
      }}
    />
  );
}

function OneDraft(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
  readonly strip: Ref<HTMLDivElement>;
  readonly draft: QuarantineRecord;
  readonly others: number;
  readonly onNext: () => void;
  readonly onMerge: () => void;
  readonly onSettled: (words: string) => void;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const { project, stage, draft } = props;
  const why = useWhyReadOnly();
  const act = useAct();
  const inPlace = isInPlace(draft);
  const good = stage.files.find((file) => file.path === draft.path) ?? null;
  const accept = (): void => {
    void act.run(async () => {
      const condition =
        good === null ? { create: true as const } : { ifMatch: good.digest };
      await api.acceptDraft(project.id, draft.id, { content: null }, condition);
      props.onSettled(
        inPlace
          ? strings.drafts.keptNew(draft.path)
          : strings.drafts.accepted(draft.path),
      );
      if (stage.file?.path === draft.draft) stage.show(draft.path);
    });
  };
  const drop = (): void => {
    void act.run(async () => {
      await api.dropDraft(project.id, draft.id);
      props.onSettled(
        inPlace
          ? strings.drafts.broughtBack(draft.path)
          : strings.drafts.dropped(draft.path),
      );
      if (stage.file?.path === draft.draft) stage.show(draft.path);
    });
  };
  return (
    <div
      ref={props.strip}
      tabIndex={-1}
      className="max-h-[50%] shrink-0 overflow-y-auto focus-visible:-outline-offset-2"
    >
      <DraftNotice
        draft={draft}
        onCompare={() =>
          stage.compare(draft.path, {
            // of one that is in place, what it changed: its parent is the good one
            from: inPlace ? null : (good?.revision ?? null),
            to: draft.revision,
          })
        }
        onAccept={accept}
        onDrop={drop}
        onMerge={good === null || inPlace ? null : props.onMerge}
        whyNot={why ?? (act.isBusy ? strings.state.loading : null)}
      >
        {props.others === 0 ? null : (
          <span className="flex items-center gap-2 text-13 text-muted">
            {strings.drafts.more(props.others)}
            <Button size="small" variant="quiet" onClick={props.onNext}>
              {strings.drafts.next}
            </Button>
          </span>
        )}
      </DraftNotice>
      <FailureNotice
        failure={act.failure}
        conflict={strings.drafts.changed}
        className="rounded-none border-b border-border"
      />
    </div>
  );
}
