import type { ComponentProps, MouseEvent, ReactElement } from "react";
import { formatRoute, navigate, type Route } from "./routes.ts";

/** A link within the workspace: a real address, opened without loading the page again. */
export function Link(
  props: Omit<ComponentProps<"a">, "href"> & { readonly to: Route },
): ReactElement {
  const { to, onClick, children, ...native } = props;
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey;
    if (event.defaultPrevented || !isPlain || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a {...native} href={formatRoute(to)} onClick={follow}>
      {children}
    </a>
  );
}
