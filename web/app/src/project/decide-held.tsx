import type { HeldFile } from "@vitrail/protocol";
import { Button, useStrings } from "@vitrail/react";
import type { ReactElement } from "react";
import { useKnownDrafts } from "../history/history-queries.ts";

/** The way from a card to the draft that waits, or that it was decided about. */
export function DecideHeld(props: {
  readonly projectId: string;
  readonly held: HeldFile;
  readonly onDecide: (path: string) => void;
}): ReactElement {
  const strings = useStrings();
  const { held } = props;
  const drafts = useKnownDrafts(props.projectId);
  const isOpen = drafts?.some((draft) => draft.revision === held.revision) ?? false;
  return (
    // as high before it is known as with the button, so that nothing moves
    <div className="flex min-h-9 items-center py-1 text-13 text-muted pointer-coarse:min-h-13">
      {isOpen ? (
        <Button
          size="small"
          aria-label={strings.card.decideOf(held.path)}
          onClick={() => props.onDecide(held.path)}
        >
          {strings.card.decide}
        </Button>
      ) : drafts === null ? null : (
        strings.card.decided
      )}
    </div>
  );
}
