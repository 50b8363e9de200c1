/**
 * WebRTC reaches other machines past every policy, so it is removed; and so are
 * frames that carry a document of their own text, whose fresh realm has it again.
 *
 * Other frames need no guard. An empty one inside a sandbox has an opaque origin of
 * its own, so the page cannot reach into it; one with an address may only be a file
 * of the page's own, and then it starts with this bridge.
 *
 * `srcdoc` loads in a later task and observers report in a microtask, so taking the
 * attribute away is always in time. What an observer cannot see, a closed shadow root
 * that the markup declares, is written in `docs/security.md`.
 */
import { MAX_URL_CHARS } from "./messages.ts";
import {
  apply,
  defineProperty,
  getAttribute,
  hasAttribute,
  removeAttribute,
} from "./natives.ts";
import type { Send } from "./outbox.ts";

type View = Window & typeof globalThis;

const PEER_NAME = /^(?:webkit|moz)?RTC/;
const FRAMES = "iframe, frame, object, embed";

/** Whether an address would run as a script in the frame that it is given to. */
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
    if (PEER_NAME.test(name)) {
      Reflect.deleteProperty(view, name);
    }
  }
}

/** Take from a frame what would run in it; return what that was. */
function disarm(frame: Element): string | null {
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

/** Remove WebRTC, and watch the document and its shadow roots for frames that bring it. */
export function installGuard(view: View, send: Send): void {
  const refused = (url: string): void =>
    send({
      type: "blocked",
      rule: "frame",
      url: url.slice(0, MAX_URL_CHARS),
      place: null,
    });
  const sweep = (root: Node): void => {
    if (!(root instanceof view.Element)) {
      return;
    }
    const frames = [...root.querySelectorAll(FRAMES)];
    if (root.matches(FRAMES)) {
      frames.push(root);
    }
    for (const frame of frames) {
      const found = disarm(frame);
      if (found !== null) {
        refused(found);
      }
    }
    watchDeclared(root);
  };
  const observer = new view.MutationObserver((records) => {
    const added = new Set<Node>();
    for (const record of records) {
      if (record.type === "attributes") {
        added.add(record.target);
      }
      for (const node of record.addedNodes) {
        added.add(node);
      }
    }
    for (const node of added) {
      // a parent that came along has this one in its own sweep
      if (node.parentNode === null || !added.has(node.parentNode)) {
        sweep(node);
      }
    }
  });
  const watched = new WeakSet<Node>();
  const watch = (root: Node): void => {
    if (watched.has(root)) {
      return;
    }
    watched.add(root);
    root.childNodes.forEach(sweep);
    observer.observe(root, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["src", "srcdoc", "data"],
    });
  };
  /** Shadow roots that the markup declared open. */
  const watchDeclared = (root: Element): void => {
    for (const host of [root, ...root.querySelectorAll("*")]) {
      if (host.shadowRoot !== null) {
        watch(host.shadowRoot);
      }
    }
  };
  const native = view.Element.prototype.attachShadow;
  defineProperty(view.Element.prototype, "attachShadow", {
    value: function attachShadow(this: Element, options: ShadowRootInit): ShadowRoot {
      const root = apply(native, this, [options]) as ShadowRoot;
      watch(root);
      return root;
    },
    writable: true,
    enumerable: true,
    configurable: true,
  });
  removePeers(view);
  watch(view.document);
}
