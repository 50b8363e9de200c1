import { cx, IconButton, Menu, MenuChoices, useStrings } from "@vitrail/react";
import { Command, Settings2 } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Link } from "./link.tsx";
import { prefer, type Theme, usePreference } from "./preferences.ts";
import { openSurface } from "./surfaces.ts";

/** The one line above every page: where one is, then what can be done there. */
export function AppHeader(props: {
  readonly start?: ReactNode;
  /** Name of the page, behind the way home. */
  readonly title?: string;
  readonly end?: ReactNode;
}): ReactElement {
  return (
    <header className="flex h-12 shrink-0 items-center justify-between gap-2 border-b border-border bg-sunken px-2 pointer-coarse:h-14">
      <div className="flex min-w-0 flex-1 items-center gap-1">
        {props.start ?? <HomeLink isHeading={props.title === undefined} />}
        {props.title === undefined ? null : (
          <h1 className="min-w-0 truncate text-14 font-semibold">{props.title}</h1>
        )}
      </div>
      <div className="flex shrink-0 items-center gap-1">
        {props.end}
        <span className={cx("contents", props.start ? "max-phone:hidden" : null)}>
          <AppActions />
        </span>
      </div>
    </header>
  );
}

function HomeLink(props: { readonly isHeading: boolean }): ReactElement {
  const strings = useStrings();
  const link = (
    <Link
      to={{ view: "home" }}
      className={cx(
        "flex min-h-8 items-center rounded-control px-2 text-14 pointer-coarse:min-h-11",
        props.isHeading ? "font-semibold" : "text-muted hover:bg-hover hover:text-text",
      )}
    >
      {strings.product}
    </Link>
  );
  return props.isHeading ? <h1 className="contents">{link}</h1> : link;
}

/** The acts that belong to no page: the palette and the appearance. */
export function AppActions(): ReactElement {
  const strings = useStrings();
  return (
    <>
      <IconButton
        label={strings.palette.open}
        icon={<Command size={16} aria-hidden />}
        onClick={() => openSurface({ surface: "palette" })}
      />
      <AppearanceMenu />
    </>
  );
}

function AppearanceMenu(): ReactElement {
  const strings = useStrings();
  const theme = usePreference((preferences) => preferences.theme);
  const choices: readonly { readonly value: Theme; readonly text: string }[] = [
    { value: "system", text: strings.theme.system },
    { value: "light", text: strings.theme.light },
    { value: "dark", text: strings.theme.dark },
  ];
  return (
    <Menu
      align="end"
      label={strings.theme.menu}
      trigger={
        <IconButton
          label={strings.theme.menu}
          icon={<Settings2 size={16} aria-hidden />}
        />
      }
    >
      <MenuChoices
        label={strings.theme.menu}
        value={theme}
        choices={choices}
        onChange={(value) => prefer({ theme: value })}
      />
    </Menu>
  );
}
