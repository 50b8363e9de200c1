import {
  type Envelope,
  EVENT_TYPES,
  type Event,
  type UnknownEvent,
} from "./generated.ts";

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** Whether this version knows the event; one it does not know is carried unread. */
export function isKnownEvent(event: Event | UnknownEvent): event is Event {
  return KNOWN.has(event.type);
}

/**
 * Read one envelope of the event stream from its JSON.
 *
 * Only the frame is checked, since it is what a client steers by; the event in it
 * was checked by the server that wrote it. Returns null where the text is not an
 * envelope: a proxy may answer with anything.
 */
export function parseEnvelope(json: string): Envelope | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  return isEnvelope(value) ? value : null;
}

function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || !isRecord(value["event"])) return false;
  return (
    Number.isSafeInteger(value["seq"]) &&
    typeof value["at"] === "string" &&
    typeof value["event"]["type"] === "string" &&
    ["projectId", "conversationId", "runId", "messageId"].every(
      (key) => value[key] === null || typeof value[key] === "string",
    )
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
