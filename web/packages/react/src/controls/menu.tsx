import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { cx } from "./cx.ts";

const ITEM =
  "flex min-h-8 cursor-default items-center gap-2 rounded-control px-2 text-14 outline-none select-none data-[highlighted]:bg-hover pointer-coarse:min-h-11";

/** A menu that opens from its trigger; arrows move, Escape closes. */
export function Menu(props: {
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly label: string;
  readonly align?: "start" | "end";
}): ReactElement {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{props.trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={props.label}
          align={props.align ?? "start"}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[70dvh] min-w-48 max-w-[calc(100vw-16px)] overflow-y-auto rounded-card border border-border bg-raised p-1 text-text shadow-overlay"
        >
          {props.children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** One act of a menu. */
export function MenuItem(props: {
  readonly onSelect: () => void;
  readonly children: ReactNode;
  readonly icon?: ReactNode;
  readonly isDanger?: boolean;
  /** Why it cannot be chosen now; it stays reachable and tells the reason. */
  readonly whyDisabled?: string | null;
}): ReactElement {
  const why = props.whyDisabled ?? null;
  return (
    <DropdownMenu.Item
      aria-disabled={why === null ? undefined : true}
      onSelect={(event) => {
        if (why === null) props.onSelect();
        else event.preventDefault();
      }}
      className={cx(
        ITEM,
        why === null ? (props.isDanger ? "text-danger" : null) : "text-muted",
      )}
    >
      {props.icon}
      {why === null ? (
        props.children
      ) : (
        <span className="flex max-w-60 flex-col py-1">
          <span>{props.children}</span>
          <span className="text-12">{why}</span>
        </span>
      )}
    </DropdownMenu.Item>
  );
}

/** A download or a place as an item of a menu. */
export function MenuLink(props: {
  readonly href: string;
  readonly download?: string | boolean;
  readonly children: ReactNode;
  readonly icon?: ReactNode;
}): ReactElement {
  return (
    <DropdownMenu.Item asChild className={ITEM}>
      <a href={props.href} download={props.download}>
        {props.icon}
        {props.children}
      </a>
    </DropdownMenu.Item>
  );
}

/** A choice among several, in a menu. */
export function MenuChoices<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly { readonly value: T; readonly text: ReactNode }[];
  readonly onChange: (value: T) => void;
}): ReactElement {
  return (
    <DropdownMenu.RadioGroup
      aria-label={props.label}
      value={props.value}
      onValueChange={(value) => {
        const choice = props.choices.find((one) => one.value === value);
        if (choice !== undefined) props.onChange(choice.value);
      }}
    >
      <DropdownMenu.Label className="px-2 pt-2 pb-1 text-12 font-medium text-muted">
        {props.label}
      </DropdownMenu.Label>
      {props.choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={ITEM}>
          <span className="inline-flex size-4 shrink-0 items-center justify-center">
            <DropdownMenu.ItemIndicator>
              <Check size={16} aria-hidden />
            </DropdownMenu.ItemIndicator>
          </span>
          <span className="min-w-0">{choice.text}</span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** A line between groups of a menu. */
export function MenuSeparator(): ReactElement {
  return <DropdownMenu.Separator className="my-1 h-px bg-border" />;
}
