import { IconButton, useStrings } from "@vitrail/react";
import { Maximize2, Minimize2, X } from "lucide-react";
import type { ReactElement } from "react";

/** The buttons of the artifact's pane: all the room for it, or none. */
export function PaneActions(props: {
  readonly isWide: boolean;
  readonly isChatFolded: boolean;
  readonly onChat: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const strings = useStrings();
  return (
    <>
      {props.isWide ? (
        <IconButton
          label={
            props.isChatFolded ? strings.project.expandChat : strings.project.collapseChat
          }
          icon={
            props.isChatFolded ? (
              <Minimize2 size={16} aria-hidden />
            ) : (
              <Maximize2 size={16} aria-hidden />
            )
          }
          onClick={props.onChat}
        />
      ) : null}
      <IconButton
        label={props.isWide ? strings.project.collapseStage : strings.project.closeSheet}
        icon={<X size={16} aria-hidden />}
        onClick={props.onClose}
      />
    </>
  );
}
