import { Button, Dialog, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import type { ReactElement } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { useWhyReadOnly } from "../read-only.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";

/** Asks once, by name, before a file goes; its versions stay. */
export function RemoveFile(props: {
  readonly projectId: string;
  readonly file: FileHead;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const { projectId, file } = props;
  const why = useWhyReadOnly();
  const act = useAct();
  const remove = (): void => {
    void act.run(async () => {
      await api.removeFile(projectId, file.path, file.digest);
      props.onRemoved();
    });
  };
  return (
    <Dialog title={strings.files.deleteTitle(file.path)} onClose={props.onClose}>
      <div className="flex flex-col gap-4 p-4">
        <p className="text-14 text-text">{strings.files.deleteText}</p>
        <FailureNotice
          failure={act.failure}
          conflict={strings.files.changedSince(file.path)}
        />
        <div className="flex justify-end gap-2">
          <Button data-autofocus variant="quiet" onClick={props.onClose}>
            {strings.action.cancel}
          </Button>
          <Button
            variant="danger"
            whyDisabled={why ?? (act.isBusy ? strings.state.loading : null)}
            onClick={remove}
          >
            {strings.files.deleteButton}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
