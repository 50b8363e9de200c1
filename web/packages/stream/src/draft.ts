import {
  type ArtifactSaved,
  type ConversationChanged,
  type Envelope,
  type Event,
  type FileChanged,
  type FileMoved,
  isKnownEvent,
  type ProjectChanged,
  type RunEnd,
  type RunStart,
} from "@vitrail/protocol";
import { CopyMap } from "./copy_map.ts";
import type {
  ConversationEntry,
  FileHead,
  ProjectEntry,
  RunEntry,
  Thread,
  WorkspaceState,
} from "./state.ts";
import { ThreadDraft } from "./thread_draft.ts";

/** What an envelope says besides its event. */
type Place = Omit<Envelope, "event">;

/**
 * One batch's changes of a state, in place until `finish`.
 *
 * Each event is applied to what it concerns: the lists (projects, conversations, runs,
 * files) always, the thread of its conversation only if that is here.
 */
export class Draft {
  #seq: number;
  readonly #projects: CopyMap<string, ProjectEntry>;
  readonly #conversations: CopyMap<string, ConversationEntry>;
  readonly #threads: CopyMap<string, Thread>;
  readonly #runs: CopyMap<string, RunEntry>;
  readonly #files: CopyMap<string, ReadonlyMap<string, FileHead>>;
  readonly #drafts: CopyMap<string, number>;
  readonly #unknown: CopyMap<string, number>;
  readonly #openThreads = new Map<string, ThreadDraft>();
  readonly #openFiles = new Map<string, CopyMap<string, FileHead>>();

  constructor(base: WorkspaceState) {
    this.#seq = base.seq;
    this.#projects = new CopyMap(base.projects);
    this.#conversations = new CopyMap(base.conversations);
    this.#threads = new CopyMap(base.threads);
    this.#runs = new CopyMap(base.runs);
    this.#files = new CopyMap(base.files);
    this.#drafts = new CopyMap(base.drafts);
    this.#unknown = new CopyMap(base.unknown);
  }

  /** Number of the last event that was added. */
  get seq(): number {
    return this.#seq;
  }

  /** Add an event that is newer than all before it. */
  add(envelope: Envelope): void {
    this.#seq = envelope.seq;
    const { event } = envelope;
    if (!isKnownEvent(event)) {
      this.#unknown.set(event.type, (this.#unknown.get(event.type) ?? 0) + 1);
      return;
    }
    this.#addToConversation(envelope, event);
    this.#addToRun(envelope, event);
    this.#addToFiles(envelope, event);
    this.#addToThread(envelope, event);
  }

  /**
   * Add an event that was held while its conversation was loaded: to what the page has
   * told of. It has reached everything else before.
   */
  addHeld(envelope: Envelope): void {
    const { event } = envelope;
    if (!isKnownEvent(event)) return;
    this.#addToConversation(envelope, event);
    this.#addToRun(envelope, event);
    this.#addToThread(envelope, event);
  }

  /** The state with everything that was added. */
  finish(): WorkspaceState {
    for (const [id, thread] of this.#openThreads) this.#threads.set(id, thread.finish());
    for (const [id, files] of this.#openFiles) this.#files.set(id, files.result());
    return {
      seq: this.#seq,
      projects: this.#projects.result(),
      conversations: this.#conversations.result(),
      threads: this.#threads.result(),
      runs: this.#runs.result(),
      files: this.#files.result(),
      drafts: this.#drafts.result(),
      unknown: this.#unknown.result(),
    };
  }

  #addToThread(envelope: Envelope, event: Event): void {
    const { conversationId } = envelope;
    if (conversationId === null) return;
    this.#openThread(conversationId)?.add(envelope, event);
  }

  #addToConversation(place: Place, event: Event): void {
    switch (event.type) {
      case "conversation:changed":
        this.#changeConversation(place, event);
        break;
      case "run:start":
        this.#setActiveRun(place, event.runId);
        break;
      case "run:end":
        this.#endActiveRun(place);
        break;
      default:
        break;
    }
  }

  #addToRun(place: Place, event: Event): void {
    switch (event.type) {
      case "run:start":
        this.#startRun(place, event);
        break;
      case "run:end":
        this.#endRun(place, event);
        break;
      case "usage": {
        const { inputTokens, outputTokens } = event;
        this.#patchRun(place, { usage: { inputTokens, outputTokens } });
        break;
      }
      case "error": {
        const { code, message, retryable } = event;
        this.#patchRun(place, { error: { code, message, retryable } });
        break;
      }
      default:
        break;
    }
  }

  #addToFiles(place: Place, event: Event): void {
    switch (event.type) {
      case "project:changed":
        this.#changeProject(place, event);
        break;
      case "artifact:saved":
        this.#saveFile(place, event);
        break;
      case "file:changed":
        this.#changeFile(place, event);
        break;
      case "file:removed":
        this.#filesOf(place.projectId)?.delete(event.path);
        break;
      case "file:moved":
        this.#moveFile(place, event);
        break;
      case "artifact:quarantined":
      case "quarantine:resolved":
        if (place.projectId !== null) this.#drafts.set(place.projectId, place.seq);
        break;
      default:
        break;
    }
  }

  #changeProject(place: Place, event: ProjectChanged): void {
    const id = place.projectId;
    if (id === null) return;
    if (event.change === "deleted") {
      this.#forgetProject(id);
      return;
    }
    const old = this.#projects.get(id);
    this.#projects.set(id, {
      id,
      title: event.title,
      name: old?.name ?? null,
      createdAt: old?.createdAt ?? place.at,
      updatedAt: place.at,
    });
    if (event.change === "created" && !this.#files.result().has(id)) {
      this.#files.set(id, new Map());
    }
  }

  #forgetProject(id: string): void {
    for (const conversation of [...this.#conversations.result().values()]) {
      if (conversation.projectId === id) this.#forgetConversation(conversation.id);
    }
    this.#runs.deleteWhere((run) => run.projectId === id);
    this.#openFiles.delete(id);
    this.#files.delete(id);
    this.#drafts.delete(id);
    this.#projects.delete(id);
  }

  #changeConversation(place: Place, event: ConversationChanged): void {
    const { conversationId: id, projectId } = place;
    if (id === null) return;
    if (event.change === "deleted") {
      this.#forgetConversation(id);
      return;
    }
    const old = this.#conversations.get(id);
    if (old === undefined && projectId === null) return;
    this.#conversations.set(id, {
      id,
      projectId: old?.projectId ?? projectId ?? "",
      title: event.title,
      createdAt: old?.createdAt ?? place.at,
      updatedAt: place.at,
      activeRunId: old?.activeRunId ?? null,
    });
    // A conversation that was seen to begin has no earlier messages to load.
    if (event.change === "created" && this.#threads.get(id) === undefined) {
      this.#threads.set(id, { load: "loaded", asOf: place.seq, messages: [] });
    }
  }

  #forgetConversation(id: string): void {
    this.#conversations.delete(id);
    this.#openThreads.delete(id);
    this.#threads.delete(id);
    this.#runs.deleteWhere((run) => run.conversationId === id);
  }

  #setActiveRun(place: Place, runId: string | null): void {
    const id = place.conversationId;
    const old = id === null ? undefined : this.#conversations.get(id);
    if (old === undefined || this.#isContained(old.id, place.seq)) return;
    this.#conversations.set(old.id, { ...old, activeRunId: runId, updatedAt: place.at });
  }

  #endActiveRun(place: Place): void {
    const entry = this.#conversations.get(place.conversationId ?? "");
    if (entry?.activeRunId === place.runId) this.#setActiveRun(place, null);
  }

  /** Whether a page that was loaded has told of this event already. */
  #isContained(conversationId: string, seq: number): boolean {
    const thread = this.#threads.get(conversationId);
    return thread?.load === "loaded" && seq <= thread.asOf;
  }

  #startRun(place: Place, event: RunStart): void {
    this.#runs.set(event.runId, {
      id: event.runId,
      projectId: place.projectId ?? "",
      conversationId: place.conversationId ?? "",
      messageId: event.messageId,
      agent: event.agent,
      model: event.model,
      state: "running",
      reason: null,
      shown: event.shown,
      startedAt: place.at,
      endedAt: null,
      usage: null,
      error: null,
    });
  }

  #endRun(place: Place, event: RunEnd): void {
    const { reason } = event;
    this.#patchRun(place, {
      state: reason === "length" ? "done" : reason,
      reason,
      endedAt: place.at,
    });
  }

  #patchRun(place: Place, patch: Partial<RunEntry>): void {
    const old = place.runId === null ? undefined : this.#runs.get(place.runId);
    if (old !== undefined) this.#runs.set(old.id, { ...old, ...patch });
  }

  #saveFile(place: Place, event: ArtifactSaved): void {
    this.#setHead(place, event.path, event.digest, {
      revision: event.revision,
      number: event.number,
      kind: event.kind,
    });
  }

  #changeFile(place: Place, event: FileChanged): void {
    if (event.digest === null) this.#filesOf(place.projectId)?.delete(event.path);
    else {
      this.#setHead(place, event.path, event.digest, {
        revision: event.revision,
        author: event.author,
      });
    }
  }

  /** Give a file its other name; its content is the same, its history begins anew. */
  #moveFile(place: Place, event: FileMoved): void {
    const files = this.#filesOf(place.projectId);
    const old = files?.get(event.from);
    if (files === null || old === undefined) return;
    files.delete(event.from);
    files.set(event.to, {
      ...old,
      path: event.to,
      revision: event.revision,
      number: null,
      modifiedAt: place.at,
      movedFrom: event.from,
    });
  }

  /** Note a file's new content; what was known of an older one does not carry over. */
  #setHead(place: Place, path: string, digest: string, told: Partial<FileHead>): void {
    const files = this.#filesOf(place.projectId);
    if (files === null) return;
    const old = files.get(path);
    const isSame = old?.digest === digest && old.revision === told.revision;
    files.set(path, {
      path,
      digest,
      revision: null,
      number: isSame ? old.number : null,
      author: isSame ? old.author : null,
      kind: old?.kind ?? null,
      size: isSame ? old.size : null,
      mediaType: old?.mediaType ?? null,
      manifest: old?.manifest ?? null,
      modifiedAt: place.at,
      movedFrom: old?.movedFrom ?? null,
      ...told,
    });
  }

  /** The files of a project whose listing is known; null of any other. */
  #filesOf(projectId: string | null): CopyMap<string, FileHead> | null {
    if (projectId === null) return null;
    const open = this.#openFiles.get(projectId);
    if (open !== undefined) return open;
    const listed = this.#files.get(projectId);
    if (listed === undefined) return null;
    const files = new CopyMap(listed);
    this.#openFiles.set(projectId, files);
    return files;
  }

  #openThread(conversationId: string): ThreadDraft | null {
    const open = this.#openThreads.get(conversationId);
    if (open !== undefined) return open;
    const thread = this.#threads.get(conversationId);
    if (thread === undefined) return null;
    const draft = new ThreadDraft(conversationId, thread);
    this.#openThreads.set(conversationId, draft);
    return draft;
  }
}
