import type { ImportRefusal } from "@vitrail/protocol";
import { CopyButton, useStrings } from "@vitrail/react";
import type { ReactElement } from "react";

/** Names that may not come in, each with its reason; the codes are there to copy. */
export function RefusedNames(props: {
  readonly names: readonly ImportRefusal[];
}): ReactElement {
  const strings = useStrings();
  return (
    <ul className="flex flex-col">
      {props.names.map((one) => (
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
  );
}
