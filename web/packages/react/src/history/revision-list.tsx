import { useVirtualizer } from "@tanstack/react-virtual";
import type { Revision } from "@vitrail/protocol";
import { GitCompareArrows } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import { IconButton } from "../controls/button.tsx";
import { cx } from "../controls/cx.ts";
import { useStrings } from "../strings/strings.tsx";
import { AuthorSign } from "./author-sign.tsx";

const ROW_PX = 56;

/**
 * The versions of a file, the newest first; only those in view are elements, and
 * older ones are asked for when their place comes into view.
 */
export function RevisionList(props: {
  readonly path: string;
  readonly revisions: readonly Revision[];
  /** How many there are, those that are not here yet included. */
  readonly total: number;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  /** What the file has now; none where it is gone. */
  readonly current: string | null;
  /** Ids of one version that is looked at or marked, or of two that are compared. */
  readonly chosen: readonly string[];
  readonly onShow: (id: string) => void;
  /** Puts a version beside the one that is chosen, or takes it away from there. */
  readonly onPair: (id: string) => void;
  readonly now: Date;
}): ReactElement {
  const strings = useStrings();
  const { revisions, hasMore, onMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: revisions.length + (hasMore ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const items = rows.getVirtualItems();
  const isAtEnd = hasMore && (items.at(-1)?.index ?? -1) >= revisions.length;
  useEffect(() => {
    if (isAtEnd) onMore();
  }, [isAtEnd, onMore]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <div ref={scroller} tabIndex={0} className="min-h-0 flex-1 overflow-auto">
      <ul
        aria-label={strings.history.list(props.path)}
        className="relative"
        style={{ blockSize: rows.getTotalSize() }}
      >
        {items.map((item) => {
          const revision = revisions[item.index];
          return (
            <li
              key={item.key}
              aria-setsize={props.total}
              aria-posinset={item.index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)`, blockSize: ROW_PX }}
            >
              {revision === undefined ? (
                <p className="flex h-full items-center px-3 text-13 text-muted">
                  {strings.state.loading}
                </p>
              ) : (
                <RevisionRow
                  revision={revision}
                  isCurrent={revision.id === props.current}
                  chosen={props.chosen}
                  onShow={props.onShow}
                  onPair={props.onPair}
                  now={props.now}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function RevisionRow(props: {
  readonly revision: Revision;
  readonly isCurrent: boolean;
  readonly chosen: readonly string[];
  readonly onShow: (id: string) => void;
  readonly onPair: (id: string) => void;
  readonly now: Date;
}): ReactElement {
  const strings = useStrings();
  const { revision, chosen } = props;
  const { author, number } = revision;
  const isChosen = chosen.includes(revision.id);
  return (
    <div
      className={cx(
        "flex h-full items-center gap-1 border-b border-border pe-2",
        isChosen ? "bg-accent-soft" : "hover:bg-hover",
      )}
    >
      <button
        type="button"
        aria-pressed={isChosen}
        aria-description={strings.history.show}
        onClick={() => props.onShow(revision.id)}
        className="flex h-full min-w-0 flex-1 flex-col justify-center rounded-control px-3 text-start"
      >
        <span className="flex max-w-full min-w-0 items-center gap-2 text-14 text-text">
          <span className="shrink-0 font-medium tabular-nums">
            {strings.history.revision(number)}
          </span>
          <AuthorSign author={author} className="text-13 text-muted" />
          {props.isCurrent ? (
            <span className="shrink-0 rounded-control border border-border px-1 text-12 text-muted">
              {strings.history.current}
            </span>
          ) : null}
        </span>
        <span className="flex max-w-full min-w-0 gap-2 text-12 text-muted">
          <time
            dateTime={revision.createdAt}
            title={strings.format.moment(revision.createdAt)}
            className="shrink-0"
          >
            {strings.format.ago(revision.createdAt, props.now)}
          </time>
          {revision.reason === null ? null : (
            <span dir="auto" title={revision.reason} className="min-w-0 truncate">
              {revision.reason}
            </span>
          )}
        </span>
      </button>
      <IconButton
        size="small"
        aria-pressed={isChosen}
        className={isChosen ? "text-accent" : undefined}
        label={strings.history.choose(number)}
        icon={<GitCompareArrows size={16} aria-hidden />}
        onClick={() => props.onPair(revision.id)}
      />
    </div>
  );
}
