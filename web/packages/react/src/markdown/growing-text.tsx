import { memo, type ReactElement, useLayoutEffect, useRef } from "react";

/**
 * A run of text that grows by appending to its node. Replacing the whole node,
 * as a plain child would, collapses every selection that begins or ends in it.
 */
export const GrowingText = memo(function GrowingText(props: {
  readonly text: string;
}): ReactElement {
  const span = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = span.current;
    if (element === null) return;
    const node = element.firstChild;
    if (!(node instanceof Text)) element.textContent = props.text;
    else if (props.text.startsWith(node.data)) {
      if (props.text.length > node.data.length) {
        node.appendData(props.text.slice(node.data.length));
      }
    } else node.data = props.text;
  }, [props.text]);
  return <span ref={span} />;
});
