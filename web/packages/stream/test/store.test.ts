import type { ConversationPage, Project, ProjectPage } from "@vitrail/protocol";
import { describe, expect, test } from "vitest";
import {
  type Api,
  browserEvents,
  createApi,
  createWorkspace,
  type Workspace,
} from "../src/client/index.ts";
import { filesOf, isLoaded, messagesOf, projectsByUse } from "../src/index.ts";
import { FakeBrowser, FakeServer, settle } from "./fake_browser.ts";

const AT = "2026-11-30T12:00:00.000Z";

function project(id: string, title: string): Project {
  return { id, name: id, title, createdAt: AT, updatedAt: AT };
}

function projectPage(id: string, paths: readonly string[]): ProjectPage {
  return {
    project: project(id, id),
    conversations: [{ id: "c", projectId: id, title: "", createdAt: AT, updatedAt: AT }],
    files: paths.map((path) => ({
      path,
      size: 1,
      digest: `d-${path}`,
      revision: null,
      number: null,
      mediaType: "text/plain",
      modifiedAt: AT,
      manifest: null,
    })),
  };
}

function conversationPage(seq: number): ConversationPage {
  return {
    conversation: { id: "c", projectId: "p", title: "", createdAt: AT, updatedAt: AT },
    messages: [],
    runs: [],
    activeRun: null,
    seq,
  };
}

type Answer = Response | (() => Response | Promise<Response>);

/** A workspace on a server whose answers are set by route. */
class Bench {
  readonly server = new FakeServer();
  readonly browser = new FakeBrowser(this.server);
  readonly asked: string[] = [];
  readonly answers = new Map<string, Answer>();
  readonly workspace: Workspace;
  readonly api: Api;

  constructor() {
    this.set("/api/status", {
      version: "0",
      previewOrigin: "",
      previewMode: "separate",
      defaultAgent: "replay",
      seq: 0,
    });
    this.set("/api/projects", []);
    this.api = createApi({ fetch: (url) => this.#answer(url) });
    this.workspace = createWorkspace({
      api: this.api,
      events: browserEvents({ around: this.browser.openTab() }),
    });
  }

  get view() {
    return this.workspace.store.getState();
  }

  set(url: string, body: unknown): void {
    this.answers.set(url, () => Response.json(body));
  }

  /** Answer a route only once `release` is called. */
  hold(url: string, body: unknown): () => void {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.answers.set(url, async () => {
      await released;
      return Response.json(body);
    });
    return release;
  }

  async #answer(url: string): Promise<Response> {
    this.asked.push(url);
    const answer = this.answers.get(url);
    if (answer === undefined) throw new TypeError(`nothing at ${url}`);
    return answer instanceof Response ? answer.clone() : answer();
  }
}

describe("the workspace of a tab", () => {
  test("it begins at the number of the status and follows from there", async () => {
    const bench = new Bench();
    bench.server.emit(3);
    bench.set("/api/status", { ...(await bench.api.status()), seq: 3 });
    bench.set("/api/projects", [project("p", "Old")]);
    await bench.workspace.start();
    expect(bench.view.boot).toEqual({ state: "ready" });
    expect(projectsByUse(bench.view.data)).toHaveLength(1);
    await settle();
    expect(bench.server.asked).toEqual([3]);
    expect(bench.view.connection).toEqual({ state: "open" });
  });

  test("a server that is not there is told, and start may be tried again", async () => {
    const bench = new Bench();
    const status = bench.answers.get("/api/status");
    bench.answers.delete("/api/status");
    await bench.workspace.start();
    expect(bench.view.boot).toMatchObject({
      state: "failed",
      error: { code: "server-unreachable" },
    });
    if (status !== undefined) bench.answers.set("/api/status", status);
    await bench.workspace.start();
    expect(bench.view.boot).toEqual({ state: "ready" });
  });

  test("a list that an event changed on its way is asked for again", async () => {
    const bench = new Bench();
    await bench.workspace.start();
    await settle();
    const release = bench.hold("/api/projects/p", projectPage("p", ["old.html"]));
    bench.server.log.push({
      seq: 1,
      at: AT,
      projectId: "p",
      conversationId: "c9",
      runId: null,
      messageId: null,
      event: { type: "conversation:changed", change: "created", title: "New" },
    });
    const opening = bench.workspace.openProject("p");
    bench.server.breakAll();
    await bench.browser.time.advance(1000);
    bench.set("/api/projects/p", projectPage("p", ["new.html"]));
    release();
    await opening;
    expect(filesOf(bench.view.data, "p").map((file) => file.path)).toEqual(["new.html"]);
    expect(bench.asked.filter((url) => url === "/api/projects/p")).toHaveLength(2);
  });

  test("two views that open the same conversation ask once", async () => {
    const bench = new Bench();
    await bench.workspace.start();
    bench.set("/api/conversations/c", conversationPage(0));
    await Promise.all([
      bench.workspace.openConversation("c"),
      bench.workspace.openConversation("c"),
    ]);
    await bench.workspace.openConversation("c");
    expect(isLoaded(bench.view.data, "c")).toBe(true);
    expect(bench.asked.filter((url) => url === "/api/conversations/c")).toHaveLength(1);
  });

  test("a conversation that is not there rejects and may be asked for again", async () => {
    const bench = new Bench();
    await bench.workspace.start();
    bench.answers.set("/api/conversations/c", () =>
      Response.json({ code: "conversation-not-found", detail: "Gone." }, { status: 404 }),
    );
    await expect(bench.workspace.openConversation("c")).rejects.toMatchObject({
      code: "conversation-not-found",
    });
    expect(bench.view.data.threads.has("c")).toBe(false);
    bench.set("/api/conversations/c", conversationPage(0));
    await bench.workspace.openConversation("c");
    expect(isLoaded(bench.view.data, "c")).toBe(true);
  });

  test("what happens while a conversation is on its way is not lost", async () => {
    const bench = new Bench();
    await bench.workspace.start();
    await settle();
    const release = bench.hold("/api/conversations/c", conversationPage(0));
    const opening = bench.workspace.openConversation("c");
    await settle();
    const made = {
      seq: 1,
      at: AT,
      projectId: "p",
      conversationId: "c",
      runId: null,
      messageId: null,
      event: { type: "message:added", messageId: "m", role: "user", text: "Hi" },
    } as const;
    bench.server.sendAll(`data: ${JSON.stringify(made)}\n\n`);
    await settle();
    release();
    await opening;
    expect(messagesOf(bench.view.data, "c").map((message) => message.id)).toEqual(["m"]);
  });

  test("a project that a call of ours made is there at once", async () => {
    const bench = new Bench();
    await bench.workspace.start();
    bench.set("/api/projects", project("p", "Mine"));
    const made = await bench.workspace.createProject("Mine");
    expect(projectsByUse(bench.view.data)).toEqual([made]);
  });

  test("another log makes it ask for everything that was open again", async () => {
    const bench = new Bench();
    bench.set("/api/projects", [project("p", "P")]);
    bench.set("/api/projects/p", projectPage("p", ["a.html"]));
    bench.set("/api/conversations/c", conversationPage(50));
    bench.set("/api/status", { ...(await bench.api.status()), seq: 50 });
    await bench.workspace.start();
    await bench.workspace.openProject("p");
    await bench.workspace.openConversation("c");
    bench.set("/api/projects/p", projectPage("p", ["b.html"]));
    bench.set("/api/conversations/c", conversationPage(2));
    await settle();
    bench.server.sendAll('event: reset\ndata: {"seq":2}\n\n');
    await settle();
    await settle();
    expect(bench.view.boot).toEqual({ state: "ready" });
    expect(bench.view.data.seq).toBe(2);
    expect(filesOf(bench.view.data, "p").map((file) => file.path)).toEqual(["b.html"]);
    expect(isLoaded(bench.view.data, "c")).toBe(true);
  });

  test("after stop nothing changes any more", async () => {
    const bench = new Bench();
    await bench.workspace.start();
    await settle();
    bench.workspace.stop();
    const { data } = bench.view;
    bench.server.emit(1);
    await settle();
    expect(bench.view.data).toBe(data);
    expect(bench.server.openStreams).toBe(0);
    expect(bench.view.connection).toEqual({ state: "idle" });
  });
});
