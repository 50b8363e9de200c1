import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The folder of the workspaces; the tests run in it. */
const WEB = process.cwd();

/** A source file of the components or the app, by its path below `web/`. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Returns all files of the components and the app whose name ends so. */
export function sources(...endings: readonly string[]): readonly Source[] {
  return ["packages/react/src", "app/src"].flatMap((folder) =>
    readdirSync(join(WEB, folder), { recursive: true, withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && endings.some((end) => entry.name.endsWith(end)),
      )
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ path: relative(WEB, path), text: readFileSync(path, "utf8") })),
  );
}
