import type {
  ArtifactPart,
  ArtifactQuarantined,
  ArtifactRefused,
  ArtifactSaved,
  Event,
  Part,
} from "@vitrail/protocol";

/**
 * Folds events into a message's parts: the browser's half of the server's `fold_parts`.
 * Both are run on the cases of tests/cases/parts.
 *
 * Strategy: the list is copied at the first change; pieces of text are collected and
 * joined once, in `finish`.
 */
export class PartsFold {
  readonly #base: readonly Part[];
  #parts: Part[] | null = null;
  /** Pieces that are still to be joined to a part's text, by the part's place. */
  readonly #pieces = new Map<number, string[]>();
  /** Places of the artifacts by their ordinal, once one was looked for. */
  #artifacts: Map<number, number> | null = null;

  constructor(base: readonly Part[]) {
    this.#base = base;
  }

  add(event: Event): void {
    switch (event.type) {
      case "text":
      case "reasoning":
        this.#append(event.type, event.delta);
        break;
      case "artifact:start":
        this.#places().set(event.artifact, this.#read().length);
        this.#push({
          type: "artifact",
          artifact: event.artifact,
          identifier: event.identifier,
          artifactType: event.artifactType,
          title: event.title,
          attributes: event.attributes,
          recovered: event.recovered,
          text: "",
          state: "streaming",
          reason: null,
          saved: null,
          quarantined: false,
          refused: false,
          diagnostics: [],
        });
        break;
      case "artifact:chunk": {
        const place = this.#places().get(event.artifact);
        if (place !== undefined) this.#piece(place, event.delta);
        break;
      }
      case "artifact:end":
        this.#patch(event.artifact, {
          state: event.complete ? "complete" : "cut",
          reason: event.reason,
        });
        break;
      case "artifact:saved":
      case "artifact:quarantined":
      case "artifact:refused":
        this.#judge(event);
        break;
      default:
        this.#addOther(event);
    }
  }

  finish(): readonly Part[] {
    for (const [place, pieces] of this.#pieces) {
      const part = this.#read()[place];
      if (part === undefined || !("text" in part)) continue;
      this.#written()[place] = { ...part, text: part.text + pieces.join("") };
    }
    this.#pieces.clear();
    return this.#read();
  }

  #addOther(event: Event): void {
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
        this.#push({ type: "directive", name: event.name, value: event.value });
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

  #append(type: "text" | "reasoning", delta: string): void {
    const last = this.#read().length - 1;
    if (this.#read()[last]?.type === type) this.#piece(last, delta);
    else this.#push({ type, text: delta });
  }

  #piece(place: number, delta: string): void {
    const pieces = this.#pieces.get(place);
    if (pieces === undefined) this.#pieces.set(place, [delta]);
    else pieces.push(delta);
  }

  /** A form that is still being read is followed by a longer reading of itself. */
  #setForm(part: Extract<Part, { type: "form" }>): void {
    const last = this.#read().at(-1);
    if (last?.type === "form" && !last.complete) {
      this.#written()[this.#read().length - 1] = part;
    } else this.#push(part);
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
        this.#patch(event.artifact, { quarantined: true, diagnostics });
        break;
      case "artifact:refused":
        this.#patch(event.artifact, { refused: true, diagnostics });
        break;
    }
  }

  #patch(artifact: number, patch: Partial<ArtifactPart>): void {
    const place = this.#places().get(artifact);
    const part = place === undefined ? undefined : this.#read()[place];
    if (place === undefined || part?.type !== "artifact") return;
    this.#written()[place] = { ...part, ...patch };
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
