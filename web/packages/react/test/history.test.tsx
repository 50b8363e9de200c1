import { fireEvent, screen, within } from "@testing-library/react";
import type { DiffHunk, Lost, QuarantineRecord, Revision } from "@vitrail/protocol";
import { beforeAll, describe, expect, test, vi } from "vitest";
import {
  ConflictView,
  DiffView,
  DraftNotice,
  FileTree,
  LostList,
  RevisionList,
} from "../src/index.ts";
import { draw } from "./draw.tsx";

// jsdom lays nothing out: a list of rows has room for some.
beforeAll(() => {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40);
});

const NOW = new Date("2026-11-30T12:00:00.000Z");

function revision(number: number, change: Partial<Revision> = {}): Revision {
  return {
    id: `r${number}`,
    projectId: "p",
    path: "a.html",
    number,
    parent: number === 1 ? null : `r${number - 1}`,
    author: "model",
    digest: `${number}`.repeat(64).slice(0, 64),
    size: 10,
    runId: null,
    reason: null,
    movedFrom: null,
    createdAt: "2026-11-30T11:55:00.000Z",
    ...change,
  };
}

describe("the list of versions", () => {
  const ten = Array.from({ length: 10_000 }, (_, place) => revision(10_000 - place));
  const list = (change: Partial<Parameters<typeof RevisionList>[0]> = {}) => {
    const given = {
      path: "a.html",
      revisions: ten,
      total: 10_000,
      hasMore: false,
      onMore: vi.fn(),
      current: "r10000",
      chosen: ["r9999"],
      onShow: vi.fn(),
      onPair: vi.fn(),
      now: NOW,
      ...change,
    };
    draw(<RevisionList {...given} />);
    return given;
  };

  test("ten thousand are a few elements", () => {
    list();
    expect(screen.getAllByRole("listitem").length).toBeLessThan(60);
    expect(screen.getAllByRole("listitem")[0]?.getAttribute("aria-setsize")).toBe(
      "10000",
    );
  });

  test("each says who made it and when, and the current one that it is", () => {
    list({
      revisions: [revision(2, { author: "outside", reason: "Edited" }), revision(1)],
      current: "r2",
    });
    const [first, second] = screen.getAllByRole("listitem");
    expect(first?.textContent).toContain("Outside Vitrail");
    expect(first?.textContent).toContain("5 minutes ago");
    expect(first?.textContent).toContain("Edited");
    expect(first?.textContent).toContain("Current");
    expect(second?.textContent).not.toContain("Current");
  });

  test("one is shown, another is put beside it", () => {
    const given = list();
    fireEvent.click(screen.getByRole("button", { name: /^Revision 9,998/ }));
    expect(given.onShow).toHaveBeenCalledWith("r9998");
    fireEvent.click(screen.getByRole("button", { name: "Compare revision 9,997" }));
    expect(given.onPair).toHaveBeenCalledWith("r9997");
    const shown = screen.getByRole("button", { name: /^Revision 9,999/ });
    expect(shown.getAttribute("aria-pressed")).toBe("true");
  });

  test("older ones are asked for once their place is in view", () => {
    const far = list({ hasMore: true });
    expect(far.onMore).not.toHaveBeenCalled();
    const near = list({ revisions: [revision(3)], total: 3, hasMore: true });
    expect(near.onMore).toHaveBeenCalled();
  });
});

const HUNK: DiffHunk = {
  oldStart: 9,
  oldLines: 1,
  newStart: 9,
  newLines: 1,
  lines: [
    { kind: "removed", text: "<h2>Old</h2>", words: [[4, 7]] },
    { kind: "added", text: "<h2>New</h2>", words: [[4, 7]] },
  ],
};

describe("a difference", () => {
  test("says what each line is, not by colour alone, and marks the words", () => {
    const element = draw(<DiffView label="Changes" hunks={[HUNK]} isSplit={false} />);
    const region = screen.getByRole("region", { name: "Changes" });
    expect(region.textContent).toContain("9 lines unchanged");
    expect(region.textContent).toContain("Removed");
    expect(region.textContent).toContain("Added");
    expect(element.querySelector("del")?.textContent).toBe("Old");
    expect(element.querySelector("ins")?.textContent).toBe("New");
  });

  test("equal lines between hunks are shown where one asks for them", () => {
    const onWantText = vi.fn();
    const text = Array.from({ length: 30 }, (_, place) => `line ${place + 1}`).join("\n");
    const view = { label: "Changes", hunks: [HUNK], isSplit: false, onWantText, text };
    draw(<DiffView {...view} />);
    const region = screen.getByRole("region", { name: "Changes" });
    expect(region.textContent).not.toContain("line 9");
    fireEvent.click(screen.getByRole("button", { name: "9 lines unchanged" }));
    expect(onWantText).toHaveBeenCalledOnce();
    expect(region.textContent).toContain("line 9");
    expect(document.activeElement).toBe(region);
    fireEvent.click(screen.getByRole("button", { name: "Unchanged from here on" }));
    expect(region.textContent).toContain("line 30");
    expect(screen.queryByRole("button")).toBeNull();
  });

  test("what stands in a file is text, never markup", () => {
    const text = '<img src="x" onerror="alert(1)">';
    const hunk: DiffHunk = { ...HUNK, lines: [{ kind: "added", text, words: [] }] };
    const element = draw(<DiffView label="Changes" hunks={[hunk]} isSplit={false} />);
    expect(element.querySelector("img")).toBeNull();
    expect(element.textContent).toContain(text);
  });
});

const LOST: readonly Lost[] = [
  { what: "section", name: "Prices", span: null },
  { what: "section", name: "Contact", span: null },
  { what: "id", name: "hero", span: null },
  { what: "function", name: "initMap", span: null },
  { what: "slide", name: "Three", span: null },
  { what: "words", name: "by hand", span: null },
  { what: "typed", name: "my words", span: null },
];

describe("what is lost", () => {
  test("is named, and a long list unfolds", () => {
    draw(<LostList title="This change lost" lost={LOST} />);
    expect(screen.getAllByText(/Section “/)).toHaveLength(2);
    expect(screen.queryByText("What you typed: “my words”")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "and 2 more" }));
    expect(screen.getByText("What you typed: “my words”")).toBeDefined();
  });

  test("what a person typed goes back by one click, and nothing else does", () => {
    const put = vi.fn();
    const typed = { what: "typed", name: "my words", span: [3, 11] } as const;
    draw(<LostList title="Lost" lost={[...LOST.slice(0, 2), typed]} onPutBack={put} />);
    fireEvent.click(screen.getByRole("button", { name: "Put back “my words”" }));
    expect(put.mock.calls).toEqual([[typed]]);
    expect(screen.getAllByRole("button")).toHaveLength(1);
  });

  test("where nothing can be put back, no button says so", () => {
    const typed = { what: "typed", name: "my words", span: [3, 11] } as const;
    draw(<LostList title="Lost" lost={[typed]} />);
    expect(screen.queryByRole("button")).toBeNull();
  });

  test("nothing is said of nothing", () => {
    expect(draw(<LostList title="Lost" lost={[]} />).textContent).toBe("");
  });
});

function draft(change: Partial<QuarantineRecord> = {}): QuarantineRecord {
  return {
    id: "q1",
    projectId: "p",
    path: "a.html",
    draft: "a.draft.html",
    revision: "r9",
    digest: "d",
    goodDigest: "g",
    reason: "artifact-regression",
    author: "model",
    identifier: "a",
    runId: null,
    lost: LOST.slice(0, 4),
    conflicts: [],
    baseDigest: null,
    diagnostics: [],
    manifest: null,
    createdAt: "2026-11-30T11:55:00.000Z",
    ...change,
  };
}

describe("the banner of a draft", () => {
  const banner = (change: Partial<QuarantineRecord>, whyNot: string | null = null) => {
    const acts = {
      onCompare: vi.fn(),
      onAccept: vi.fn(),
      onDrop: vi.fn(),
      onMerge: vi.fn(),
    };
    draw(<DraftNotice draft={draft(change)} whyNot={whyNot} {...acts} />);
    return acts;
  };

  test("counts and names what would vanish, and says that the file stays", () => {
    banner({});
    expect(
      screen.getByText(
        "Kept aside: 2 sections, 1 function, 1 named element would vanish from a.html",
      ),
    ).toBeDefined();
    expect(screen.getByText(/a\.html was not changed.*a\.draft\.html/)).toBeDefined();
  });

  test("each button does its act; offline none decides", () => {
    const acts = banner({});
    fireEvent.click(screen.getByRole("button", { name: "Take the new version" }));
    fireEvent.click(screen.getByRole("button", { name: "Drop it" }));
    fireEvent.click(screen.getByRole("button", { name: "Compare" }));
    fireEvent.click(screen.getByRole("button", { name: "Choose line by line" }));
    for (const act of Object.values(acts)) expect(act).toHaveBeenCalledOnce();
  });

  test("offline nothing is decided, and it says why", () => {
    const acts = banner({ lost: [] }, "The connection is lost.");
    const accept = screen.getByRole("button", { name: "Take the new version" });
    fireEvent.click(accept);
    expect(acts.onAccept).not.toHaveBeenCalled();
    expect(accept.getAttribute("aria-description")).toBe("The connection is lost.");
    expect(screen.getByText("Kept aside: a new version of a.html")).toBeDefined();
  });
});

describe("two texts of one file", () => {
  const view = (base: string | null, mine: string, theirs: string) => {
    const acts = { onMine: vi.fn(), onSave: vi.fn() };
    draw(
      <ConflictView
        path="a.md"
        base={base}
        mine={mine}
        theirs={theirs}
        text="Changed while you were writing."
        theirsName="On disk"
        whyNotSave={null}
        {...acts}
      />,
    );
    return acts;
  };

  test("what both changed waits for a choice before it can be saved", () => {
    const acts = view("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n");
    const save = () => screen.getByRole("button", { name: "Save the result" });
    expect(save().getAttribute("aria-description")).toContain("1 difference waits");
    fireEvent.click(save());
    expect(acts.onSave).not.toHaveBeenCalled();
    const range = screen.getByRole("group", { name: "Difference 1 of 1" });
    fireEvent.click(within(range).getByRole("radio", { name: "Take: On disk" }));
    fireEvent.click(save());
    expect(acts.onSave).toHaveBeenCalledWith("a\ntheirs\nc\n");
  });

  test("what only one side changed is proposed and can be turned", () => {
    const acts = view("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n");
    fireEvent.click(screen.getByRole("button", { name: "Save the result" }));
    expect(acts.onSave).toHaveBeenLastCalledWith("A\nb\nc\nd\nE\n");
    fireEvent.click(screen.getByRole("button", { name: "All mine" }));
    fireEvent.click(screen.getByRole("button", { name: "Save the result" }));
    expect(acts.onSave).toHaveBeenLastCalledWith("A\nb\nc\nd\ne\n");
  });

  test("the result can be written by hand, and each letter is kept", () => {
    const acts = view(null, "mine\n", "theirs\n");
    fireEvent.click(screen.getByRole("button", { name: "Edit the result" }));
    expect(acts.onMine).toHaveBeenLastCalledWith("mine\n");
    const field = screen.getByRole("textbox", { name: "Text of a.md" });
    fireEvent.change(field, { target: { value: "both\n" } });
    expect(acts.onMine).toHaveBeenLastCalledWith("both\n");
  });
});

describe("the files as a tree", () => {
  test("folders and parts fold by their buttons, files open and have a menu", () => {
    const onFold = vi.fn();
    const onOpen = vi.fn();
    const file = (path: string, supporting: readonly string[] = []) => ({
      path,
      kind: "html",
      size: 1200,
      revision: 1,
      hasHistory: true,
      state: "complete" as const,
      author: "person" as const,
      changedAt: "2026-11-30T11:59:50.000Z",
      supporting,
    });
    draw(
      <FileTree
        files={[file("a/b.css"), file("x.html", ["x.css"]), file("x.css")]}
        folded={new Set()}
        current="x.html"
        now={NOW}
        actions={{ onOpen, onFold, menu: () => null }}
        editing={null}
      />,
    );
    const table = screen.getByRole("table", { name: "Files of the project" });
    expect(within(table).getAllByRole("row")).toHaveLength(5);
    fireEvent.click(screen.getByRole("button", { name: "Folder a, 1 file" }));
    expect(onFold).toHaveBeenCalledWith("a/");
    fireEvent.click(
      screen.getByRole("button", { name: "x.html consists of 1 more file" }),
    );
    expect(onFold).toHaveBeenCalledWith("x.html");
    fireEvent.click(screen.getByRole("button", { name: "Open x.html" }));
    expect(onOpen).toHaveBeenCalledWith("x.html");
    expect(table.textContent).toContain("just now");
    expect(table.textContent).toContain("1.2 kB");
  });
});
