import { useQuery } from "@tanstack/react-query";
import { Button, ConflictView, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { ApiError } from "@vitrail/stream/client";
import { type ReactElement, useState } from "react";
import { FailureNotice, isConflict } from "../failure-notice.tsx";
import { useRevisionText } from "../history/history-queries.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";
import { DiscardDialog, TextsComing } from "./discard-dialog.tsx";
import { changeUnsaved, type KeptUnsaved, keepUnsaved, unsavedKey } from "./unsaved.ts";

/** The file's text now, and the digest that a write over it names; none where it is gone. */
interface Theirs {
  readonly text: string;
  readonly digest: string | null;
}

/** Reads the file anew, whatever was known of it; a file that is gone has no text. */
function useTheirs(projectId: string, path: string, digest: string | null) {
  const { api } = useWiring();
  return useQuery({
    queryKey: ["theirs", projectId, path, digest],
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }): Promise<Theirs> => {
      try {
        return await api.fileText(projectId, path, { signal });
      } catch (error) {
        const isGone = error instanceof ApiError && error.code === "file-not-found";
        if (isGone) return { text: "", digest: null };
        throw error;
      }
    },
  });
}

/** The person's text and the file's, where both were written at a time. */
export function ResolvePane(props: {
  readonly projectId: string;
  readonly path: string;
  readonly file: FileHead | null;
  readonly unsaved: KeptUnsaved;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const { projectId, path, unsaved } = props;
  const key = unsavedKey(projectId, path);
  const why = useWhyReadOnly();
  const act = useAct();
  const [isAsking, setAsking] = useState(false);
  const theirs = useTheirs(projectId, path, props.file?.digest ?? null);
  const base = useRevisionText(projectId, unsaved.baseRevision);
  const isBaseKnown = unsaved.baseRevision === null || base.data !== undefined;
  if (theirs.isError) return <FailureNotice failure={theirs.error} className="m-4" />;
  if (theirs.data === undefined || !(isBaseKnown || base.isError)) return <TextsComing />;
  const { text, digest } = theirs.data;
  const save = (result: string): void => {
    void act.run(async () => {
      try {
        const condition =
          digest === null ? { create: true as const } : { ifMatch: digest };
        await api.writeFile(projectId, path, result, condition);
        keepUnsaved(key, null);
      } catch (error) {
        // Once more somebody was faster: what was decided so far is the person's text.
        if (isConflict(error)) {
          changeUnsaved(key, { text: result });
          await theirs.refetch();
        }
        throw error;
      }
    });
  };
  return (
    <>
      <ConflictView
        path={path}
        base={base.data ?? null}
        mine={unsaved.text}
        theirs={text}
        text={strings.conflict.text}
        theirsName={strings.conflict.theirs}
        onMine={(mine) => changeUnsaved(key, { text: mine })}
        onSave={save}
        whyNotSave={why ?? (act.isBusy ? strings.conflict.saving : null)}
        failure={
          <FailureNotice failure={act.failure} conflict={strings.conflict.movedOn} />
        }
        actions={
          <Button variant="quiet" onClick={() => setAsking(true)}>
            {strings.conflict.discard}
          </Button>
        }
      />
      {isAsking ? (
        <DiscardDialog
          path={path}
          onClose={() => setAsking(false)}
          onDiscard={() => keepUnsaved(key, null)}
        />
      ) : null}
    </>
  );
}
