import type {
  ArtifactManifest,
  ConversationChanged,
  Envelope,
  FileChanged,
  Message,
  Run,
} from "@vitrail/protocol";

/**
 * Everything that the workspace shows, as one value that is never changed in place.
 *
 * Maps and not objects, because paths and ids come from outside and `__proto__` is a
 * fine name for a file.
 */
export interface WorkspaceState {
  /** Number of the last event that was folded in; 0 before the first. */
  readonly seq: number;
  readonly projects: ReadonlyMap<string, ProjectEntry>;
  readonly conversations: ReadonlyMap<string, ConversationEntry>;
  /** By conversation; apart from the conversations so that a delta leaves lists alone. */
  readonly threads: ReadonlyMap<string, Thread>;
  readonly runs: ReadonlyMap<string, RunEntry>;
  /** By project, then by path. */
  readonly files: ReadonlyMap<string, ReadonlyMap<string, FileHead>>;
  /**
   * By project: number of the last event by which a draft was kept aside, taken or
   * dropped. A list of drafts that was asked for before it may be old.
   */
  readonly drafts: ReadonlyMap<string, number>;
  /** How many events of each type came that this version does not know. */
  readonly unknown: ReadonlyMap<string, number>;
}

/** A project as a list shows it. */
export interface ProjectEntry {
  readonly id: string;
  readonly title: string;
  /** Folder name; null where only an event has told of the project. */
  readonly name: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A conversation as a list shows it. */
export interface ConversationEntry {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The run that is writing into it now. */
  readonly activeRunId: string | null;
}

/**
 * The messages of a conversation, as far as they are here.
 *
 * `loading`: events are held until the page comes that they follow; `loaded`: every
 * later event is folded in. A conversation that nobody opened has no thread.
 */
export type Thread =
  | {
      readonly load: "loading";
      /** The state's `seq` when holding began: every later event is held. */
      readonly since: number;
      readonly held: readonly Envelope[];
    }
  | {
      readonly load: "loaded";
      /** Events up to this number are contained already. */
      readonly asOf: number;
      readonly messages: readonly Message[];
    };

/** A run and what failed in it on the way. */
export interface RunEntry extends Run {
  /** The last thing of the world that failed in it. */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
  } | null;
}

/** The newest content of a file, as far as it was told. */
export interface FileHead {
  readonly path: string;
  readonly digest: string;
  readonly revision: string | null;
  /** 1-based number of the revision; null where it was not told. */
  readonly number: number | null;
  readonly author: FileChanged["author"] | null;
  readonly kind: string | null;
  /** Bytes; null where only an event has told of this content. */
  readonly size: number | null;
  readonly mediaType: string | null;
  /** As of the last listing. */
  readonly manifest: ArtifactManifest | null;
  readonly modifiedAt: string;
  /** The name that it had before, of a file that was seen to move. */
  readonly movedFrom: string | null;
}

/** What a `…:changed` event says happened. */
export type ChangeKind = ConversationChanged["change"];

/** The state before anything is known, true as of the event `seq`. */
export function emptyState(seq = 0): WorkspaceState {
  return {
    seq,
    projects: new Map(),
    conversations: new Map(),
    threads: new Map(),
    runs: new Map(),
    files: new Map(),
    drafts: new Map(),
    unknown: new Map(),
  };
}
