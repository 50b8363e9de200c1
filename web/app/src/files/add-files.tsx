import { Button, Menu, MenuItem, useStrings } from "@vitrail/react";
import { FilePlus2, FolderPlus, Plus } from "lucide-react";
import { type ReactElement, useRef } from "react";
import { useWhyReadOnly } from "../read-only.ts";
import { chosenFiles } from "./chosen.ts";
import type { ZipEntry } from "./zip.ts";

/** The way to put files, a ZIP or a folder into the project. */
export function AddFiles(props: {
  readonly isBusy: boolean;
  readonly onAdd: (files: readonly ZipEntry[]) => void;
}): ReactElement {
  const strings = useStrings();
  const why = useWhyReadOnly();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (field: HTMLInputElement): void => {
    props.onAdd(chosenFiles(field.files ?? []));
    // The same files may be chosen again once they are mended.
    field.value = "";
  };
  const hidden = { type: "file", multiple: true, hidden: true, tabIndex: -1 } as const;
  return (
    <>
      <Menu
        align="end"
        label={strings.files.add}
        trigger={
          <Button
            size="small"
            icon={<Plus size={16} aria-hidden />}
            whyDisabled={why ?? (props.isBusy ? strings.state.loading : null)}
          >
            {strings.files.add}
          </Button>
        }
      >
        <MenuItem
          icon={<FilePlus2 size={16} aria-hidden />}
          onSelect={() => files.current?.click()}
        >
          {strings.files.addFiles}
        </MenuItem>
        <MenuItem
          icon={<FolderPlus size={16} aria-hidden />}
          onSelect={() => folder.current?.click()}
        >
          {strings.files.addFolder}
        </MenuItem>
      </Menu>
      <input
        {...hidden}
        ref={files}
        aria-label={strings.files.addFiles}
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        {...hidden}
        ref={(element) => {
          folder.current = element;
          // React knows no such property, browsers do.
          element?.setAttribute("webkitdirectory", "");
        }}
        aria-label={strings.files.addFolder}
        onChange={(event) => take(event.currentTarget)}
      />
    </>
  );
}
