import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ArtifactPart } from "@vitrail/protocol";
import {
  type BlameBlock,
  type BlameGutter,
  Button,
  blameBlocks,
  EmptyState,
  LinkButton,
  Notice,
  Skeleton,
  SourceView,
  useStrings,
} from "@vitrail/react";
import type { FileHead } from "@vitrail/stream";
import { ApiError, type FileText } from "@vitrail/stream/client";
import { Download, FileDigit } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { useBlame } from "../history/history-queries.ts";
import { usePreference } from "../preferences.ts";
import { wordsOf } from "../queries.ts";
import { useWiring } from "../workspace-context.tsx";

/** Asks for a file's text; the same digest is the same text. */
export function useFileText(
  projectId: string,
  file: FileHead | null,
  isWanted: boolean,
): UseQueryResult<FileText> {
  const { api } = useWiring();
  return useQuery({
    queryKey: ["file-text", projectId, file?.path, file?.digest],
    enabled: isWanted && file !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: ({ signal }) => api.fileText(projectId, file?.path ?? "", { signal }),
  });
}

/** Returns who wrote the lines, where that is wanted and known of this very text. */
function useBlameGutter(props: {
  readonly projectId: string;
  readonly file: FileHead | null;
  readonly text: UseQueryResult<FileText>;
  readonly onRevision: (revision: string) => void;
}): { readonly gutter: BlameGutter | null; readonly isFailed: boolean } {
  const isBlamed = usePreference((preferences) => preferences.isBlamed);
  const { file, onRevision } = props;
  const text = props.text.data ?? null;
  const blame = useBlame(
    props.projectId,
    file,
    isBlamed && text !== null && file?.revision !== null,
  );
  const told = isBlamed && blame.data?.digest === text?.digest ? blame.data : null;
  const blocks = useMemo(
    () => (told && text ? blameBlocks(text.text, told.spans) : null),
    [told, text],
  );
  const gutter =
    blocks === null || blocks.length === 0
      ? null
      : {
          blocks,
          onShow: ({ by }: BlameBlock) => {
            if (by.revision !== null) onRevision(by.revision);
          },
        };
  return { gutter, isFailed: isBlamed && blame.isError };
}

/** The file's text, or the text that is coming for it. */
export function SourcePane(props: {
  readonly projectId: string;
  readonly file: FileHead | null;
  readonly coming: ArtifactPart | null;
  readonly text: UseQueryResult<FileText>;
  /** Leads to what a revision changed. */
  readonly onRevision: (revision: string) => void;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const isWrapped = usePreference((preferences) => preferences.isWrapped);
  const { file, coming, text } = props;
  const blame = useBlameGutter(props);
  if (coming !== null) {
    return (
      <>
        <p className="border-b border-border bg-info-soft px-4 py-1 text-13 text-text">
          {strings.stage.sourceStreaming}
        </p>
        <SourceView
          path={file?.path ?? coming.identifier}
          text={coming.text}
          isWrapped={isWrapped}
          isStreaming
        />
      </>
    );
  }
  if (file === null)
    return <EmptyState text={strings.stage.chooseText} className="flex-1" />;
  if (text.data !== undefined) {
    return (
      <>
        {blame.isFailed ? (
          <p
            role="status"
            className="border-b border-border px-4 py-1 text-12 text-muted"
          >
            {strings.stage.blameFailed}
          </p>
        ) : null}
        <SourceView
          path={file.path}
          text={text.data.text}
          isWrapped={isWrapped}
          blame={blame.gutter}
        />
      </>
    );
  }
  if (!text.isError) return <Skeleton lines={12} className="p-4" />;
  if (text.error instanceof ApiError && text.error.code === "not-text") {
    return (
      <EmptyState
        className="flex-1"
        icon={<FileDigit size={24} aria-hidden />}
        text={strings.stage.binary(strings.format.bytes(file.size ?? 0))}
        action={
          <LinkButton
            variant="secondary"
            href={api.fileUrl(props.projectId, file.path)}
            download
            icon={<Download size={16} aria-hidden />}
          >
            {strings.action.download}
          </LinkButton>
        }
      />
    );
  }
  const { words, code } = wordsOf(text.error, strings.state.unknownError);
  return (
    <Notice
      tone="danger"
      isLive
      code={code}
      className="m-4"
      actions={
        <Button onClick={() => void text.refetch()}>{strings.action.retry}</Button>
      }
    >
      {words}
    </Notice>
  );
}
