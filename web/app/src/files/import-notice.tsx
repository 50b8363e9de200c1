import type { ImportResult } from "@vitrail/protocol";
import { Button, Notice, Strip, useStrings } from "@vitrail/react";
import type { ReactElement } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { RefusedNames } from "./refused-names.tsx";
import type { ImportState } from "./use-import.ts";
import type { ZipEntry } from "./zip.ts";

/** What became of an import: how many files, or each name that was refused and why. */
export function ImportNotice(props: {
  readonly state: ImportState;
  readonly onClose: () => void;
  readonly onReplace: (files: readonly ZipEntry[]) => void;
}): ReactElement | null {
  const strings = useStrings();
  const { state } = props;
  const close = (
    <Button size="small" onClick={props.onClose}>
      {strings.action.close}
    </Button>
  );
  switch (state.state) {
    case "idle":
      return null;
    case "adding":
      return (
        <Notice tone="info" isLive className="m-2 shrink-0">
          {strings.files.adding(state.files)}
        </Notice>
      );
    case "added":
      return <AddedStrip result={state.result} onClose={props.onClose} />;
    case "failed":
      return <FailureNotice failure={state.error} className="m-2 shrink-0" />;
    case "refused":
      return (
        <Notice
          tone={state.canReplace ? "warning" : "danger"}
          isLive
          className="m-2 max-h-[50%] shrink-0 overflow-y-auto"
          title={strings.files.refusedTitle}
          actions={
            <>
              {state.canReplace ? (
                <Button size="small" onClick={() => props.onReplace(state.files)}>
                  {strings.files.replace}
                </Button>
              ) : null}
              {close}
            </>
          }
        >
          <p>
            {state.canReplace
              ? strings.files.replaceText
              : strings.files.refusedText(state.names.length)}
          </p>
          <RefusedNames names={state.names} />
        </Notice>
      );
  }
}

/** How many files came in, how many wait aside, and what was left out. */
function AddedStrip(props: {
  readonly result: ImportResult;
  readonly onClose: () => void;
}): ReactElement {
  const strings = useStrings();
  const { files, leftOut } = props.result;
  const aside = files.filter((one) => one.verdict === "quarantined").length;
  return (
    <Strip tone="success" onClose={props.onClose}>
      {strings.files.added(files.length)}{" "}
      {aside === 0 ? null : strings.files.addedAside(aside)}{" "}
      {leftOut.length === 0 ? null : (
        <span title={leftOut.map((one) => one.name).join("\n")} className="text-muted">
          {strings.files.leftOut(leftOut.length)}
        </span>
      )}
    </Strip>
  );
}
