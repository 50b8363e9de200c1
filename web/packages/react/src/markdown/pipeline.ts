/**
 * From Markdown to elements, by the parts that react-markdown is made of: that
 * one makes a processor anew for each block that it draws, this one is made once.
 */

import type { Root } from "hast";
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import type { ReactElement } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import remarkCjkFriendly from "remark-cjk-friendly";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { VFile } from "vfile";
import { rehypeDirection } from "./direction.ts";
import { COMPONENTS } from "./elements.tsx";
import {
  rehypeGrowingText,
  rehypeRawAsText,
  remarkNoFootnotes,
  remarkRawImages,
  remarkUnlinkImages,
} from "./plugins.ts";

const PROCESSOR = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkNoFootnotes)
  .use(remarkCjkFriendly)
  .use(remarkRawImages)
  .use(remarkUnlinkImages)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRawAsText)
  .use(rehypeDirection)
  .use(rehypeGrowingText)
  .freeze();

/** UTF-16 units that were parsed since the page began, for the tests of linear work. */
export const parsed = { chars: 0 };

/**
 * Returns Markdown as elements. Addresses are passed on as they are: each is
 * judged where it is used.
 */
export function drawMarkdown(source: string): ReactElement {
  parsed.chars += source.length;
  const file = new VFile(source);
  const tree: Root = PROCESSOR.runSync(PROCESSOR.parse(file), file);
  return toJsxRuntime(tree, {
    Fragment,
    jsx,
    jsxs,
    components: COMPONENTS,
    ignoreInvalidStyle: true,
    passKeys: true,
  });
}
