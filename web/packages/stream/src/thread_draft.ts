import type { Envelope, Event, Message, MessageAdded, Part } from "@vitrail/protocol";
import { PartsFold } from "./parts.ts";
import type { Thread } from "./state.ts";

type Loaded = Extract<Thread, { load: "loaded" }>;

/** One batch's changes of a conversation's messages, in place until `finish`. */
export class ThreadDraft {
  readonly #conversationId: string;
  readonly #base: Thread;
  /** Events that came while the page loads. */
  readonly #held: Envelope[] = [];
  #messages: Message[] | null = null;
  /** Messages whose parts grow in this batch, by their place in the list. */
  readonly #folds = new Map<number, PartsFold>();
  readonly #places = new Map<string, number>();

  constructor(conversationId: string, base: Thread) {
    this.#conversationId = conversationId;
    this.#base = base;
  }

  add(envelope: Envelope, event: Event): void {
    if (this.#base.load === "loading") this.#held.push(envelope);
    else if (envelope.seq > this.#base.asOf) this.#fold(this.#base, envelope, event);
  }

  finish(): Thread {
    if (this.#base.load === "loading") {
      if (this.#held.length === 0) return this.#base;
      return { ...this.#base, held: [...this.#base.held, ...this.#held] };
    }
    const base = this.#base;
    for (const [place, fold] of this.#folds) {
      const message = this.#read(base)[place];
      const folded = fold.finish();
      if (message === undefined) continue;
      if (folded.parts !== message.parts || folded.chars !== message.chars) {
        this.#written(base)[place] = { ...message, ...folded };
      }
    }
    return this.#messages === null ? base : { ...base, messages: this.#messages };
  }

  #fold(base: Loaded, envelope: Envelope, event: Event): void {
    switch (event.type) {
      case "message:added":
        this.#addMessage(base, envelope, {
          id: event.messageId,
          role: event.role,
          parts: partsOf(event),
        });
        return;
      case "run:start":
        this.#addMessage(base, envelope, {
          id: event.messageId,
          role: "assistant",
          parts: [],
        });
        return;
      case "run:end":
      case "usage":
      case "project:changed":
      case "conversation:changed":
      case "file:changed":
      case "file:removed":
      case "file:moved":
      case "quarantine:resolved":
        return;
      default:
        if (envelope.messageId !== null) {
          this.#openFold(base, envelope.messageId)?.add(event);
        }
    }
  }

  #addMessage(
    base: Loaded,
    envelope: Envelope,
    told: { id: string; role: Message["role"]; parts: readonly Part[] },
  ): void {
    if (this.#placeOf(base, told.id) !== null) return;
    const messages = this.#written(base);
    this.#places.set(told.id, messages.length);
    messages.push({
      id: told.id,
      conversationId: this.#conversationId,
      role: told.role,
      parts: told.parts,
      chars: 0,
      runId: told.role === "assistant" ? envelope.runId : null,
      createdAt: envelope.at,
    });
  }

  #openFold(base: Loaded, messageId: string): PartsFold | null {
    const place = this.#placeOf(base, messageId);
    if (place === null) return null;
    const open = this.#folds.get(place);
    if (open !== undefined) return open;
    const message = this.#read(base)[place];
    if (message === undefined) return null;
    const fold = new PartsFold(message);
    this.#folds.set(place, fold);
    return fold;
  }

  /** Where a message stands; looked for from the end, where the growing one is. */
  #placeOf(base: Loaded, messageId: string): number | null {
    const known = this.#places.get(messageId);
    if (known !== undefined) return known;
    const place = this.#read(base).findLastIndex((message) => message.id === messageId);
    if (place === -1) return null;
    this.#places.set(messageId, place);
    return place;
  }

  #read(base: Loaded): readonly Message[] {
    return this.#messages ?? base.messages;
  }

  #written(base: Loaded): Message[] {
    this.#messages ??= [...base.messages];
    return this.#messages;
  }
}

/** The parts of a message that came whole: its text, and what that tells of a form. */
function partsOf(event: MessageAdded): readonly Part[] {
  const parts: Part[] = [];
  if (event.text !== "") parts.push({ type: "text", text: event.text, start: 0 });
  // An event of an earlier version has no answers at all.
  if (event.answers) parts.push({ type: "form_answers", ...event.answers });
  return parts;
}
