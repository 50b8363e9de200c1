import { useStrings } from "@vitrail/react";
import { Plus } from "lucide-react";
import type { ReactElement } from "react";
import { useWhyReadOnly } from "../read-only.ts";
import { ChooseFiles } from "./choose-files.tsx";
import { chosenFiles } from "./chosen.ts";
import type { ZipEntry } from "./zip.ts";

/** The way to put files, a ZIP or a folder into the project. */
export function AddFiles(props: {
  readonly isBusy: boolean;
  readonly onAdd: (files: readonly ZipEntry[]) => void;
}): ReactElement {
  const strings = useStrings();
  const why = useWhyReadOnly();
  return (
    <ChooseFiles
      size="small"
      label={strings.files.add}
      icon={<Plus size={16} aria-hidden />}
      filesLabel={strings.files.addFiles}
      folderLabel={strings.files.addFolder}
      whyDisabled={why ?? (props.isBusy ? strings.state.loading : null)}
      onChosen={(files) => props.onAdd(chosenFiles(files))}
    />
  );
}
