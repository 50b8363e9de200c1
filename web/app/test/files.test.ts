import type { FileHead } from "@vitrail/stream";
import { ApiError } from "@vitrail/stream/client";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changeUnsaved,
  keepUnsaved,
  mergeKey,
  readUnsaved,
  type Unsaved,
  unsavedKey,
} from "../src/editing/unsaved.ts";
import {
  chosenFiles,
  chosenFolder,
  isArchive,
  withinFolder,
} from "../src/files/chosen.ts";
import { refusedOf } from "../src/files/use-import.ts";
import { crc32, zipOf } from "../src/files/zip.ts";
import { changeOf } from "../src/history/outside-strip.tsx";
import { comparisonOf, pairedWith } from "../src/history/versions-pane.tsx";
import { titleOf } from "../src/home/import-project.tsx";

const UNSAVED: Unsaved = {
  text: "Words 🧪\n",
  baseDigest: "d",
  baseRevision: null,
  isResolving: false,
  draft: null,
};

describe("an unsaved text", () => {
  test("is read as it was stored", () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (text, isResolving) => {
        const unsaved = { ...UNSAVED, text, isResolving };
        expect(readUnsaved(JSON.stringify(unsaved))).toEqual(unsaved);
      }),
    );
  });

  test.each([null, "", "{", "7", "[]", '{"text":3}', '{"text":"x","isResolving":true}'])(
    "%s is none",
    (stored) => expect(readUnsaved(stored)).toBeNull(),
  );

  test("is in the session's storage from the first letter to the last", () => {
    const key = unsavedKey("p", "a/b.html");
    keepUnsaved(key, UNSAVED);
    changeUnsaved(key, { text: "More" });
    const stored = () => readUnsaved(sessionStorage.getItem(`vitrail:unsaved:${key}`));
    expect(stored()).toEqual({ ...UNSAVED, text: "More" });
    keepUnsaved(key, null);
    expect(stored()).toBeNull();
    changeUnsaved(key, { text: "Late" });
    expect(stored()).toBeNull();
  });

  test("of a file and of a draft's resolution are two", () => {
    expect(unsavedKey("p", "a")).not.toBe(mergeKey("p", { path: "a", id: "q" }));
  });
});

describe("a change on disk", () => {
  const head = (change: Partial<FileHead>): FileHead => ({
    path: "a",
    digest: "d1",
    revision: "r1",
    number: 1,
    author: "model",
    kind: null,
    size: 1,
    mediaType: null,
    manifest: null,
    modifiedAt: "",
    movedFrom: null,
    ...change,
  });
  const outside = head({ digest: "d2", revision: "r2", number: null, author: "outside" });

  test("is told of the file that is looked at", () => {
    expect(changeOf(head({}), outside, null)).toEqual({
      path: "a",
      from: "r1",
      to: "r2",
      number: null,
    });
  });

  test("several are told as one, from what was shown at first", () => {
    const first = changeOf(head({}), outside, null);
    const next = head({ digest: "d3", revision: "r3", author: "outside" });
    expect(changeOf(outside, next, first)).toMatchObject({ from: "r1", to: "r3" });
  });

  test("is told no more once the person wrote or restored the file", () => {
    const told = changeOf(head({}), outside, null);
    const later = { ...outside, digest: "d4", revision: "r4" };
    expect(changeOf(outside, { ...later, author: "restore" }, told)).toBeNull();
    expect(changeOf(outside, { ...later, author: "person" }, told)).toBeNull();
    expect(changeOf(outside, { ...later, author: "model" }, told)).toEqual(told);
  });

  test("another file, or a change from here, is none", () => {
    expect(changeOf(head({ path: "b" }), outside, null)).toBeNull();
    expect(changeOf(null, outside, null)).toBeNull();
    expect(changeOf(head({}), { ...outside, author: "person" }, null)).toBeNull();
  });
});

describe("choosing versions", () => {
  test("a second is put beside the first, a third in the second's place", () => {
    expect(pairedWith([], "a")).toEqual(["a"]);
    expect(pairedWith(["a"], "b")).toEqual(["a", "b"]);
    expect(pairedWith(["a", "b"], "c")).toEqual(["a", "c"]);
    expect(pairedWith(["a", "b"], "a")).toEqual(["b"]);
    expect(pairedWith(["a"], "a")).toEqual([]);
  });

  test("the older one comes first, whichever was chosen first", () => {
    const revisions = ["r3", "r2", "r1"].map((id) => ({ id })) as never;
    expect(comparisonOf(["r1", "r3"], revisions)).toEqual({ from: "r1", to: "r3" });
    expect(comparisonOf(["r3", "r1"], revisions)).toEqual({ from: "r1", to: "r3" });
    expect(comparisonOf(["r2"], revisions)).toEqual({ from: null, to: "r2" });
    expect(comparisonOf([], revisions)).toBeNull();
  });
});

/** A file as a browser gives it; one of a folder says where it is in it. */
function chosen(name: string, relative = ""): File {
  const file = new File(["x"], name);
  Object.defineProperty(file, "webkitRelativePath", { value: relative });
  return file;
}

describe("files to add", () => {
  test("those of a folder keep their place in it, without the folder itself", () => {
    const names = chosenFiles([
      chosen("style.css", "site/css/style.css"),
      chosen("a.md"),
    ]).map((one) => one.name);
    expect(names).toEqual(["css/style.css", "a.md"]);
  });

  test("one ZIP is taken apart, a ZIP among others is a file", () => {
    const [zip] = chosenFiles([chosen("A.ZIP")]);
    if (zip === undefined) throw new Error("expected a file");
    expect(isArchive([zip])).toBe(true);
    expect(isArchive([zip, zip])).toBe(false);
  });

  test("the checksum is the one that ZIP has", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array())).toBe(0);
  });

  test("the archive's directory names each file, where it is and how long", async () => {
    const entries = ["a.md", "b/図表.md", "empty"].map((name, place) => ({
      name,
      content: new Blob(["x".repeat(place * 3)]),
    }));
    const bytes = new Uint8Array(await (await zipOf(entries)).arrayBuffer());
    const view = new DataView(bytes.buffer);
    const end = bytes.length - 22;
    expect(view.getUint32(end, true)).toBe(0x06054b50);
    expect(view.getUint16(end + 10, true)).toBe(3);
    let at = view.getUint32(end + 16, true);
    for (const entry of entries) {
      expect(view.getUint32(at, true)).toBe(0x02014b50);
      const length = view.getUint16(at + 28, true);
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
      expect(name).toBe(entry.name);
      expect(view.getUint32(at + 24, true)).toBe(entry.content.size);
      expect(view.getUint32(view.getUint32(at + 42, true), true)).toBe(0x04034b50);
      at += 46 + length;
    }
    expect(at).toBe(end);
  });

  test("an archive's name makes a project's title", () => {
    expect(titleOf("Spring launch.bundle.zip")).toBeNull();
    expect(titleOf("site.zip")).toBe("site");
    expect(titleOf(".zip")).toBe(".zip");
    expect(titleOf(`${"x".repeat(300)}.zip`)).toHaveLength(200);
  });

  test("what an answer says is refused is read only where it has the shape", () => {
    const refused = { name: "../x", code: "path-outside-project", message: "No." };
    const error = (details: Record<string, unknown>) =>
      new ApiError({
        code: "import-refused",
        detail: "",
        status: 422,
        retryable: false,
        details,
      });
    expect(refusedOf(error({ refused: [refused, { name: 3 }, null] }))).toEqual([
      refused,
    ]);
    expect(refusedOf(error({ refused: "x" }))).toEqual([]);
    expect(refusedOf(new TypeError("x"))).toEqual([]);
  });
});

describe("a folder that becomes a project", () => {
  const inFolder = (path: string): File => {
    const file = new File(["x"], path.slice(path.lastIndexOf("/") + 1));
    Object.defineProperty(file, "webkitRelativePath", { value: path });
    return file;
  };

  test("gives it its name, and its files the names they have within it", () => {
    const files = [inFolder("Site/index.html"), inFolder("Site/css/a.css")];
    expect(chosenFolder(files)).toBe("Site");
    expect(chosenFiles(files).map((one) => one.name)).toEqual([
      "index.html",
      "css/a.css",
    ]);
    expect(chosenFolder([inFolder("")])).toBeNull();
    expect(chosenFolder([])).toBeNull();
  });

  test("is the same dropped", () => {
    const content = new Blob(["x"]);
    const files = [{ name: "Site/a.md", content }];
    expect(withinFolder({ files, folder: "Site" })).toEqual([{ name: "a.md", content }]);
    expect(withinFolder({ files, folder: null })).toEqual(files);
  });
});
