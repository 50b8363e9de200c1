import { inspect } from "./inspect.ts";
import { MAX_URL_CHARS } from "./messages.ts";
import { getAttribute, listen } from "./natives.ts";
import { cut, placeAt, type Send } from "./outbox.ts";

function onError(event: Event, view: Window & typeof globalThis, send: Send): void {
  if (event instanceof view.ErrorEvent) {
    send({
      type: "error",
      kind: "error",
      text: cut(event.message),
      place: placeAt(event.filename, event.lineno, event.colno),
    });
    return;
  }
  const element = event.target;
  if (element instanceof view.Element) {
    const address = getAttribute(element, "src") ?? getAttribute(element, "href") ?? "";
    send({
      type: "error",
      kind: "resource",
      text: cut(`<${element.localName}> did not load: ${address}`),
      place: null,
    });
  }
}

/** Report what nobody caught, what did not load, and what the policy refused. */
export function installErrors(view: Window & typeof globalThis, send: Send): void {
  listen(view, "error", (event) => onError(event, view, send), true);
  listen(view, "unhandledrejection", (event) => {
    const reason: unknown = Reflect.get(event, "reason");
    send({ type: "error", kind: "rejection", text: cut(inspect(reason)), place: null });
  });
  listen(view.document, "securitypolicyviolation", (event) => {
    const violation = event as SecurityPolicyViolationEvent;
    send({
      type: "blocked",
      rule: violation.effectiveDirective,
      url: violation.blockedURI.slice(0, MAX_URL_CHARS),
      place: placeAt(violation.sourceFile, violation.lineNumber, violation.columnNumber),
    });
  });
}
