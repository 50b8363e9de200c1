import type { ReactElement } from "react";
import { hasRightToLeft, splitSignedNumbers } from "../markdown/direction.ts";

/** One line of outside text in its own direction; its numbers keep their signs. */
export function DirectedText(props: {
  readonly text: string;
  readonly className?: string;
}): ReactElement {
  const pieces = hasRightToLeft(props.text)
    ? splitSignedNumbers(props.text)
    : [props.text];
  return (
    <bdi className={props.className} dir="auto" title={props.text}>
      {pieces.map((piece, place) =>
        place % 2 === 0 ? (
          piece
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one fixed text
          <bdi key={place} dir="ltr">
            {piece}
          </bdi>
        ),
      )}
    </bdi>
  );
}
