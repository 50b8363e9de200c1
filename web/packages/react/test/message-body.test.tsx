import { screen, within } from "@testing-library/react";
import type { DirectivePart, Message, Part } from "@vitrail/protocol";
import { describe, expect, test } from "vitest";
import { bodyOf } from "../src/chat/message-body.ts";
import { AssistantMessage, UserMessage } from "../src/index.ts";
import { draw } from "./draw.tsx";

const text = (words: string, start = 0): Part => ({ type: "text", text: words, start });
const hidden = (chars: number): Part => ({ type: "suppressed", name: "edit", chars });
const directive = (name: string, value: string | null = null): DirectivePart => ({
  type: "directive",
  name,
  value,
});

function message(parts: readonly Part[], role: Message["role"] = "assistant"): Message {
  return {
    id: "m",
    conversationId: "c",
    role,
    parts,
    chars: 0,
    runId: null,
    createdAt: "2026-01-01T00:00:00.000Z",
  };
}

function reply(...parts: readonly Part[]): HTMLElement {
  draw(
    <AssistantMessage
      message={message(parts)}
      who="Model"
      isStreaming={false}
      end={null}
      actions={{
        onOpen: () => undefined,
        onSource: () => undefined,
        downloadUrl: (path) => path,
      }}
    />,
  );
  return screen.getByRole("article");
}

describe("the flow of a reply", () => {
  test("a tag that was taken out leaves one text behind", () => {
    const body = bodyOf([
      text("- one\n- two "),
      hidden(9),
      directive("reply_to", "a"),
      text("goes on\n- three", 30),
    ]);
    expect(body.shown).toEqual([
      { key: "text-0", part: text("- one\n- two goes on\n- three") },
    ]);
    expect(body.hidden).toEqual({ tags: 1, chars: 9 });
    expect(body.directives.map((one) => one.name)).toEqual(["reply_to"]);
  });

  test("how a document was found is said by its card alone", () => {
    const found: Part = {
      type: "diagnostic",
      code: "document-recovered",
      severity: "info",
      message: "Taken for an artifact.",
    };
    const other: Part = { ...found, code: "malformed-open-tag" };
    expect(bodyOf([found, other]).shown).toHaveLength(2);
    const artifact = { type: "artifact", artifact: 0, recovered: "fenced-document" };
    const { shown } = bodyOf([artifact as Part, found, other]);
    expect(shown.map(({ part }) => part.type)).toEqual(["artifact", "diagnostic"]);
  });

  test("an embed and a form keep their places, and keys stay while parts come", () => {
    const embed: Part = {
      type: "embed",
      ref: "cv",
      url: null,
      title: null,
      height: null,
    };
    const parts = [text("a"), embed, text("b", 9), hidden(3), text("c", 20)];
    const keys = (upTo: number) =>
      bodyOf(parts.slice(0, upTo)).shown.map(({ key }) => key);
    expect(keys(5)).toEqual(["text-0", "embed-1", "text-2"]);
    for (let upTo = 1; upTo <= 5; upTo += 1) {
      expect(keys(5).slice(0, keys(upTo).length)).toEqual(keys(upTo));
    }
  });
});

describe("what is no text has a small place", () => {
  test.each([
    [directive("reply_to_current"), "Reply to this message"],
    [directive("reply_to", "abc"), "Reply to abc"],
    [directive("audio_as_voice"), "Voice"],
    [directive("media", "/tmp/out/cat.png?x=1"), "Media: cat.png"],
    [directive("media", "https://a.example/"), "Media: a.example"],
    [directive("media", null), "Media that may not be attached"],
    [directive("react", "👍"), "Reaction: 👍"],
    [directive("silent"), "Nothing to send"],
    [directive("later_one", "x"), "Delivery directive: later_one x"],
  ])("%j reads %j", (part, words) => {
    expect(within(reply(part)).getByRole("listitem").textContent).toBe(words);
  });

  test("a title that says to be another thing stays a title", () => {
    const embed: Part = {
      type: "embed",
      ref: null,
      url: "https://a.example/<b>",
      title: "<img src=x onerror=alert(1)>",
      height: 10,
    };
    const drawn = reply(embed);
    expect(drawn.querySelector("img, iframe, a")).toBeNull();
    expect(drawn.textContent).toContain("Embed: <img src=x onerror=alert(1)>");
    expect(drawn.textContent).toContain("https://a.example/<b>");
  });

  test("what is hidden is counted in one note", () => {
    const drawn = reply(text("a "), hidden(200), text("b ", 9), hidden(112));
    expect(drawn.textContent).toContain("2 internal tags hidden, 312 characters");
    expect(drawn.querySelectorAll("p.text-faint")).toHaveLength(1);
  });

  test("a reply of nothing but a directive is not called empty", () => {
    expect(reply(directive("silent")).textContent).not.toContain("The reply was empty.");
  });
});

describe("a person's answers", () => {
  test("are folded, for the form above shows them", () => {
    const answers: Part = {
      type: "form_answers",
      messageId: "m0",
      formId: "brief",
      answers: { a: "x" },
    };
    const words = "[form answers — brief]\n- A: x";
    draw(<UserMessage message={message([text(words), answers], "user")} />);
    const drawn = screen.getByRole("article");
    expect(drawn.textContent).toBe("Answers to the questions");
  });
});
