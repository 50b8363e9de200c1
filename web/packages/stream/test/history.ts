import type { Envelope, Event, UnknownEvent } from "@vitrail/protocol";
import fc from "fast-check";

/** What may happen next; numbers choose among what there is. */
export type Happening =
  | {
      readonly do: "project";
      readonly change: "created" | "updated";
      readonly pick: number;
    }
  | { readonly do: "conversation"; readonly pick: number; readonly title: string }
  | { readonly do: "ask"; readonly pick: number; readonly text: string }
  | { readonly do: "say"; readonly pick: number; readonly event: Said }
  | { readonly do: "end"; readonly pick: number; readonly reason: RunEndReason }
  | {
      readonly do: "file";
      readonly pick: number;
      readonly path: string;
      readonly digest: string | null;
    }
  | { readonly do: "remove"; readonly pick: number; readonly path: string }
  | {
      readonly do: "move";
      readonly pick: number;
      readonly from: string;
      readonly to: string;
    }
  | {
      readonly do: "settle";
      readonly pick: number;
      readonly outcome: "accepted" | "dropped" | "replaced";
    }
  | { readonly do: "delete"; readonly pick: number }
  | { readonly do: "later"; readonly pick: number };

type RunEndReason = Extract<Event, { type: "run:end" }>["reason"];
type Said = Exclude<
  Event,
  {
    type:
      | "message:added"
      | "run:start"
      | "run:end"
      | "file:removed"
      | "file:moved"
      | "quarantine:resolved"
      | `${string}:changed`;
  }
>;

const words = fc.constantFrom("", "a", "Hello ", "数据 🧪", "\n", "<p>");
const span = fc
  .tuple(fc.nat(30), fc.nat(30))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const ordinal = fc.nat(3);
const diagnostics = fc.constantFrom(
  [],
  [{ code: "too-short", severity: "warning" as const, message: "Short.", span: null }],
);
const lost = fc.constantFrom(
  [],
  [{ what: "section" as const, name: "Prices", span: null }],
);
const path = fc.constantFrom("index.html", "a/b.md", "__proto__", "constructor");
const digest = fc.constantFrom("d1", "d2");

/** Every event that a reply may hold, in any order, sensible or not. */
export const said: fc.Arbitrary<Said> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("text"), delta: words }) },
  fc.record({ type: fc.constant("reasoning"), delta: words, span }),
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("artifact:start"),
      artifact: ordinal,
      identifier: words,
      artifactType: fc.constant("html"),
      title: words,
      attributes: fc.constant({ type: "html" }),
      recovered: fc.option(fc.constant("unclosed-fence"), { freq: 2 }),
      span,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("artifact:chunk"),
      artifact: ordinal,
      identifier: words,
      delta: words,
    }),
  },
  fc.record({
    type: fc.constant("artifact:end"),
    artifact: ordinal,
    identifier: words,
    complete: fc.boolean(),
    reason: fc.constantFrom("closed", "unclosed", "stopped"),
    length: fc.nat(9),
    sha256: digest,
    span,
  }),
  fc.record({
    type: fc.constant("artifact:saved"),
    artifact: fc.option(ordinal),
    identifier: words,
    path,
    kind: fc.constant("html"),
    digest,
    revision: fc.constantFrom("r1", "r2"),
    number: fc.nat(9),
    status: fc.constantFrom("complete", "error"),
    diagnostics,
    lost,
  }),
  fc.record({
    type: fc.constant("artifact:quarantined"),
    artifact: fc.option(ordinal),
    identifier: words,
    path,
    revision: fc.constant("r3"),
    diagnostics,
    reason: fc.constantFrom("artifact-regression", "merge-conflict"),
    lost,
    draftOf: path,
    quarantine: fc.option(fc.constant("q1")),
  }),
  fc.record({
    type: fc.constant("artifact:refused"),
    artifact: fc.option(ordinal),
    identifier: words,
    diagnostics,
  }),
  fc.record({
    type: fc.constant("question_form"),
    form: fc.constant({ title: "?" }),
    complete: fc.boolean(),
    span,
  }),
  fc.record({
    type: fc.constant("embed"),
    ref: fc.option(words),
    url: fc.constant(null),
    title: fc.constant(null),
    height: fc.constant(null),
    span,
  }),
  fc.record({
    type: fc.constant("directive"),
    name: fc.constant("silent"),
    value: fc.constant(null),
    span,
  }),
  fc.record({ type: fc.constant("suppressed"), name: words, chars: fc.nat(9), span }),
  fc.record({
    type: fc.constant("diagnostic"),
    code: fc.constant("open-tag-too-long"),
    severity: fc.constant("warning"),
    span,
    message: words,
  }),
  fc.record({
    type: fc.constant("error"),
    code: fc.constant("agent-timeout"),
    message: words,
    retryable: fc.boolean(),
  }),
  fc.record({
    type: fc.constant("usage"),
    inputTokens: fc.option(fc.nat(99)),
    outputTokens: fc.option(fc.nat(99)),
  }),
);

const pick = fc.nat(7);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    do: fc.constant("project"),
    change: fc.constantFrom("created", "updated"),
    pick,
  }),
  fc.record({ do: fc.constant("conversation"), pick, title: words }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant("ask"), pick, text: words }) },
  { weight: 16, arbitrary: fc.record({ do: fc.constant("say"), pick, event: said }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("end"),
      pick,
      reason: fc.constantFrom("done", "length", "stopped", "failed", "interrupted"),
    }),
  },
  fc.record({ do: fc.constant("file"), pick, path, digest: fc.option(digest) }),
  fc.record({ do: fc.constant("remove"), pick, path }),
  fc.record({ do: fc.constant("move"), pick, from: path, to: path }),
  fc.record({
    do: fc.constant("settle"),
    pick,
    outcome: fc.constantFrom("accepted", "dropped", "replaced"),
  }),
  fc.record({ do: fc.constant("delete"), pick }),
  fc.record({ do: fc.constant("later"), pick }),
);

/** A log that a server could have written, its numbers rising with gaps. */
export const history: fc.Arbitrary<readonly Envelope[]> = fc
  .array(happening, { minLength: 4, maxLength: 60 })
  .map((happenings) => {
    const writer = new LogWriter();
    writer.begin();
    for (const one of happenings) writer.write(one);
    return writer.log;
  });

/** Turns happenings into a consistent log: runs are started before they say anything. */
class LogWriter {
  readonly log: Envelope[] = [];
  readonly #projects: string[] = [];
  #conversations: { id: string; projectId: string; run: string | null }[] = [];
  #count = 0;

  begin(): void {
    this.write({ do: "project", change: "created", pick: 0 });
    this.write({ do: "conversation", pick: 0, title: "" });
    this.write({ do: "conversation", pick: 0, title: "Two" });
  }

  write(one: Happening): void {
    if (one.do === "project") this.#project(one);
    else if (one.do === "conversation") this.#conversation(one);
    else if (one.do === "file") this.#file(one);
    else if (one.do === "remove" || one.do === "move" || one.do === "settle") {
      this.#add(of(this.#projects, one.pick), null, null, storedOf(one));
    } else this.#inConversation(one);
  }

  #project(one: Extract<Happening, { do: "project" }>): void {
    if (one.change === "created" && this.#projects.length < 2) {
      this.#projects.push(`p${this.#projects.length}`);
      this.#add(this.#projects.at(-1), null, null, {
        type: "project:changed",
        change: "created",
        title: "New",
      });
      return;
    }
    this.#add(of(this.#projects, one.pick), null, null, {
      type: "project:changed",
      change: "updated",
      title: `Title ${one.pick}`,
    });
  }

  #conversation(one: Extract<Happening, { do: "conversation" }>): void {
    const known =
      this.#conversations.length < 4 ? null : of(this.#conversations, one.pick);
    const conversation = known ?? {
      id: this.#id("c"),
      projectId: of(this.#projects, one.pick) ?? "",
      run: null,
    };
    if (known === null) this.#conversations.push(conversation);
    this.#add(conversation.projectId, conversation, null, {
      type: "conversation:changed",
      change: known === null ? "created" : "updated",
      title: one.title,
    });
  }

  #file(one: Extract<Happening, { do: "file" }>): void {
    this.#add(of(this.#projects, one.pick), null, null, {
      type: "file:changed",
      path: one.path,
      digest: one.digest,
      revision: one.digest === null ? null : `r-${one.digest}`,
      author: "outside",
    });
  }

  #inConversation(
    one: Extract<Happening, { do: "ask" | "say" | "end" | "delete" | "later" }>,
  ): void {
    const conversation = of(this.#conversations, one.pick);
    if (conversation === undefined) return;
    const { projectId } = conversation;
    if (one.do === "later") {
      this.#add(projectId, conversation, conversation.run, { type: "later:thing" });
      return;
    }
    if (one.do === "ask" || (one.do === "say" && conversation.run === null)) {
      this.#ask(conversation, one.do === "ask" ? one.text : "Go on");
    }
    if (one.do === "say") this.#add(projectId, conversation, conversation.run, one.event);
    if (one.do === "end") this.#end(conversation, one.reason);
    if (one.do === "delete" && this.#conversations.length > 2) {
      this.#end(conversation, "stopped");
      this.#conversations = this.#conversations.filter((other) => other !== conversation);
      this.#add(projectId, conversation, null, {
        type: "conversation:changed",
        change: "deleted",
        title: "",
      });
    }
  }

  #ask(
    conversation: { id: string; projectId: string; run: string | null },
    text: string,
  ) {
    if (conversation.run !== null) return;
    const { projectId } = conversation;
    this.#add(projectId, conversation, null, {
      type: "message:added",
      messageId: this.#id("m"),
      role: "user",
      text,
      answers:
        text.length % 2 === 0
          ? null
          : {
              messageId: "m-run1",
              formId: "f",
              answers: { a: text, b: [text], c: null },
            },
    });
    conversation.run = this.#id("run");
    this.#add(projectId, conversation, conversation.run, {
      type: "run:start",
      runId: conversation.run,
      messageId: `m-${conversation.run}`,
      agent: "replay",
      model: null,
      shown: [],
    });
  }

  #end(
    conversation: { id: string; projectId: string; run: string | null },
    reason: RunEndReason,
  ): void {
    if (conversation.run === null) return;
    this.#add(conversation.projectId, conversation, conversation.run, {
      type: "run:end",
      reason,
    });
    conversation.run = null;
  }

  #id(kind: string): string {
    this.#count += 1;
    return `${kind}${this.#count}`;
  }

  #add(
    projectId: string | undefined,
    conversation: { id: string } | null,
    run: string | null,
    event: Event | UnknownEvent,
  ): void {
    const seq = (this.log.at(-1)?.seq ?? 0) + 1 + (this.log.length % 3);
    this.log.push({
      seq,
      at: `2026-11-30T12:00:${String(seq % 60).padStart(2, "0")}.000Z`,
      projectId: projectId ?? null,
      conversationId: conversation?.id ?? null,
      runId: run,
      messageId: run === null ? null : `m-${run}`,
      event,
    });
  }
}

/** The event of what happened to a file, or to a draft that was kept beside one. */
function storedOf(one: Extract<Happening, { do: "remove" | "move" | "settle" }>): Event {
  switch (one.do) {
    case "remove":
      return { type: "file:removed", path: one.path };
    case "move":
      return { type: "file:moved", from: one.from, to: one.to, revision: "r-moved" };
    case "settle":
      return { type: "quarantine:resolved", id: "q1", outcome: one.outcome };
  }
}

function of<T>(items: readonly T[], pick: number): T | undefined {
  return items[pick % Math.max(items.length, 1)];
}
