/** Reading direction of text, block by block; numbers keep their signs. */

import type { Element, ElementContent, Nodes, Root, Text } from "hast";

/** Scripts that are written from right to left. */
const RTL_CHAR =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The first letter that has a direction. */
const STRONG_CHAR = /\p{L}/u;

/** A signed number, which bidirectional layout would turn to `3.5%-`. */
const SIGNED_NUMBER = /[-+\u2212]\d[\d.,]*\s?%?/g;

/** Returns the direction of the first letter, or none where there is no letter. */
export function directionOf(text: string): "ltr" | "rtl" | null {
  const found = STRONG_CHAR.exec(text);
  if (found === null) return null;
  return RTL_CHAR.test(found[0]) ? "rtl" : "ltr";
}

/** Returns true if some of the text runs from right to left. */
export function hasRightToLeft(text: string): boolean {
  return RTL_CHAR.test(text);
}

/** Cuts text into plain pieces and signed numbers; the numbers are at odd places. */
export function splitSignedNumbers(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const found of text.matchAll(SIGNED_NUMBER)) {
    const before = text.charAt(found.index - 1);
    if (/[\p{L}\p{N}]/u.test(before)) continue;
    pieces.push(text.slice(from, found.index), found[0]);
    from = found.index + found[0].length;
  }
  pieces.push(text.slice(from));
  return pieces;
}

const LEAVES = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th"]);
const CONTAINERS = new Set(["ul", "ol", "blockquote"]);

function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (node.type === "element" && node.tagName === "code") return "";
  return "children" in node ? node.children.map(textOf).join("") : "";
}

function isolateNumbers(text: Text): ElementContent[] {
  return splitSignedNumbers(text.value).flatMap((piece, place): ElementContent[] => {
    if (piece === "") return [];
    if (place % 2 === 0) return [{ type: "text", value: piece }];
    const children = [{ type: "text" as const, value: piece }];
    return [{ type: "element", tagName: "bdi", properties: { dir: "ltr" }, children }];
  });
}

function setDirection(element: Element): void {
  if (LEAVES.has(element.tagName)) element.properties["dir"] = "auto";
  else if (CONTAINERS.has(element.tagName)) {
    element.properties["dir"] = directionOf(textOf(element)) ?? "ltr";
  } else if (element.tagName === "code" || element.tagName === "pre") {
    element.properties["dir"] = "ltr";
  }
}

/** Calls `see` for every element outside of code, the outer ones first. */
function eachElement(parent: Root | Element, see: (element: Element) => void): void {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    see(child);
    if (child.tagName !== "code") eachElement(child, see);
  }
}

/** A rehype plugin: each block has its own direction, code is always left to right. */
export function rehypeDirection() {
  return (tree: Root): void => {
    eachElement(tree, setDirection);
    if (hasRightToLeft(textOf(tree))) keepSigns(tree);
  };
}

/** Puts every signed number outside of code into a left-to-right element of its own. */
function keepSigns(tree: Root): void {
  eachElement(tree, (element) => {
    if (element.tagName === "code" || element.tagName === "bdi") return;
    element.children = element.children.flatMap((child) =>
      child.type === "text" ? isolateNumbers(child) : [child],
    );
  });
}
