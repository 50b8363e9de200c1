/** Gates of the workspace's own style: each is shown to fail on a planted breach. */

import { parseSync } from "vite";
import { describe, expect, test } from "vitest";
import { en } from "../src/index.ts";
import { sources } from "./sources.ts";

const THEME = "packages/react/src/theme/roles.css";
const RAW_COLOUR =
  /(?<![.\w])#[0-9a-f]{3,8}\b(?!\()|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|hwb|color-mix)\(|\b(?:bg|text|border|fill|stroke|outline|ring)-(?:white|black|(?:red|gray|grey|slate|zinc|blue|green)-\d+)\b/gi;
const PHYSICAL_CLASS =
  /(?<![\w-])-?(?:ml|mr|pl|pr|left|right|border-l|border-r|rounded-l|rounded-r|rounded-tl|rounded-tr|rounded-bl|rounded-br|scroll-ml|scroll-mr|scroll-pl|scroll-pr)-(?:\[|\d|px|auto|control|card|full)|\btext-(?:left|right)\b|\bfloat-(?:left|right)\b|\bborder-[lr]\b/g;
const PHYSICAL_CSS =
  /\b(?:margin|padding|border|inset)-(?:left|right)\b|(?<![\w-])(?:left|right):|\btext-align:\s*(?:left|right)|\b(?:marginLeft|marginRight|paddingLeft|paddingRight)\b/g;

function rawColours(text: string): readonly string[] {
  return text.match(RAW_COLOUR) ?? [];
}

function physical(text: string): readonly string[] {
  return [...(text.match(PHYSICAL_CLASS) ?? []), ...(text.match(PHYSICAL_CSS) ?? [])];
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const READ_ATTRIBUTES = new Set([
  "aria-label",
  "aria-description",
  "alt",
  "title",
  "placeholder",
  "label",
  "text",
]);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

function hasLetters(value: unknown): value is string {
  return typeof value === "string" && /\p{L}/u.test(value);
}

function literalOf(node: Node): string | null {
  if (node.type === "JSXText" && hasLetters(node["value"])) return node["value"].trim();
  if (node.type !== "JSXAttribute") return null;
  const { name, value } = node as unknown as { name: { name: unknown }; value: unknown };
  if (typeof name.name !== "string" || !READ_ATTRIBUTES.has(name.name)) return null;
  const literal = isNode(value) && value.type === "Literal" ? value["value"] : null;
  return hasLetters(literal) ? literal : null;
}

/** Returns the texts that a person would read and that no catalogue holds. */
function looseTexts(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const walk = (node: Node): void => {
    const literal = literalOf(node);
    if (literal !== null) found.push(literal);
    for (const child of childrenOf(node)) walk(child);
  };
  walk(parseSync(path, text).program as unknown as Node);
  return found;
}

describe("colours", () => {
  test("a raw colour is seen", () => {
    expect(
      rawColours("color: #fff; a { color: rgb(1 2 3) } bg-white text-red-500"),
    ).toEqual(["#fff", "rgb(", "bg-white", "text-red-500"]);
  });

  test.each(sources(".ts", ".tsx", ".css"))(
    "$path names roles only",
    ({ path, text }) => {
      expect(path === THEME ? [] : rawColours(text)).toEqual([]);
    },
  );
});

describe("layout", () => {
  test("a physical side is seen", () => {
    expect(physical('"ml-2 text-left" margin-left: 1px; left: 0')).toEqual([
      "ml-2",
      "text-left",
      "margin-left",
      "left:",
    ]);
  });

  test.each(sources(".tsx", ".css"))("$path has logical sides only", ({ text }) => {
    expect(physical(text)).toEqual([]);
  });
});

describe("words", () => {
  test("a text outside the catalogue is seen", () => {
    const text = 'const a = <b title="Hi">Hello {x}</b>;';
    expect(looseTexts("a.tsx", text)).toEqual(["Hi", "Hello"]);
  });

  test.each(sources(".tsx"))(
    "$path takes its words from the catalogue",
    ({ path, text }) => {
      expect(looseTexts(path, text)).toEqual([]);
    },
  );

  test("every string of the catalogue is used", () => {
    const code = sources(".ts", ".tsx")
      .filter(({ path }) => !path.includes("strings/en"))
      .map(({ text }) => text)
      .join("\n");
    const unused = Object.entries(en).flatMap(([group, strings]) =>
      typeof strings === "object"
        ? Object.keys(strings)
            .filter(
              (key) =>
                !new RegExp(`\\.${key}\\b|\\b${key}\\b\\s*[,}]|"${key}"`).test(code),
            )
            .map((key) => `${group}.${key}`)
        : [],
    );
    expect(unused).toEqual([]);
  });

  test("no string apologises, shouts or stays empty", () => {
    const flat = JSON.stringify(en);
    expect(flat).not.toMatch(/sorry|oops|please|!"/i);
  });
});
