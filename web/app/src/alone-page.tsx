import { EmptyState, Skeleton, usePreview, useStrings } from "@vitrail/react";
import { filesOf } from "@vitrail/stream";
import { type ReactElement, useEffect, useMemo } from "react";
import { PreviewPane } from "./project/preview-pane.tsx";
import { useConsole } from "./project/use-console.ts";
import { usePreviewApi } from "./project/use-preview-api.ts";
import { useProject } from "./project/use-project.ts";
import { navigate } from "./routes.ts";
import { useData } from "./workspace-context.tsx";

/** One artifact and nothing else: the app's page around the frame. */
export function AlonePage(props: {
  readonly name: string;
  readonly file: string;
}): ReactElement {
  const strings = useStrings();
  const load = useProject(props.name);
  const projectId = load.state === "loaded" ? load.project.id : null;
  const file = useData((data) =>
    projectId === null
      ? null
      : (filesOf(data, projectId).find((one) => one.path === props.file) ?? null),
  );
  const bridge = usePreviewApi();
  const digest = file?.digest ?? null;
  const target = useMemo(
    () =>
      projectId === null || digest === null
        ? null
        : { projectId, path: props.file, digest },
    [projectId, digest, props.file],
  );
  const used = usePreview(bridge, target);
  const log = useConsole(used.preview?.generation ?? "");
  useEffect(() => {
    document.title = strings.format.title(props.file);
  }, [strings, props.file]);
  const isGone = load.state === "missing" || (load.state === "loaded" && file === null);
  return (
    <main aria-label={props.file} className="flex min-h-0 flex-1 flex-col">
      {isGone ? (
        <EmptyState className="flex-1" text={strings.stage.fileMissing(props.file)} />
      ) : file === null ? (
        <Skeleton lines={8} className="p-8" />
      ) : (
        <PreviewPane
          file={file}
          bridge={bridge}
          used={used}
          log={log}
          onOpenPath={(path) => navigate({ view: "alone", name: props.name, file: path })}
        />
      )}
    </main>
  );
}
