import type {
  Conversation,
  NewRun,
  Project,
  RunStarted,
  ServerStatus,
} from "@vitrail/protocol";
import { createStore, type StoreApi } from "zustand/vanilla";
import { reduceAll } from "../reducer.ts";
import { isLoaded } from "../selectors.ts";
import {
  beginConversation,
  cancelConversation,
  withConversation,
  withConversationPage,
  withProject,
  withProjectPage,
  withProjects,
} from "../snapshots.ts";
import { emptyState, type WorkspaceState } from "../state.ts";
import type { Api } from "./api.ts";
import type { Connection } from "./connection.ts";
import { ApiError, invalidResponse } from "./errors.ts";
import type { EventClient } from "./events.ts";

/** Everything that a view of the workspace reads. */
export interface WorkspaceView {
  readonly data: WorkspaceState;
  readonly connection: Connection;
  readonly boot: Boot;
  readonly status: ServerStatus | null;
}

/** How far the workspace has come with its first questions. */
export type Boot =
  | { readonly state: "idle" | "loading" | "ready" }
  | { readonly state: "failed"; readonly error: ApiError };

/** The state of one tab and what changes it; calls reject with an `ApiError`. */
export interface Workspace {
  readonly store: StoreApi<WorkspaceView>;
  /** Ask for status and projects and follow the events. `boot` tells how it went. */
  start(): Promise<void>;
  stop(): void;
  /** Try a lost connection again at once. */
  retryNow(): void;
  /** Load a project's conversations and files, however often it is called. */
  openProject(id: string): Promise<void>;
  /** Load a conversation's messages, once. */
  openConversation(id: string): Promise<void>;
  createProject(title: string): Promise<Project>;
  renameProject(id: string, title: string): Promise<void>;
  deleteProject(id: string): Promise<void>;
  createConversation(projectId: string, title?: string): Promise<Conversation>;
  renameConversation(id: string, title: string): Promise<void>;
  deleteConversation(id: string): Promise<void>;
  send(conversationId: string, run: NewRun): Promise<RunStarted>;
  stopRun(runId: string): Promise<void>;
}

/** What a workspace is made of. */
export interface WorkspaceParts {
  readonly api: Api;
  readonly events: EventClient;
}

/** Make the workspace of a tab; nothing is asked before `start`. */
export function createWorkspace(parts: WorkspaceParts): Workspace {
  return new LiveWorkspace(parts);
}

/** How often a listing that changed while it was on its way is asked for again. */
const MAX_ASKS = 4;

class LiveWorkspace implements Workspace {
  readonly store: StoreApi<WorkspaceView>;
  readonly #api: Api;
  readonly #events: EventClient;
  /** What is on its way, so that two views that want the same ask once. */
  readonly #loads = new Map<string, Promise<void>>();
  /** Rises with every start and reset: answers to older questions are let go. */
  #epoch = 0;

  constructor({ api, events }: WorkspaceParts) {
    this.#api = api;
    this.#events = events;
    this.store = createStore<WorkspaceView>(() => ({
      data: emptyState(),
      connection: { state: "idle" },
      boot: { state: "idle" },
      status: null,
    }));
  }

  async start(): Promise<void> {
    const epoch = this.#begin();
    this.store.setState({ boot: { state: "loading" } });
    try {
      // The number first: whatever is read after it is at least as new, and every
      // event after the number is still to come.
      const status = await this.#api.status();
      if (epoch !== this.#epoch) return;
      this.store.setState({ status, data: emptyState(status.seq) });
      this.#events.start(status.seq, {
        onEvents: (envelopes) => this.#change((data) => reduceAll(data, envelopes)),
        onReset: (seq) => void this.#restart(seq),
        onConnection: (connection) => this.store.setState({ connection }),
      });
      await this.#loadProjects(epoch);
      this.#finish(epoch, { state: "ready" });
    } catch (error) {
      this.#finish(epoch, { state: "failed", error: asApiError(error) });
    }
  }

  stop(): void {
    this.#begin();
    this.#events.stop();
    this.store.setState({ connection: { state: "idle" } });
  }

  retryNow(): void {
    this.#events.retryNow();
  }

  openProject(id: string): Promise<void> {
    return this.#once(`project ${id}`, (epoch) =>
      this.#settled(
        epoch,
        () => this.#api.project(id),
        (data, page) => withProjectPage(data, page),
        (data) => [data.files.get(id), data.conversations],
      ),
    );
  }

  openConversation(id: string): Promise<void> {
    if (isLoaded(this.store.getState().data, id)) return Promise.resolve();
    return this.#once(`conversation ${id}`, (epoch) => this.#loadThread(id, epoch));
  }

  async createProject(title: string): Promise<Project> {
    const project = await this.#api.createProject({ title });
    this.#change((data) => withProject(data, project));
    return project;
  }

  async renameProject(id: string, title: string): Promise<void> {
    const project = await this.#api.updateProject(id, { title });
    this.#change((data) => withProject(data, project));
  }

  async deleteProject(id: string): Promise<void> {
    await this.#api.deleteProject(id);
  }

  async createConversation(projectId: string, title = ""): Promise<Conversation> {
    const conversation = await this.#api.createConversation(projectId, { title });
    this.#change((data) => withConversation(data, conversation));
    return conversation;
  }

  async renameConversation(id: string, title: string): Promise<void> {
    const conversation = await this.#api.updateConversation(id, { title });
    this.#change((data) => withConversation(data, conversation));
  }

  async deleteConversation(id: string): Promise<void> {
    await this.#api.deleteConversation(id);
  }

  send(conversationId: string, run: NewRun): Promise<RunStarted> {
    return this.#api.startRun(conversationId, run);
  }

  async stopRun(runId: string): Promise<void> {
    await this.#api.stopRun(runId);
  }

  /** The server's log is another one: forget, and ask for what was open again. */
  async #restart(seq: number): Promise<void> {
    const { data } = this.store.getState();
    const open = [...data.threads.keys()].filter((id) => isLoaded(data, id));
    const listed = [...data.files.keys()];
    const epoch = this.#begin();
    this.store.setState({ data: emptyState(seq), boot: { state: "loading" } });
    try {
      await this.#loadProjects(epoch);
      const { projects } = this.store.getState().data;
      const again = listed.filter((id) => projects.has(id));
      await Promise.all(again.map((id) => this.openProject(id)));
      const { conversations } = this.store.getState().data;
      const threads = open.filter((id) => conversations.has(id));
      await Promise.all(threads.map((id) => this.openConversation(id)));
      this.#finish(epoch, { state: "ready" });
    } catch (error) {
      this.#finish(epoch, { state: "failed", error: asApiError(error) });
    }
  }

  async #loadThread(id: string, epoch: number): Promise<void> {
    this.#change((data) => beginConversation(data, id));
    try {
      for (let asked = 0; asked < MAX_ASKS; asked += 1) {
        const page = await this.#api.conversation(id);
        if (epoch !== this.#epoch) return;
        this.#change((data) => withConversationPage(data, page));
        if (isLoaded(this.store.getState().data, id)) return;
      }
      throw invalidResponse(200);
    } catch (error) {
      if (epoch === this.#epoch) this.#change((data) => cancelConversation(data, id));
      throw error;
    }
  }

  #loadProjects(epoch: number): Promise<void> {
    return this.#settled(
      epoch,
      () => this.#api.projects(),
      (data, projects) => withProjects(data, projects),
      (data) => [data.projects],
    );
  }

  /**
   * Ask for a listing that carries no number, and take it over if no event changed what
   * it lists while it was on its way; else ask again. The last answer is taken as it is.
   */
  async #settled<T>(
    epoch: number,
    ask: () => Promise<T>,
    take: (data: WorkspaceState, answer: T) => WorkspaceState,
    listed: (data: WorkspaceState) => readonly unknown[],
  ): Promise<void> {
    for (let asked = 1; ; asked += 1) {
      const before = listed(this.store.getState().data);
      const answer = await ask();
      if (epoch !== this.#epoch) return;
      const now = listed(this.store.getState().data);
      const isSettled = now.every((value, place) => value === before[place]);
      if (!isSettled && asked < MAX_ASKS) continue;
      this.#change((data) => take(data, answer));
      return;
    }
  }

  #once(name: string, load: (epoch: number) => Promise<void>): Promise<void> {
    const known = this.#loads.get(name);
    if (known !== undefined) return known;
    const loading = load(this.#epoch).finally(() => {
      if (this.#loads.get(name) === loading) this.#loads.delete(name);
    });
    this.#loads.set(name, loading);
    return loading;
  }

  #begin(): number {
    this.#epoch += 1;
    this.#loads.clear();
    return this.#epoch;
  }

  #finish(epoch: number, boot: Boot): void {
    if (epoch === this.#epoch) this.store.setState({ boot });
  }

  #change(change: (data: WorkspaceState) => WorkspaceState): void {
    const { data } = this.store.getState();
    const changed = change(data);
    if (changed !== data) this.store.setState({ data: changed });
  }
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
