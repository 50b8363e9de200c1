import type { ComponentProps, MouseEvent, ReactElement, ReactNode } from "react";
import { cx } from "./cx.ts";
import { Tooltip } from "./tooltip.tsx";

/** `primary` is the one filled button of a screen. */
export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";

const BASE =
  "inline-flex shrink-0 items-center justify-center gap-1 whitespace-nowrap rounded-control text-14 font-medium select-none transition-colors duration-120 ease-out pointer-coarse:min-h-11";

const VARIANTS: Readonly<Record<ButtonVariant, string>> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  secondary: "border border-border-strong bg-surface text-text hover:bg-hover",
  quiet: "text-muted hover:bg-hover hover:text-text",
  danger: "border border-border-strong bg-surface text-danger hover:bg-danger-soft",
};

const INERT = "cursor-not-allowed opacity-60";

/** What buttons have in common. */
interface ButtonCommon extends Omit<ComponentProps<"button">, "disabled"> {
  readonly variant?: ButtonVariant;
  /** Why it cannot be pressed now; it stays focusable and tells the reason. */
  readonly whyDisabled?: string | null | undefined;
}

function inertProps(
  why: string | null | undefined,
  onClick: ButtonCommon["onClick"],
): Pick<ComponentProps<"button">, "onClick" | "aria-disabled" | "aria-description"> {
  if (why === null || why === undefined) return { onClick };
  return {
    "aria-disabled": true,
    "aria-description": why,
    onClick: (event: MouseEvent) => event.preventDefault(),
  };
}

/** A button with words. */
export function Button(
  props: ButtonCommon & { readonly icon?: ReactNode; readonly size?: "small" | "medium" },
): ReactElement {
  const { variant = "secondary", whyDisabled, icon, size = "medium", ...rest } = props;
  const { className, children, onClick, type = "button", ...native } = rest;
  const button = (
    <button
      {...native}
      {...inertProps(whyDisabled, onClick)}
      type={type}
      className={cx(
        BASE,
        VARIANTS[variant],
        size === "small" ? "min-h-7 px-2 text-13" : "min-h-8 px-3",
        whyDisabled ? INERT : null,
        className,
      )}
    >
      {icon}
      {children}
    </button>
  );
  return whyDisabled ? <Tooltip text={whyDisabled}>{button}</Tooltip> : button;
}

/** A button that shows one icon; its name appears on hover and is read aloud. */
export function IconButton(
  props: ButtonCommon & {
    readonly label: string;
    readonly icon: ReactNode;
    readonly size?: "small" | "medium";
  },
): ReactElement {
  const { variant = "quiet", whyDisabled, label, icon, size = "medium", ...rest } = props;
  const { className, onClick, type = "button", ...native } = rest;
  return (
    <Tooltip text={whyDisabled ?? label}>
      <button
        {...native}
        {...inertProps(whyDisabled, onClick)}
        type={type}
        aria-label={label}
        className={cx(
          BASE,
          VARIANTS[variant],
          "pointer-coarse:min-w-11",
          size === "small" ? "size-7" : "size-8",
          whyDisabled ? INERT : null,
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}

/** A link that looks like a quiet button, for places and for downloads. */
export function LinkButton(
  props: ComponentProps<"a"> & {
    readonly variant?: ButtonVariant;
    readonly icon?: ReactNode;
    readonly size?: "small" | "medium";
  },
): ReactElement {
  const {
    variant = "quiet",
    icon,
    size = "medium",
    className,
    children,
    ...native
  } = props;
  return (
    <a
      {...native}
      className={cx(
        BASE,
        VARIANTS[variant],
        size === "small" ? "min-h-7 px-2 text-13" : "min-h-8 px-3",
        className,
      )}
    >
      {icon}
      {children}
    </a>
  );
}

/** A link that shows one icon; its name appears on hover and is read aloud. */
export function IconLink(
  props: ComponentProps<"a"> & {
    readonly label: string;
    readonly icon: ReactNode;
    readonly size?: "small" | "medium";
  },
): ReactElement {
  const { label, icon, size = "medium", className, href, ...native } = props;
  return (
    <Tooltip text={label}>
      <a
        {...native}
        href={href}
        aria-label={label}
        className={cx(
          BASE,
          VARIANTS.quiet,
          "pointer-coarse:min-w-11",
          size === "small" ? "size-7" : "size-8",
          className,
        )}
      >
        {icon}
      </a>
    </Tooltip>
  );
}
