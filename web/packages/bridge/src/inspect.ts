import { MAX_TEXT_CHARS } from "./messages.ts";

const MAX_DEPTH = 2;
const MAX_ENTRIES = 20;
const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

/** Return a value as a console would show it on one line; it never throws. */
export function inspect(value: unknown, depth = 0): string {
  try {
    return described(value, depth);
  } catch {
    return "[unreadable]";
  }
}

function described(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return depth === 0 ? value : JSON.stringify(value.slice(0, MAX_TEXT_CHARS));
    case "bigint":
      return `${value}n`;
    case "symbol":
      return value.toString();
    case "function":
      return `[function ${value.name || "anonymous"}]`;
    case "object":
      return value === null ? "null" : describedObject(value, depth);
    default:
      return Object.is(value, -0) ? "-0" : String(value);
  }
}

function describedObject(value: object, depth: number): string {
  if (value instanceof Error) {
    return depth === 0 && value.stack !== undefined && value.stack !== ""
      ? value.stack
      : `${value.name}: ${value.message}`;
  }
  if (value instanceof Element) {
    const id = value.id === "" ? "" : `#${value.id}`;
    return `<${value.localName}${id}>`;
  }
  if (value instanceof Date || value instanceof RegExp) {
    return String(value);
  }
  if (depth >= MAX_DEPTH) {
    return Array.isArray(value) ? `[… ${value.length}]` : "{…}";
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ENTRIES).map((item) => inspect(item, depth + 1));
    return `[${shown.join(", ")}${value.length > MAX_ENTRIES ? ", …" : ""}]`;
  }
  return `${nameOf(value)}{${entriesOf(value, depth)}}`;
}

function nameOf(value: object): string {
  const name = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "Object" && name !== "" ? `${name} ` : "";
}

function entriesOf(value: object, depth: number): string {
  const keys = Object.keys(value);
  const shown = keys.slice(0, MAX_ENTRIES).map((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    // a getter is the page's code: it is named, not run
    const content =
      descriptor !== undefined && "value" in descriptor
        ? inspect(descriptor.value, depth + 1)
        : "[getter]";
    return `${PLAIN_NAME.test(key) ? key : JSON.stringify(key)}: ${content}`;
  });
  return shown.join(", ") + (keys.length > MAX_ENTRIES ? ", …" : "");
}

const PLACEHOLDER = /%[sdifoOc%]/g;

/** Return the line that a console shows for the arguments of one call. */
export function formatted(args: readonly unknown[]): string {
  const [first, ...rest] = args;
  if (typeof first !== "string" || !first.includes("%")) {
    return args.map((value) => inspect(value)).join(" ");
  }
  let used = 0;
  const head = first.replace(PLACEHOLDER, (placeholder) => {
    if (placeholder === "%%") {
      return "%";
    }
    if (used >= rest.length) {
      return placeholder;
    }
    const value = rest[used];
    used += 1;
    switch (placeholder) {
      case "%c":
        return "";
      case "%d":
      case "%i":
        return typeof value === "number" ? `${Math.trunc(value)}` : inspect(value);
      default:
        return inspect(value);
    }
  });
  return [head, ...rest.slice(used).map((value) => inspect(value))].join(" ");
}
