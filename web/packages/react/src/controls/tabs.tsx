import { Tabs as RadixTabs } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

/** One tab: its name and its panel. */
export interface Tab<T extends string> {
  readonly value: T;
  readonly name: string;
  readonly icon?: ReactNode;
  readonly panel: ReactNode;
}

/**
 * Tabs whose panels stay alive: a panel that is not looked at is hidden, not
 * unmounted, so a frame keeps its document and a list its place.
 */
export function Tabs<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly tabs: readonly Tab<T>[];
  readonly onChange: (value: T) => void;
  readonly end?: ReactNode;
  /** What is said above the panels, whichever is looked at. */
  readonly notices?: ReactNode;
}): ReactElement {
  return (
    <RadixTabs.Root
      className="flex min-h-0 flex-1 flex-col"
      value={props.value}
      onValueChange={(value) => {
        const tab = props.tabs.find((one) => one.value === value);
        if (tab !== undefined) props.onChange(tab.value);
      }}
    >
      <div className="flex h-10 shrink-0 items-stretch justify-between gap-2 border-b border-border px-2 max-phone:gap-0 max-phone:px-1 pointer-coarse:h-12">
        <RadixTabs.List
          aria-label={props.label}
          className="flex min-w-0 items-stretch gap-1 max-phone:gap-0"
        >
          {props.tabs.map((tab) => (
            <RadixTabs.Trigger
              key={tab.value}
              value={tab.value}
              className="relative -mb-px inline-flex items-center gap-2 border-b-2 border-transparent px-3 max-phone:px-2 text-14 font-medium text-muted transition-colors duration-120 ease-out hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {tab.icon}
              {tab.name}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        <div className="flex items-center gap-1">{props.end}</div>
      </div>
      {props.notices}
      {props.tabs.map((tab) => (
        <RadixTabs.Content
          key={tab.value}
          value={tab.value}
          forceMount
          className="flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden"
        >
          {tab.panel}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
