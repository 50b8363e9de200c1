import { cleanup, render } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach } from "vitest";
import { TooltipProvider } from "../src/index.ts";

afterEach(cleanup);

// jsdom lays nothing out, so nothing ever changes its size.
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

/** Draws a component as the workspace would, and returns its element. */
export function draw(node: ReactElement): HTMLElement {
  return render(<TooltipProvider>{node}</TooltipProvider>).container;
}

/** Draws a component so that it can be drawn again with other properties. */
export function drawn(node: ReactElement): { rerender: (node: ReactElement) => void } {
  const { rerender } = render(<TooltipProvider>{node}</TooltipProvider>);
  return {
    rerender: (next) => rerender(<TooltipProvider>{next}</TooltipProvider>),
  };
}
