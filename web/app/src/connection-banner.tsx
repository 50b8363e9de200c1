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
    <div className="pointer-events-none fixed inset-x-0 top-14 z-40 flex justify-center px-4 pointer-coarse:top-16">
      <Notice
        tone="warning"
        isLive
        className="pointer-events-auto max-w-160 border border-border shadow-overlay"
        code={connection.state === "refused" ? connection.code : null}
        actions={
          <Button onClick={() => workspace.retryNow()}>{strings.state.offlineTry}</Button>
        }
      >
        {words}
      </Notice>
    </div>
  );
}
