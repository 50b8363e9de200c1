import { Button, Menu, MenuItem } from "@vitrail/react";
import { FilePlus2, FolderPlus } from "lucide-react";
import { type ComponentProps, type ReactElement, type ReactNode, useRef } from "react";

/** A button whose menu leads to files or to a folder of this machine. */
export function ChooseFiles(props: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly whyDisabled: string | null;
  readonly size?: ComponentProps<typeof Button>["size"];
  readonly filesLabel: string;
  readonly folderLabel: string;
  /** One archive, and nothing else. */
  readonly isArchiveOnly?: boolean;
  readonly onChosen: (files: readonly File[]) => void;
}): ReactElement {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (field: HTMLInputElement): void => {
    props.onChosen([...(field.files ?? [])]);
    // The same files may be chosen again once they are mended.
    field.value = "";
  };
  const hidden = { type: "file", hidden: true, tabIndex: -1 } as const;
  const archive = props.isArchiveOnly ? { accept: ".zip,application/zip" } : {};
  return (
    <>
      <Menu
        align="end"
        label={props.label}
        trigger={
          <Button
            icon={props.icon}
            whyDisabled={props.whyDisabled}
            {...(props.size === undefined ? {} : { size: props.size })}
          >
            {props.label}
          </Button>
        }
      >
        <MenuItem
          icon={<FilePlus2 size={16} aria-hidden />}
          onSelect={() => files.current?.click()}
        >
          {props.filesLabel}
        </MenuItem>
        <MenuItem
          icon={<FolderPlus size={16} aria-hidden />}
          onSelect={() => folder.current?.click()}
        >
          {props.folderLabel}
        </MenuItem>
      </Menu>
      <input
        {...hidden}
        {...archive}
        ref={files}
        multiple={!props.isArchiveOnly}
        aria-label={props.filesLabel}
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        {...hidden}
        ref={(element) => {
          folder.current = element;
          // React knows no such property, browsers do.
          element?.setAttribute("webkitdirectory", "");
        }}
        multiple
        aria-label={props.folderLabel}
        onChange={(event) => take(event.currentTarget)}
      />
    </>
  );
}
