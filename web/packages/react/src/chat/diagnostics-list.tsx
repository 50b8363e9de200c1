import type { Diagnostic } from "@vitrail/protocol";
import type { ReactElement } from "react";
import { CopyButton } from "../controls/copy-button.tsx";
import { type NoticeTone, ToneIcon } from "../controls/notice.tsx";
import { useStrings } from "../strings/strings.tsx";

const TONES: Readonly<Record<Diagnostic["severity"], NoticeTone>> = {
  info: "info",
  warning: "warning",
  error: "danger",
};

/** What the rules found, in their words; each code is there to copy. */
export function DiagnosticsList(props: {
  readonly diagnostics: readonly Pick<Diagnostic, "code" | "severity" | "message">[];
}): ReactElement | null {
  const strings = useStrings();
  if (props.diagnostics.length === 0) return null;
  return (
    <ul className="flex flex-col">
      {props.diagnostics.map((one, place) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: findings have no identity of their own
          key={`${one.code}-${place}`}
          className="flex items-start gap-2 text-13 text-text"
        >
          <span className="flex h-7 items-center">
            <ToneIcon tone={TONES[one.severity]} />
          </span>
          <span className="sr-only">{strings.chat.severity[one.severity]}</span>
          <span dir="auto" className="min-w-0 flex-1 break-words py-1">
            {one.message}
          </span>
          <CopyButton
            label={`${strings.action.copy}: ${one.code}`}
            text={() => `${one.code}: ${one.message}`}
          />
        </li>
      ))}
    </ul>
  );
}
