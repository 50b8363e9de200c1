import { Button, Dialog, Skeleton, useStrings } from "@vitrail/react";
import type { ReactElement } from "react";

/** Asks once before what was typed goes: nobody else has it. */
export function DiscardDialog(props: {
  readonly path: string;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}): ReactElement {
  const strings = useStrings();
  return (
    <Dialog title={strings.conflict.discardTitle} onClose={props.onClose}>
      <div className="flex flex-col gap-4 p-4">
        <p className="text-14 text-text">{strings.conflict.discardText(props.path)}</p>
        <div className="flex justify-end gap-2">
          <Button data-autofocus variant="quiet" onClick={props.onClose}>
            {strings.action.cancel}
          </Button>
          <Button variant="danger" onClick={props.onDiscard}>
            {strings.conflict.discard}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** What stands while both texts are on their way. */
export function TextsComing(): ReactElement {
  return <Skeleton lines={8} className="p-4" />;
}
