import type { QuarantineRecord } from "@vitrail/protocol";
import type { ReactElement, ReactNode } from "react";
import { Button } from "../controls/button.tsx";
import { Notice } from "../controls/notice.tsx";
import { useStrings } from "../strings/strings.tsx";
import { LostList, lostCounts } from "./lost-list.tsx";

/** Whether another program wrote the new version onto the file itself. */
export function isInPlace(draft: QuarantineRecord): boolean {
  return draft.draft === draft.path;
}

/** What is said and asked of a new version that was kept beside the good file. */
export function DraftNotice(props: {
  readonly draft: QuarantineRecord;
  readonly onCompare: () => void;
  readonly onAccept: () => void;
  readonly onDrop: () => void;
  /** The way to decide range by range; none where it is not text. */
  readonly onMerge: (() => void) | null;
  /** Why nothing can be decided now, or none. */
  readonly whyNot: string | null;
  /** What became of the last try, or the way to the next draft. */
  readonly children?: ReactNode;
}): ReactElement {
  const strings = useStrings();
  const { draft } = props;
  const words = strings.drafts;
  const counts = lostCounts(draft.lost, strings);
  const inPlace = isInPlace(draft);
  const title = inPlace ? words.replaced(draft.path) : words.kept(draft.path);
  const titleLosing = inPlace
    ? words.replacedLosing(draft.path, counts)
    : words.keptLosing(draft.path, counts);
  return (
    <section aria-label={title} className="shrink-0">
      <Notice
        tone="warning"
        isLive
        className="rounded-none border-b border-border"
        title={counts === "" ? title : titleLosing}
        code={draft.reason}
        actions={
          <>
            <Button onClick={props.onCompare}>{words.compare}</Button>
            {props.onMerge === null ? null : (
              <Button onClick={props.onMerge}>{words.merge}</Button>
            )}
            <Button whyDisabled={props.whyNot} onClick={props.onAccept}>
              {inPlace ? words.keep : words.accept}
            </Button>
            <Button whyDisabled={props.whyNot} onClick={props.onDrop}>
              {inPlace ? words.bringBack : words.drop}
            </Button>
            {props.children}
          </>
        }
      >
        <div className="flex flex-col gap-2">
          <p>
            {words.reasons[draft.reason]}{" "}
            {inPlace ? words.isThere(draft.path) : words.stays(draft.path, draft.draft)}
          </p>
          <LostList title={inPlace ? words.vanished : words.lost} lost={draft.lost} />
        </div>
      </Notice>
    </section>
  );
}
