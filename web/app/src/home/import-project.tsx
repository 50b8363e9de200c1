import { Button, Notice, useStrings } from "@vitrail/react";
import { FolderInput } from "lucide-react";
import type { ReactElement } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { ChooseFiles } from "../files/choose-files.tsx";
import { chosenFiles, chosenFolder, isArchive } from "../files/chosen.ts";
import { RefusedNames } from "../files/refused-names.tsx";
import { announceArrival, archiveOf, refusedOf } from "../files/use-import.ts";
import type { ZipEntry } from "../files/zip.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { navigate, projectRoute } from "../routes.ts";
import { type Act, useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";

/** Endings that an archive's name may have, the longest first. */
const ENDING = /(?:\.bundle)?\.zip$/i;
const MAX_TITLE_CHARS = 200;

/** Returns the title of a project by a file's or folder's name; a bundle tells its own. */
export function titleOf(name: string): string | null {
  if (/\.bundle\.zip$/i.test(name)) return null;
  return name.replace(ENDING, "").slice(0, MAX_TITLE_CHARS).trim() || name;
}

/** What a project is to be made of. */
interface Incoming {
  readonly files: readonly ZipEntry[];
  /** The folder that the files were in. */
  readonly folder: string | null;
}

/** Makes a project of a folder, an archive or some files, and goes there. */
export function useImportProject(): Act & {
  readonly take: (incoming: Incoming | Promise<Incoming>) => void;
} {
  const strings = useStrings();
  const { api, workspace } = useWiring();
  const act = useAct();
  const take = (incoming: Incoming | Promise<Incoming>): void => {
    void act.run(async () => {
      const { files, folder } = await incoming;
      const archive = await archiveOf(files, strings);
      const name = folder ?? (isArchive(files) ? files[0]?.name : null);
      const title = name ? titleOf(name) : strings.home.importTitle;
      const result = await api.importProject(title, archive);
      announceArrival(result);
      await workspace.openProject(result.project.id);
      navigate(projectRoute(result.project.name));
    });
  };
  return { ...act, take };
}

/** The way from a folder, a ZIP or a bundle to a project. */
export function ImportButton(props: {
  readonly importing: ReturnType<typeof useImportProject>;
}): ReactElement {
  const strings = useStrings();
  const why = useWhyReadOnly();
  const { importing } = props;
  return (
    <ChooseFiles
      isArchiveOnly
      label={importing.isBusy ? strings.home.importing : strings.home.importProject}
      icon={<FolderInput size={16} aria-hidden />}
      filesLabel={strings.home.importFrom}
      folderLabel={strings.home.importFolder}
      whyDisabled={why ?? (importing.isBusy ? strings.home.importing : null)}
      onChosen={(files) =>
        importing.take({ files: chosenFiles(files), folder: chosenFolder(files) })
      }
    />
  );
}

/** Why an archive became no project: each name that was refused. */
export function ImportFailure(props: { readonly importing: Act }): ReactElement | null {
  const strings = useStrings();
  const { failure, forget } = props.importing;
  if (failure === null) return null;
  const refused = refusedOf(failure);
  if (refused.length === 0) return <FailureNotice failure={failure} />;
  return (
    <Notice
      tone="danger"
      isLive
      className="max-h-80 overflow-y-auto"
      title={strings.home.importRefused}
      actions={
        <Button size="small" onClick={forget}>
          {strings.action.close}
        </Button>
      }
    >
      <p>{strings.home.importRefusedText(refused.length)}</p>
      <RefusedNames names={refused} />
    </Notice>
  );
}
