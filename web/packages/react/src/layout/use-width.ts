import { useLayoutEffect, useState } from "react";

/** Returns the width of an element in pixels, followed; 0 before it is laid out. */
export function useWidth(): {
  readonly ref: (element: HTMLElement | null) => void;
  readonly width: number;
} {
  const [element, ref] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return { ref, width };
}
