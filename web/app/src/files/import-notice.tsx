import { Button, CopyButton, Notice, useStrings } from "@vitrail/react";
import type { ReactElement } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import type { ImportState } from "./use-import.ts";

/** What became of an import: how many files, or each name that was refused and why. */
export function ImportNotice(props: {
  readonly state: ImportState;
  readonly onClose: () => void;
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
      return (
        <Notice tone="success" isLive className="m-2 shrink-0" actions={close}>
          {strings.files.added(state.files)}
        </Notice>
      );
    case "failed":
      return <FailureNotice failure={state.error} className="m-2 shrink-0" />;
    case "refused":
      return (
        <Notice
          tone="danger"
          isLive
          className="m-2 max-h-[50%] shrink-0 overflow-y-auto"
          title={strings.files.refusedTitle}
          actions={close}
        >
          <p>{strings.files.refusedText(state.names.length)}</p>
          <ul className="flex flex-col pt-1">
            {state.names.map((one) => (
              <li
                key={`${one.name}/${one.code}`}
                className="flex items-start gap-2 border-t border-border py-1 first:border-t-0"
              >
                <span className="min-w-0 flex-1 text-13">
                  <bdi className="font-mono wrap-anywhere">{one.name}</bdi>
                  <span className="block text-muted">{one.message}</span>
                </span>
                <CopyButton
                  label={`${strings.action.copy}: ${one.code}`}
                  text={() => `${one.name}: ${one.code}`}
                />
              </li>
            ))}
          </ul>
        </Notice>
      );
  }
}
