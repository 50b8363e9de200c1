"""Records: projects, conversations, messages and their parts, runs, revisions, files.

Times are UTC, ISO 8601 with milliseconds and ``Z``; ids are UUIDv7.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from vitrail.protocol.base import WireModel
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.losses import Lost
from vitrail.protocol.manifest import ArtifactManifest

__all__ = [
    "ArtifactPart",
    "Author",
    "Conversation",
    "DiagnosticPart",
    "DirectivePart",
    "EmbedPart",
    "ErrorPart",
    "FileInfo",
    "FormAnswersPart",
    "FormPart",
    "HeldFile",
    "MergeClash",
    "Message",
    "Part",
    "Project",
    "QuarantineReason",
    "QuarantineRecord",
    "ReasoningPart",
    "Revision",
    "Role",
    "Run",
    "RunState",
    "SavedFile",
    "Shown",
    "SuppressedPart",
    "TextPart",
    "Tokens",
]

Role: TypeAlias = Literal["user", "assistant"]
Author: TypeAlias = Literal["model", "person", "refresh", "outside", "restore"]
QuarantineReason: TypeAlias = Literal[
    "artifact-regression", "changed-since-shown", "merge-conflict", "incomplete"
]
"""Why a new text was kept beside the good file: it lost too much, the file had been
changed since the model read it, both sides changed the same range, it was cut off."""
RunState: TypeAlias = Literal["running", "done", "stopped", "failed", "interrupted"]


class Project(WireModel):
    """A folder of real files plus its conversations."""

    id: str
    name: str
    """Folder name; unique in the data folder; never changes."""
    title: str
    """What people read; may change."""
    created_at: str
    updated_at: str


class Conversation(WireModel):
    """Ordered messages about one project."""

    id: str
    project_id: str
    title: str
    """Empty until the first message names it."""
    created_at: str
    updated_at: str


class TextPart(WireModel):
    """Text for the reader, Markdown."""

    type: Literal["text"] = "text"
    text: str
    start: int = 0
    """Place of its first code point in the message as it was said."""


class ReasoningPart(WireModel):
    """The model's thinking, shown folded."""

    type: Literal["reasoning"] = "reasoning"
    text: str


class SavedFile(WireModel):
    """Where an artifact's body went."""

    path: str
    kind: str
    digest: str
    revision: str
    number: int
    status: Literal["streaming", "complete", "error"]


class HeldFile(WireModel):
    """Where an artifact's body waits for a person's decision."""

    path: str
    """The good file, which stays as it is."""
    draft: str
    """Path of the draft beside it."""
    revision: str
    """Of the draft."""
    quarantine: str | None
    """Id to accept or drop the draft by."""


class ArtifactPart(WireModel):
    """An artifact of a message and what became of it."""

    type: Literal["artifact"] = "artifact"
    artifact: int
    identifier: str
    artifact_type: str
    title: str
    attributes: dict[str, str]
    recovered: str | None
    start: int = 0
    """Place of its open tag in the message as it was said, in code points."""
    text: str
    """The body as far as it has come."""
    state: Literal["streaming", "complete", "cut"]
    """``cut``: the body ended before its close tag."""
    reason: str | None = None
    """Why it ended; none while it streams."""
    saved: SavedFile | None = None
    quarantined: bool = False
    held: HeldFile | None = None
    """Of a quarantined one; none where an older version stored the event."""
    refused: bool = False
    pointer: str | None = None
    """Path of the file that the body only points at; nothing was saved."""
    diagnostics: tuple[Diagnostic, ...] = ()


class FormPart(WireModel):
    """A question form."""

    type: Literal["form"] = "form"
    form: dict[str, Any]
    complete: bool


class FormAnswersPart(WireModel):
    """A person's answers to a question form, beside the text that tells them."""

    type: Literal["form_answers"] = "form_answers"
    message_id: str
    """The message whose form it is."""
    form_id: str
    answers: dict[str, str | tuple[str, ...] | None]
    """Of every question, by its id: a text, or texts where several may be given;
    none where it was skipped."""


class EmbedPart(WireModel):
    """A rendered view to place here."""

    type: Literal["embed"] = "embed"
    ref: str | None
    url: str | None
    title: str | None
    height: int | None


class DirectivePart(WireModel):
    """A delivery directive that was taken out of the text."""

    type: Literal["directive"] = "directive"
    name: str
    value: str | None


class SuppressedPart(WireModel):
    """An internal tag that is not shown."""

    type: Literal["suppressed"] = "suppressed"
    name: str
    chars: int


class DiagnosticPart(WireModel):
    """Something malformed in the message."""

    type: Literal["diagnostic"] = "diagnostic"
    code: str
    severity: Literal["info", "warning", "error"]
    message: str


class ErrorPart(WireModel):
    """The world failed in the middle of the message."""

    type: Literal["error"] = "error"
    code: str
    message: str
    retryable: bool


Part: TypeAlias = Annotated[
    TextPart
    | ReasoningPart
    | ArtifactPart
    | FormPart
    | FormAnswersPart
    | EmbedPart
    | DirectivePart
    | SuppressedPart
    | DiagnosticPart
    | ErrorPart,
    Field(discriminator="type"),
]
"""One part of a message, in the order of the message."""


class Message(WireModel):
    """One message of a conversation."""

    id: str
    conversation_id: str
    role: Role
    parts: tuple[Part, ...]
    chars: int = 0
    """Code points said so far, tags and bodies included: where folding goes on."""
    run_id: str | None = None
    """The run that wrote it, of an assistant's message."""
    created_at: str


class Shown(WireModel):
    """One file of the project as a prompt told the model about it."""

    path: str
    digest: str
    shown: Literal["text", "summary"]


class Tokens(WireModel):
    """What the provider counted, as far as it told."""

    input_tokens: int | None
    output_tokens: int | None


class Run(WireModel):
    """One turn of an agent, from prompt to end."""

    id: str
    project_id: str
    conversation_id: str
    message_id: str
    """The assistant's message that it writes."""
    agent: str
    model: str | None = None
    state: RunState
    reason: str | None = None
    """`RunEndReason`, or none while it runs."""
    shown: tuple[Shown, ...] = ()
    started_at: str
    ended_at: str | None = None
    usage: Tokens | None = None
    """Known once the run has ended; before, its events tell."""


class Revision(WireModel):
    """Immutable content of one file at one time."""

    id: str
    project_id: str
    path: str
    number: int
    """1-based in the file's history."""
    parent: str | None
    author: Author
    digest: str
    """64 lower-case hex of the SHA-256 of the bytes."""
    size: int
    """Bytes."""
    run_id: str | None = None
    reason: str | None = None
    """Why, in words: what a replacement was stated for, what was restored."""
    moved_from: str | None = None
    """The path it had before, where a move made it; its parent is that path's head."""
    created_at: str


class MergeClash(WireModel):
    """A range that both sides changed; neither text is lost."""

    base: str
    """As both sides had read it."""
    ours: str
    """As the file has it."""
    theirs: str
    """As the new text has it."""
    span: tuple[int, int] | None = None
    """Code points of the file, ``ours``."""


class QuarantineRecord(WireModel):
    """A new text that is kept beside the good file until a person decides."""

    id: str
    project_id: str
    path: str
    """The good file, which was not touched."""
    draft: str
    """The draft's own path, where it can be looked at."""
    revision: str
    """The draft's revision."""
    digest: str
    """Of the draft's bytes."""
    good_digest: str | None = None
    """Of the good file when the draft was kept."""
    reason: QuarantineReason
    author: Author = "model"
    identifier: str = ""
    """The artifact's, as the model wrote it."""
    run_id: str | None = None
    lost: tuple[Lost, ...] = ()
    """What the good file has and the draft has not."""
    conflicts: tuple[MergeClash, ...] = ()
    """Of a regeneration that could not be merged."""
    base_digest: str | None = None
    """Of the text that both sides of the conflicts began from; none where an older
    version kept the draft."""
    diagnostics: tuple[Diagnostic, ...] = ()
    manifest: ArtifactManifest | None = None
    """What stands beside the good file once the draft is accepted."""
    created_at: str


class FileInfo(WireModel):
    """One file of a project as it is now."""

    path: str
    size: int
    """Bytes."""
    digest: str
    revision: str | None
    """Head revision; none for a file that Vitrail never wrote."""
    number: int | None = None
    """1-based number of the head revision in the file's history."""
    media_type: str
    """Chosen by the server from the name and the first bytes."""
    modified_at: str
    manifest: ArtifactManifest | None = None
