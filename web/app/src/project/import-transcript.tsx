import { Button, Dialog, Notice, useStrings } from "@vitrail/react";
import { type ReactElement, useRef, useState } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { useWhyReadOnly } from "../read-only.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";

/** Takes the conversations of a transcript into a project. */
export function ImportTranscript(props: {
  readonly projectId: string;
  readonly onClose: () => void;
}): ReactElement {
  const strings = useStrings();
  const { api, workspace } = useWiring();
  const { projectId } = props;
  const why = useWhyReadOnly();
  const act = useAct();
  const [imported, setImported] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const take = (file: File): void => {
    setImported(null);
    void act.run(async () => {
      const { conversations } = await api.importTranscript(projectId, file);
      await workspace.openProject(projectId);
      setImported(conversations.length);
    });
  };
  return (
    <Dialog title={strings.rail.importTranscript} onClose={props.onClose}>
      <div className="flex flex-col gap-4 p-4">
        <p className="text-14 text-text">{strings.rail.importTranscriptText}</p>
        <FailureNotice failure={act.failure} />
        {imported === null ? null : (
          <Notice tone="success" isLive>
            {strings.rail.importedTranscript(imported)}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={props.onClose}>
            {imported === null ? strings.action.cancel : strings.action.close}
          </Button>
          <Button
            data-autofocus
            variant="primary"
            whyDisabled={why ?? (act.isBusy ? strings.home.importing : null)}
            onClick={() => field.current?.click()}
          >
            {strings.rail.importTranscriptChoose}
          </Button>
        </div>
        <input
          ref={field}
          type="file"
          hidden
          tabIndex={-1}
          accept=".jsonl,.ndjson"
          aria-label={strings.rail.importTranscriptChoose}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file !== undefined) take(file);
            event.currentTarget.value = "";
          }}
        />
      </div>
    </Dialog>
  );
}
