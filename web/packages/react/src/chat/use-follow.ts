import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const AT_END_PX = 32;

/** What a list that may be followed tells and takes. */
export interface Follow {
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** The element whose height grows. */
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  /** Goes to the end and follows it from now on. */
  readonly toEnd: () => void;
}

/** Returns true while the person has something selected in `element`. */
function isSelecting(element: HTMLElement): boolean {
  const selection = document.getSelection();
  return (
    selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode)
  );
}

/**
 * Follows the end of a growing list while its reader is there, and holds the
 * reader's place otherwise, also while they select. `key` names the list: another
 * one begins at its end.
 */
export function useFollow(key: string): Follow {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    follows.current = true;
    setAtEnd(true);
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its end
  useEffect(toEnd, [key]);

  useEffect(() => {
    const element = scroller.current;
    const grown = content.current;
    if (element === null || grown === null) return;
    let lastTop = element.scrollTop;
    const settle = (): void => {
      const end = element.scrollHeight - element.clientHeight;
      const isNear = end - element.scrollTop <= AT_END_PX;
      // Growth moves the end away by itself; only a move up is the reader leaving it.
      if (isNear) follows.current = true;
      else if (element.scrollTop < lastTop) follows.current = false;
      lastTop = element.scrollTop;
      setAtEnd(follows.current);
    };
    const onResize = (): void => {
      if (!follows.current || isSelecting(element)) {
        settle();
        return;
      }
      element.scrollTop = element.scrollHeight;
      lastTop = element.scrollTop;
    };
    element.addEventListener("scroll", settle, { passive: true });
    const observer = new ResizeObserver(onResize);
    observer.observe(grown);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", settle);
      observer.disconnect();
    };
  }, []);

  return { scroller, content, isAtEnd, toEnd };
}
