import { Button, Notice, useStrings } from "@vitrail/react";
import { FolderInput } from "lucide-react";
import { type ReactElement, useRef } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { RefusedNames } from "../files/refused-names.tsx";
import { refusedOf } from "../files/use-import.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { navigate, projectRoute } from "../routes.ts";
import { type Act, useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";

/** Endings that an archive's name may have, the longest first. */
const ENDING = /(?:\.bundle)?\.zip$/i;
const MAX_TITLE_CHARS = 200;

/** Returns the title of a project that is made of an archive. */
export function titleOf(name: string): string {
  return name.replace(ENDING, "").slice(0, MAX_TITLE_CHARS).trim() || name;
}

/** Makes a project of an archive, and goes there. */
export function useImportProject(): Act & { readonly take: (file: File) => void } {
  const { api, workspace } = useWiring();
  const act = useAct();
  const take = (file: File): void => {
    void act.run(async () => {
      const { project } = await api.importProject(titleOf(file.name), file);
      await workspace.openProject(project.id);
      navigate(projectRoute(project.name));
    });
  };
  return { ...act, take };
}

/** The way from a ZIP or a bundle to a project. */
export function ImportButton(props: {
  readonly importing: ReturnType<typeof useImportProject>;
}): ReactElement {
  const strings = useStrings();
  const why = useWhyReadOnly();
  const field = useRef<HTMLInputElement>(null);
  const { importing } = props;
  return (
    <>
      <Button
        icon={<FolderInput size={16} aria-hidden />}
        whyDisabled={why ?? (importing.isBusy ? strings.home.importing : null)}
        onClick={() => field.current?.click()}
      >
        {strings.home.importProject}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        tabIndex={-1}
        accept=".zip,application/zip"
        aria-label={strings.home.importFrom}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) importing.take(file);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

/** Why an archive became no project: each name that was refused. */
export function ImportFailure(props: { readonly failure: unknown }): ReactElement | null {
  const strings = useStrings();
  if (props.failure === null) return null;
  const refused = refusedOf(props.failure);
  if (refused.length === 0) return <FailureNotice failure={props.failure} />;
  return (
    <Notice
      tone="danger"
      isLive
      className="max-h-80 overflow-y-auto"
      title={strings.home.importRefused}
    >
      <RefusedNames names={refused} />
    </Notice>
  );
}
