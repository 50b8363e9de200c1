import { listen } from "./natives.ts";
import type { Send } from "./outbox.ts";

/** Report how large the document is, at most once a frame and only when it changed. */
export function installSize(view: Window & typeof globalThis, send: Send): void {
  let last = "";
  let isPending = false;
  const requestFrame = view.requestAnimationFrame.bind(view);
  const report = (): void => {
    isPending = false;
    const { documentElement: root, body } = view.document;
    const width = Math.ceil(Math.max(root?.scrollWidth ?? 0, body?.scrollWidth ?? 0));
    const height = Math.ceil(Math.max(root?.scrollHeight ?? 0, body?.scrollHeight ?? 0));
    if (last !== `${width}x${height}`) {
      last = `${width}x${height}`;
      send({ type: "size", width, height });
    }
  };
  const request = (): void => {
    if (!isPending) {
      isPending = true;
      requestFrame(report);
    }
  };
  const observer = new view.ResizeObserver(request);
  listen(view, "DOMContentLoaded", () => {
    observer.observe(view.document.documentElement);
    if (view.document.body !== null) {
      observer.observe(view.document.body);
    }
    send({ type: "ready", title: view.document.title.slice(0, 200) });
    request();
  });
  listen(view, "load", request);
}
