/** What a person chose or dropped, as files with the names that they are to have. */

import type { ZipEntry } from "./zip.ts";

/** Returns the files of a field; those of a folder keep their place in it. */
export function chosenFiles(files: Iterable<File>): readonly ZipEntry[] {
  return [...files].map((file) => ({
    // The folder that was chosen is the first part, and not part of the project.
    name: file.webkitRelativePath.split("/").slice(1).join("/") || file.name,
    content: file,
  }));
}

/**
 * The most that is read of a folder: one more than the server takes, so that it
 * refuses a wrong one, such as a home folder, and nothing is left out in silence.
 */
export const MAX_FILES = 10_001;

async function filesIn(
  entry: FileSystemEntry,
  found: ZipEntry[],
  path: string,
): Promise<void> {
  if (found.length >= MAX_FILES) return;
  if (entry.isFile) {
    const content = await new Promise<File>((done, failed) => {
      (entry as FileSystemFileEntry).file(done, failed); // `isFile` says so
    });
    found.push({ name: path + entry.name, content });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader(); // not a file
  for (;;) {
    // A reader gives its entries in batches and ends with an empty one.
    const batch = await new Promise<FileSystemEntry[]>((done, failed) => {
      reader.readEntries(done, failed);
    });
    if (batch.length === 0) return;
    for (const inner of batch) await filesIn(inner, found, `${path}${entry.name}/`);
  }
}

/** What was dropped: files, and folders with all that is in them. */
export interface Dropped {
  readonly files: readonly ZipEntry[];
  /** The folder that all of it was in, where it was one. */
  readonly folder: string | null;
}

/** Returns what was dropped; the names begin with the folders' own. */
export async function droppedFiles(items: DataTransferItemList): Promise<Dropped> {
  // The list is emptied when the event ends, so it is read before the first wait.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: ZipEntry[] = [];
  for (const entry of entries) await filesIn(entry, files, "");
  const [first] = entries;
  const isFolder = entries.length === 1 && first?.isDirectory === true;
  return { files, folder: isFolder ? first.name : null };
}

/** Returns the folder that files of a field were chosen with, or null. */
export function chosenFolder(files: Iterable<File>): string | null {
  const [first] = files;
  const parts = first?.webkitRelativePath.split("/") ?? [];
  return parts.length > 1 ? (parts[0] ?? null) : null;
}

/** Returns the files of one folder by their names within it. */
export function withinFolder(dropped: Dropped): readonly ZipEntry[] {
  const { files, folder } = dropped;
  if (folder === null) return files;
  return files.map((file) => ({ ...file, name: file.name.slice(folder.length + 1) }));
}

/** Whether the files are one archive, which is taken apart by the server. */
export function isArchive(files: readonly ZipEntry[]): boolean {
  return files.length === 1 && /\.zip$/i.test(files[0]?.name ?? "");
}
