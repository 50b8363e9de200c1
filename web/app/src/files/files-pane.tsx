import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { FileHistory, FileInfo, QuarantineRecord } from "@vitrail/protocol";
import {
  Button,
  EmptyState,
  type FileRow,
  FileTree,
  MenuItem,
  MenuLink,
  MenuSeparator,
  Strip,
  supportingPaths,
  useStrings,
} from "@vitrail/react";
import type { FileHead, ProjectEntry } from "@vitrail/stream";
import { Download, Files, History, Pencil, Trash2 } from "lucide-react";
import { type ReactElement, type ReactNode, useMemo, useState } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { useDrafts, useProjectHistory } from "../history/history-queries.ts";
import type { Stage } from "../project/use-stage.ts";
import { useWhyReadOnly } from "../read-only.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";
import { AddFiles } from "./add-files.tsx";
import { DropArea } from "./drop-area.tsx";
import { GoneFiles } from "./gone-files.tsx";
import { ImportNotice } from "./import-notice.tsx";
import { RemoveFile } from "./remove-file.tsx";
import { type Renamed, RenameFile } from "./rename-file.tsx";
import { useImport } from "./use-import.ts";

/** Returns what is listed of files that only an event has told of, asked for together. */
function useListed(
  projectId: string,
  files: readonly FileHead[],
): ReadonlyMap<string, FileInfo> {
  const { api } = useWiring();
  const unknown = files
    .filter((file) => file.size === null)
    .map((file) => `${file.path} ${file.digest}`);
  const listing = useQuery({
    queryKey: ["files-listed", projectId, ...unknown],
    enabled: unknown.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.files(projectId, { signal }),
  });
  const { data } = listing;
  return useMemo(() => new Map(data?.map((file) => [file.path, file])), [data]);
}

/** Returns the good file that a draft was kept beside, or none. */
function draftOf(file: Pick<FileHead, "manifest">): string | null {
  const good = file.manifest?.metadata?.["draftOf"];
  return typeof good === "string" ? good : null;
}

function rowOf(
  file: FileHead,
  told: {
    readonly listed: ReadonlyMap<string, FileInfo>;
    readonly heads: ReadonlyMap<string, FileHistory>;
    readonly good: ReadonlyMap<string, string>;
    readonly drafts: ReadonlyMap<string, readonly string[]>;
  },
): FileRow {
  const known = told.heads.get(file.path)?.head;
  const head = known?.id === file.revision ? known : undefined;
  const listed = told.listed.get(file.path);
  const info = listed?.digest === file.digest ? listed : undefined;
  const manifest = file.manifest ?? info?.manifest ?? null;
  const kind = file.kind ?? manifest?.kind ?? null;
  return {
    path: file.path,
    kind,
    size: file.size ?? info?.size ?? null,
    revision: file.number ?? head?.number ?? null,
    hasHistory: file.revision !== null,
    state: told.good.has(file.path)
      ? "draft"
      : (manifest?.status ?? (kind === null ? "none" : "complete")),
    author: file.author ?? head?.author ?? null,
    changedAt: head?.createdAt ?? file.modifiedAt,
    supporting: [
      ...supportingPaths(file.path, manifest?.supportingFiles),
      ...(told.drafts.get(file.path) ?? []),
    ],
  };
}

/** Returns the good file of every draft, by the draft's path. */
function goodFiles(
  files: readonly FileHead[],
  waiting: readonly QuarantineRecord[],
): ReadonlyMap<string, string> {
  const good = new Map<string, string>();
  for (const file of files) {
    const of = draftOf(file);
    if (of !== null) good.set(file.path, of);
  }
  for (const record of waiting) {
    // another program's new version is the file itself, and no draft beside it
    if (record.draft !== record.path) good.set(record.draft, record.path);
  }
  return good;
}

function draftsByGood(
  good: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const drafts = new Map<string, readonly string[]>();
  for (const [draft, path] of good) {
    drafts.set(path, [...(drafts.get(path) ?? []), draft]);
  }
  return drafts;
}

/** All files of the project, and what can be done with each. */
export function FilesPane(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
  readonly onWrite: () => void;
}): ReactElement {
  const { project, stage } = props;
  const importing = useImport(project.id);
  const strings = useStrings();
  return (
    <DropArea
      words={strings.files.drop}
      onDrop={(dropped) => void importing.add(dropped)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex shrink-0 items-center justify-between gap-2 border-b border-border py-1 ps-3 pe-2">
        <p className="text-13 text-muted tabular-nums">
          {strings.format.files(stage.files.length)}
        </p>
        <AddFiles
          isBusy={importing.state.state === "adding"}
          onAdd={(files) => void importing.add(files)}
        />
      </div>
      <ImportNotice
        state={importing.state}
        onClose={importing.forget}
        onReplace={(files) => void importing.add(files, strings.files.replaceReason)}
      />
      <Listing {...props} />
    </DropArea>
  );
}

const NOTHING_FOLDED: ReadonlySet<string> = new Set();

function useFolded(): readonly [ReadonlySet<string>, (path: string) => void] {
  const [folded, setFolded] = useState(NOTHING_FOLDED);
  const fold = (path: string): void => {
    const next = new Set(folded);
    if (!next.delete(path)) next.add(path);
    setFolded(next);
  };
  return [folded, fold];
}

function Listing(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
  readonly onWrite: () => void;
}): ReactElement {
  const strings = useStrings();
  const { project, stage } = props;
  const { files } = stage;
  const listed = useListed(project.id, files);
  const history = useProjectHistory(project.id, files, stage.tab === "files");
  const waiting = useDrafts(project.id);
  const [folded, fold] = useFolded();
  const [renaming, setRenaming] = useState<string | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const [told, setTold] = useState<Told>(null);
  const menu = useFileMenu(project, stage, { setRenaming, setRemoving });
  const rows = useMemo(() => {
    const heads = new Map(history.data?.files.map((one) => [one.path, one]));
    const good = goodFiles(files, waiting);
    const drafts = draftsByGood(good);
    return files.map((file) => rowOf(file, { listed, heads, good, drafts }));
  }, [files, listed, history.data, waiting]);
  const there = new Set(files.map((file) => file.path));
  const gone = (history.data?.files ?? []).filter(
    (one) => !one.present && !there.has(one.path),
  );
  const find = (path: string | null): FileHead | null =>
    files.find((file) => file.path === path) ?? null;
  const [renamed, removed] = [find(renaming), find(removing)];
  const now = new Date();
  const goneFiles = (
    <GoneFiles
      projectId={project.id}
      gone={gone}
      now={now}
      onVersions={(path) => stage.compare(path, null)}
      onBack={() => setTold(null)}
    />
  );
  return (
    <>
      <ToldNotice project={project} stage={stage} told={told} onTold={setTold} />
      {files.length === 0 ? (
        <>
          {goneFiles}
          <EmptyState
            className="flex-1"
            icon={<Files size={24} aria-hidden />}
            text={strings.files.empty}
            action={<Button onClick={props.onWrite}>{strings.files.emptyAction}</Button>}
          />
        </>
      ) : (
        <FileTree
          files={rows}
          folded={folded}
          current={stage.file?.path ?? null}
          now={now}
          actions={{ onOpen: (path) => stage.show(path, "preview"), onFold: fold, menu }}
          editing={
            renamed === null
              ? null
              : {
                  path: renamed.path,
                  form: (
                    <RenameFile
                      projectId={project.id}
                      file={renamed}
                      onRenamed={(done) => {
                        setRenaming(null);
                        setTold({ told: "renamed", renamed: done });
                      }}
                      onAway={() => setRenaming(null)}
                    />
                  ),
                }
          }
        >
          {goneFiles}
        </FileTree>
      )}
      {removed === null ? null : (
        <RemoveFile
          projectId={project.id}
          file={removed}
          onRemoved={(parts) => {
            setRemoving(null);
            setTold({ told: "removed", path: removed.path, parts });
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}

function useFileMenu(
  project: ProjectEntry,
  stage: Stage,
  acts: {
    readonly setRenaming: (path: string) => void;
    readonly setRemoving: (path: string) => void;
  },
): (file: FileRow) => ReactNode {
  const strings = useStrings();
  const { api } = useWiring();
  const why = useWhyReadOnly();
  return (file) => (
    <>
      <MenuItem
        icon={<History size={16} aria-hidden />}
        onSelect={() => stage.compare(file.path, null)}
      >
        {strings.stage.versions}
      </MenuItem>
      <MenuItem
        icon={<Pencil size={16} aria-hidden />}
        whyDisabled={why}
        onSelect={() => acts.setRenaming(file.path)}
      >
        {strings.action.rename}
      </MenuItem>
      <MenuLink
        icon={<Download size={16} aria-hidden />}
        href={api.fileUrl(project.id, file.path, { download: true })}
        download
      >
        {strings.action.download}
      </MenuLink>
      <MenuSeparator />
      <MenuItem
        isDanger
        icon={<Trash2 size={16} aria-hidden />}
        whyDisabled={why}
        onSelect={() => acts.setRemoving(file.path)}
      >
        {strings.action.remove}
      </MenuItem>
    </>
  );
}

/** What was done last, with the way back. */
type Told =
  | null
  | { readonly told: "renamed"; readonly renamed: Renamed }
  | {
      readonly told: "removed";
      readonly path: string;
      readonly parts: readonly string[];
    };

function ToldNotice(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
  readonly told: Told;
  readonly onTold: (told: Told) => void;
}): ReactElement | null {
  const strings = useStrings();
  const { api } = useWiring();
  const { project, stage, told } = props;
  const act = useAct();
  if (told === null) return null;
  const undo = async (): Promise<void> => {
    if (told.told === "removed") {
      // What was there last is asked for: the deletion itself may have made it a version.
      const { files } = await api.history(project.id);
      const heads = new Map(files.map((one) => [one.path, one]));
      for (const path of [...told.parts, told.path]) {
        const last = heads.get(path);
        if (last === undefined || last.present) continue;
        await api.restoreFile(project.id, path, last.head.id, { create: true });
      }
    } else {
      const { from, to, parts } = told.renamed;
      const file = stage.files.find((one) => one.path === to);
      const digest = file?.digest ?? told.renamed.digest;
      const move = { from: to, to: from, digest, parts: parts > 0 };
      await api.moveFile(project.id, move);
    }
    props.onTold(null);
  };
  return (
    <Strip
      tone="success"
      onClose={() => props.onTold(null)}
      actions={
        <Button
          size="small"
          whyDisabled={act.isBusy ? strings.state.loading : null}
          onClick={() => void act.run(undo)}
        >
          {told.told === "renamed"
            ? strings.files.renameUndo
            : told.parts.length === 0
              ? strings.files.bringBack
              : strings.files.bringAllBack}
        </Button>
      }
    >
      {told.told === "removed" ? (
        told.parts.length === 0 ? (
          strings.files.deleted(told.path)
        ) : (
          strings.files.deletedWith(told.path, told.parts.length)
        )
      ) : (
        <>
          {strings.files.renamed(told.renamed.from, told.renamed.to)}{" "}
          {told.renamed.parts === 0 ? null : strings.files.movedAlong(told.renamed.parts)}{" "}
          {told.renamed.rewritten.length === 0
            ? null
            : strings.files.rewritten(told.renamed.rewritten.join(", "))}
        </>
      )}
      <FailureNotice failure={act.failure} />
    </Strip>
  );
}
