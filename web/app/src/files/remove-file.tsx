import { Button, Dialog, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { type ReactElement, useState } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { useWhyReadOnly } from "../read-only.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";
import { PartsChoice, PartsState, usePageParts } from "./page-parts.tsx";

/** Asks once, by name, before a file goes, alone or with its parts; their versions stay. */
export function RemoveFile(props: {
  readonly projectId: string;
  readonly file: FileHead;
  /** `parts` are the files that went along. */
  readonly onRemoved: (parts: readonly string[]) => void;
  readonly onClose: () => void;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const { projectId, file } = props;
  const why = useWhyReadOnly();
  const act = useAct();
  const parts = usePageParts(projectId, file, true);
  const [isWhole, setWhole] = useState(false);
  const own = parts.data?.own ?? [];
  const goesWhole = isWhole && own.length > 0;
  const remove = (): void => {
    void act.run(async () => {
      const { digest } = file;
      await api.removeFile(projectId, file.path, { digest, parts: goesWhole });
      props.onRemoved(goesWhole ? own : []);
    });
  };
  return (
    <Dialog title={strings.files.deleteTitle(file.path)} onClose={props.onClose}>
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto p-4">
        <p className="text-14 text-text">{strings.files.deleteText}</p>
        <PartsState parts={parts} />
        {parts.data === undefined ? null : (
          <PartsChoice
            parts={parts.data}
            own={own}
            label={strings.files.deleteParts(own.length)}
            isChosen={isWhole}
            onChoose={setWhole}
          />
        )}
        <FailureNotice
          failure={act.failure}
          conflict={strings.files.changedSince(file.path)}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button data-autofocus variant="quiet" onClick={props.onClose}>
            {strings.action.cancel}
          </Button>
          <Button
            variant="danger"
            whyDisabled={why ?? (act.isBusy ? strings.state.loading : null)}
            onClick={remove}
          >
            {goesWhole
              ? strings.files.deleteButtonAll(own.length + 1)
              : strings.files.deleteButton}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
