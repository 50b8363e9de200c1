import { ArrowDown } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Button } from "../controls/button.tsx";
import { useStrings } from "../strings/strings.tsx";
import { useFollow } from "./use-follow.ts";

/** The scrolling list of a conversation's messages, with the way back to its end. */
export function ThreadView(props: {
  /** Names the conversation. */
  readonly id: string;
  readonly children: ReactNode;
}): ReactElement {
  const strings = useStrings();
  const follow = useFollow(props.id);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={follow.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={strings.chat.label}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-4"
      >
        <div ref={follow.content} className="mx-auto flex max-w-190 flex-col gap-6">
          {props.children}
        </div>
      </div>
      {follow.isAtEnd ? null : (
        <div className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center">
          <Button
            size="small"
            className="pointer-events-auto bg-raised shadow-overlay"
            icon={<ArrowDown size={16} aria-hidden />}
            onClick={follow.toEnd}
          >
            {strings.chat.latest}
          </Button>
        </div>
      )}
    </div>
  );
}
