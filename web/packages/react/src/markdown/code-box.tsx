import { type ReactElement, useMemo } from "react";
import { CopyButton } from "../controls/copy-button.tsx";
import { useStrings } from "../strings/strings.tsx";
import { GrowingText } from "./growing-text.tsx";

/** Puts pieces of code into groups of whole lines; groups only come at the end. */
function groupsOf(segments: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [[]];
  for (const [place, segment] of segments.entries()) {
    groups.at(-1)?.push(segment);
    if (segment.endsWith("\n") && place < segments.length - 1) groups.push([]);
  }
  return groups;
}

/** A block of code within a message: always left to right, with its own copy button. */
export function CodeBox(props: {
  readonly language: string;
  readonly segments: readonly string[];
}): ReactElement {
  const strings = useStrings();
  const { segments } = props;
  const groups = useMemo(() => groupsOf(segments), [segments]);
  return (
    <figure className="code-box" dir="ltr">
      <figcaption className="code-box-head">
        <span>{strings.chat.codeLabel(props.language)}</span>
        <CopyButton label={strings.action.copyCode} text={() => segments.join("")} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <pre tabIndex={0}>
        <code className="code-body">
          {groups.map((group, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups never move
            <span key={place} className="code-lines">
              {group.map((text, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: segments never move
                <GrowingText key={at} text={text} />
              ))}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
}
