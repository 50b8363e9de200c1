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

/** The most that a folder may hold; a wrong one, such as a home folder, stops there. */
export const MAX_FILES = 5000;

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

/** Returns what was dropped: files, and folders with all that is in them. */
export async function droppedFiles(
  items: DataTransferItemList,
): Promise<readonly ZipEntry[]> {
  // The list is emptied when the event ends, so it is read before the first wait.
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  const found: ZipEntry[] = [];
  for (const entry of entries) if (entry !== null) await filesIn(entry, found, "");
  return found;
}

/** Whether the files are one archive, which is taken apart by the server. */
export function isArchive(files: readonly ZipEntry[]): boolean {
  return files.length === 1 && /\.zip$/i.test(files[0]?.name ?? "");
}
