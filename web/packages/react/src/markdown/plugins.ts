/** Our additions to the Markdown pipeline. */

import type { Element, Root as HastRoot } from "hast";
import type { Html, Image, Link, Parent, PhrasingContent, Root } from "mdast";
import type { Data, Processor } from "unified";
import { EXIT, SKIP, visit } from "unist-util-visit";
import type { VFile } from "vfile";

/**
 * A remark plugin: footnotes stay text. A footnote's text stands in another
 * block than its mark, and text that nothing refers to would vanish.
 */
export function remarkNoFootnotes(this: Processor): void {
  const data: Data & { micromarkExtensions?: unknown[] } = this.data();
  const extensions = data.micromarkExtensions ?? [];
  data.micromarkExtensions = extensions;
  extensions.push({
    disable: {
      null: ["gfmFootnoteDefinition", "gfmFootnoteCall", "gfmPotentialFootnoteCall"],
    },
  });
}

/** Most blocks hold neither HTML nor an image: their trees need no walk. */
function mayHold(file: VFile, mark: string): boolean {
  return String(file.value).includes(mark);
}

const IMG_TAG = /<img\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const ATTRIBUTE = /\b(src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

function imageOf(attributes: string): Image {
  let url = "";
  let alt = "";
  for (const [, name = "", double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare ?? "";
    if (name.toLowerCase() === "src") url = value;
    else alt = value;
  }
  return { type: "image", url, alt };
}

function piecesOf(html: Html): PhrasingContent[] | null {
  const pieces: PhrasingContent[] = [];
  let from = 0;
  for (const found of html.value.matchAll(IMG_TAG)) {
    if (found.index > from) {
      pieces.push({ type: "text", value: html.value.slice(from, found.index) });
    }
    pieces.push(imageOf(found[1] ?? ""));
    from = found.index + found[0].length;
  }
  if (pieces.length === 0) return null;
  if (from < html.value.length) {
    pieces.push({ type: "text", value: html.value.slice(from) });
  }
  return pieces;
}

function hasImage(node: Parent): boolean {
  let isFound = false;
  visit(node, "image", () => {
    isFound = true;
    return EXIT;
  });
  visit(node, "imageReference", () => {
    isFound = true;
    return EXIT;
  });
  return isFound;
}

/** A remark plugin: a linked image is the image and then the link, each with its own press. */
export function remarkUnlinkImages() {
  return (tree: Root, file: VFile): void => {
    if (!mayHold(file, "![")) return;
    visit(tree, "link", (node, index, parent: Parent | undefined) => {
      if (parent === undefined || index === undefined || !hasImage(node))
        return undefined;
      const link: Link = { ...node, children: [{ type: "text", value: node.url }] };
      const pieces: PhrasingContent[] = [
        ...node.children,
        { type: "text", value: " " },
        link,
      ];
      parent.children.splice(index, 1, ...pieces);
      return [SKIP, index + pieces.length];
    });
  };
}

/** A remark plugin: raw `<img>` becomes an image (and so a placeholder); other HTML stays text. */
export function remarkRawImages() {
  return (tree: Root, file: VFile): void => {
    if (!mayHold(file, "<")) return;
    visit(tree, "html", (node, index, parent: Parent | undefined) => {
      if (parent === undefined || index === undefined) return undefined;
      const pieces = piecesOf(node);
      if (pieces === null) return undefined;
      const isInline = parent.type === "paragraph" || parent.type === "heading";
      if (isInline) parent.children.splice(index, 1, ...pieces);
      else parent.children.splice(index, 1, { type: "paragraph", children: pieces });
      return [SKIP, index + (isInline ? pieces.length : 1)];
    });
  };
}

/** A rehype plugin: HTML within Markdown is shown as the text it is. */
export function rehypeRawAsText() {
  return (tree: HastRoot, file: VFile): void => {
    if (!mayHold(file, "<")) return;
    visit(tree, "raw", (node, index, parent) => {
      if (parent === undefined || index === undefined) return;
      parent.children[index] = { type: "text", value: node.value };
    });
  };
}

/**
 * A rehype plugin: every run of letters becomes an element that grows by
 * appending, so that a selection in it survives the next words.
 */
export function rehypeGrowingText() {
  return grow;
}

function grow(parent: HastRoot | Element): void {
  for (const [index, child] of parent.children.entries()) {
    if (child.type === "element") {
      if (child.tagName !== "pre") grow(child);
    } else if (child.type === "text" && child.value.trim() !== "") {
      parent.children[index] = {
        type: "element",
        tagName: "span",
        properties: { dataGrow: child.value },
        children: [],
      };
    }
  }
}
