import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight, Ellipsis, Folder, FolderOpen } from "lucide-react";
import { type ReactElement, type ReactNode, useMemo, useRef } from "react";
import { DirectedText } from "../chat/directed-text.tsx";
import { KindIcon, kindName } from "../chat/kind-icon.tsx";
import { IconButton } from "../controls/button.tsx";
import { cx } from "../controls/cx.ts";
import { Menu } from "../controls/menu.tsx";
import { AuthorSign } from "../history/author-sign.tsx";
import { useStrings } from "../strings/strings.tsx";
import { type FileRow, type TreeRow, treeRows } from "./file-rows.ts";

const ROW_PX = 40;
const INDENT_PX = 20;

const GRID =
  "grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 @md:grid-cols-[minmax(0,1fr)_72px_176px_36px] @2xl:grid-cols-[minmax(0,1fr)_72px_96px_208px_36px]";
const WIDE = "hidden @md:block";
const WIDER = "hidden @2xl:block";

/** What can be done with the files of the tree. */
export interface FileTreeActions {
  readonly onOpen: (path: string) => void;
  /** Opens or closes a folder, or the parts of an artifact. */
  readonly onFold: (path: string) => void;
  /** Items of a file's menu. */
  readonly menu: (file: FileRow) => ReactNode;
}

/**
 * The project's files as a tree: what an artifact consists of stands under its
 * entry. Only the rows in view are elements.
 */
export function FileTree(props: {
  readonly files: readonly FileRow[];
  readonly folded: ReadonlySet<string>;
  readonly current: string | null;
  readonly now: Date;
  readonly actions: FileTreeActions;
  /** A form that stands in the place of a file's name. */
  readonly editing: { readonly path: string; readonly form: ReactNode } | null;
  /** What comes below the files. */
  readonly children?: ReactNode;
}): ReactElement {
  const strings = useStrings();
  const scroller = useRef<HTMLDivElement>(null);
  const { files, folded, editing } = props;
  const tree = useMemo(() => treeRows(files, folded), [files, folded]);
  const rows = useVirtualizer({
    count: tree.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (place) => keyOf(tree[place]),
    overscan: 16,
  });
  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
      tabIndex={0}
      className="@container min-h-0 flex-1 overflow-auto"
    >
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a table element cannot be virtual */}
      <div role="table" aria-label={strings.files.table} aria-rowcount={tree.length + 1}>
        <Head />
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div
          role="rowgroup"
          className="relative"
          style={{ blockSize: rows.getTotalSize() }}
        >
          {rows.getVirtualItems().map((item) => {
            const row = tree[item.index];
            return row === undefined ? null : (
              // biome-ignore lint/a11y/useSemanticElements: as above
              // biome-ignore lint/a11y/useFocusableInteractive: its cells have the controls
              <div
                key={item.key}
                ref={rows.measureElement}
                data-index={item.index}
                role="row"
                aria-rowindex={item.index + 2}
                aria-current={
                  row.row === "file" && row.file.path === props.current
                    ? "true"
                    : undefined
                }
                className={cx(
                  GRID,
                  "absolute inset-x-0 top-0 min-h-10 border-b border-border py-0.5 ps-1 pe-2 hover:bg-hover aria-[current=true]:bg-accent-soft pointer-coarse:min-h-12",
                )}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {row.row === "folder" ? (
                  <FolderCells row={row} onFold={props.actions.onFold} />
                ) : (
                  <FileCells
                    row={row}
                    now={props.now}
                    actions={props.actions}
                    form={editing?.path === row.file.path ? editing.form : null}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {props.children}
    </div>
  );
}

function keyOf(row: TreeRow | undefined): string {
  if (row === undefined) return "";
  return row.row === "folder" ? row.path : `f/${row.file.path}`;
}

function Head(): ReactElement {
  const strings = useStrings();
  const { files } = strings;
  const cell = (words: string, className?: string): ReactElement => (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table element cannot be virtual
    // biome-ignore lint/a11y/useFocusableInteractive: headings are no controls
    <span role="columnheader" className={className}>
      {words}
    </span>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      role="row"
      aria-rowindex={1}
      className={cx(
        GRID,
        "sticky top-0 z-10 border-b border-border bg-surface py-1 ps-3 pe-2 text-12 font-medium text-muted",
      )}
    >
      {cell(files.name)}
      {cell(files.size, cx(WIDE, "text-end"))}
      {cell(files.state, WIDER)}
      {cell(files.changed, WIDE)}
      {cell(files.actions, "sr-only")}
    </div>
  );
}

function Cell(props: {
  readonly className?: string;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table element cannot be virtual
    <div role="cell" className={props.className}>
      {props.children}
    </div>
  );
}

function FolderCells(props: {
  readonly row: Extract<TreeRow, { readonly row: "folder" }>;
  readonly onFold: (path: string) => void;
}): ReactElement {
  const strings = useStrings();
  const { row } = props;
  const Icon = row.isOpen ? FolderOpen : Folder;
  return (
    <>
      <Cell className="min-w-0">
        <button
          type="button"
          aria-expanded={row.isOpen}
          aria-label={strings.files.folder(row.name, row.files)}
          onClick={() => props.onFold(row.path)}
          className="flex min-h-8 w-full min-w-0 items-center gap-2 rounded-control text-start text-14 text-text pointer-coarse:min-h-11"
          style={{ paddingInlineStart: row.depth * INDENT_PX }}
        >
          <FoldSign isOpen={row.isOpen} />
          <Icon size={16} aria-hidden className="shrink-0 text-muted" />
          <DirectedText text={row.name} className="min-w-0 wrap-anywhere" />
        </button>
      </Cell>
      <Cell className={WIDE} />
      <Cell className={WIDER} />
      <Cell className={cx(WIDE, "text-13 text-muted tabular-nums")}>
        {strings.format.files(row.files)}
      </Cell>
      <Cell />
    </>
  );
}

function FoldSign(props: { readonly isOpen: boolean }): ReactElement {
  return (
    <span className="flex size-5 shrink-0 items-center justify-center text-muted">
      <ChevronRight
        size={14}
        aria-hidden
        className={props.isOpen ? "rotate-90" : "rtl:-scale-x-100"}
      />
    </span>
  );
}

function FileCells(props: {
  readonly row: Extract<TreeRow, { readonly row: "file" }>;
  readonly now: Date;
  readonly actions: FileTreeActions;
  readonly form: ReactNode;
}): ReactElement {
  const strings = useStrings();
  const { row, actions } = props;
  const { file } = row;
  const indent = { paddingInlineStart: row.depth * INDENT_PX };
  if (props.form !== null) {
    return (
      <Cell className="col-span-full min-w-0">
        <div style={indent}>{props.form}</div>
      </Cell>
    );
  }
  return (
    <>
      <Cell className="min-w-0">
        <div className="flex min-w-0 items-center" style={indent}>
          {row.parts === 0 ? (
            <span className="size-5 shrink-0" />
          ) : (
            <button
              type="button"
              aria-expanded={row.isOpen}
              aria-label={strings.files.parts(file.path, row.parts)}
              onClick={() => actions.onFold(file.path)}
              className="-mx-1 -my-1 flex min-h-7 shrink-0 items-center rounded-control px-1 hover:bg-hover pointer-coarse:min-h-11"
            >
              <FoldSign isOpen={row.isOpen} />
            </button>
          )}
          <span className="flex min-w-0 flex-1 flex-col">
            <button
              type="button"
              aria-label={strings.files.open(file.path)}
              title={kindName(strings, file.kind)}
              onClick={() => actions.onOpen(file.path)}
              className="flex min-h-8 min-w-0 items-center gap-2 rounded-control py-1 ps-2 text-start text-text hover:text-accent pointer-coarse:min-h-11"
            >
              <span className="text-muted">
                <KindIcon kind={file.kind} />
              </span>
              <DirectedText
                text={row.name}
                className="min-w-0 text-14 font-medium wrap-anywhere"
              />
            </button>
            <span className="-mt-1 flex min-w-0 gap-2 ps-8 pb-1 text-12 text-muted @md:hidden">
              {file.size === null ? null : strings.format.bytes(file.size)}
              <Changed file={file} now={props.now} />
            </span>
          </span>
        </div>
      </Cell>
      <Cell className={cx(WIDE, "text-end text-13 text-muted tabular-nums")}>
        {file.size === null ? null : strings.format.bytes(file.size)}
      </Cell>
      <Cell className={cx(WIDER, "text-13 text-muted")}>
        {strings.files.states[file.state]}
      </Cell>
      <Cell className={cx(WIDE, "min-w-0 text-13 text-muted")}>
        <Changed file={file} now={props.now} />
      </Cell>
      <Cell className="text-end">
        <Menu
          align="end"
          label={strings.files.actionsOf(file.path)}
          trigger={
            <IconButton
              size="small"
              label={strings.files.actionsOf(file.path)}
              icon={<Ellipsis size={16} aria-hidden />}
            />
          }
        >
          {actions.menu(file)}
        </Menu>
      </Cell>
    </>
  );
}

/** Who changed a file last, and when. */
function Changed(props: { readonly file: FileRow; readonly now: Date }): ReactElement {
  const strings = useStrings();
  const { file } = props;
  return (
    <span className="flex min-w-0 items-center gap-2">
      {file.author === null ? null : <AuthorSign author={file.author} isBare />}
      <time
        dateTime={file.changedAt}
        title={strings.format.moment(file.changedAt)}
        className="truncate tabular-nums"
      >
        {strings.format.ago(file.changedAt, props.now)}
      </time>
      {file.hasHistory ? null : <span className="truncate">{strings.files.outside}</span>}
    </span>
  );
}
