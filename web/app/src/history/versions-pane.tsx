import type { FileDiff, Revision, WriteResult } from "@vitrail/protocol";
import {
  AuthorSign,
  Button,
  countsOf,
  cx,
  DiffView,
  EmptyState,
  IconButton,
  IconLink,
  LostList,
  Notice,
  RevisionList,
  Skeleton,
  useStrings,
  useWidth,
} from "@vitrail/react";
import type { FileHead, ProjectEntry } from "@vitrail/stream";
import {
  ChevronLeft,
  Columns2,
  Download,
  History,
  MessageSquare,
  Undo2,
} from "lucide-react";
import { type ReactElement, useState } from "react";
import { FailureNotice } from "../failure-notice.tsx";
import { prefer, usePreference } from "../preferences.ts";
import type { Stage } from "../project/use-stage.ts";
import { useWhyReadOnly } from "../read-only.ts";
import type { Comparison } from "../routes.ts";
import { useAct } from "../use-act.ts";
import { useWiring } from "../workspace-context.tsx";
import { useFileDiff, useRevisions, useRevisionText } from "./history-queries.ts";
import { Losses } from "./losses.tsx";
import { useOpenRun } from "./use-open-run.ts";

/** Wide enough for the list and a difference beside each other, in pixels. */
const BOTH_PX = 880;

/** The versions of the file that is looked at, and what one or two of them changed. */
export function VersionsPane(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
}): ReactElement {
  const strings = useStrings();
  const { project, stage } = props;
  const path = stage.file?.path ?? stage.missingPath;
  const known = useRevisions(project.id, path, stage.file?.revision ?? null);
  if (path === null) {
    return <EmptyState className="flex-1" text={strings.stage.chooseText} />;
  }
  if (known.isError && known.data === undefined) {
    return <FailureNotice failure={known.error} className="m-4" />;
  }
  if (known.data === undefined) return <Skeleton lines={6} className="p-4" />;
  const revisions = known.data.pages.flatMap((page) => page.revisions);
  if (revisions.length === 0) {
    return (
      <EmptyState
        className="flex-1"
        icon={<History size={24} aria-hidden />}
        title={strings.history.empty}
        text={strings.history.emptyText}
      />
    );
  }
  return (
    <Versions
      key={path}
      project={project}
      stage={stage}
      path={path}
      revisions={revisions}
      total={known.data.pages[0]?.total ?? revisions.length}
      hasMore={known.hasNextPage}
      onMore={() => {
        if (!known.isFetchingNextPage) void known.fetchNextPage();
      }}
    />
  );
}

/** Returns the comparison that the chosen versions mean; the older one comes first. */
export function comparisonOf(
  ids: readonly string[],
  revisions: readonly Revision[],
): Comparison | null {
  const [first, second] = ids;
  if (first === undefined) return null;
  if (second === undefined) return { from: null, to: first };
  const place = (id: string): number =>
    revisions.findIndex((revision) => revision.id === id);
  // The newest comes first in the list.
  return place(first) > place(second)
    ? { from: first, to: second }
    : { from: second, to: first };
}

/** Returns what is chosen after the compare button of a version was pressed. */
export function pairedWith(chosen: readonly string[], id: string): readonly string[] {
  const [first] = chosen;
  if (first === undefined) return [id];
  if (!chosen.includes(id)) return [first, id];
  return chosen.length === 1 ? [] : chosen.filter((one) => one !== id);
}

function Versions(props: {
  readonly project: ProjectEntry;
  readonly stage: Stage;
  readonly path: string;
  readonly revisions: readonly Revision[];
  readonly total: number;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}): ReactElement {
  const strings = useStrings();
  const { project, stage, path, revisions } = props;
  const { ref, width } = useWidth();
  const hasBoth = width >= BOTH_PX;
  const chosen = stage.comparison;
  const newest = revisions[0]?.id ?? "";
  const shown = chosen ?? { from: null, to: newest };
  const ids = shown.from === null ? [shown.to] : [shown.from, shown.to];
  const hasList = hasBoth || chosen === null;
  // Where only the list has room, the first of two is marked in it.
  const [marked, setMarked] = useState<readonly string[]>([]);
  const listed = hasBoth || chosen !== null ? ids : marked;
  const pair = (id: string): void => {
    const next = pairedWith(listed, id);
    if (hasList && !hasBoth && next.length < 2) setMarked(next);
    else {
      setMarked([]);
      stage.compare(path, comparisonOf(next, revisions));
    }
  };
  return (
    <div ref={ref} className="flex min-h-0 flex-1">
      {hasList ? (
        <div
          className={cx(
            "flex min-h-0 flex-col",
            hasBoth ? "w-80 shrink-0 border-e border-border" : "flex-1",
          )}
        >
          <p className="shrink-0 border-b border-border px-3 py-2 text-12 text-muted">
            <span className="font-medium text-text tabular-nums">
              {strings.history.total(props.total)}
            </span>{" "}
            {strings.history.chooseHelp}
          </p>
          <RevisionList
            path={path}
            revisions={revisions}
            total={props.total}
            hasMore={props.hasMore}
            onMore={props.onMore}
            current={stage.file?.revision ?? null}
            chosen={listed}
            onShow={(id) => stage.compare(path, { from: null, to: id })}
            onPair={pair}
            now={new Date()}
          />
        </div>
      ) : null}
      {hasBoth || chosen !== null ? (
        <Changes
          key={`${shown.from}/${shown.to}`}
          project={project}
          file={stage.file}
          path={path}
          comparison={shown}
          onBack={hasBoth ? null : () => stage.compare(path, null)}
        />
      ) : null}
    </div>
  );
}

/** What a revision changed, or what tells two apart, and the way back to either. */
function Changes(props: {
  readonly project: ProjectEntry;
  readonly file: FileHead | null;
  readonly path: string;
  readonly comparison: Comparison;
  readonly onBack: (() => void) | null;
}): ReactElement {
  const { project, path, comparison } = props;
  const diff = useFileDiff(project.id, path, comparison);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {diff.data === undefined ? (
        <>
          <BackBar onBack={props.onBack} />
          {diff.error === null ? (
            <Skeleton lines={8} className="p-4" />
          ) : (
            <FailureNotice failure={diff.error} className="m-4" />
          )}
        </>
      ) : (
        <Told
          project={project}
          file={props.file}
          path={path}
          diff={diff.data}
          isLone={comparison.from === null}
          onBack={props.onBack}
        />
      )}
    </div>
  );
}

function BackBar(props: { readonly onBack: (() => void) | null }): ReactElement | null {
  const strings = useStrings();
  if (props.onBack === null) return null;
  return (
    <div className="shrink-0 border-b border-border px-1 py-1">
      <BackButton onBack={props.onBack} label={strings.history.back} />
    </div>
  );
}

function BackButton(props: {
  readonly onBack: () => void;
  readonly label: string;
}): ReactElement {
  return (
    <Button
      variant="quiet"
      size="small"
      icon={<ChevronLeft size={16} aria-hidden className="rtl:-scale-x-100" />}
      onClick={props.onBack}
    >
      {props.label}
    </Button>
  );
}

function Told(props: {
  readonly project: ProjectEntry;
  readonly file: FileHead | null;
  readonly path: string;
  readonly diff: FileDiff;
  readonly isLone: boolean;
  readonly onBack: (() => void) | null;
}): ReactElement {
  const strings = useStrings();
  const isSplit = usePreference((preferences) => preferences.isSplit);
  const { diff, path } = props;
  const [isTextWanted, setTextWanted] = useState(false);
  const fresh = diff.new?.id ?? null;
  const text = useRevisionText(props.project.id, isTextWanted ? fresh : null);
  return (
    <>
      <DiffHead {...props} />
      <Losses project={props.project} file={props.file} path={path} diff={diff} />
      {diff.truncated ? (
        <p className="shrink-0 border-b border-border px-4 py-1 text-12 text-muted">
          {strings.history.truncated}
        </p>
      ) : null}
      <EndingNotes diff={diff} />
      {diff.hunks.length === 0 ? (
        diff.endings.length > 0 ? null : (
          <EmptyState
            className="flex-1"
            text={diff.binary ? strings.history.binary : strings.history.same}
          />
        )
      ) : (
        <DiffView
          label={strings.history.diff(path)}
          hunks={diff.hunks}
          // Beside nothing there is nothing to compare with.
          isSplit={isSplit && diff.oldDigest !== null && diff.newDigest !== null}
          isCut={diff.truncated}
          text={text.data ?? null}
          onWantText={fresh === null ? null : () => setTextWanted(true)}
        />
      )}
    </>
  );
}

/** How many changes of line breaks are told one by one. */
const FEW_ENDINGS = 3;

/** Where only the line breaks changed, which no line shows. */
function EndingNotes(props: { readonly diff: FileDiff }): ReactElement | null {
  const strings = useStrings();
  const { endings } = props.diff;
  if (endings.length === 0) return null;
  const name = (sign: string): string => strings.history.endingNames[sign] ?? sign;
  const rest = endings.length - FEW_ENDINGS;
  return (
    <ul className="shrink-0 border-b border-border px-4 py-1 text-12 text-muted">
      {endings.slice(0, FEW_ENDINGS).map((one) => (
        <li key={one.newStart}>
          {strings.history.endings(
            one.newStart + 1,
            one.newEnd,
            name(one.old),
            name(one.new),
          )}
        </li>
      ))}
      {rest > 0 ? <li>{strings.history.moreEndings(rest)}</li> : null}
    </ul>
  );
}

function DiffHead(props: {
  readonly project: ProjectEntry;
  readonly file: FileHead | null;
  readonly path: string;
  readonly diff: FileDiff;
  readonly isLone: boolean;
  readonly onBack: (() => void) | null;
}): ReactElement {
  const strings = useStrings();
  const isSplit = usePreference((preferences) => preferences.isSplit);
  const { diff, path, file } = props;
  const { added, removed } = countsOf(diff.hunks);
  const name = (revision: Revision | null, digest: string | null): string => {
    if (revision === null) {
      return digest === null ? strings.history.nothing : strings.history.working;
    }
    return revision.path === path
      ? strings.history.revision(revision.number)
      : strings.history.draft;
  };
  const fresh = diff.new;
  const offered = (props.isLone ? [fresh] : [diff.old, fresh]).filter(
    (one): one is Revision => one !== null && one.path === path,
  );
  return (
    <header className="flex shrink-0 flex-col gap-1 border-b border-border px-3 py-2">
      {props.onBack === null ? null : (
        <div className="-ms-2">
          <BackButton onBack={props.onBack} label={strings.history.back} />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="min-w-0 text-14 font-semibold">
          {props.isLone
            ? name(fresh, diff.newDigest)
            : strings.history.versus(
                name(diff.old, diff.oldDigest),
                name(fresh, diff.newDigest),
              )}
        </h2>
        <div className="flex items-center gap-1">
          <IconButton
            size="small"
            className={cx("max-phone:hidden", isSplit && "bg-hover text-text")}
            label={strings.history.split}
            aria-pressed={isSplit}
            icon={<Columns2 size={16} aria-hidden />}
            onClick={() => prefer({ isSplit: !isSplit })}
          />
          {fresh === null ? null : <RevisionLinks {...props} revision={fresh} />}
        </div>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-muted">
        {props.isLone && fresh !== null ? (
          <>
            <AuthorSign author={fresh.author} />
            <time dateTime={fresh.createdAt}>
              {strings.format.moment(fresh.createdAt)}
            </time>
          </>
        ) : null}
        <span className="tabular-nums">
          {[
            added === 0 ? null : strings.history.added(added),
            removed === 0 ? null : strings.history.removed(removed),
          ]
            .filter((words) => words !== null)
            .join(", ")}
        </span>
      </p>
      {props.isLone && fresh?.reason ? (
        <p dir="auto" className="text-13 wrap-anywhere text-text">
          {fresh.reason}
        </p>
      ) : null}
      <Restoring
        project={props.project}
        file={file}
        path={path}
        revisions={offered}
        isLone={props.isLone}
      />
    </header>
  );
}

/** The ways from a revision to its bytes and to the message that made it. */
function RevisionLinks(props: {
  readonly project: ProjectEntry;
  readonly revision: Revision;
}): ReactElement {
  const strings = useStrings();
  const { api } = useWiring();
  const { revision, project } = props;
  const openRun = useOpenRun(project);
  const { runId } = revision;
  return (
    <>
      {runId === null ? null : (
        <IconButton
          size="small"
          label={strings.history.openRun(revision.number)}
          icon={<MessageSquare size={16} aria-hidden />}
          onClick={() => void openRun(runId)}
        />
      )}
      <IconLink
        size="small"
        href={api.revisionUrl(project.id, revision.id)}
        download
        label={strings.history.download(revision.number)}
        icon={<Download size={16} aria-hidden />}
      />
    </>
  );
}

/** What was restored last, for saying so and for taking it back. */
interface Restored {
  readonly from: Revision;
  readonly result: WriteResult;
  /** What the file had before; none where there was no file. */
  readonly before: string | null;
}

function Restoring(props: {
  readonly project: ProjectEntry;
  readonly file: FileHead | null;
  readonly path: string;
  readonly revisions: readonly Revision[];
  readonly isLone: boolean;
}): ReactElement | null {
  const strings = useStrings();
  const { api } = useWiring();
  const { project, file, path } = props;
  const why = useWhyReadOnly();
  const act = useAct();
  const [done, setDone] = useState<Restored | null>(null);
  const restore = (id: string, digest: string | null): Promise<WriteResult> =>
    api.restoreFile(
      project.id,
      path,
      id,
      digest === null ? { create: true } : { ifMatch: digest },
    );
  const bringBack = (from: Revision): void => {
    const before = file?.revision ?? null;
    void act.run(async () => {
      const result = await restore(from.id, file?.digest ?? null);
      setDone({ from, result, before });
    });
  };
  const undo = (last: Restored): void => {
    if (last.before === null) return;
    const { before } = last;
    void act.run(async () => {
      await restore(before, last.result.file.digest);
      setDone(null);
    });
  };
  const open = props.revisions.filter((one) => one.digest !== file?.digest);
  if (open.length === 0 && done === null && act.failure === null) {
    return props.revisions.length === 0 || !props.isLone ? null : (
      <p className="text-13 text-muted">{strings.history.isCurrent}</p>
    );
  }
  return (
    <div className="flex flex-col gap-2 pt-1">
      {open.length === 0 || done !== null ? null : (
        <div className="flex flex-wrap gap-2">
          {open.map((one) => (
            <Button
              key={one.id}
              icon={<Undo2 size={16} aria-hidden />}
              whyDisabled={why ?? (act.isBusy ? strings.history.restoring : null)}
              onClick={() => bringBack(one)}
            >
              {strings.history.restoreOf(one.number)}
            </Button>
          ))}
        </div>
      )}
      {done === null ? null : (
        <RestoredNotice done={done} isBusy={act.isBusy} onUndo={() => undo(done)} />
      )}
      <FailureNotice failure={act.failure} conflict={strings.history.conflict} />
    </div>
  );
}

function RestoredNotice(props: {
  readonly done: Restored;
  readonly isBusy: boolean;
  readonly onUndo: () => void;
}): ReactElement {
  const strings = useStrings();
  const { from, result, before } = props.done;
  if (result.verdict === "quarantined") {
    return (
      <Notice tone="warning" isLive>
        {strings.edit.savedAside}
      </Notice>
    );
  }
  return (
    <Notice
      tone="success"
      isLive
      actions={
        before === null ? null : (
          <Button
            size="small"
            whyDisabled={props.isBusy ? strings.history.restoring : null}
            onClick={props.onUndo}
          >
            {strings.history.restoreUndo}
          </Button>
        )
      }
    >
      {strings.history.restored(from.number, result.revision.number)}
      <LostList title={strings.history.lost} lost={result.lost} className="pt-2" />
    </Notice>
  );
}
