/**
 * What frame and host say to each other.
 *
 * Author scripts share the frame's realm, so everything the frame says is
 * untrusted: `readFrameMessage` takes a value apart and builds a new one, or
 * gives nothing. No message makes the host write, open or send anything.
 */

export const BRIDGE_VERSION = 1;

/** Longest text of one message, in UTF-16 units; longer ones are cut. */
export const MAX_TEXT_CHARS = 4_000;
/** Longest address of one message. */
export const MAX_URL_CHARS = 2_000;
/** Messages that a frame may send in one second; more are dropped and counted. */
export const MAX_MESSAGES_PER_S = 100;
/** Largest side of a document that is believed, in CSS px. */
export const MAX_SIZE_PX = 1_000_000;

export const CONSOLE_LEVELS = ["debug", "log", "info", "warn", "error"] as const;
export type ConsoleLevel = (typeof CONSOLE_LEVELS)[number];

/** The first thing a document says, to its parent, with one port. */
export interface HelloMessage {
  readonly vitrail: "hello";
  readonly version: number;
  readonly generation: string;
}

/** Where in the page something happened; lines and columns are 1-based. */
export interface SourcePlace {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

export interface ConsoleMessage {
  readonly type: "console";
  readonly level: ConsoleLevel;
  readonly text: string;
  readonly place: SourcePlace | null;
}

/** Something that nobody caught, or that did not load. */
export interface ErrorMessage {
  readonly type: "error";
  readonly kind: "error" | "rejection" | "resource";
  readonly text: string;
  readonly place: SourcePlace | null;
}

/** Something that the policy or the bridge refused. */
export interface BlockedMessage {
  readonly type: "blocked";
  /** Directive of the policy, or what of the bridge's refused it. */
  readonly rule: string;
  readonly url: string;
  readonly place: SourcePlace | null;
}

/** A person followed a link, or a script asked for a window. */
export interface LinkMessage {
  readonly type: "link";
  /** `page`: `href` is a path of the project; `outside`: a whole address. */
  readonly kind: "page" | "outside";
  readonly href: string;
  /** Query and fragment of a page, each empty or with its sign. */
  readonly search: string;
  readonly hash: string;
  /** Whether a person's click is behind it, as far as the frame says. */
  readonly isTrusted: boolean;
}

export interface SizeMessage {
  readonly type: "size";
  readonly width: number;
  readonly height: number;
}

/** The document is parsed and its scripts have run. */
export interface ReadyMessage {
  readonly type: "ready";
  readonly title: string;
}

export interface PongMessage {
  readonly type: "pong";
  readonly id: number;
}

/** How many messages were left out since the last that came through. */
export interface DroppedMessage {
  readonly type: "dropped";
  readonly count: number;
}

export type FrameMessage =
  | ConsoleMessage
  | ErrorMessage
  | BlockedMessage
  | LinkMessage
  | SizeMessage
  | ReadyMessage
  | PongMessage
  | DroppedMessage;

/** Asks whether the page still answers. */
export interface PingMessage {
  readonly type: "ping";
  readonly id: number;
}

export type HostMessage = PingMessage;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | null {
  return typeof value === "object" && value !== null ? (value as Fields) : null;
}

function text(value: unknown, limit = MAX_TEXT_CHARS): string | null {
  return typeof value === "string" ? value.slice(0, limit) : null;
}

function count(value: unknown, limit = Number.MAX_SAFE_INTEGER): number | null {
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0;
  return isCount ? Math.min(value, limit) : null;
}

function oneOf<const T extends string>(value: unknown, set: readonly T[]): T | null {
  return set.find((item) => item === value) ?? null;
}

function placeOf(value: unknown): SourcePlace | null {
  const fields = fieldsOf(value);
  const url = text(fields?.["url"], MAX_URL_CHARS);
  const line = count(fields?.["line"]);
  const column = count(fields?.["column"]);
  return url === null || line === null || column === null ? null : { url, line, column };
}

type Reader = (fields: Fields) => FrameMessage | null;

const READERS: Readonly<Record<FrameMessage["type"], Reader>> = {
  console: (fields) => {
    const level = oneOf(fields["level"], CONSOLE_LEVELS);
    const said = text(fields["text"]);
    return level === null || said === null
      ? null
      : { type: "console", level, text: said, place: placeOf(fields["place"]) };
  },
  error: (fields) => {
    const kind = oneOf(fields["kind"], ["error", "rejection", "resource"]);
    const said = text(fields["text"]);
    return kind === null || said === null
      ? null
      : { type: "error", kind, text: said, place: placeOf(fields["place"]) };
  },
  blocked: (fields) => {
    const rule = text(fields["rule"], 64);
    const url = text(fields["url"], MAX_URL_CHARS);
    return rule === null || url === null
      ? null
      : { type: "blocked", rule, url, place: placeOf(fields["place"]) };
  },
  link: (fields) => {
    const kind = oneOf(fields["kind"], ["page", "outside"]);
    const href = text(fields["href"], MAX_URL_CHARS);
    const search = text(fields["search"], MAX_URL_CHARS);
    const hash = text(fields["hash"], MAX_URL_CHARS);
    const isTrusted = fields["isTrusted"] === true;
    return kind === null || href === null || search === null || hash === null
      ? null
      : { type: "link", kind, href, search, hash, isTrusted };
  },
  size: (fields) => {
    const width = count(fields["width"], MAX_SIZE_PX);
    const height = count(fields["height"], MAX_SIZE_PX);
    return width === null || height === null ? null : { type: "size", width, height };
  },
  ready: (fields) => {
    const title = text(fields["title"], 200);
    return title === null ? null : { type: "ready", title };
  },
  pong: (fields) => {
    const id = count(fields["id"]);
    return id === null ? null : { type: "pong", id };
  },
  dropped: (fields) => {
    const dropped = count(fields["count"]);
    return dropped === null ? null : { type: "dropped", count: dropped };
  },
};

/** Return what a frame said, rebuilt field by field; null for anything malformed. */
export function readFrameMessage(value: unknown): FrameMessage | null {
  const fields = fieldsOf(value);
  const type = fields?.["type"];
  if (fields === null || typeof type !== "string" || !Object.hasOwn(READERS, type)) {
    return null;
  }
  return READERS[type as FrameMessage["type"]](fields);
}

/** Return the hello of a document; null for any other value. */
export function readHello(value: unknown): HelloMessage | null {
  const fields = fieldsOf(value);
  const generation = text(fields?.["generation"], 128);
  const version = count(fields?.["version"]);
  return fields?.["vitrail"] !== "hello" || generation === null || version === null
    ? null
    : { vitrail: "hello", version, generation };
}

/** Return what a host said; null for anything else. */
export function readHostMessage(value: unknown): HostMessage | null {
  const fields = fieldsOf(value);
  const id = count(fields?.["id"]);
  return fields?.["type"] === "ping" && id !== null ? { type: "ping", id } : null;
}
