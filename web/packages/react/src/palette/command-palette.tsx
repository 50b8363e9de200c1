import { Command } from "cmdk";
import type { ReactElement, ReactNode } from "react";
import { Dialog } from "../controls/dialog.tsx";
import { useStrings } from "../strings/strings.tsx";

/** One act or place that the palette offers, under the name it has in the menus. */
export interface PaletteCommand {
  readonly id: string;
  readonly name: string;
  readonly group: "commands" | "go" | "files" | "examples";
  readonly icon?: ReactNode;
  readonly shortcut?: string;
  readonly run: () => void;
}

const GROUPS = ["commands", "files", "go", "examples"] as const;

/** Every act by its name; opens with Ctrl or Cmd and K, Escape leaves it. */
export function CommandPalette(props: {
  readonly commands: readonly PaletteCommand[];
  readonly onClose: () => void;
}): ReactElement {
  const strings = useStrings();
  return (
    <Dialog
      title={strings.palette.title}
      onClose={props.onClose}
      isBare
      className="mt-[12dvh] max-w-140"
    >
      <Command label={strings.palette.title} loop className="flex min-h-0 flex-col">
        <Command.Input
          autoFocus
          placeholder={strings.palette.placeholder}
          className="h-12 shrink-0 border-b border-border bg-transparent px-4 text-15 text-text outline-none pointer-coarse:text-touch"
        />
        <Command.List className="min-h-0 flex-1 overflow-y-auto p-1">
          <Command.Empty className="px-3 py-4 text-14 text-muted">
            {strings.palette.empty}
          </Command.Empty>
          {GROUPS.map((group) => {
            const commands = props.commands.filter((command) => command.group === group);
            return commands.length === 0 ? null : (
              <Command.Group
                key={group}
                heading={strings.palette.groups[group]}
                className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
              >
                {commands.map((command) => (
                  <Command.Item
                    key={command.id}
                    value={`${command.name} ${command.id}`}
                    onSelect={() => {
                      props.onClose();
                      command.run();
                    }}
                    className="flex min-h-8 cursor-default items-center gap-2 rounded-control px-3 text-14 text-text aria-selected:bg-hover pointer-coarse:min-h-11"
                  >
                    {command.icon}
                    <span className="min-w-0 flex-1 break-words">{command.name}</span>
                    {command.shortcut ? (
                      <kbd className="font-sans text-12 text-muted">
                        {command.shortcut}
                      </kbd>
                    ) : null}
                  </Command.Item>
                ))}
              </Command.Group>
            );
          })}
        </Command.List>
      </Command>
    </Dialog>
  );
}
