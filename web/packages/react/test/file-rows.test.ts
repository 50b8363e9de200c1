import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FileRow, supportingPaths, treeRows } from "../src/files/file-rows.ts";

function file(path: string, supporting: readonly string[] = []): FileRow {
  return {
    path,
    kind: null,
    size: 1,
    revision: 1,
    hasHistory: true,
    state: "none",
    author: "model",
    changedAt: "",
    supporting,
  };
}

const OPEN: ReadonlySet<string> = new Set();

function shown(files: readonly FileRow[], folded = OPEN): readonly string[] {
  return treeRows(files, folded).map(
    (row) => `${"  ".repeat(row.depth)}${row.name}${row.row === "folder" ? "/" : ""}`,
  );
}

describe("the tree of files", () => {
  test("folders come first, and fold with all that is in them", () => {
    const files = [file("a.html"), file("b/c/d.css"), file("b/e.js")];
    expect(shown(files)).toEqual(["b/", "  c/", "    d.css", "  e.js", "a.html"]);
    expect(shown(files, new Set(["b/"]))).toEqual(["b/", "a.html"]);
    expect(treeRows(files, new Set(["b/"]))[0]).toMatchObject({ files: 2 });
  });

  test("a folder that holds one folder alone is one row with it", () => {
    const files = [file("a/b/c/d.css"), file("a/b/c/e/f.css"), file("x/y.css")];
    expect(shown(files)).toEqual([
      "a/b/c/",
      "  e/",
      "    f.css",
      "  d.css",
      "x/",
      "  y.css",
    ]);
    expect(shown(files, new Set(["a/b/c/"]))).toEqual(["a/b/c/", "x/", "  y.css"]);
  });

  test("what belongs to an artifact stands under its entry file", () => {
    const files = [
      file("x/app.js"),
      file("x/index.html", ["x/app.js", "x/css/style.css", "x/missing.png"]),
      file("x/css/style.css"),
    ];
    expect(shown(files)).toEqual([
      "x/",
      "  index.html",
      "    app.js",
      "    css/style.css",
    ]);
    expect(shown(files, new Set(["x/index.html"]))).toEqual(["x/", "  index.html"]);
  });

  test("every file stands in exactly one row, whatever belongs to what", () => {
    const path = fc.constantFrom("a", "b", "c/a", "c/d/e", "__proto__", "c");
    const files = fc
      .uniqueArray(fc.tuple(path, fc.array(path, { maxLength: 3 })), {
        selector: ([name]) => name,
      })
      .map((all) => all.map(([name, supporting]) => file(name, supporting)));
    fc.assert(
      fc.property(files, (all) => {
        const rows = treeRows(all, OPEN).flatMap((row) =>
          row.row === "file" ? [row.file.path] : [],
        );
        expect(rows.sort()).toEqual(all.map((one) => one.path).sort());
      }),
    );
  });

  test("a supporting file is named in the project or beside its entry", () => {
    expect(supportingPaths("a.html", ["x.css"])).toEqual(["x.css"]);
    expect(supportingPaths("p/a.html", ["x.css", "p/y.css"])).toEqual([
      "p/x.css",
      "x.css",
      "p/y.css",
    ]);
    expect(supportingPaths("a.html", null)).toEqual([]);
  });
});
