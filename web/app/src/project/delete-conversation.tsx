import { Button, Dialog, Notice, useStrings } from "@vitrail/react";
import { type ReactElement, useState } from "react";
import { wordsOf } from "../queries.ts";
import { navigate, projectRoute, useRoute } from "../routes.ts";
import { useData, useIsOffline, useWiring } from "../workspace-context.tsx";

/** Asks once, by name, before a conversation goes; its files stay. */
export function DeleteConversation(props: {
  readonly conversationId: string;
  readonly onClose: () => void;
}): ReactElement | null {
  const strings = useStrings();
  const { workspace } = useWiring();
  const isOffline = useIsOffline();
  const route = useRoute();
  const conversation = useData((data) => data.conversations.get(props.conversationId));
  const [failure, setFailure] = useState<unknown>(null);
  if (conversation === undefined) return null;
  const title = conversation.title === "" ? strings.rail.untitled : conversation.title;
  const isRunning = conversation.activeRunId !== null;
  const remove = async (): Promise<void> => {
    try {
      await workspace.deleteConversation(conversation.id);
      props.onClose();
      if (route.view === "project" && route.conversation === conversation.id) {
        navigate(projectRoute(route.name), "replace");
      }
    } catch (error) {
      setFailure(error);
    }
  };
  const told = failure === null ? null : wordsOf(failure, strings.state.unknownError);
  return (
    <Dialog title={strings.rail.deleteTitle(title)} onClose={props.onClose}>
      <div className="flex flex-col gap-4 p-4">
        <p className="text-14 text-text">{strings.rail.deleteText}</p>
        {told === null ? null : (
          <Notice tone="danger" isLive code={told.code}>
            {told.words}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button data-autofocus variant="quiet" onClick={props.onClose}>
            {strings.action.cancel}
          </Button>
          <Button
            variant="danger"
            whyDisabled={
              isOffline
                ? strings.state.readOnly
                : isRunning
                  ? strings.rail.deleteRunning
                  : null
            }
            onClick={() => void remove()}
          >
            {strings.rail.deleteButton}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
