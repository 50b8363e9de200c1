import type { ArtifactPart, Message } from "@vitrail/protocol";
import type {
  ConversationEntry,
  FileHead,
  ProjectEntry,
  RunEntry,
  WorkspaceState,
} from "./state.ts";

/** An artifact of a message that became a file. */
export type SavedArtifact = ArtifactPart & {
  readonly saved: NonNullable<ArtifactPart["saved"]>;
};

const NO_MESSAGES: readonly Message[] = [];
const NO_CONVERSATIONS: readonly ConversationEntry[] = [];
const NO_FILES: readonly FileHead[] = [];

/** All projects, the last used first. */
export function projectsByUse(state: WorkspaceState): readonly ProjectEntry[] {
  return byProjects(state.projects);
}

/** A project's conversations, the last used first. */
export function conversationsOf(
  state: WorkspaceState,
  projectId: string,
): readonly ConversationEntry[] {
  return byConversations(state.conversations).get(projectId) ?? NO_CONVERSATIONS;
}

/** A conversation's messages in order; none while they are not here. */
export function messagesOf(
  state: WorkspaceState,
  conversationId: string,
): readonly Message[] {
  const thread = state.threads.get(conversationId);
  return thread?.load === "loaded" ? thread.messages : NO_MESSAGES;
}

/** Whether a conversation's messages are here. */
export function isLoaded(state: WorkspaceState, conversationId: string): boolean {
  return state.threads.get(conversationId)?.load === "loaded";
}

/** A project's files by path, in code unit order. */
export function filesOf(state: WorkspaceState, projectId: string): readonly FileHead[] {
  const files = state.files.get(projectId);
  return files === undefined ? NO_FILES : byPath(files);
}

/** The run that wrote a message, as far as it is known. */
export function runOf(state: WorkspaceState, message: Message): RunEntry | null {
  return message.runId === null ? null : (state.runs.get(message.runId) ?? null);
}

/** The run that is writing into a conversation now. */
export function activeRunOf(
  state: WorkspaceState,
  conversationId: string,
): RunEntry | null {
  const id = state.conversations.get(conversationId)?.activeRunId ?? null;
  return id === null ? null : (state.runs.get(id) ?? null);
}

/** A message's artifacts in order. */
export function artifactParts(message: Message): readonly ArtifactPart[] {
  return artifactsIn(message.parts);
}

/** The last artifact of a conversation that became a file. */
export function latestSaved(
  state: WorkspaceState,
  conversationId: string,
): SavedArtifact | null {
  for (const message of messagesOf(state, conversationId).toReversed()) {
    const saved = artifactParts(message).findLast(isSaved);
    if (saved !== undefined) return saved;
  }
  return null;
}

function isSaved(part: ArtifactPart): part is SavedArtifact {
  return part.saved !== null;
}

const byProjects = remember((projects: ReadonlyMap<string, ProjectEntry>) =>
  [...projects.values()].sort(lastUsedFirst),
);

const byConversations = remember((all: ReadonlyMap<string, ConversationEntry>) => {
  const byProject = new Map<string, ConversationEntry[]>();
  for (const entry of [...all.values()].sort(lastUsedFirst)) {
    const entries = byProject.get(entry.projectId);
    if (entries === undefined) byProject.set(entry.projectId, [entry]);
    else entries.push(entry);
  }
  return byProject;
});

const byPath = remember((files: ReadonlyMap<string, FileHead>) =>
  [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
);

const artifactsIn = remember((parts: Message["parts"]) =>
  parts.filter((part) => part.type === "artifact"),
);

/** By time of last use, then by id, which is by time of making. */
function lastUsedFirst(
  a: { updatedAt: string; id: string },
  b: { updatedAt: string; id: string },
): number {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

/** The same result for the same argument, for as long as the argument lives. */
function remember<A extends object, R>(make: (argument: A) => R): (argument: A) => R {
  const made = new WeakMap<A, R>();
  return (argument) => {
    let result = made.get(argument);
    if (result === undefined) {
      result = make(argument);
      made.set(argument, result);
    }
    return result;
  };
}
