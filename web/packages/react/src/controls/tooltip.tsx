import { Tooltip as RadixTooltip } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

/** Lets every tooltip below it appear after one common delay. */
export function TooltipProvider(props: { readonly children: ReactNode }): ReactElement {
  return (
    <RadixTooltip.Provider delayDuration={500} skipDelayDuration={200}>
      {props.children}
    </RadixTooltip.Provider>
  );
}

/** A word of explanation on hover and on focus; never the only place of a name. */
export function Tooltip(props: {
  readonly text: string;
  readonly children: ReactElement;
}): ReactElement {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{props.children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-w-80 rounded-control border border-border bg-raised px-2 py-1 text-12 text-text shadow-overlay"
        >
          {props.text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}
