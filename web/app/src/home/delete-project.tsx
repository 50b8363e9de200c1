import { Button, Dialog, Notice, TextField, useStrings } from "@vitrail/react";
import { type ReactElement, useState } from "react";
import { wordsOf } from "../queries.ts";
import { navigate } from "../routes.ts";
import { useData, useIsOffline, useWiring } from "../workspace-context.tsx";

/** Asks for the name of what goes for good; nothing happens until it is typed. */
export function DeleteProject(props: {
  readonly projectId: string;
  readonly onClose: () => void;
}): ReactElement | null {
  const strings = useStrings();
  const { workspace } = useWiring();
  const isOffline = useIsOffline();
  const project = useData((data) => data.projects.get(props.projectId));
  const [typed, setTyped] = useState("");
  const [failure, setFailure] = useState<unknown>(null);
  if (project === undefined) return null;
  const isNamed = typed.trim() === project.title;
  const remove = async (): Promise<void> => {
    if (!isNamed || isOffline) return;
    try {
      await workspace.deleteProject(project.id);
      props.onClose();
      navigate({ view: "home" });
    } catch (error) {
      setFailure(error);
    }
  };
  const told = failure === null ? null : wordsOf(failure, strings.state.unknownError);
  return (
    <Dialog title={strings.home.deleteTitle(project.title)} onClose={props.onClose}>
      <form
        className="flex flex-col gap-4 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          void remove();
        }}
      >
        <p className="text-14 text-text">{strings.home.deleteText}</p>
        <TextField
          autoFocus
          label={strings.home.deleteName(project.title)}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
        {told === null ? null : (
          <Notice tone="danger" isLive code={told.code}>
            {told.words}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={props.onClose}>
            {strings.action.cancel}
          </Button>
          <Button
            type="submit"
            variant="danger"
            whyDisabled={
              isOffline
                ? strings.state.readOnly
                : isNamed
                  ? null
                  : strings.home.deleteMismatch(project.title)
            }
          >
            {strings.home.deleteButton}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
