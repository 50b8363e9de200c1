import {
  type ArtifactEnd,
  type ArtifactPart,
  type ArtifactQuarantined,
  type ArtifactRefused,
  type ArtifactSaved,
  type ArtifactStart,
  codePointLength,
  type DirectiveFound,
  type Event,
  type HeldFile,
  Offsets,
  type Part,
  sliceCodePoints,
  type TextPart,
} from "@vitrail/protocol";

/** A message's parts, and how many code points of it they are folded from. */
export interface Folded {
  readonly parts: readonly Part[];
  readonly chars: number;
}

interface FoundArtifact {
  readonly place: number;
  readonly part: ArtifactPart;
}

/**
 * Folds events into a message's parts: the browser's half of the server's `fold_parts`.
 * Both are run on the cases of tests/cases/parts.
 *
 * Strategy: the list is copied at the first change; pieces of text are collected and
 * joined once, in `finish`. What only the end of a text can tell arrives behind text
 * that has shown it already; it is cut out there, by the places that text parts carry.
 */
export class PartsFold {
  readonly #base: readonly Part[];
  #chars: number;
  #parts: Part[] | null = null;
  /** Pieces that are still to be joined to a part's text, by the part's place. */
  readonly #pieces = new Map<number, string[]>();
  /** Directives in text that was told before, in the order of their places. */
  #late: DirectiveFound[] = [];
  /** Places of the artifacts by their ordinal, once one was looked for. */
  #artifacts: Map<number, number> | null = null;

  constructor(base: Folded) {
    this.#base = base.parts;
    this.#chars = base.chars;
  }

  add(event: Event): void {
    if (event.type === "directive" && event.span[0] < this.#chars) {
      this.#addLate(event);
      return;
    }
    this.#putLate();
    switch (event.type) {
      case "text":
        this.#addWords("text", event.delta);
        this.#chars += codePointLength(event.delta);
        break;
      case "reasoning":
        this.#addWords("reasoning", event.delta);
        this.#reach(event.span);
        break;
      case "artifact:start":
        this.#startArtifact(event);
        break;
      case "artifact:chunk":
        this.#addChunk(event.artifact, event.delta);
        break;
      case "artifact:end":
        this.#endArtifact(event);
        break;
      case "artifact:saved":
      case "artifact:quarantined":
      case "artifact:refused":
        this.#judge(event);
        break;
      case "artifact:pointer":
        if (event.artifact !== null) this.#patch(event.artifact, { pointer: event.path });
        break;
      default:
        this.#addOther(event);
    }
  }

  finish(): Folded {
    this.#putLate();
    this.#join();
    return { parts: this.#read(), chars: this.#chars };
  }

  #startArtifact(event: ArtifactStart): void {
    this.#places().set(event.artifact, this.#read().length);
    this.#push({
      type: "artifact",
      artifact: event.artifact,
      identifier: event.identifier,
      artifactType: event.artifactType,
      title: event.title,
      attributes: event.attributes,
      recovered: event.recovered,
      start: event.span[0],
      text: "",
      state: "streaming",
      reason: null,
      saved: null,
      quarantined: false,
      held: null,
      refused: false,
      pointer: null,
      diagnostics: [],
    });
    this.#reach(event.span);
  }

  #addChunk(artifact: number, delta: string): void {
    const found = this.#artifact(artifact);
    if (found === null) return;
    this.#addPiece(found.place, delta);
    if (found.part.recovered === null) this.#chars += codePointLength(delta);
  }

  #endArtifact(event: ArtifactEnd): void {
    this.#reach(event.span);
    const state = event.complete ? "complete" : "cut";
    this.#patch(event.artifact, { state, reason: event.reason });
    const found = this.#artifact(event.artifact);
    if (found !== null && found.part.recovered !== null) {
      this.#putInPlace(found.place, event.span[1]);
    }
  }

  /**
   * Move a recovered artifact to where the text has shown it. What it covers may be
   * several parts, with diagnostics between them.
   */
  #putInPlace(place: number, end: number): void {
    this.#join();
    const body = this.#read()[place];
    if (body?.type !== "artifact") return;
    const parts: Part[] = [];
    let isPlaced = false;
    for (const part of this.#read()) {
      if (part === body) continue;
      const cut = part.type === "text" ? withoutSpan(part, body.start, end) : null;
      if (cut === null) {
        parts.push(part);
        continue;
      }
      parts.push(...cut.before, ...(isPlaced ? [] : [body]), ...cut.after);
      isPlaced = true;
    }
    if (!isPlaced) return;
    this.#parts = parts;
    this.#artifacts = null;
  }

  /**
   * Directives of media lines come in a row at a text's end, which has shown the lines:
   * they are collected, and the text is cut once for all of them.
   */
  #addLate(event: DirectiveFound): void {
    const last = this.#late.at(-1);
    if (last !== undefined && event.span[0] < last.span[1]) this.#putLate();
    this.#late.push(event);
  }

  /** Move the directives that came late to where the text has shown them. */
  #putLate(): void {
    const late = this.#late;
    const [first] = late;
    if (first === undefined) return;
    this.#late = [];
    this.#join();
    const parts = this.#written();
    const isText = (part: Part): boolean =>
      part.type === "text" && part.start <= first.span[0];
    const tail = parts.splice(Math.max(0, parts.findLastIndex(isText)));
    let next = 0;
    let cutTo = 0;
    for (const part of tail) {
      if (part.type !== "text") {
        parts.push(part);
        continue;
      }
      const offsets = new Offsets(part.text);
      const end = part.start + offsets.codePoints;
      const addText = (from: number, to: number): void => {
        if (to <= from) return;
        const text = part.text.slice(
          ...offsets.toUnitRange([from - part.start, to - part.start]),
        );
        parts.push({ ...part, text, start: from });
      };
      cutTo = Math.max(part.start, cutTo);
      for (let event = late[next]; event && event.span[0] < end; event = late[next]) {
        addText(cutTo, event.span[0]);
        parts.push(directivePart(event));
        cutTo = Math.max(cutTo, event.span[1]);
        next += 1;
      }
      addText(cutTo, end);
    }
    for (const event of late.slice(next)) parts.push(directivePart(event));
    this.#artifacts = null;
  }

  #addOther(event: Event): void {
    if ("span" in event && event.type !== "diagnostic") this.#reach(event.span);
    switch (event.type) {
      case "question_form":
        this.#setForm({ type: "form", form: event.form, complete: event.complete });
        break;
      case "embed": {
        const { ref, url, title, height } = event;
        this.#push({ type: "embed", ref, url, title, height });
        break;
      }
      case "directive":
        this.#push(directivePart(event));
        break;
      case "suppressed":
        this.#push({ type: "suppressed", name: event.name, chars: event.chars });
        break;
      case "diagnostic": {
        const { code, severity, message } = event;
        this.#push({ type: "diagnostic", code, severity, message });
        break;
      }
      case "error": {
        const { code, message, retryable } = event;
        this.#push({ type: "error", code, message, retryable });
        break;
      }
      default:
        break;
    }
  }

  #addWords(type: "text" | "reasoning", delta: string): void {
    const last = this.#read().length - 1;
    if (this.#read()[last]?.type === type) this.#addPiece(last, delta);
    else if (type === "reasoning") this.#push({ type, text: delta });
    else this.#push({ type, text: delta, start: this.#chars } satisfies TextPart);
  }

  #addPiece(place: number, delta: string): void {
    const pieces = this.#pieces.get(place);
    if (pieces === undefined) this.#pieces.set(place, [delta]);
    else pieces.push(delta);
  }

  /** Join the pieces to the texts that they belong to. */
  #join(): void {
    for (const [place, pieces] of this.#pieces) {
      const part = this.#read()[place];
      if (part === undefined || !("text" in part)) continue;
      this.#written()[place] = { ...part, text: part.text + pieces.join("") };
    }
    this.#pieces.clear();
  }

  /** What was removed from the text counts as told. */
  #reach(span: readonly [number, number]): void {
    this.#chars = Math.max(this.#chars, span[1]);
  }

  /** A form that is still being read is followed by a longer reading of itself. */
  #setForm(part: Extract<Part, { type: "form" }>): void {
    // Findings about a form may come before its last reading does.
    const place = this.#read().findLastIndex((one) => one.type !== "diagnostic");
    const last = this.#read()[place];
    if (last?.type === "form" && !last.complete) this.#written()[place] = part;
    else this.#push(part);
  }

  #judge(event: ArtifactSaved | ArtifactQuarantined | ArtifactRefused): void {
    if (event.artifact === null) return;
    const { diagnostics } = event;
    switch (event.type) {
      case "artifact:saved": {
        const { path, kind, digest, revision, number, status } = event;
        const saved = { path, kind, digest, revision, number, status };
        this.#patch(event.artifact, { saved, diagnostics });
        break;
      }
      case "artifact:quarantined":
        this.#patch(event.artifact, {
          quarantined: true,
          held: heldOf(event),
          diagnostics,
        });
        break;
      case "artifact:refused":
        this.#patch(event.artifact, { refused: true, diagnostics });
        break;
    }
  }

  #patch(artifact: number, patch: Partial<ArtifactPart>): void {
    const found = this.#artifact(artifact);
    if (found !== null) this.#written()[found.place] = { ...found.part, ...patch };
  }

  #artifact(artifact: number): FoundArtifact | null {
    const place = this.#places().get(artifact);
    const part = place === undefined ? undefined : this.#read()[place];
    if (place === undefined || part?.type !== "artifact") return null;
    return { place, part };
  }

  #push(part: Part): void {
    this.#written().push(part);
  }

  #places(): Map<number, number> {
    if (this.#artifacts === null) {
      this.#artifacts = new Map();
      for (const [place, part] of this.#read().entries()) {
        if (part.type === "artifact") this.#artifacts.set(part.artifact, place);
      }
    }
    return this.#artifacts;
  }

  #read(): readonly Part[] {
    return this.#parts ?? this.#base;
  }

  #written(): Part[] {
    this.#parts ??= [...this.#base];
    return this.#parts;
  }
}

function heldOf(event: ArtifactQuarantined): HeldFile | null {
  const { draftOf, path, revision, quarantine } = event;
  // Events that an older version stored have neither.
  if (!draftOf) return null;
  return { path: draftOf, draft: path, revision, quarantine: quarantine ?? null };
}

function directivePart(event: DirectiveFound): Part {
  return { type: "directive", name: event.name, value: event.value };
}

/** What is left of a text in front of a span and behind it; null: it has none of it. */
function withoutSpan(
  part: TextPart,
  start: number,
  end: number,
): { readonly before: readonly TextPart[]; readonly after: readonly TextPart[] } | null {
  const chars = codePointLength(part.text);
  const from = Math.max(0, start - part.start);
  const to = Math.min(chars, end - part.start);
  if (from >= chars || to <= 0) return null;
  const before = sliceCodePoints(part.text, [0, from]);
  const after = sliceCodePoints(part.text, [to, chars]);
  return {
    before: before === "" ? [] : [{ ...part, text: before }],
    after: after === "" ? [] : [{ type: "text", text: after, start: end }],
  };
}
