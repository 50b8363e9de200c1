import { useQuery } from "@tanstack/react-query";
import { Button, EmptyState, type FileRow, FileTable, useStrings } from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { Files } from "lucide-react";
import type { ReactElement } from "react";
import { useWiring } from "../workspace-context.tsx";

/** Returns the sizes of the files that only an event has told of, asked for together. */
function useSizes(
  projectId: string,
  files: readonly FileHead[],
): ReadonlyMap<string, number> {
  const { api } = useWiring();
  const unknown = files.filter((file) => file.size === null).map((file) => file.digest);
  const listing = useQuery({
    queryKey: ["file-sizes", projectId, ...unknown],
    enabled: unknown.length > 0,
    queryFn: ({ signal }) => api.files(projectId, { signal }),
  });
  return new Map(listing.data?.map((file) => [file.digest, file.size]));
}

function rowOf(file: FileHead, sizes: ReadonlyMap<string, number>): FileRow {
  return {
    path: file.path,
    kind: file.kind,
    size: file.size ?? sizes.get(file.digest) ?? null,
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
  const sizes = useSizes(props.projectId, props.files);
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
      files={props.files.map((file) => rowOf(file, sizes))}
      current={props.current}
      now={new Date()}
      onOpen={props.onOpen}
      downloadUrl={(path) => api.fileUrl(props.projectId, path)}
    />
  );
}
