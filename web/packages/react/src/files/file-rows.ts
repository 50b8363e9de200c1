/**
 * The files of a project as rows: folders fold, and what an artifact consists of
 * stands under its entry file.
 */

/** One file as the list shows it. */
export interface FileRow {
  readonly path: string;
  readonly kind: string | null;
  /** Bytes; none where it was not told yet. */
  readonly size: number | null;
  /** 1-based; none where it was not told yet. */
  readonly revision: number | null;
  /** False for a file that Vitrail never wrote. */
  readonly hasHistory: boolean;
  readonly state: "complete" | "streaming" | "error" | "draft" | "none";
  /** Who changed it last; none where it was not told. */
  readonly author: "model" | "person" | "refresh" | "outside" | "restore" | null;
  readonly changedAt: string;
  /** Paths of the files that belong to this entry file. */
  readonly supporting: readonly string[];
}

/** A row of the tree. */
export type TreeRow =
  | {
      readonly row: "folder";
      /** Path with a slash at its end. */
      readonly path: string;
      readonly name: string;
      readonly depth: number;
      /** How many files are in it, at any depth. */
      readonly files: number;
      readonly isOpen: boolean;
    }
  | {
      readonly row: "file";
      readonly file: FileRow;
      /** What is shown of its path: the last part, or all behind the entry's folder. */
      readonly name: string;
      readonly depth: number;
      /** How many supporting files it has. */
      readonly parts: number;
      readonly isOpen: boolean;
    };

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: FileRow[];
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: [] };
}

/** Returns the folder part of a path with its slash, or nothing. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function folderAt(root: Folder, path: string): Folder {
  let folder = root;
  for (const name of path.split("/").slice(0, -1)) {
    let next = folder.folders.get(name);
    if (next === undefined) {
      next = emptyFolder();
      folder.folders.set(name, next);
    }
    folder = next;
  }
  return folder;
}

/** Which entry each supporting file belongs to; the first that names it has it. */
function ownersOf(files: readonly FileRow[]): ReadonlyMap<string, string> {
  const paths = new Set(files.map((file) => file.path));
  const owners = new Map<string, string>();
  for (const file of files) {
    for (const part of file.supporting) {
      const isFree = paths.has(part) && part !== file.path && !owners.has(part);
      if (isFree) owners.set(part, file.path);
    }
  }
  // An entry that has files of its own stands by itself.
  for (const owner of new Set(owners.values())) owners.delete(owner);
  return owners;
}

/**
 * Returns the rows of the files, folders first, each by name. `folded` holds the
 * paths of what is closed: folders with a slash at the end, entries without.
 */
export function treeRows(
  files: readonly FileRow[],
  folded: ReadonlySet<string>,
): readonly TreeRow[] {
  const owners = ownersOf(files);
  const parts = new Map<string, FileRow[]>();
  const root = emptyFolder();
  for (const file of files) {
    const owner = owners.get(file.path);
    if (owner === undefined) folderAt(root, file.path).files.push(file);
    else parts.set(owner, [...(parts.get(owner) ?? []), file]);
  }
  const rows: TreeRow[] = [];
  addFolder(rows, root, "", 0, { folded, parts });
  return rows;
}

/** Folders that hold one folder and nothing else are one row, as far as they go. */
function throughLone(
  first: string,
  outer: Folder,
): { readonly name: string; readonly inner: Folder } {
  let name = first;
  let inner = outer;
  while (inner.files.length === 0 && inner.folders.size === 1) {
    const [only] = inner.folders;
    if (only === undefined) break;
    name = `${name}/${only[0]}`;
    inner = only[1];
  }
  return { name, inner };
}

interface TreeContext {
  readonly folded: ReadonlySet<string>;
  readonly parts: ReadonlyMap<string, readonly FileRow[]>;
}

function addFolder(
  rows: TreeRow[],
  folder: Folder,
  path: string,
  depth: number,
  context: TreeContext,
): number {
  let total = 0;
  const folders = [...folder.folders].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [first, outer] of folders) {
    const { name, inner } = throughLone(first, outer);
    const own = `${path}${name}/`;
    const isOpen = !context.folded.has(own);
    const place = rows.length;
    const below: TreeRow[] = [];
    const count = addFolder(below, inner, own, depth + 1, context);
    rows[place] = { row: "folder", path: own, name, depth, files: count, isOpen };
    if (isOpen) for (const row of below) rows.push(row);
    total += count;
  }
  for (const file of folder.files) total += addFile(rows, file, path, depth, context);
  return total;
}

function addFile(
  rows: TreeRow[],
  file: FileRow,
  path: string,
  depth: number,
  context: TreeContext,
): number {
  const parts = context.parts.get(file.path) ?? [];
  const isOpen = !context.folded.has(file.path);
  const name = file.path.slice(path.length);
  rows.push({ row: "file", file, name, depth, parts: parts.length, isOpen });
  if (isOpen) {
    for (const part of parts) {
      const shown = part.path.startsWith(path) ? part.path.slice(path.length) : part.path;
      rows.push({
        row: "file",
        file: part,
        name: shown,
        depth: depth + 1,
        parts: 0,
        isOpen: false,
      });
    }
  }
  return 1 + parts.length;
}

/**
 * Returns the paths that a manifest's supporting files may mean: in the project,
 * or beside the entry file as a page's references are. Only what is there counts.
 */
export function supportingPaths(
  entry: string,
  supporting: readonly string[] | null | undefined,
): readonly string[] {
  const folder = folderOf(entry);
  return (supporting ?? []).flatMap((name) =>
    folder === "" || name.startsWith(folder) ? [name] : [folder + name, name],
  );
}
