import { fireEvent, screen, within } from "@testing-library/react";
import type { ArtifactPart, Message } from "@vitrail/protocol";
import { describe, expect, test, vi } from "vitest";
import { ArtifactCard, AssistantMessage, type CardActions } from "../src/index.ts";
import { draw } from "./draw.tsx";

const SAVED = {
  path: "landing.html",
  kind: "html",
  digest: "0".repeat(64),
  revision: "r3",
  number: 3,
  status: "complete",
} as const;

function part(change: Partial<ArtifactPart> = {}): ArtifactPart {
  return {
    type: "artifact",
    artifact: 0,
    identifier: "landing",
    artifactType: "text/html",
    title: "A landing page",
    attributes: {},
    recovered: null,
    text: "<!doctype html>\n<p>One</p>\n<p>Two</p>\n<p>Three</p>\n<p>Four</p>\n",
    state: "complete",
    reason: "closed",
    saved: SAVED,
    quarantined: false,
    held: null,
    refused: false,
    pointer: null,
    diagnostics: [],
    start: 0,
    ...change,
  };
}

function actions(): CardActions {
  return {
    onOpen: vi.fn(),
    onSource: vi.fn(),
    downloadUrl: (path) => `/files/${path}?download=true`,
  };
}

function card(change: Partial<ArtifactPart>): HTMLElement {
  draw(<ArtifactCard part={part(change)} actions={actions()} />);
  return screen.getByRole("article");
}

const STREAMING = { state: "streaming", reason: null, saved: null } as const;

describe("a card says what is", () => {
  test("while it streams: the count, and the last lines only", () => {
    const drawn = card(STREAMING);
    expect(drawn.dataset["state"]).toBe("streaming");
    expect(drawn.textContent).toContain("Streaming, 5 lines");
    expect(drawn.textContent).toContain("<p>Four</p>");
    expect(drawn.textContent).not.toContain("<!doctype");
    expect(within(drawn).queryByRole("button", { name: /Open/ })).toBeNull();
  });

  test("once saved: the file, its revision, and what can be done", () => {
    const acts = actions();
    draw(<ArtifactCard part={part()} actions={acts} />);
    expect(screen.getByRole("article").textContent).toContain(
      "Saved landing.html, revision 3",
    );
    fireEvent.click(screen.getByRole("button", { name: "Open landing.html" }));
    fireEvent.click(screen.getByRole("button", { name: "Source of landing.html" }));
    expect(acts.onOpen).toHaveBeenCalledWith("landing.html");
    expect(acts.onSource).toHaveBeenCalledWith("landing.html");
    const link = screen.getByRole("link", { name: "Download landing.html" });
    expect(link.getAttribute("href")).toBe("/files/landing.html?download=true");
  });

  test.each([
    [{ state: "cut", reason: "stopped", saved: null } as const, "Stopped before its end"],
    [
      { state: "cut", reason: "failed", saved: null } as const,
      "the connection to the model failed",
    ],
    [{ state: "cut", reason: "unclosed", saved: null } as const, "the end is missing"],
    [
      { state: "cut", reason: "limit", saved: null } as const,
      "longer than a file may be",
    ],
    [
      { state: "cut", reason: "stopped", saved: { ...SAVED, status: "error" } } as const,
      "Kept what came as landing.html, revision 3",
    ],
    [{ refused: true, saved: null } as const, "Not saved"],
    [{ quarantined: true } as const, "Kept aside"],
    [{ saved: null } as const, "Checking"],
  ])("%o", (change, words) => {
    expect(card(change).textContent).toContain(words);
  });

  test("what was kept aside leads to where one decides about it", () => {
    const held = {
      path: "landing.html",
      draft: "landing.draft.html",
      revision: "r4",
      quarantine: "q1",
    };
    const decide = vi.fn(() => <button type="button">Decide</button>);
    const kept = part({ quarantined: true, saved: null, held });
    draw(<ArtifactCard part={kept} actions={{ ...actions(), decide }} />);
    expect(screen.getByRole("article").textContent).toContain("landing.html was not");
    expect(screen.getByRole("button", { name: "Decide" })).toBeDefined();
    expect(decide).toHaveBeenCalledWith(held);
  });

  test("a refusal gives its reasons in words", () => {
    const drawn = card({
      refused: true,
      saved: null,
      diagnostics: [
        {
          code: "html-too-short",
          severity: "error",
          message: "The page has 12 characters; at least 64 are needed.",
          span: null,
        },
      ],
    });
    expect(drawn.textContent).toContain("The page has 12 characters");
    expect(drawn.textContent).not.toContain("html-too-short");
    expect(
      within(drawn).getByRole("button", { name: "Copy: html-too-short" }),
    ).toBeTruthy();
  });

  test("field bug 40: a right-to-left title keeps its number", () => {
    const drawn = card({ title: "تقرير -3.5%" });
    const number = drawn.querySelector("bdi bdi");
    expect(number?.textContent).toBe("-3.5%");
    expect(number?.getAttribute("dir")).toBe("ltr");
  });
});

describe("a message", () => {
  const message = (parts: Message["parts"]): Message => ({
    id: "m",
    conversationId: "c",
    role: "assistant",
    parts,
    runId: "r",
    createdAt: "2026-11-01T00:00:00.000Z",
    chars: 0,
  });

  test("field bug 05: two artifacts are two cards, each with its own state", () => {
    draw(
      <AssistantMessage
        message={message([
          part({ identifier: "a", title: "A" }),
          part({ artifact: 1, identifier: "b", title: "B", ...STREAMING }),
        ])}
        who="m"
        isStreaming
        end={null}
        actions={actions()}
      />,
    );
    const states = screen
      .getAllByRole("article")
      .flatMap((one) => one.dataset["state"] ?? []);
    expect(states).toEqual(["saved", "streaming"]);
  });

  test("a failure stands in the message with the button that mends it", () => {
    const retry = vi.fn();
    draw(
      <AssistantMessage
        message={message([
          {
            type: "error",
            code: "agent-unreachable",
            message: "Nothing answers.",
            retryable: true,
          },
        ])}
        who="m"
        isStreaming={false}
        end="failed"
        actions={{
          ...actions(),
          mend: () => (
            <button type="button" onClick={retry}>
              {"again"}
            </button>
          ),
        }}
      />,
    );
    expect(screen.getByRole("alert").textContent).toContain("Nothing answers.");
    fireEvent.click(screen.getByRole("button", { name: "again" }));
    expect(retry).toHaveBeenCalledOnce();
  });

  test("thinking is folded and counted, and never Markdown or an artifact", () => {
    const drawn = draw(
      <AssistantMessage
        message={message([
          {
            type: "reasoning",
            text: "one\n![x](https://e.example/x.png)\nthree",
          },
        ])}
        who="m"
        isStreaming={false}
        end={null}
        actions={actions()}
      />,
    );
    expect(drawn.querySelector("summary")?.textContent).toBe("Thinking, 3 lines");
    expect(drawn.textContent).not.toContain("e.example");
  });
});
