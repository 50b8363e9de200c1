import type { LinkMessage } from "./messages.ts";
import { MAX_URL_CHARS } from "./messages.ts";
import {
  defineProperty,
  getAttribute,
  getterOf,
  hasAttribute,
  listen,
  uncurried,
} from "./natives.ts";
import type { Send } from "./outbox.ts";

/** What a link does when it is followed. */
export type LinkRule =
  | { readonly do: "leave" }
  | { readonly do: "top" }
  | { readonly do: "scroll"; readonly hash: string }
  | { readonly do: "report"; readonly link: Omit<LinkMessage, "type" | "isTrusted"> }
  | { readonly do: "refuse"; readonly url: string };

const LEAVE: LinkRule = { do: "leave" };
const OUTSIDE = new Set(["http:", "https:", "mailto:", "tel:"]);

/** Where the page's own files are: everything up to the capability, slash included. */
export function ownBase(address: string): string {
  const match = /^[a-z]+:\/\/[^/]+(?:\/preview)?\/p\/[^/]+\//.exec(address);
  return match === null ? "" : match[0];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function withoutHash(url: string): string {
  return url.split("#", 1)[0] ?? url;
}

/** Where a document stands: its address when it was loaded, and what links resolve against. */
export interface Standpoint {
  readonly address: string;
  readonly base: string;
}

function projectPath(url: URL, own: string): string | null {
  if (url.href.startsWith(own)) {
    return url.href.slice(own.length);
  }
  // from the root: the page means the root of its project
  return own !== "" && url.origin === new URL(own).origin
    ? url.href.slice(url.origin.length + 1)
    : null;
}

function ownRule(url: URL, path: string, { address }: Standpoint): LinkRule {
  if (withoutHash(url.href) === withoutHash(address)) {
    return { do: "scroll", hash: url.hash };
  }
  const href = decoded(path.split(/[?#]/, 1)[0] ?? "");
  return {
    do: "report",
    link: { kind: "page", href, search: url.search, hash: url.hash },
  };
}

/**
 * Decide what following `href` does.
 *
 * A fragment of the document is the browser's own business; an empty link goes to
 * the top; a page of the project and an address outside are the host's to open.
 */
export function linkRule(href: string, from: Standpoint, isDownload: boolean): LinkRule {
  const written = href.trim();
  if (written === "") {
    return { do: "top" };
  }
  if (written.startsWith("#")) {
    return LEAVE;
  }
  let url: URL;
  try {
    url = new URL(written, from.base);
  } catch {
    return { do: "refuse", url: written };
  }
  if (url.protocol === "javascript:") {
    return LEAVE;
  }
  const own = ownBase(from.address);
  const isHeld = url.protocol === "blob:" || url.protocol === "data:";
  if (isDownload && (isHeld || (own !== "" && url.href.startsWith(own)))) {
    return LEAVE;
  }
  const path = projectPath(url, own);
  if (path !== null) {
    return ownRule(url, path, from);
  }
  return OUTSIDE.has(url.protocol)
    ? {
        do: "report",
        link: { kind: "outside", href: url.href, search: "", hash: "" },
      }
    : { do: "refuse", url: url.href };
}

const XLINK = "http://www.w3.org/1999/xlink";

function hrefOf(element: Element): string | null {
  const isLink = element.localName === "a" || element.localName === "area";
  if (!isLink) {
    return null;
  }
  return getAttribute(element, "href") ?? element.getAttributeNS(XLINK, "href");
}

/** Go to a fragment, also to the one that the address names already. */
function scrollTo(hash: string, view: Window): void {
  if (view.location.hash !== hash) {
    view.location.hash = hash;
    return;
  }
  const target = view.document.getElementById(decoded(hash.slice(1)));
  if (target === null) {
    view.scrollTo(0, 0);
  } else {
    target.scrollIntoView();
  }
}

/** Follow the rule; return whether the browser's own way has to be stopped. */
function follow(rule: LinkRule, view: Window, isTrusted: boolean, send: Send): boolean {
  switch (rule.do) {
    case "leave":
      return false;
    case "top":
      view.scrollTo(0, 0);
      return true;
    case "scroll":
      scrollTo(rule.hash, view);
      return true;
    case "report":
      send({
        type: "link",
        ...rule.link,
        href: rule.link.href.slice(0, MAX_URL_CHARS),
        isTrusted,
      });
      return true;
    case "refuse":
      send({
        type: "blocked",
        rule: "link",
        url: rule.url.slice(0, MAX_URL_CHARS),
        place: null,
      });
      return true;
  }
}

/** Take over links and `window.open`; both end at the host, which asks the person. */
export function installLinks(view: Window & typeof globalThis, send: Send): void {
  const pathOf = uncurried(view.Event.prototype.composedPath);
  const prevent = uncurried(view.Event.prototype.preventDefault);
  const isPrevented = getterOf(view.Event.prototype, "defaultPrevented");
  const { href: address } = view.location; // a router may change it later
  const standpoint = (): Standpoint => ({ address, base: view.document.baseURI });
  const onClick = (event: Event): void => {
    if (isPrevented(event)) {
      return;
    }
    for (const node of pathOf(event)) {
      const href = node instanceof view.Element ? hrefOf(node) : null;
      if (href !== null) {
        const isDownload = hasAttribute(node as Element, "download");
        const rule = linkRule(href, standpoint(), isDownload);
        if (follow(rule, view, event.isTrusted, send)) {
          prevent(event);
        }
        return;
      }
    }
  };
  // after the page's own handlers, which may have taken the click for themselves
  listen(view, "click", onClick);
  listen(view, "auxclick", onClick);
  defineProperty(view, "open", {
    value: function open(href?: unknown): null {
      const rule = linkRule(href === undefined ? "" : `${href}`, standpoint(), false);
      if (rule.do === "report" || rule.do === "refuse") {
        follow(rule, view, view.navigator.userActivation?.isActive ?? false, send);
      }
      return null;
    },
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
