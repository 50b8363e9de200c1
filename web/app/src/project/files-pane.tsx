import { Button, EmptyState, type FileRow, FileTable, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { Files } from "lucide-react";
import type { ReactElement } from "react";
import { useWiring } from "../workspace-context.tsx";

function rowOf(file: FileHead): FileRow {
  return {
    path: file.path,
    kind: file.kind,
    size: file.size,
    revision: file.number,
    hasHistory: file.revision !== null,
    state: file.manifest?.status ?? (file.kind === null ? "none" : "complete"),
    changedAt: file.modifiedAt,
  };
}

/** All files of the project. */
export function FilesPane(props: {
  readonly projectId: string;
  readonly files: readonly FileHead[];
  readonly current: string | null;
  readonly onOpen: (path: string) => void;
  readonly onWrite: () => void;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  if (props.files.length === 0) {
    return (
      <EmptyState
        className="flex-1"
        icon={<Files size={24} aria-hidden />}
        text={strings.files.empty}
        action={<Button onClick={props.onWrite}>{strings.files.emptyAction}</Button>}
      />
    );
  }
  return (
    <FileTable
      files={props.files.map(rowOf)}
      current={props.current}
      now={new Date()}
      onOpen={props.onOpen}
      downloadUrl={(path) => api.fileUrl(props.projectId, path)}
    />
  );
}
