import { Button, Notice, useStrings } from "@vitrail/react";
import type { ReactElement } from "react";
import { isLost, useView, useWiring } from "./workspace-context.tsx";

/** Says that the event stream is lost or that one is signed out; silent otherwise. */
export function ConnectionBanner(): ReactElement | null {
  const strings = useStrings();
  const { workspace } = useWiring();
  const connection = useView((view) => view.connection);
  if (connection.state === "signed-out") {
    return (
      <Notice tone="warning" isLive className="rounded-none">
        {strings.state.signedOut}
      </Notice>
    );
  }
  if (!isLost(connection)) return null;
  return (
    <Notice
      tone="warning"
      isLive
      className="items-center rounded-none"
      code={connection.state === "refused" ? connection.code : null}
    >
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {connection.state === "refused" ? connection.detail : strings.state.offline}
        <Button size="small" onClick={() => workspace.retryNow()}>
          {strings.state.offlineTry}
        </Button>
      </span>
    </Notice>
  );
}
