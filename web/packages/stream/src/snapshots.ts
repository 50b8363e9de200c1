import type {
  Conversation,
  ConversationPage,
  FileInfo,
  Project,
  ProjectPage,
  Run,
} from "@vitrail/protocol";
import { Draft } from "./draft.ts";
import type {
  ConversationEntry,
  FileHead,
  ProjectEntry,
  RunEntry,
  WorkspaceState,
} from "./state.ts";

/** Take over the list of projects as the server has it now. */
export function withProjects(
  state: WorkspaceState,
  projects: readonly Project[],
): WorkspaceState {
  const entries = projects.map((project) => [project.id, projectEntry(project)] as const);
  return { ...state, projects: new Map(entries) };
}

/** Take over one project with the lists of its conversations and files. */
export function withProjectPage(
  state: WorkspaceState,
  page: ProjectPage,
): WorkspaceState {
  const { project } = page;
  const conversations = new Map(
    [...state.conversations].filter(([, entry]) => entry.projectId !== project.id),
  );
  for (const conversation of page.conversations) {
    const activeRunId = state.conversations.get(conversation.id)?.activeRunId ?? null;
    conversations.set(conversation.id, conversationEntry(conversation, activeRunId));
  }
  return {
    ...withFiles(state, project.id, page.files),
    projects: new Map(state.projects).set(project.id, projectEntry(project)),
    conversations,
  };
}

/** Take over the list of a project's files. */
export function withFiles(
  state: WorkspaceState,
  projectId: string,
  files: readonly FileInfo[],
): WorkspaceState {
  const known = state.files.get(projectId);
  const heads = files.map((file) => [file.path, fileHead(file, known)] as const);
  return { ...state, files: new Map(state.files).set(projectId, new Map(heads)) };
}

/**
 * Begin to load a conversation: from here its events are held, until the page that
 * was asked for after this comes. Changes nothing where its messages are here.
 */
export function beginConversation(state: WorkspaceState, id: string): WorkspaceState {
  if (state.threads.has(id)) return state;
  return withThread(state, id, { load: "loading", since: state.seq, held: [] });
}

/** Give up loading a conversation; what was held is let go. */
export function cancelConversation(state: WorkspaceState, id: string): WorkspaceState {
  if (state.threads.get(id)?.load !== "loading") return state;
  const threads = new Map(state.threads);
  threads.delete(id);
  return { ...state, threads };
}

/**
 * Take over a conversation's messages, then the held events that they do not contain.
 *
 * A page that is older than what is here, or that leaves a gap to it, changes nothing:
 * the same state comes back, and the page is to be asked for again.
 */
export function withConversationPage(
  state: WorkspaceState,
  page: ConversationPage,
): WorkspaceState {
  const { id } = page.conversation;
  const thread = state.threads.get(id);
  const known = thread?.load === "loading" ? thread.since : state.seq;
  if (page.seq < known) return state;
  const held = thread?.load === "loading" ? thread.held : [];
  const draft = new Draft({
    ...state,
    conversations: new Map(state.conversations).set(
      id,
      conversationEntry(page.conversation, page.activeRun?.id ?? null),
    ),
    threads: new Map(state.threads).set(id, {
      load: "loaded",
      asOf: page.seq,
      messages: page.messages,
    }),
    runs: withRuns(state.runs, [
      ...page.runs,
      ...(page.activeRun ? [page.activeRun] : []),
    ]),
  });
  for (const envelope of held) if (envelope.seq > page.seq) draft.addHeld(envelope);
  return draft.finish();
}

function withThread(
  state: WorkspaceState,
  id: string,
  thread: { load: "loading"; since: number; held: [] },
): WorkspaceState {
  return { ...state, threads: new Map(state.threads).set(id, thread) };
}

/** The runs with some more; one whose end is known already is not running again. */
function withRuns(
  known: ReadonlyMap<string, RunEntry>,
  runs: readonly Run[],
): ReadonlyMap<string, RunEntry> {
  const all = new Map(known);
  for (const run of runs) {
    const old = known.get(run.id);
    if (old !== undefined && old.endedAt !== null) continue;
    const usage = run.usage ?? old?.usage ?? null;
    all.set(run.id, { ...run, usage, error: old?.error ?? null });
  }
  return all;
}

function projectEntry(project: Project): ProjectEntry {
  const { id, title, name, createdAt, updatedAt } = project;
  return { id, title, name, createdAt, updatedAt };
}

function conversationEntry(
  conversation: Conversation,
  activeRunId: string | null,
): ConversationEntry {
  const { id, projectId, title, createdAt, updatedAt } = conversation;
  return { id, projectId, title, createdAt, updatedAt, activeRunId };
}

function fileHead(
  file: FileInfo,
  known: ReadonlyMap<string, FileHead> | undefined,
): FileHead {
  const old = known?.get(file.path);
  const isSame = old?.digest === file.digest && old.revision === file.revision;
  return {
    path: file.path,
    digest: file.digest,
    revision: file.revision,
    number: file.number,
    author: isSame ? old.author : null,
    kind: file.manifest?.kind ?? null,
    size: file.size,
    mediaType: file.mediaType,
    manifest: file.manifest,
    modifiedAt: file.modifiedAt,
    movedFrom: old?.movedFrom ?? null,
  };
}

/** Take over one project's record, as a call of ours returned it. */
export function withProject(state: WorkspaceState, project: Project): WorkspaceState {
  const projects = new Map(state.projects).set(project.id, projectEntry(project));
  return { ...state, projects };
}

/** Take over one conversation's record, as a call of ours returned it. */
export function withConversation(
  state: WorkspaceState,
  conversation: Conversation,
): WorkspaceState {
  const activeRunId = state.conversations.get(conversation.id)?.activeRunId ?? null;
  const conversations = new Map(state.conversations).set(
    conversation.id,
    conversationEntry(conversation, activeRunId),
  );
  return { ...state, conversations };
}
