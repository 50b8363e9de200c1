import { Button, Notice, useStrings } from "@vitrail/react";
import type { ReactElement } from "react";
import { isLost, useView, useWiring } from "./workspace-context.tsx";

/** Says that the event stream is lost or that one is signed out; it lies over the page and moves nothing. */
export function ConnectionBanner(): ReactElement | null {
  const strings = useStrings();
  const { workspace } = useWiring();
  const connection = useView((view) => view.connection);
  if (connection.state !== "signed-out" && !isLost(connection)) return null;
  const words =
    connection.state === "signed-out"
      ? strings.state.signedOut
      : connection.state === "refused"
        ? connection.detail
        : strings.state.offline;
  return (
    <div className="pointer-events-none fixed inset-x-0 top-1 z-40 max-phone:top-14 flex justify-center px-4">
      <Notice
        tone="warning"
        isLive
        className="pointer-events-auto items-center border border-border py-1 shadow-overlay"
        code={connection.state === "refused" ? connection.code : null}
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {words}
          <Button size="small" onClick={() => workspace.retryNow()}>
            {strings.state.offlineTry}
          </Button>
        </span>
      </Notice>
    </div>
  );
}
