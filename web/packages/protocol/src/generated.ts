// Generated from the protocol's JSON Schema (vitrail schema). Change the Python types,
// then run scripts/generate_types.py.

/**
 * One part of a message.
 */
export type Part =
  | TextPart
  | ReasoningPart
  | ArtifactPart
  | FormPart
  | FormAnswersPart
  | EmbedPart
  | DirectivePart
  | SuppressedPart
  | DiagnosticPart
  | ErrorPart;
/**
 * Any event that this version knows.
 */
export type Event =
  | Text
  | Reasoning
  | ArtifactStart
  | ArtifactChunk
  | ArtifactEnd
  | QuestionForm
  | EmbedFound
  | DirectiveFound
  | Suppressed
  | DiagnosticFound
  | RunStart
  | RunEnd
  | Usage
  | ArtifactSaved
  | ArtifactQuarantined
  | ArtifactRefused
  | ArtifactPointer
  | ErrorRaised
  | MessageAdded
  | ProjectChanged
  | ConversationChanged
  | FileChanged
  | FileRemoved
  | FileMoved
  | QuarantineResolved;
/**
 * What a parsed reply is made of.
 */
export type ParseEvent =
  | Text
  | Reasoning
  | ArtifactStart
  | ArtifactChunk
  | ArtifactEnd
  | QuestionForm
  | EmbedFound
  | DirectiveFound
  | Suppressed
  | DiagnosticFound;
/**
 * What a run and the store add.
 */
export type RunEvent =
  | RunStart
  | RunEnd
  | Usage
  | ArtifactSaved
  | ArtifactQuarantined
  | ArtifactRefused
  | ArtifactPointer
  | ErrorRaised
  | MessageAdded
  | ProjectChanged
  | ConversationChanged
  | FileChanged
  | FileRemoved
  | FileMoved
  | QuarantineResolved;

export interface VitrailProtocol {
  readonly [k: string]: unknown;
}
/**
 * How a draft is taken.
 */
export interface AcceptDraft {
  /**
   * The person's own resolution; none: the draft as it is.
   */
  readonly content?: string | null;
}
/**
 * An agent that can answer.
 */
export interface AgentInfo {
  /**
   * ``replay``, or the name of a provider.
   */
  name:
    | "replay"
    | "openai"
    | "openai-responses"
    | "anthropic"
    | "ollama"
    | "lmstudio"
    | "command";
  readonly title: string;
  readonly isReady: boolean;
  /**
   * What is missing, and how to mend it.
   */
  readonly whyNot: string | null;
  readonly models: readonly string[];
}
/**
 * Settings to try without saving them; what is left out is taken from the saved ones.
 */
export interface AgentTest {
  readonly agent: "openai" | "command";
  readonly baseUrl?: string | null;
  readonly model?: string | null;
  readonly apiKey?: string | null;
  readonly command?: readonly string[] | null;
}
/**
 * What a try of an agent gave.
 */
export interface AgentTestResult {
  readonly ok: boolean;
  readonly code: string | null;
  readonly message: string;
  readonly models: readonly string[];
}
/**
 * A piece of an artifact's body.
 */
export interface ArtifactChunk {
  readonly type: "artifact:chunk";
  readonly artifact: number;
  readonly identifier: string;
  readonly delta: string;
}
/**
 * An artifact ended; every start has exactly one.
 */
export interface ArtifactEnd {
  readonly type: "artifact:end";
  readonly artifact: number;
  readonly identifier: string;
  readonly complete: boolean;
  reason:
    "closed" | "failed" | "limit" | "self-closed" | "stopped" | "unclosed" | "unjoined";
  readonly length: number;
  readonly sha256: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  readonly span: readonly [number, number];
}
/**
 * What makes a file an artifact: its kind, how it is drawn, what it exports to.
 *
 * Built by ``core.commit`` only, by white list; unknown keys of an input do
 * not survive. Times are UTC with milliseconds and a ``Z``.
 */
export interface ArtifactManifest {
  readonly version?: 1;
  kind:
    | "html"
    | "deck"
    | "react-component"
    | "markdown-document"
    | "svg"
    | "diagram"
    | "code-snippet"
    | "mini-app"
    | "design-system";
  readonly title: string;
  /**
   * Path of the entry file, relative to the project.
   */
  readonly entry: string;
  renderer:
    | "html"
    | "deck-html"
    | "react-component"
    | "markdown"
    | "svg"
    | "diagram"
    | "code"
    | "mini-app"
    | "design-system";
  readonly status?: "streaming" | "complete" | "error";
  readonly exports: readonly ("html" | "pdf" | "zip" | "jsx" | "md" | "svg" | "txt")[];
  /**
   * ``true``, or the path of the file to open first.
   */
  readonly primary?: boolean | string | null;
  readonly supportingFiles?: readonly string[] | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sourceSkillId?: string | null;
  readonly designSystemId?: string | null;
  /**
   * ``identifier``, ``artifactType``, and what Vitrail adds; at most 16 KiB of JSON.
   *
   * Additions, each of them optional: ``inferred`` (nobody said what the file is),
   * ``origin`` (``run``, ``message``, ``model``), ``digest`` of the entry and
   * ``parentDigest`` of what it replaced, ``recoveredFrom`` (how the content was found
   * that no tag announced), ``network`` (``policy`` and ``origins``: what its preview
   * may reach), ``checks`` (``name``, ``outcome``, ``digest``, ``at``: what was
   * tried on which content), ``placeholders`` (see docs/gates.md), ``draftOf`` and
   * ``draftReason``. Other keys are kept as they are.
   */
  readonly metadata?: {
    readonly [k: string]: unknown;
  } | null;
}
/**
 * An artifact of a message and what became of it.
 */
export interface ArtifactPart {
  readonly type: "artifact";
  readonly artifact: number;
  readonly identifier: string;
  readonly artifactType: string;
  readonly title: string;
  readonly attributes: {
    readonly [k: string]: string;
  };
  readonly recovered: string | null;
  /**
   * Place of its open tag in the message as it was said, in code points.
   */
  readonly start: number;
  /**
   * The body as far as it has come.
   */
  readonly text: string;
  /**
   * ``cut``: the body ended before its close tag.
   */
  readonly state: "streaming" | "complete" | "cut";
  /**
   * Why it ended; none while it streams.
   */
  readonly reason: string | null;
  readonly saved: SavedFile | null;
  readonly quarantined: boolean;
  /**
   * Of a quarantined one; none where an older version stored the event.
   */
  readonly held: HeldFile | null;
  readonly refused: boolean;
  /**
   * Path of the file that the body only points at; nothing was saved.
   */
  readonly pointer: string | null;
  readonly diagnostics: readonly Diagnostic[];
}
/**
 * Where an artifact's body went.
 */
export interface SavedFile {
  readonly path: string;
  readonly kind: string;
  readonly digest: string;
  readonly revision: string;
  readonly number: number;
  readonly status: "streaming" | "complete" | "error";
}
/**
 * Where an artifact's body waits for a person's decision.
 */
export interface HeldFile {
  /**
   * The good file, which stays as it is.
   */
  readonly path: string;
  /**
   * Path of the draft beside it.
   */
  readonly draft: string;
  /**
   * Of the draft.
   */
  readonly revision: string;
  /**
   * Id to accept or drop the draft by.
   */
  readonly quarantine: string | null;
}
/**
 * One coded finding of a rule, for the person and for the model.
 *
 * A struct and not a pydantic model because stream events carry it; pydantic
 * models may have it as a field all the same.
 */
export interface Diagnostic {
  readonly code: string;
  readonly severity: "error" | "info" | "warning";
  readonly message: string;
  readonly span: readonly [number, number] | null;
}
/**
 * A body only pointed at a file that is there; that is opened, nothing was saved.
 */
export interface ArtifactPointer {
  readonly type: "artifact:pointer";
  readonly artifact: number | null;
  readonly identifier: string;
  readonly path: string;
}
/**
 * A suspicious replacement was kept beside the good file.
 */
export interface ArtifactQuarantined {
  readonly type: "artifact:quarantined";
  readonly artifact: number | null;
  readonly identifier: string;
  readonly path: string;
  readonly revision: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly reason: string;
  readonly lost: readonly Lost[];
  readonly draftOf: string;
  readonly quarantine: string | null;
}
/**
 * One thing that the old text has and the new one has not.
 *
 * A struct, as a `Diagnostic` is, because events carry it; pydantic models may
 * have it as a field all the same.
 */
export interface Lost {
  readonly what: "function" | "id" | "section" | "slide" | "typed" | "words";
  readonly name: string;
  readonly span: readonly [number, number] | null;
}
/**
 * An artifact's body was not saved; the diagnostics say why.
 */
export interface ArtifactRefused {
  readonly type: "artifact:refused";
  readonly artifact: number | null;
  readonly identifier: string;
  readonly diagnostics: readonly Diagnostic[];
}
/**
 * An artifact's body became a revision of a file.
 */
export interface ArtifactSaved {
  readonly type: "artifact:saved";
  readonly artifact: number | null;
  readonly identifier: string;
  readonly path: string;
  readonly kind: string;
  readonly digest: string;
  readonly revision: string;
  readonly number: number;
  readonly status: "complete" | "error" | "streaming";
  readonly diagnostics: readonly Diagnostic[];
  readonly lost: readonly Lost[];
}
/**
 * An artifact began; its body follows in chunks.
 */
export interface ArtifactStart {
  readonly type: "artifact:start";
  readonly artifact: number;
  readonly identifier: string;
  readonly artifactType: string;
  readonly title: string;
  readonly attributes: {
    readonly [k: string]: string;
  };
  recovered:
    | ("bare-document" | "document-before-remark" | "fenced-document" | "unclosed-fence")
    | null;
  /**
   * @minItems 2
   * @maxItems 2
   */
  readonly span: readonly [number, number];
}
/**
 * A range of a file and the revision that wrote it.
 */
export interface BlamedSpan {
  /**
   * Code points of the file as it is now.
   *
   * @minItems 2
   * @maxItems 2
   */
  readonly span: readonly [number, number];
  /**
   * None: nobody's revision has it yet; another program wrote it.
   */
  readonly revision: string | null;
  readonly number: number | null;
  readonly author: "model" | "person" | "refresh" | "outside" | "restore";
  readonly runId: string | null;
  readonly createdAt: string | null;
}
/**
 * A path that has a history, and whether there is such a file.
 */
export interface BundleFile {
  readonly path: string;
  readonly present: boolean;
  /**
   * The artifact manifest beside the file as it is now.
   */
  readonly manifest: ArtifactManifest | null;
}
/**
 * The first record: what the bundle is of.
 */
export interface BundleHead {
  readonly format: "vitrail-bundle";
  readonly version: number;
  /**
   * Folder name of the project.
   */
  readonly name: string;
  readonly title: string;
}
/**
 * One revision, in the order in which they were made.
 */
export interface BundleRevision {
  readonly path: string;
  /**
   * 1-based in the path's history.
   */
  readonly number: number;
  /**
   * At another path where ``moved_from`` names it.
   */
  readonly parent: RevisionPlace | null;
  readonly author: "model" | "person" | "refresh" | "outside" | "restore";
  readonly digest: string;
  /**
   * Bytes.
   */
  readonly size: number;
  readonly runId: string | null;
  readonly reason: string | null;
  readonly movedFrom: string | null;
  readonly createdAt: string;
}
/**
 * Where a revision is in the histories of a bundle; ids do not travel.
 */
export interface RevisionPlace {
  readonly path: string;
  readonly number: number;
}
/**
 * Who is to continue an artifact that was cut; what is left out is as it was.
 */
export interface ContinueRun {
  readonly agent: string | null;
  readonly model: string | null;
  /**
   * For the replay agent: which recording.
   */
  readonly recording: string | null;
  readonly speed: number;
  /**
   * How often it is continued again without being asked.
   */
  readonly continues: number;
}
/**
 * Ordered messages about one project.
 */
export interface Conversation {
  readonly id: string;
  readonly projectId: string;
  /**
   * Empty until the first message names it.
   */
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}
/**
 * A conversation was made, renamed or deleted.
 */
export interface ConversationChanged {
  readonly type: "conversation:changed";
  readonly change: "created" | "deleted" | "updated";
  readonly title: string;
}
/**
 * A conversation with its messages, true as of ``seq``.
 *
 * A client folds every later event of this conversation onto it.
 */
export interface ConversationPage {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
  /**
   * The runs that wrote the messages, in their order.
   */
  readonly runs: readonly Run[];
  readonly activeRun: Run | null;
  readonly seq: number;
}
/**
 * One message of a conversation.
 */
export interface Message {
  readonly id: string;
  readonly conversationId: string;
  readonly role: "user" | "assistant";
  readonly parts: readonly Part[];
  /**
   * Code points said so far, tags and bodies included: where folding goes on.
   */
  readonly chars: number;
  /**
   * The run that wrote it, of an assistant's message.
   */
  readonly runId: string | null;
  readonly createdAt: string;
}
/**
 * Text for the reader, Markdown.
 */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
  /**
   * Place of its first code point in the message as it was said.
   */
  readonly start: number;
}
/**
 * The model's thinking, shown folded.
 */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
}
/**
 * A question form.
 */
export interface FormPart {
  readonly type: "form";
  readonly form: {
    readonly [k: string]: unknown;
  };
  readonly complete: boolean;
}
/**
 * A person's answers to a question form, beside the text that tells them.
 */
export interface FormAnswersPart {
  readonly type: "form_answers";
  /**
   * The message whose form it is.
   */
  readonly messageId: string;
  readonly formId: string;
  /**
   * Of every question, by its id: a text, or texts where several may be given;
   * none where it was skipped.
   */
  readonly answers: {
    readonly [k: string]: string | readonly string[] | null;
  };
}
/**
 * A rendered view to place here.
 */
export interface EmbedPart {
  readonly type: "embed";
  readonly ref: string | null;
  readonly url: string | null;
  readonly title: string | null;
  readonly height: number | null;
}
/**
 * A delivery directive that was taken out of the text.
 */
export interface DirectivePart {
  readonly type: "directive";
  readonly name: string;
  readonly value: string | null;
}
/**
 * An internal tag that is not shown.
 */
export interface SuppressedPart {
  readonly type: "suppressed";
  readonly name: string;
  readonly chars: number;
}
/**
 * Something malformed in the message.
 */
export interface DiagnosticPart {
  readonly type: "diagnostic";
  readonly code: string;
  readonly severity: "info" | "warning" | "error";
  readonly message: string;
}
/**
 * The world failed in the middle of the message.
 */
export interface ErrorPart {
  readonly type: "error";
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}
/**
 * One turn of an agent, from prompt to end.
 */
export interface Run {
  readonly id: string;
  readonly projectId: string;
  readonly conversationId: string;
  /**
   * The assistant's message that it writes.
   */
  readonly messageId: string;
  readonly agent: string;
  readonly model: string | null;
  readonly state: "running" | "done" | "stopped" | "failed" | "interrupted";
  /**
   * `RunEndReason`, or none while it runs.
   */
  readonly reason: string | null;
  readonly shown: readonly Shown[];
  readonly startedAt: string;
  readonly endedAt: string | null;
  /**
   * Known once the run has ended; before, its events tell.
   */
  readonly usage: Tokens | null;
}
/**
 * One file of the project as a prompt told the model about it.
 */
export interface Shown {
  readonly path: string;
  readonly digest: string;
  readonly shown: "text" | "summary";
}
/**
 * What the provider counted, as far as it told.
 */
export interface Tokens {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}
/**
 * What to change of a conversation.
 */
export interface ConversationPatch {
  readonly title: string;
}
/**
 * Something malformed, with the place it is at.
 */
export interface DiagnosticFound {
  readonly type: "diagnostic";
  readonly code: string;
  readonly severity: "error" | "info" | "warning";
  /**
   * @minItems 2
   * @maxItems 2
   */
  readonly span: readonly [number, number];
  readonly message: string;
}
/**
 * Lines whose text stayed and whose line break did not; lines count from 0.
 */
export interface DiffEnding {
  readonly newStart: number;
  readonly newEnd: number;
  readonly old: string;
  readonly new: string;
}
/**
 * Neighbouring changes with the lines around them; lines count from 0.
 */
export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly DiffLine[];
}
/**
 * One line of a difference.
 */
export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  /**
   * Without its line break.
   */
  readonly text: string;
  /**
   * What changed within the line, in its code points; empty where all of it did.
   */
  readonly words: readonly [number, number][];
}
/**
 * A delivery directive that was taken out of the text.
 */
export interface DirectiveFound {
  readonly type: "directive";
  name:
    | "audio_as_voice"
    | "media"
    | "react"
    | "react_to_current"
    | "reply_to"
    | "reply_to_current"
    | "silent";
  readonly value: string | null;
  /**
   * @minItems 2
   * @maxItems 2
   */
  readonly span: readonly [number, number];
}
/**
 * What waits for a person's decision, the newest first.
 */
export interface DraftList {
  readonly drafts: readonly QuarantineRecord[];
}
/**
 * A new text that is kept beside the good file until a person decides.
 */
export interface QuarantineRecord {
  readonly id: string;
  readonly projectId: string;
  /**
   * The good file, which was not touched.
   */
  readonly path: string;
  /**
   * The draft's own path, where it can be looked at.
   */
  readonly draft: string;
  /**
   * The draft's revision.
   */
  readonly revision: string;
  /**
   * Of the draft's bytes.
   */
  readonly digest: string;
  /**
   * Of the good file when the draft was kept.
   */
  readonly goodDigest: string | null;
  readonly reason: "artifact-regression" | "changed-since-shown" | "merge-conflict" | "incomplete";
  readonly author: "model" | "person" | "refresh" | "outside" | "restore";
  /**
   * The artifact's, as the model wrote it.
   */
  readonly identifier: string;
  readonly runId: string | null;
  /**
   * What the good file has and the draft has not.
   */
  readonly lost: readonly Lost[];
  /**
   * Of a regeneration that could not be merged.
   */
  readonly conflicts: readonly MergeClash[];
  /**
   * Of the text that both sides of the conflicts began from; none where an older
   * version kept the draft.
   */
  readonly baseDigest: string | null;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * What stands beside the good file once the draft is accepted.
   */
  readonly manifest: ArtifactManifest | null;
  readonly createdAt: string;
}
/**
 * A range that both sides changed; neither text is lost.
 */
export interface MergeClash {
  /**
   * As both sides had read it.
   */
  readonly base: string;
  /**
   * As the file has it.
   */
  readonly ours: string;
  /**
   * As the new text has it.
   */
  readonly theirs: string;
  /**
   * Code points of the file, ``ours``.
   */
  readonly span: readonly [number, number] | null;
}
/**
 * A rendered view to place here; by reference or by address.
 */
export interface EmbedFound {
  readonly type: "embed";
  readonly ref: string | null;
  readonly url: string | null;
  readonly title: string | null;
  readonly height: number | null;
  /**
   * @minItems 2
   * @maxItems 2
   */
  readonly span: readonly [number, number];
}
/**
 * One stored event as the event stream carries it; ``id:`` of the frame is ``seq``.
 */
export interface Envelope {
  readonly seq: number;
  readonly at: string;
  readonly projectId: string | null;
  readonly conversationId: string | null;
  readonly runId: string | null;
  readonly messageId: string | null;
  readonly event: Event | UnknownEvent;
}
/**
 * Text for the reader.
 */
export interface Text {
  readonly type: "text";
  readonly delta: string;
}
/**
 * A piece of the model's thinking: shown folded, never an artifact.
 */
export interface Reasoning {
  readonly type: "reasoning";
  readonly delta: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  readonly span: readonly [number, number];
}
/**
 * A question form, complete or as far as it has been read.
 */
export interface QuestionForm {
  readonly type: "question_form";
  readonly form: {};
  readonly complete: boolean;
  /**
   * @minItems 2
   * @maxItems 2
   */
  readonly span: readonly [number, number];
}
/**
 * An internal tag that leaked from an agent and is not shown.
 */
export interface Suppressed {
  readonly type: "suppressed";
  readonly name: string;
  readonly chars: number;
  /**
   * @minItems 2
   * @maxItems 2
   */
  readonly span: readonly [number, number];
}
/**
 * A run began.
 */
export interface RunStart {
  readonly type: "run:start";
  readonly runId: string;
  readonly messageId: string;
  readonly agent: string;
  readonly model: string | null;
  readonly shown: readonly ShownFile[];
}
/**
 * One file of the project as the model was told about it.
 */
export interface ShownFile {
  readonly path: string;
  readonly digest: string;
  readonly shown: "summary" | "text";
}
/**
 * A run ended; every start has exactly one.
 */
export interface RunEnd {
  readonly type: "run:end";
  readonly reason: "done" | "failed" | "interrupted" | "length" | "stopped";
}
/**
 * Tokens, as far as the provider told them.
 */
export interface Usage {
  readonly type: "usage";
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}
/**
 * The world failed in the middle of a run.
 */
export interface ErrorRaised {
  readonly type: "error";
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}
/**
 * A message of the person was added to a conversation.
 */
export interface MessageAdded {
  readonly type: "message:added";
  readonly messageId: string;
  readonly role: "assistant" | "user";
  readonly text: string;
  readonly answers: FormAnswers | null;
}
/**
 * What a person answered to a question form, beside the text that tells it.
 */
export interface FormAnswers {
  readonly messageId: string;
  readonly formId: string;
  readonly answers: {
    readonly [k: string]: string | readonly string[] | null;
  };
}
/**
 * A project was made, renamed or deleted.
 */
export interface ProjectChanged {
  readonly type: "project:changed";
  readonly change: "created" | "deleted" | "updated";
  readonly title: string;
}
/**
 * A file of the project has a new head revision, or is gone.
 */
export interface FileChanged {
  readonly type: "file:changed";
  readonly path: string;
  readonly digest: string | null;
  readonly revision: string | null;
  readonly author: "model" | "outside" | "person" | "refresh" | "restore";
}
/**
 * A file of the project is gone, its manifest with it; its revisions are kept.
 */
export interface FileRemoved {
  readonly type: "file:removed";
  readonly path: string;
}
/**
 * A file of the project has another name; its manifest went with it.
 */
export interface FileMoved {
  readonly type: "file:moved";
  readonly from: string;
  readonly to: string;
  readonly revision: string;
}
/**
 * A draft that was kept beside a good file was taken or dropped.
 */
export interface QuarantineResolved {
  readonly type: "quarantine:resolved";
  readonly id: string;
  readonly outcome: "accepted" | "dropped" | "replaced";
}
/**
 * An event of a later version: carried, never an error.
 */
export interface UnknownEvent {
  readonly type: string;
  readonly [k: string]: unknown;
}
/**
 * A recording that ships, or that was saved.
 */
export interface Example {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly prompt: string;
  readonly follows: string | null;
  readonly durationS: number;
  readonly isShipped: boolean;
}
/**
 * Who wrote each range of a file: neighbouring, gapless, in order.
 */
export interface FileBlame {
  readonly path: string;
  readonly digest: string;
  readonly spans: readonly BlamedSpan[];
}
/**
 * What tells two texts of one file apart.
 */
export interface FileDiff {
  readonly path: string;
  /**
   * None: the working file, where no revision has its bytes, or no file at all.
   */
  readonly old: Revision | null;
  /**
   * As ``old``.
   */
  readonly new: Revision | null;
  /**
   * None: there is no such file.
   */
  readonly oldDigest: string | null;
  readonly newDigest: string | null;
  /**
   * Whether one of them is no text; then there are no hunks.
   */
  readonly binary: boolean;
  readonly hunks: readonly DiffHunk[];
  /**
   * Lines that are new, in the whole difference.
   */
  readonly added: number;
  /**
   * Lines that are gone, in the whole difference.
   */
  readonly removed: number;
  /**
   * How line breaks changed where the lines did not.
   */
  readonly endings: readonly DiffEnding[];
  /**
   * What the old one has and the new one has not.
   */
  readonly lost: readonly Lost[];
  /**
   * What of them was not compared, in words.
   */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Whether there are more changes than are told.
   */
  readonly truncated: boolean;
}
/**
 * Immutable content of one file at one time.
 */
export interface Revision {
  readonly id: string;
  readonly projectId: string;
  readonly path: string;
  /**
   * 1-based in the file's history.
   */
  readonly number: number;
  readonly parent: string | null;
  readonly author: "model" | "person" | "refresh" | "outside" | "restore";
  /**
   * 64 lower-case hex of the SHA-256 of the bytes.
   */
  readonly digest: string;
  /**
   * Bytes.
   */
  readonly size: number;
  readonly runId: string | null;
  /**
   * Why, in words: what a replacement was stated for, what was restored.
   */
  readonly reason: string | null;
  /**
   * The path it had before, where a move made it; its parent is that path's head.
   */
  readonly movedFrom: string | null;
  readonly createdAt: string;
}
/**
 * One path of a project that has revisions.
 */
export interface FileHistory {
  readonly path: string;
  readonly head: Revision1;
  /**
   * Whether there is such a file now.
   */
  readonly present: boolean;
  /**
   * How many there are.
   */
  readonly revisions: number;
}
/**
 * Immutable content of one file at one time.
 */
export interface Revision1 {
  readonly id: string;
  readonly projectId: string;
  readonly path: string;
  /**
   * 1-based in the file's history.
   */
  readonly number: number;
  readonly parent: string | null;
  readonly author: "model" | "person" | "refresh" | "outside" | "restore";
  /**
   * 64 lower-case hex of the SHA-256 of the bytes.
   */
  readonly digest: string;
  /**
   * Bytes.
   */
  readonly size: number;
  readonly runId: string | null;
  /**
   * Why, in words: what a replacement was stated for, what was restored.
   */
  readonly reason: string | null;
  /**
   * The path it had before, where a move made it; its parent is that path's head.
   */
  readonly movedFrom: string | null;
  readonly createdAt: string;
}
/**
 * One file of a project as it is now.
 */
export interface FileInfo {
  readonly path: string;
  /**
   * Bytes.
   */
  readonly size: number;
  readonly digest: string;
  /**
   * Head revision; none for a file that Vitrail never wrote.
   */
  readonly revision: string | null;
  /**
   * 1-based number of the head revision in the file's history.
   */
  readonly number: number | null;
  /**
   * Chosen by the server from the name and the first bytes.
   */
  readonly mediaType: string;
  readonly modifiedAt: string;
  readonly manifest: ArtifactManifest | null;
}
/**
 * A question form, as an event and a part of a message have it.
 *
 * Of a body that is no form: ``raw`` and ``reason``, and what had been shown.
 */
export interface Form {
  /**
   * None only while the form comes.
   */
  readonly id?: string | null;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly submitLabel?: string | null;
  /**
   * BCP 47 tag of the labels' language.
   */
  readonly lang?: string | null;
  /**
   * @maxItems 50
   */
  readonly questions?: readonly FormQuestion[];
  /**
   * The body as it was written.
   */
  readonly raw?: string | null;
  reason?:
    | (
        | "empty-body"
        | "invalid-json"
        | "unsupported-payload"
        | "empty-questions"
        | "unclosed-form"
        | "form-too-long"
      )
    | null;
}
/**
 * One question. While the form comes, only what nothing can change is there.
 */
export interface FormQuestion {
  /**
   * Unique in its form.
   */
  readonly id: string;
  readonly label: string;
  /**
   * None only while the question comes.
   */
  type?:
    | (
        | "radio"
        | "checkbox"
        | "select"
        | "textarea"
        | "number"
        | "range"
        | "date"
        | "time"
        | "datetime-local"
        | "color"
        | "url"
        | "email"
        | "tel"
        | "file"
        | "switch"
        | "direction-cards"
        | "text"
      )
    | null;
  /**
   * @maxItems 500
   */
  readonly options?: readonly FormOption[];
  readonly placeholder?: string | null;
  readonly help?: string | null;
  readonly required?: boolean;
  readonly defaultValue?: string | readonly string[] | null;
  readonly maxSelections?: number | null;
  /**
   * False: only the options count. None: the person may write something else.
   */
  readonly allowCustom?: boolean | null;
  readonly customLabel?: string | null;
  readonly customPlaceholder?: string | null;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly step?: number | null;
  readonly multiple?: boolean | null;
  readonly accept?: string | null;
  /**
   * @maxItems 50
   */
  readonly cards?: readonly FormCard[];
}
/**
 * One thing that can be chosen.
 */
export interface FormOption {
  readonly label: string;
  /**
   * Unique in its question.
   */
  readonly value: string;
  readonly description?: string | null;
}
/**
 * One direction that can be chosen by its looks.
 */
export interface FormCard {
  readonly id: string;
  readonly label: string;
  readonly mood: string;
  readonly references: readonly string[];
  /**
   * CSS colours, as the model wrote them.
   */
  readonly palette: readonly string[];
  readonly displayFont: string;
  readonly bodyFont: string;
}
/**
 * Stored content that nothing refers to.
 */
export interface GarbageObject {
  readonly digest: string;
  /**
   * Bytes.
   */
  readonly size: number;
  /**
   * Whose it was: of a project that was deleted, or of a write that ended early.
   */
  readonly reason: "project-deleted" | "never-committed";
  /**
   * Folder name of the deleted project.
   */
  readonly project: string | null;
}
/**
 * What a sweep of stored content dropped, or would drop; ``vitrail gc`` prints it.
 */
export interface GarbageReport {
  readonly dryRun: boolean;
  /**
   * Stored contents that no revision names, the largest first.
   */
  readonly objects: readonly GarbageObject[];
  /**
   * Bytes of them all.
   */
  readonly size: number;
  /**
   * Stored contents that stay: a revision names them, or they are younger than an hour.
   */
  readonly kept: number;
  /**
   * Bytes of what stays.
   */
  readonly keptSize: number;
  /**
   * How many were removed; of a dry run none.
   */
  readonly dropped: number;
}
/**
 * One thing that may not come in.
 */
export interface ImportRefusal {
  /**
   * As the archive or the folder has it; empty where it is the whole of it.
   */
  readonly name: string;
  readonly code: string;
  readonly message: string;
}
/**
 * What an import became.
 */
export interface ImportResult {
  readonly kind: "files" | "bundle";
  readonly project: Project;
  readonly files: readonly ImportedFile[];
  readonly leftOut: readonly LeftOut[];
  /**
   * Always empty of an import that was done: one that is refused wrote nothing.
   */
  readonly refused: readonly ImportRefusal[];
  /**
   * Of a bundle: how many came with it.
   */
  readonly revisions: number;
  /**
   * Of a bundle: the last hash of its chain; equal seals, equal histories.
   */
  readonly seal: string | null;
}
/**
 * A folder of real files plus its conversations.
 */
export interface Project {
  readonly id: string;
  /**
   * Folder name; unique in the data folder; never changes.
   */
  readonly name: string;
  /**
   * What people read; may change.
   */
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}
/**
 * One file that came in.
 */
export interface ImportedFile {
  readonly path: string;
  /**
   * Of the file as it is now.
   */
  readonly digest: string;
  /**
   * None where a file of these bytes was there already.
   */
  readonly revision: string | null;
  readonly verdict: "accepted" | "fixed" | "quarantined" | "unchanged";
  /**
   * Of a quarantined one: where the new text is.
   */
  readonly draft: string | null;
  readonly diagnostics: readonly Diagnostic[];
}
/**
 * One thing that was not imported, which is no fault.
 */
export interface LeftOut {
  readonly name: string;
  /**
   * A hidden file or folder, one of a tool's own folders, a manifest that does not fit
   * its file, a kind of record that this version does not know.
   */
  readonly reason: "hidden" | "internal" | "manifest" | "kind";
}
/**
 * What became of a transcript.
 */
export interface ImportedTranscript {
  /**
   * As they are in the project now, with ids of their own.
   */
  readonly conversations: readonly Conversation[];
  readonly messages: number;
  /**
   * What was taken otherwise than it was written.
   */
  readonly diagnostics: readonly Diagnostic[];
}
/**
 * What a stream became; ``vitrail ingest --json`` prints it.
 */
export interface IngestResult {
  /**
   * The reply without its artifacts.
   */
  readonly text: string;
  readonly saved: readonly SavedResult[];
  /**
   * Artifacts that were saved with fixes, and the fixes.
   */
  readonly fixed: readonly RefusedFile[];
  readonly quarantined: readonly QuarantinedFile[];
  readonly refused: readonly RefusedFile[];
}
/**
 * One file that an ingest saved.
 */
export interface SavedResult {
  readonly path: string;
  readonly identifier: string;
  readonly kind: string;
  readonly digest: string;
  readonly revision: string;
}
/**
 * One artifact that an ingest did not save.
 */
export interface RefusedFile {
  readonly identifier: string;
  readonly diagnostics: readonly Diagnostic[];
}
/**
 * One artifact that an ingest kept beside the good file.
 */
export interface QuarantinedFile {
  readonly identifier: string;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * The good file, which was not touched.
   */
  readonly path: string;
  /**
   * The draft's own path.
   */
  readonly draft: string;
  /**
   * Of the draft.
   */
  readonly revision: string;
  /**
   * `QuarantineReason`.
   */
  readonly reason: string;
  /**
   * What the good file has and the draft has not.
   */
  readonly lost: readonly Lost[];
  /**
   * Id to accept or drop the draft by.
   */
  readonly quarantine: string | null;
}
/**
 * Whether a model server answers at its usual place on this machine.
 */
export interface LocalServer {
  readonly name: "ollama" | "lmstudio";
  readonly title: string;
  readonly baseUrl: string;
  readonly isFound: boolean;
  readonly models: readonly string[];
  readonly message: string;
}
/**
 * The model servers that were looked for on this machine.
 */
export interface LocalServers {
  readonly servers: readonly LocalServer[];
}
/**
 * How to reach a model; what is left out stays as it is.
 */
export interface ModelSettings {
  /**
   * The default agent.
   */
  agent?:
    | (
        | "replay"
        | "openai"
        | "openai-responses"
        | "anthropic"
        | "ollama"
        | "lmstudio"
        | "command"
      )
    | null;
  readonly baseUrl?: string | null;
  readonly model?: string | null;
  /**
   * Never sent back; an empty string removes it.
   */
  readonly apiKey?: string | null;
  /**
   * Program and arguments.
   */
  readonly command?: readonly string[] | null;
}
/**
 * The settings as they may be shown.
 */
export interface ModelSettingsView {
  agent:
    | "replay"
    | "openai"
    | "openai-responses"
    | "anthropic"
    | "ollama"
    | "lmstudio"
    | "command";
  readonly baseUrl: string;
  readonly model: string;
  /**
   * The last four characters, or none where there is no key.
   */
  readonly keyHint: string | null;
  readonly keySource: "settings" | "environment" | "none";
  readonly command: readonly string[];
}
/**
 * What a move did.
 */
export interface MoveResult {
  readonly moved: FileInfo;
  readonly revision: Revision2;
  /**
   * Files that went along, by path.
   */
  readonly parts: readonly MovedPart[];
  readonly rewritten: readonly RewrittenFile[];
}
/**
 * Immutable content of one file at one time.
 */
export interface Revision2 {
  readonly id: string;
  readonly projectId: string;
  readonly path: string;
  /**
   * 1-based in the file's history.
   */
  readonly number: number;
  readonly parent: string | null;
  readonly author: "model" | "person" | "refresh" | "outside" | "restore";
  /**
   * 64 lower-case hex of the SHA-256 of the bytes.
   */
  readonly digest: string;
  /**
   * Bytes.
   */
  readonly size: number;
  readonly runId: string | null;
  /**
   * Why, in words: what a replacement was stated for, what was restored.
   */
  readonly reason: string | null;
  /**
   * The path it had before, where a move made it; its parent is that path's head.
   */
  readonly movedFrom: string | null;
  readonly createdAt: string;
}
/**
 * A part that went with its page.
 */
export interface MovedPart {
  readonly from: string;
  readonly to: string;
  readonly revision: string;
  readonly digest: string;
}
/**
 * A file whose references follow a file that moved.
 */
export interface RewrittenFile {
  readonly path: string;
  readonly revision: string;
  readonly digest: string;
}
/**
 * A conversation to begin.
 */
export interface NewConversation {
  readonly title?: string;
}
/**
 * A person's answers to a form, and who is to go on.
 */
export interface NewFormAnswers {
  /**
   * The message whose form it is.
   */
  readonly messageId: string;
  readonly formId: string;
  /**
   * By the question's id. ``null``: the person skipped the question.
   */
  readonly answers: {
    readonly [k: string]: string | readonly string[] | null;
  };
  /**
   * Name of an agent; none: the default one.
   */
  readonly agent?: string | null;
  readonly model?: string | null;
  /**
   * For the replay agent: which recording.
   */
  readonly recording?: string | null;
  /**
   * For the replay agent: how many times as fast as it was recorded.
   */
  readonly speed?: number;
  /**
   * The file the person has open; its text is shown to the model.
   */
  readonly openPath?: string | null;
}
/**
 * A file to give another name.
 */
export interface NewMove {
  readonly from: string;
  readonly to: string;
  /**
   * Whether the files that only this page needs go along, where it goes to another
   * folder.
   */
  readonly parts?: boolean;
}
/**
 * A file to look at.
 */
export interface NewPreview {
  readonly path: string;
}
/**
 * A project to make.
 */
export interface NewProject {
  readonly title: string;
}
/**
 * The revision to bring back.
 */
export interface NewRestore {
  readonly revision: string;
  /**
   * Ranges of that revision in code points: only these are put back, where they
   * stood, into the file as it is. None: the revision's bytes.
   */
  readonly passages?: [[number, number], ...[number, number][]] | null;
}
/**
 * A message of the person, and who is to answer it.
 */
export interface NewRun {
  readonly text: string;
  /**
   * Name of an agent; none: the default one.
   */
  readonly agent?: string | null;
  readonly model?: string | null;
  /**
   * For the replay agent: which recording.
   */
  readonly recording?: string | null;
  /**
   * For the replay agent: how many times as fast as it was recorded.
   */
  readonly speed?: number;
  /**
   * The file the person has open; its text is shown to the model.
   */
  readonly openPath?: string | null;
  /**
   * How often an artifact that the length limit cuts is continued without being
   * asked; none: as the server is set.
   */
  readonly continues?: number | null;
}
/**
 * What a page consists of besides its own file, of the files that are there.
 */
export interface PageParts {
  readonly path: string;
  /**
   * Of the page as it was looked at.
   */
  readonly digest: string;
  /**
   * Needed by this page alone: they go where it goes, if that is asked for.
   */
  readonly own: readonly string[];
  /**
   * They stay.
   */
  readonly shared: readonly SharedPartInfo[];
}
/**
 * A part of a page that another file needs too.
 */
export interface SharedPartInfo {
  readonly path: string;
  /**
   * One of the files that need it.
   */
  readonly usedBy: string;
}
/**
 * Where to see a file, for as long as somebody keeps it alive.
 */
export interface PreviewInfo {
  /**
   * Address for the frame.
   */
  readonly url: string;
  /**
   * The same document under a host name of its own, to be tried first.
   *
   * A browser that reaches it gives the preview a process of its own.
   */
  readonly ownHostUrl: string | null;
  /**
   * The same document from the app's own origin, where ``url`` cannot be reached.
   */
  readonly fallbackUrl: string;
  readonly capability: string;
  /**
   * Names this one preview document; the frame's first message carries it.
   */
  readonly generation: string;
  readonly path: string;
  readonly digest: string;
  /**
   * ``source``: this kind has no renderer yet; its text is shown.
   */
  readonly mode: "document" | "source";
  readonly kind: string | null;
  readonly expiresInS: number;
}
/**
 * RFC 9457 problem details, ``application/problem+json``.
 */
export interface Problem {
  readonly type: string;
  /**
   * Short name of the status.
   */
  readonly title: string;
  readonly status: number;
  /**
   * What happened, what was kept, what to do.
   */
  readonly detail: string;
  /**
   * Stable kebab-case code.
   */
  readonly code: string;
  readonly retryable: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Of a stale write: the digest that it named; none: that there is no such file.
   */
  readonly expectedDigest: string | null;
  /**
   * Of a stale write: the digest that the file has; none: there is no such file.
   */
  readonly actualDigest: string | null;
  readonly details: {
    readonly [k: string]: unknown;
  };
}
/**
 * Every path of a project that has revisions, by path.
 */
export interface ProjectHistory {
  readonly files: readonly FileHistory[];
}
/**
 * A project with its conversations and files.
 */
export interface ProjectPage {
  readonly project: Project;
  readonly conversations: readonly Conversation[];
  readonly files: readonly FileInfo[];
}
/**
 * What to change of a project.
 */
export interface ProjectPatch {
  readonly title: string;
}
/**
 * Who is to answer a message that names nobody.
 */
export interface ProviderDefault {
  /**
   * None: whoever is set up.
   */
  default:
    | (
        | "replay"
        | "openai"
        | "openai-responses"
        | "anthropic"
        | "ollama"
        | "lmstudio"
        | "command"
      )
    | null;
}
/**
 * The models that a provider lists.
 */
export interface ProviderModels {
  readonly ok: boolean;
  readonly code: string | null;
  readonly message: string;
  readonly models: readonly string[];
}
/**
 * What to change of a provider; what is left out stays as it is.
 */
export interface ProviderSettings {
  /**
   * An empty string sets it back.
   */
  readonly baseUrl?: string | null;
  /**
   * An empty string sets it back.
   */
  readonly model?: string | null;
  /**
   * Kept for the address that it is saved with, never sent back; an empty string forgets it.
   */
  readonly apiKey?: string | null;
  /**
   * Program and arguments; none of them removes it.
   */
  readonly command?: readonly string[] | null;
  /**
   * True: it answers from now on where nobody is named.
   */
  readonly isDefault?: boolean | null;
}
/**
 * Values to try without saving them; what is left out is taken from the saved ones.
 */
export interface ProviderTry {
  readonly baseUrl?: string | null;
  readonly model?: string | null;
  readonly apiKey?: string | null;
  readonly command?: readonly string[] | null;
}
/**
 * What one short call of a provider came to.
 */
export interface ProviderVerdict {
  readonly ok: boolean;
  verdict:
    | "works"
    | "unreachable"
    | "key-refused"
    | "no-such-model"
    | "busy"
    | "not-set-up"
    | "failed";
  readonly code: string | null;
  readonly message: string;
  /**
   * The models that it lists, if it lists any.
   */
  readonly models: readonly string[];
  /**
   * Milliseconds to the first word, where it works.
   */
  readonly tookMs: number | null;
}
/**
 * One provider as it may be shown; nothing was asked over the network for it.
 */
export interface ProviderView {
  readonly name: "openai" | "openai-responses" | "anthropic" | "ollama" | "lmstudio" | "command";
  readonly title: string;
  readonly kind: "server" | "program";
  /**
   * Address in force; none for a program.
   */
  readonly baseUrl: string | null;
  /**
   * Address where nobody says another; none for a program.
   */
  readonly builtInBaseUrl: string | null;
  readonly baseUrlSource: "settings" | "environment" | "built-in" | "none";
  /**
   * Empty where none is chosen.
   */
  readonly model: string;
  readonly modelSource: "settings" | "environment" | "none";
  /**
   * Whether nothing comes without a key.
   */
  readonly wantsKey: boolean;
  /**
   * The last four characters of the key in force, or none where there is no key.
   */
  readonly keyHint: string | null;
  readonly keySource: "settings" | "environment" | "none";
  /**
   * Where the key is: the data folder's secrets file, or the name of the variable.
   */
  readonly keyPlace: string | null;
  /**
   * Origin of a kept key that is not sent, since the address is another one now.
   */
  readonly keyOrigin: string | null;
  /**
   * Program and arguments; empty for a server.
   */
  readonly command: readonly string[];
  readonly isReady: boolean;
  /**
   * What is missing, and how to mend it.
   */
  readonly whyNot: string | null;
}
/**
 * All providers, and who answers a message that names nobody.
 */
export interface ProvidersView {
  default:
    | "replay"
    | "openai"
    | "openai-responses"
    | "anthropic"
    | "ollama"
    | "lmstudio"
    | "command";
  /**
   * False where nobody chose: it follows from what is set up.
   */
  readonly defaultIsChosen: boolean;
  readonly providers: readonly ProviderView[];
}
/**
 * What a recording is of.
 */
export interface RecordingHead {
  readonly vitrail?: "recording";
  readonly version?: 1;
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  /**
   * What the person asked.
   */
  readonly prompt: string;
  /**
   * Name of the recording whose reply comes before this one.
   */
  readonly follows?: string | null;
  readonly agent: string;
  readonly model?: string | null;
  readonly recordedAt: string;
}
/**
 * One thing that the agent said; exactly one of the four fields is set.
 */
export interface RecordingLine {
  /**
   * Seconds since the run began; never falling.
   */
  readonly t: number;
  readonly text?: string | null;
  readonly reasoning?: string | null;
  readonly usage?: RecordingUsage | null;
  readonly end?: ("done" | "length" | "stopped" | "failed") | null;
}
/**
 * Tokens, as far as the provider told them.
 */
export interface RecordingUsage {
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
}
/**
 * Revisions of one path, the newest first.
 */
export interface RevisionPage {
  readonly path: string;
  readonly revisions: readonly Revision[];
  /**
   * How many there are, those of other pages included.
   */
  readonly total: number;
  /**
   * Whether there are older ones than the last of these.
   */
  readonly more: boolean;
  /**
   * Why the file as it is has no revision, where it never gets one.
   */
  readonly diagnostics: readonly Diagnostic[];
}
/**
 * A run and what the model was shown.
 */
export interface RunPage {
  readonly run: Run;
  readonly shown: readonly Shown[];
  /**
   * ``role`` and ``content`` of each message that was sent, keys scrubbed.
   */
  readonly prompt: {
    readonly [k: string]: string;
  }[];
}
/**
 * A run that has begun.
 */
export interface RunStarted {
  readonly run: Run;
  /**
   * None of a run that continues an artifact: no message asked for it.
   */
  readonly userMessageId: string | null;
  readonly seq: number;
}
/**
 * What a client has to know first.
 */
export interface ServerStatus {
  readonly version: string;
  /**
   * Origin of the preview site, or this origin where that one is not reachable.
   */
  readonly previewOrigin: string;
  readonly previewMode: "separate" | "same-origin";
  readonly defaultAgent: string;
  /**
   * Number of the last stored event.
   */
  readonly seq: number;
  /**
   * How other programs' changes are noticed: told by the system, or looked for.
   */
  readonly folders: "off" | "watching" | "polling";
  /**
   * Why they are looked for, in words.
   */
  readonly foldersReason: string | null;
}
/**
 * The rules' answer about one value; ``vitrail check`` prints it.
 */
export interface Verdict {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}
/**
 * What a write became.
 */
export interface WriteResult {
  readonly revision: Revision3;
  readonly file: FileInfo1;
  readonly verdict: "accepted" | "fixed" | "quarantined";
  readonly diagnostics: readonly Diagnostic[];
  /**
   * What the file had and the new text has not.
   */
  readonly lost: readonly Lost[];
  /**
   * Path of the draft that a quarantined write is kept as.
   */
  readonly draft: string | null;
  /**
   * Id to accept or drop that draft by.
   */
  readonly quarantine: string | null;
}
/**
 * Immutable content of one file at one time.
 */
export interface Revision3 {
  readonly id: string;
  readonly projectId: string;
  readonly path: string;
  /**
   * 1-based in the file's history.
   */
  readonly number: number;
  readonly parent: string | null;
  readonly author: "model" | "person" | "refresh" | "outside" | "restore";
  /**
   * 64 lower-case hex of the SHA-256 of the bytes.
   */
  readonly digest: string;
  /**
   * Bytes.
   */
  readonly size: number;
  readonly runId: string | null;
  /**
   * Why, in words: what a replacement was stated for, what was restored.
   */
  readonly reason: string | null;
  /**
   * The path it had before, where a move made it; its parent is that path's head.
   */
  readonly movedFrom: string | null;
  readonly createdAt: string;
}
/**
 * One file of a project as it is now.
 */
export interface FileInfo1 {
  readonly path: string;
  /**
   * Bytes.
   */
  readonly size: number;
  readonly digest: string;
  /**
   * Head revision; none for a file that Vitrail never wrote.
   */
  readonly revision: string | null;
  /**
   * 1-based number of the head revision in the file's history.
   */
  readonly number: number | null;
  /**
   * Chosen by the server from the name and the first bytes.
   */
  readonly mediaType: string;
  readonly modifiedAt: string;
  readonly manifest: ArtifactManifest | null;
}

/** Every `type` of the union `Event`. */
export const EVENT_TYPES = [
  "artifact:chunk",
  "artifact:end",
  "artifact:pointer",
  "artifact:quarantined",
  "artifact:refused",
  "artifact:saved",
  "artifact:start",
  "conversation:changed",
  "diagnostic",
  "directive",
  "embed",
  "error",
  "file:changed",
  "file:moved",
  "file:removed",
  "message:added",
  "project:changed",
  "quarantine:resolved",
  "question_form",
  "reasoning",
  "run:end",
  "run:start",
  "suppressed",
  "text",
  "usage",
] as const;
