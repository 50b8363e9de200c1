import type { ReactElement } from "react";
import { CopyButton } from "../controls/copy-button.tsx";
import { useStrings } from "../strings/strings.tsx";
import { GrowingText } from "./growing-text.tsx";

/** A block of code within a message: always left to right, with its own copy button. */
export function CodeBox(props: {
  readonly language: string;
  readonly segments: readonly string[];
}): ReactElement {
  const strings = useStrings();
  return (
    <figure className="code-box" dir="ltr">
      <figcaption className="code-box-head">
        <span>{strings.chat.codeLabel(props.language)}</span>
        <CopyButton
          label={strings.action.copyCode}
          text={() => props.segments.join("")}
        />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <pre tabIndex={0}>
        <code>
          {props.segments.map((text, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: segments never move
            <GrowingText key={place} text={text} />
          ))}
        </code>
      </pre>
    </figure>
  );
}
