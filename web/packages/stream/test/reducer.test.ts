import type {
  ConversationPage,
  Envelope,
  Event,
  Part,
  Run,
  UnknownEvent,
} from "@vitrail/protocol";
import { isKnownEvent } from "@vitrail/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  activeRunOf,
  beginConversation,
  emptyState,
  filesOf,
  isLoaded,
  messagesOf,
  projectsByUse,
  type RunEntry,
  reduce,
  reduceAll,
  runOf,
  type WorkspaceState,
  withConversationPage,
} from "../src/index.ts";
import { PartsFold } from "../src/parts.ts";
import { history } from "./history.ts";

const START = emptyState();

/** Cut a list at the places that the numbers name. */
function cut<T>(items: readonly T[], at: readonly number[]): T[][] {
  const places = [0, ...at.map((n) => n % (items.length + 1)), items.length];
  places.sort((a, b) => a - b);
  return places.slice(1).map((end, i) => items.slice(places[i], end));
}

const cuts = fc.array(fc.nat(500), { maxLength: 8 });

describe("folding events", () => {
  test("any split into batches gives the same state", () => {
    fc.assert(
      fc.property(history, cuts, (log, at) => {
        const whole = reduceAll(START, log);
        expect(cut(log, at).reduce(reduceAll, START)).toEqual(whole);
        expect(log.reduce(reduce, START)).toEqual(whole);
      }),
    );
  });

  test("an event that is not newer gives back the very same state", () => {
    fc.assert(
      fc.property(history, fc.nat(), (log, n) => {
        const state = reduceAll(START, log);
        const old = log[n % log.length];
        if (old !== undefined) expect(reduce(state, old)).toBe(state);
        expect(reduceAll(state, log)).toBe(state);
      }),
    );
  });

  test("doubled events and replayed prefixes change nothing", () => {
    fc.assert(
      fc.property(history, fc.nat(), fc.nat(), (log, a, b) => {
        const prefix = log.slice(0, a % (log.length + 1));
        const replayed = log.slice(0, b % (prefix.length + 1));
        const doubled = log.flatMap((envelope) => [envelope, envelope]);
        const whole = reduceAll(START, log);
        expect(reduceAll(START, [...prefix, ...replayed, ...log])).toEqual(whole);
        expect(reduceAll(START, doubled)).toEqual(whole);
      }),
    );
  });

  test("a conversation's thread is what its own events give", () => {
    fc.assert(
      fc.property(history, (log) => {
        const whole = reduceAll(START, log);
        for (const id of whole.threads.keys()) {
          const own = log.filter((envelope) => envelope.conversationId === id);
          const alone = reduceAll(START, own);
          expect(whole.threads.get(id)).toEqual(alone.threads.get(id));
          expect(activeRunOf(whole, id)).toEqual(activeRunOf(alone, id));
        }
      }),
    );
  });

  test("an event of a later version is counted and carried past", () => {
    fc.assert(
      fc.property(history, (log) => {
        const isLater = (envelope: Envelope) => envelope.event.type === "later:thing";
        const { unknown, seq, ...rest } = reduceAll(START, log);
        const without = reduceAll(
          START,
          log.filter((envelope) => !isLater(envelope)),
        );
        expect(rest).toEqual({ ...without, unknown: undefined, seq: undefined });
        expect(unknown.get("later:thing") ?? 0).toBe(log.filter(isLater).length);
        expect(seq).toBe(log.at(-1)?.seq);
      }),
    );
  });
});

/** What a set of paths becomes by an event. */
function follow(paths: Set<string>, event: Event): void {
  switch (event.type) {
    case "artifact:saved":
      paths.add(event.path);
      break;
    case "file:changed":
      if (event.digest === null) paths.delete(event.path);
      else paths.add(event.path);
      break;
    case "file:removed":
      paths.delete(event.path);
      break;
    case "file:moved":
      if (paths.delete(event.from)) paths.add(event.to);
      break;
    default:
      break;
  }
}

/** The page that a server would give of a state. */
function pageOf(state: WorkspaceState, id: string): ConversationPage | null {
  const entry = state.conversations.get(id);
  if (entry === undefined) return null;
  const { activeRunId: _, ...conversation } = entry;
  const messages = messagesOf(state, id);
  const runs = messages
    .map((message) => runOf(state, message))
    .filter((run) => run !== null);
  const active = activeRunOf(state, id);
  return {
    conversation,
    messages,
    runs: runs.map(recordOf),
    activeRun: active === null ? null : recordOf(active),
    seq: state.seq,
  };
}

function recordOf({ error: _, ...run }: RunEntry): Run {
  return run.state === "running" ? { ...run, usage: null } : run;
}

describe("a snapshot and what comes after it", () => {
  test("a page plus its tail is all events, whenever the page comes", () => {
    fc.assert(
      fc.property(
        history,
        fc.nat(),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        (log, a, b, c, pick) => {
          // The tab knows the log up to `asked` when it asks; the page is true as of
          // `page`; it arrives when the tab has got to `arrived`.
          const [asked, page] = [a, b]
            .map((n) => n % (log.length + 1))
            .sort((x, y) => x - y) as [number, number];
          const arrived = asked + (c % (log.length + 1 - asked));
          const server = reduceAll(START, log.slice(0, page));
          const ids = [...server.threads.keys()];
          const id = ids[pick % Math.max(ids.length, 1)];
          const snapshot = id === undefined ? null : pageOf(server, id);
          if (id === undefined || snapshot === null) return;

          let tab = emptyState(log[asked - 1]?.seq ?? 0);
          tab = beginConversation(tab, id);
          tab = reduceAll(tab, log.slice(asked, arrived));
          tab = withConversationPage(tab, snapshot);
          tab = reduceAll(tab, log.slice(arrived));

          const whole = reduceAll(START, log);
          expect(isLoaded(tab, id)).toBe(isLoaded(whole, id));
          expect(messagesOf(tab, id)).toEqual(messagesOf(whole, id));
          const active = (state: WorkspaceState) =>
            state.conversations.get(id)?.activeRunId;
          expect(active(tab)).toBe(active(whole));
          for (const message of messagesOf(whole, id)) {
            const ends = [tab, whole].map((state) => runOf(state, message)?.state);
            expect(ends[0]).toBe(ends[1]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("a page that is older than what is here changes nothing", () => {
    const log = conversationLog([
      { type: "text", delta: "a" },
      { type: "text", delta: "b" },
    ]);
    const whole = reduceAll(START, log);
    const old = pageOf(reduceAll(START, log.slice(0, -1)), "c");
    if (old === null) throw new Error("expected a page");
    expect(withConversationPage(whole, old)).toBe(whole);
    const late = beginConversation(emptyState(99), "c");
    expect(withConversationPage(late, old)).toBe(late);
  });
});

describe("answers to a form", () => {
  test("stand as values behind the text that tells them", () => {
    const answers = { messageId: "m2", formId: "brief", answers: { a: "x", b: null } };
    const log = conversationLog([
      { type: "run:end", reason: "done" },
      {
        type: "message:added",
        messageId: "m3",
        role: "user",
        text: "[form answers — brief]",
        answers,
      },
    ]);
    const message = messagesOf(reduceAll(START, log), "c").at(-1);
    expect(message?.parts).toEqual([
      { type: "text", text: "[form answers — brief]", start: 0 },
      { type: "form_answers", ...answers },
    ]);
  });

  test("an event of an earlier version has none", () => {
    const log = conversationLog([]).map((envelope) => {
      const { answers: _, ...earlier } = envelope.event as UnknownEvent;
      return { ...envelope, event: earlier as UnknownEvent };
    });
    expect(messagesOf(reduceAll(START, log), "c")[0]?.parts).toHaveLength(1);
  });
});

/** A log of one conversation with one run that says these events. */
function conversationLog(events: readonly Event[]): Envelope[] {
  const all: Event[] = [
    { type: "project:changed", change: "created", title: "P" },
    { type: "conversation:changed", change: "created", title: "" },
    { type: "message:added", messageId: "m1", role: "user", text: "Hi", answers: null },
    {
      type: "run:start",
      runId: "r",
      messageId: "m2",
      agent: "replay",
      model: null,
      shown: [],
    },
    ...events,
  ];
  return all.map((event, i) => ({
    seq: i + 1,
    at: "2026-11-30T12:00:00.000Z",
    projectId: "p",
    conversationId: "c",
    runId: i < 3 ? null : "r",
    messageId: i < 3 ? null : "m2",
    event,
  }));
}

describe("what a view can rely on", () => {
  test("a delta leaves everything that it does not touch as it was", () => {
    const log = conversationLog([
      { type: "text", delta: "one " },
      { type: "reasoning", delta: "hm", span: [0, 0] },
      { type: "text", delta: "two" },
      { type: "text", delta: " three" },
    ]);
    const before = reduceAll(START, log.slice(0, -1));
    const after = reduceAll(before, log);
    expect(after.projects).toBe(before.projects);
    expect(after.conversations).toBe(before.conversations);
    expect(after.runs).toBe(before.runs);
    expect(after.files).toBe(before.files);
    expect(projectsByUse(after)).toBe(projectsByUse(before));
    const [old, fresh] = [messagesOf(before, "c"), messagesOf(after, "c")];
    expect(fresh[0]).toBe(old[0]);
    expect(fresh[1]?.parts[0]).toBe(old[1]?.parts[0]);
    expect(fresh[1]?.parts[1]).toBe(old[1]?.parts[1]);
    expect(fresh[1]?.parts[2]).toEqual({
      type: "text",
      text: "two three",
      start: 4,
    });
    expect(old[1]?.parts[2]).toEqual({ type: "text", text: "two", start: 4 });
  });

  test("a file is known by its path, whatever that is", () => {
    const log = conversationLog(
      ["__proto__", "constructor", "a.html"].map((path) => ({
        type: "file:changed" as const,
        path,
        digest: "d",
        revision: "r",
        author: "outside" as const,
      })),
    );
    const state = reduceAll(START, log);
    expect(filesOf(state, "p").map((file) => file.path)).toEqual([
      "__proto__",
      "a.html",
      "constructor",
    ]);
    expect(Object.prototype).not.toHaveProperty("digest");
  });

  test("a file that moves keeps its content and says where it came from", () => {
    const log = conversationLog([
      { type: "file:changed", path: "a", digest: "d", revision: "r", author: "person" },
      { type: "file:moved", from: "a", to: "__proto__", revision: "r2" },
      { type: "file:moved", from: "unknown", to: "b", revision: "r3" },
    ]);
    const files = filesOf(reduceAll(START, log), "p");
    expect(files).toHaveLength(1);
    expect(files[0]).toMatchObject({
      path: "__proto__",
      digest: "d",
      revision: "r2",
      movedFrom: "a",
    });
  });

  test("a path is listed if what happened to it last left it there", () => {
    fc.assert(
      fc.property(history, (log) => {
        const state = reduceAll(START, log);
        for (const [projectId, files] of state.files) {
          const there = new Set<string>();
          const own = log.filter((envelope) => envelope.projectId === projectId);
          for (const { event } of own) if (isKnownEvent(event)) follow(there, event);
          expect([...files.keys()].sort()).toEqual([...there].sort());
        }
      }),
    );
  });

  test("a list of drafts is old once a draft was kept or settled after it", () => {
    fc.assert(
      fc.property(history, (log) => {
        const state = reduceAll(START, log);
        const last = new Map<string, number>();
        for (const { event, projectId, seq } of log) {
          const isAbout =
            event.type === "artifact:quarantined" || event.type === "quarantine:resolved";
          if (isAbout && projectId !== null) last.set(projectId, seq);
        }
        expect(state.drafts).toEqual(last);
      }),
    );
  });

  test("a run's end is told by its reason, and its conversation is free again", () => {
    const [running, ended] = [
      conversationLog([]),
      conversationLog([{ type: "run:end", reason: "length" }]),
    ].map((log) => reduceAll(START, log));
    expect(running && activeRunOf(running, "c")?.state).toBe("running");
    expect(ended && activeRunOf(ended, "c")).toBeNull();
    expect(ended?.runs.get("r")).toMatchObject({ state: "done", reason: "length" });
  });

  test("a deleted project takes its conversations, threads, runs and files along", () => {
    const log = conversationLog([
      { type: "file:changed", path: "a", digest: "d", revision: "r", author: "person" },
      { type: "project:changed", change: "deleted", title: "" },
    ]);
    const { seq, ...rest } = reduceAll(START, log);
    const { seq: _, ...empty } = emptyState();
    expect(rest).toEqual(empty);
    expect(seq).toBe(log.length);
  });

  test("a batch looks at the parts that were there a fixed number of times", () => {
    const looks = (deltas: number): number => {
      const settled = Array.from({ length: 500 }, (_, i): Part => {
        return i % 2 === 0
          ? { type: "text", text: "x", start: i }
          : { type: "suppressed", name: "y", chars: 1 };
      });
      let count = 0;
      const parts = new Proxy(settled, {
        get: (target, key, receiver) => {
          if (typeof key === "string" && /^[0-9]+$/.test(key)) count += 1;
          return Reflect.get(target, key, receiver);
        },
      });
      const fold = new PartsFold({ parts, chars: 500 });
      for (let n = 0; n < deltas; n += 1) {
        fold.add({ type: "text", delta: "z" });
        fold.add({ type: "artifact:chunk", artifact: 0, identifier: "", delta: "z" });
      }
      expect(fold.finish().parts).toHaveLength(501);
      return count;
    };
    expect(looks(10_000)).toBe(looks(10));
  });

  test("a text of many deltas is joined, whatever the batches", () => {
    const events = Array.from({ length: 10_000 }, (_, n) => ({
      type: "text" as const,
      delta: `${n} `,
    }));
    const log = conversationLog(events);
    const [whole, single] = [reduceAll(START, log), log.reduce(reduce, START)];
    const text = events.map((event) => event.delta).join("");
    for (const state of [whole, single]) {
      expect(messagesOf(state, "c")[1]).toMatchObject({
        parts: [{ type: "text", text, start: 0 }],
        chars: text.length,
      });
    }
  });
});
