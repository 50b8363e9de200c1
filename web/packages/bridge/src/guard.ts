/**
 * WebRTC reaches other machines past every policy, so it is removed; and so are
 * frames whose document would run in a fresh realm that has it again.
 *
 * What is left open is in `docs/security.md`: code that runs inside the very
 * insertion of an empty frame, and closed declarative shadow roots.
 */
import { MAX_URL_CHARS } from "./messages.ts";
import {
  apply,
  defineProperty,
  getAttribute,
  getOwnPropertyDescriptor,
  hasAttribute,
  removeAttribute,
  uncurried,
} from "./natives.ts";
import type { Send } from "./outbox.ts";

type View = Window & typeof globalThis;

const PEER_NAMES = /^(?:webkit|moz)?RTC/;
const guarded = new WeakSet<object>();

/** Whether a frame's `src` would run as a script in a realm of its own. */
export function isScriptUrl(value: string): boolean {
  // as an address is read: breaks and tabs vanish, controls before it do too
  const address = value.replace(/[\t\n\r]/g, "");
  let start = 0;
  while (address.charCodeAt(start) <= 0x20) {
    start += 1;
  }
  return address.slice(start, start + 11).toLowerCase() === "javascript:";
}

function removePeers(view: View): void {
  for (const name of Object.getOwnPropertyNames(view)) {
    if (PEER_NAMES.test(name)) {
      Reflect.deleteProperty(view, name);
    }
  }
}

function isFrame(node: Node): node is HTMLIFrameElement {
  const name = (node as Element).localName;
  return name === "iframe" || name === "frame" || name === "object" || name === "embed";
}

/** Take from a frame what would run; return what it was. */
function disarm(frame: HTMLIFrameElement): string | null {
  let found: string | null = null;
  if (hasAttribute(frame, "srcdoc")) {
    removeAttribute(frame, "srcdoc");
    found = "srcdoc";
  }
  for (const name of ["src", "data"]) {
    const value = getAttribute(frame, name);
    if (value !== null && isScriptUrl(value)) {
      removeAttribute(frame, name);
      found = value;
    }
  }
  return found;
}

/** Guards one realm, and every realm that can be reached from it. */
export class Guard {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Guard a window once; one of another origin is out of reach and needs none. */
  install(view: View): void {
    try {
      if (guarded.has(view.document)) {
        return;
      }
      guarded.add(view.document);
      removePeers(view);
      this.#watch(view, view.document);
      this.#wrapInsertions(view);
      this.#wrapShadows(view);
      this.#wrapFrames(view);
    } catch {
      // another origin: its realm cannot be reached by the page either
    }
  }

  #refused(url: string): void {
    this.#send({
      type: "blocked",
      rule: "frame",
      url: url.slice(0, MAX_URL_CHARS),
      place: null,
    });
  }

  /** Disarm the frames below a node, itself included. */
  sweep(root: Node): void {
    const frames: Node[] = isFrame(root) ? [root] : [];
    if (
      root instanceof Element ||
      root instanceof DocumentFragment ||
      root instanceof Document
    ) {
      frames.push(...root.querySelectorAll("iframe, frame, object, embed"));
    }
    for (const frame of frames) {
      const found = disarm(frame as HTMLIFrameElement);
      if (found !== null) {
        this.#refused(found);
      }
    }
  }

  #watch(view: View, root: Node): void {
    const observer = new view.MutationObserver((records) => {
      for (const record of records) {
        if (record.type === "attributes") {
          this.sweep(record.target);
        } else {
          record.addedNodes.forEach((node) => {
            this.sweep(node);
          });
        }
      }
      this.#guardChildren(view);
    });
    observer.observe(root, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["src", "srcdoc", "data"],
    });
  }

  #guardChildren(view: View): void {
    for (let index = 0; index < view.length; index += 1) {
      const child = view[index];
      if (child !== undefined) {
        this.install(child as View);
      }
    }
  }

  /** After each way to put nodes into the page, look at what came. */
  #wrapInsertions(view: View): void {
    const before = (args: readonly unknown[]): void => {
      for (const arg of args) {
        if (arg instanceof view.Node) {
          this.sweep(arg);
        }
      }
    };
    const ways: readonly [object, readonly string[]][] = [
      [view.Node.prototype, ["appendChild", "insertBefore", "replaceChild"]],
      [
        view.Element.prototype,
        [
          ...["append", "prepend", "before", "after", "replaceWith", "replaceChildren"],
          ...[
            "insertAdjacentElement",
            "insertAdjacentHTML",
            "setHTMLUnsafe",
            "moveBefore",
          ],
        ],
      ],
      [view.DocumentFragment.prototype, ["append", "prepend", "replaceChildren"]],
      [view.ShadowRoot.prototype, ["setHTMLUnsafe"]],
      [view.CharacterData.prototype, ["before", "after", "replaceWith"]],
      [
        view.Document.prototype,
        ["append", "prepend", "replaceChildren", "write", "writeln", "open"],
      ],
      [view.Range.prototype, ["insertNode", "surroundContents"]],
    ];
    for (const [prototype, names] of ways) {
      for (const name of names) {
        this.#wrapMethod(view, prototype, name, before);
      }
    }
    for (const prototype of [view.Element.prototype, view.ShadowRoot.prototype]) {
      for (const name of ["innerHTML", "outerHTML"]) {
        this.#wrapSetter(view, prototype, name);
      }
    }
  }

  #after(view: View): void {
    this.sweep(view.document);
    this.#guardChildren(view);
  }

  #wrapMethod(
    view: View,
    prototype: object,
    name: string,
    before: (args: readonly unknown[]) => void,
  ): void {
    const native: unknown = getOwnPropertyDescriptor(prototype, name)?.value;
    if (typeof native !== "function") {
      return;
    }
    const takesMarkup = name.includes("HTML") || name.startsWith("write");
    const guard = this;
    const wrapped = function (this: unknown, ...args: unknown[]): unknown {
      before(args);
      const result: unknown = apply(native, this, args);
      if (takesMarkup) {
        guard.#after(view);
      } else {
        guard.#guardChildren(view);
      }
      return result;
    };
    defineProperty(wrapped, "name", { value: name });
    defineProperty(wrapped, "length", { value: native.length });
    defineProperty(prototype, name, {
      value: wrapped,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }

  #wrapSetter(view: View, prototype: object, name: string): void {
    const native = getOwnPropertyDescriptor(prototype, name);
    const set = native?.set;
    if (native === undefined || set === undefined) {
      return;
    }
    const guard = this;
    defineProperty(prototype, name, {
      ...native,
      set(this: Node, value: unknown) {
        apply(set, this, [value]);
        guard.sweep(this);
        guard.#guardChildren(view);
      },
    });
  }

  #wrapShadows(view: View): void {
    const native = view.Element.prototype.attachShadow;
    const guard = this;
    defineProperty(view.Element.prototype, "attachShadow", {
      value: function attachShadow(this: Element, options: ShadowRootInit): ShadowRoot {
        const root = apply(native, this, [options]) as ShadowRoot;
        guard.#watch(view, root);
        return root;
      },
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }

  /** A frame's own properties: no `srcdoc`, no script address, no unguarded window. */
  #wrapFrames(view: View): void {
    const guard = this;
    const prototype = view.HTMLIFrameElement.prototype;
    const contentWindow = getOwnPropertyDescriptor(prototype, "contentWindow")?.get;
    const src = getOwnPropertyDescriptor(prototype, "src");
    const setAttribute = uncurried(view.Element.prototype.setAttribute);
    if (contentWindow !== undefined) {
      const windowOf = (frame: HTMLIFrameElement): Window | null => {
        const inner = apply(contentWindow, frame, []) as Window | null;
        if (inner !== null) {
          guard.install(inner as View);
        }
        return inner;
      };
      defineProperty(prototype, "contentWindow", {
        get(this: HTMLIFrameElement) {
          return windowOf(this);
        },
        enumerable: true,
        configurable: true,
      });
      const contentDocument = getOwnPropertyDescriptor(prototype, "contentDocument")?.get;
      defineProperty(prototype, "contentDocument", {
        get(this: HTMLIFrameElement) {
          windowOf(this);
          return contentDocument === undefined ? null : apply(contentDocument, this, []);
        },
        enumerable: true,
        configurable: true,
      });
    }
    defineProperty(prototype, "srcdoc", {
      get: () => "",
      set: () => guard.#refused("srcdoc"),
      enumerable: true,
      configurable: true,
    });
    if (src !== undefined) {
      defineProperty(prototype, "src", {
        ...src,
        set(this: HTMLIFrameElement, value: unknown) {
          const address = `${value}`;
          if (isScriptUrl(address)) {
            guard.#refused(address);
          } else {
            setAttribute(this, "src", address);
          }
        },
      });
    }
  }
}
