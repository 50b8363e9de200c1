import { Button, ConflictNotice, TextEditor, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { type ReactElement, useEffect, useState } from "react";
import { FailureNotice, isConflict } from "../failure-notice.tsx";
import { useWhyReadOnly } from "../read-only.ts";
import { type Act, useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";
import { DiscardDialog } from "./discard-dialog.tsx";
import { ResolvePane } from "./resolve-pane.tsx";
import { changeUnsaved, type KeptUnsaved, keepUnsaved, unsavedKey } from "./unsaved.ts";

/** The file's text as a person changes it, or both texts where another got in between. */
export function EditorPane(props: {
  readonly projectId: string;
  readonly path: string;
  /** As it is now; none where it is gone. */
  readonly file: FileHead | null;
  readonly unsaved: KeptUnsaved;
}): ReactElement {
  const { unsaved } = props;
  useLeaveWarning(!unsaved.isKept);
  if (unsaved.isResolving) return <ResolvePane {...props} />;
  return <Editor {...props} />;
}

/** Asks before the page goes, where what was typed would go with it. */
function useLeaveWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const onLeave = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [isNeeded]);
}

/** Puts the focus where editing began. */
function focusEdit(): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>("[data-edit-button]")?.focus(),
  );
}

/** Returns the act of saving what was typed over bytes of a digest, or as a new file. */
function useSave(
  projectId: string,
  path: string,
  unsaved: KeptUnsaved,
): { readonly act: Act; readonly save: (over: string | null) => void } {
  const { api } = useWiring();
  const key = unsavedKey(projectId, path);
  const act = useAct();
  const save = (over: string | null): void => {
    void act.run(async () => {
      const condition = over === null ? { create: true as const } : { ifMatch: over };
      try {
        await api.writeFile(projectId, path, unsaved.text, condition);
      } catch (error) {
        // Somebody was faster: both texts are looked at, neither is lost.
        if (!isConflict(error)) throw error;
        changeUnsaved(key, { isResolving: true });
        return;
      }
      keepUnsaved(key, null);
      focusEdit();
    });
  };
  return { act, save };
}

function Editor(props: {
  readonly projectId: string;
  readonly path: string;
  readonly file: FileHead | null;
  readonly unsaved: KeptUnsaved;
}): ReactElement {
  const strings = useStrings();
  const { projectId, path, file, unsaved } = props;
  const key = unsavedKey(projectId, path);
  const why = useWhyReadOnly();
  const { act, save } = useSave(projectId, path, unsaved);
  const [isAsking, setAsking] = useState(false);
  const isStale = file !== null && file.digest !== unsaved.baseDigest;
  const isGone = file === null && unsaved.baseDigest !== null;
  const trySave = (): void => {
    if (why !== null) return;
    save(isGone ? null : unsaved.baseDigest);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {isStale ? (
        <ConflictNotice
          title={strings.edit.changedTitle(path)}
          text={strings.edit.changedText}
          actions={
            <Button onClick={() => changeUnsaved(key, { isResolving: true })}>
              {strings.edit.resolve}
            </Button>
          }
        />
      ) : null}
      <div className="flex shrink-0 items-center justify-between gap-2 border-b border-border bg-sunken px-3 py-1">
        <p role="status" className="min-w-0 text-13 wrap-anywhere text-muted">
          {isGone
            ? strings.edit.gone(path)
            : unsaved.isKept
              ? strings.edit.kept
              : strings.edit.notKept}
        </p>
        <div className="flex shrink-0 items-center gap-2">
          <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
            {strings.edit.discard}
          </Button>
          <Button
            variant="primary"
            size="small"
            whyDisabled={why ?? (act.isBusy ? strings.edit.saving : null)}
            onClick={trySave}
          >
            {strings.edit.save}
          </Button>
        </div>
      </div>
      <FailureNotice
        failure={act.failure}
        title={strings.edit.refused}
        className="shrink-0 rounded-none border-b border-border"
      />
      <TextEditor
        path={path}
        text={unsaved.text}
        isFocused
        onChange={(text) => changeUnsaved(key, { text })}
        onSave={trySave}
      />
      {isAsking ? (
        <DiscardDialog
          path={path}
          onClose={() => setAsking(false)}
          onDiscard={() => {
            keepUnsaved(key, null);
            focusEdit();
          }}
        />
      ) : null}
    </div>
  );
}
