import { expect, test } from "vitest";
import { linkRule, ownBase } from "../src/links.ts";

const ADDRESS = "http://localhost:7718/p/cap/docs/index.html";
const HERE = { address: ADDRESS, base: ADDRESS };

function report(href: string, from = HERE) {
  const rule = linkRule(href, from, false);
  return rule.do === "report" ? { ...rule.link } : rule.do;
}

test("the base is everything up to the capability", () => {
  expect(ownBase(ADDRESS)).toBe("http://localhost:7718/p/cap/");
  expect(ownBase("http://127.0.0.1:7717/preview/p/cap/a/b.html")).toBe(
    "http://127.0.0.1:7717/preview/p/cap/",
  );
  expect(ownBase("about:blank")).toBe("");
});

test("an empty link goes to the top, a fragment is the browser's own", () => {
  expect(linkRule("", HERE, false)).toEqual({ do: "top" });
  expect(linkRule("  ", HERE, false)).toEqual({ do: "top" });
  expect(linkRule("#", HERE, false)).toEqual({ do: "leave" });
  expect(linkRule("#part", HERE, false)).toEqual({ do: "leave" });
});

test("the document's own name with a fragment scrolls in place", () => {
  expect(linkRule("index.html#a", HERE, false)).toEqual({ do: "scroll", hash: "#a" });
  expect(linkRule("index.html", HERE, false)).toEqual({ do: "scroll", hash: "" });
});

test("a page of the project is reported by its path in the project", () => {
  const page = { kind: "page", search: "", hash: "" };
  expect(report("about.html")).toEqual({ ...page, href: "docs/about.html" });
  expect(report("../a%20b/%E5%9B%B3.html?x=1#y")).toEqual({
    kind: "page",
    href: "a b/図.html",
    search: "?x=1",
    hash: "#y",
  });
  expect(report("%zz.html")).toEqual({ ...page, href: "docs/%zz.html" });
});

test("an address outside is reported whole", () => {
  const outside = { kind: "outside", search: "", hash: "" };
  expect(report("https://a.example/x?y#z")).toEqual({
    ...outside,
    href: "https://a.example/x?y#z",
  });
  expect(report("//a.example/")).toEqual({ ...outside, href: "http://a.example/" });
  expect(report("mailto:a@b.example")).toEqual({
    ...outside,
    href: "mailto:a@b.example",
  });
});

test("from the root means the root of the project", () => {
  const page = { kind: "page", search: "", hash: "" };
  expect(report("/")).toEqual({ ...page, href: "" });
  expect(report("/a/b.html#c")).toEqual({ ...page, href: "a/b.html", hash: "#c" });
});

test("a router that changed the address does not change what is the page's own", () => {
  const moved = { address: ADDRESS, base: "http://localhost:7718/route/" };
  expect(report("/x", moved)).toMatchObject({ kind: "page", href: "x" });
  expect(report(ADDRESS, moved)).toBe("scroll");
});

test("other schemes are refused, scripts are the page's own", () => {
  expect(linkRule("file:///etc/passwd", HERE, false)).toMatchObject({ do: "refuse" });
  expect(linkRule("data:text/html,x", HERE, false)).toMatchObject({ do: "refuse" });
  expect(linkRule("blob:null/1", HERE, false)).toMatchObject({ do: "refuse" });
  expect(linkRule("http://[", HERE, false)).toEqual({ do: "refuse", url: "http://[" });
  expect(linkRule("javascript:void 0", HERE, false)).toEqual({ do: "leave" });
});

test("a download of what the page has is the browser's, of anything else it is not", () => {
  expect(linkRule("data.csv", HERE, true)).toEqual({ do: "leave" });
  expect(linkRule("blob:null/1", HERE, true)).toEqual({ do: "leave" });
  expect(linkRule("data:text/csv,a", HERE, true)).toEqual({ do: "leave" });
  expect(linkRule("https://a.example/x", HERE, true)).toMatchObject({ do: "report" });
});
