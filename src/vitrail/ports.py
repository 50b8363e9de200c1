"""Ports: what the workflow needs of the outside world, as protocols.

No module but the adapters knows what stands behind one of them. Everything
here is async because an adapter may be a network away; the embedded adapters
run their blocking work on threads of their own.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from vitrail.core.export.entries import IncomingEntry, JudgedEntries
from vitrail.protocol.events import Event, RunEndReason, UnknownEvent
from vitrail.protocol.history import FileHistory
from vitrail.protocol.http import NewRun
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import (
    Conversation,
    FileInfo,
    Message,
    Project,
    QuarantineRecord,
    Revision,
    Run,
)

__all__ = [
    "Agent",
    "AgentChoice",
    "AgentChunk",
    "AgentEnd",
    "AgentPrompt",
    "AgentReasoning",
    "AgentText",
    "AgentUsage",
    "Agents",
    "AppendEvent",
    "Change",
    "Clock",
    "DeleteConversation",
    "DeleteProject",
    "EventPlace",
    "FileDelete",
    "FileMove",
    "FileStep",
    "FileWrite",
    "Ids",
    "ImportSource",
    "ObjectsDropped",
    "ObjectsFound",
    "OpenedFile",
    "PromptMessage",
    "PutConversation",
    "PutMessage",
    "PutProject",
    "PutQuarantine",
    "PutRevision",
    "PutRun",
    "RecordedFile",
    "ResolveQuarantine",
    "RunClaims",
    "Store",
    "StoredEvent",
    "UnreferencedObject",
    "UpdateConversation",
    "UpdateProject",
]


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """Return the time, UTC."""
        ...


class Ids(Protocol):
    """New names."""

    def new(self) -> str:
        """Return a new UUIDv7."""
        ...


# --- records and events -------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventPlace:
    """What an event belongs to."""

    project_id: str | None = None
    conversation_id: str | None = None
    run_id: str | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event of the log."""

    seq: int
    """Strictly rising, gaps allowed, taken inside the transaction."""
    at: str
    place: EventPlace
    event: Event | UnknownEvent


@dataclass(frozen=True, slots=True)
class PutProject:
    """Insert or replace a project's record; its folder is made with it."""

    project: Project
    root: str | None = None
    """Where its folder is, for the embedded store: relative to the data folder, or
    absolute. None keeps what it has, or is ``projects/NAME`` of a new project."""


@dataclass(frozen=True, slots=True)
class UpdateProject:
    """Change a project that is there; ``NotFound('project-not-found')`` otherwise.

    What is not named stays as it is at that moment, so that two changes at
    once do not undo each other, and a deleted project stays deleted.
    """

    project_id: str
    updated_at: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class DeleteProject:
    """Forget a project and everything that belongs to it; its folder is kept.

    Raises ``Conflict('run-active')`` while one of its runs goes on.
    """

    project_id: str


@dataclass(frozen=True, slots=True)
class PutConversation:
    """Insert or replace a conversation's record."""

    conversation: Conversation


@dataclass(frozen=True, slots=True)
class UpdateConversation:
    """Change a conversation that is there, as `UpdateProject` does a project."""

    conversation_id: str
    updated_at: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class DeleteConversation:
    """Forget a conversation with its messages and runs; files and events stay.

    Raises ``Conflict('run-active')`` while its run goes on.
    """

    conversation_id: str


@dataclass(frozen=True, slots=True)
class PutMessage:
    """Insert or replace a message's record."""

    message: Message


@dataclass(frozen=True, slots=True)
class PutRun:
    """Insert or replace a run's record.

    Raises ``Conflict('run-active')`` for a second run that is ``running`` in one
    conversation, whichever process has the first. ``prompt`` is what was sent, keys scrubbed; none leaves it as it is.
    """

    run: Run
    prompt: tuple[PromptMessage, ...] | None = None


@dataclass(frozen=True, slots=True)
class AppendEvent:
    """Append one event to the log."""

    place: EventPlace
    event: Event


@dataclass(frozen=True, slots=True)
class PutQuarantine:
    """Insert or replace the record of a draft that is held."""

    record: QuarantineRecord


@dataclass(frozen=True, slots=True)
class PutRevision:
    """Add a revision of a history that was made elsewhere, without its file.

    Its object has to be there already (`Store.put_object`); it has to follow the
    head, as every revision does (``Conflict('revision-conflict')``). Until the
    path's next revision the path counts as one whose file is gone.
    """

    revision: Revision


@dataclass(frozen=True, slots=True)
class ResolveQuarantine:
    """Forget that a draft is held: it was accepted or dropped; its revisions stay.

    Raises ``NotFound('quarantine-not-found')`` where somebody did so before, so
    that a draft is decided once.
    """

    project_id: str
    quarantine_id: str


Change: TypeAlias = (
    PutProject
    | UpdateProject
    | DeleteProject
    | PutConversation
    | UpdateConversation
    | DeleteConversation
    | PutMessage
    | PutRun
    | PutQuarantine
    | ResolveQuarantine
    | PutRevision
    | AppendEvent
)
"""One step of a transaction."""


@dataclass(frozen=True, slots=True)
class FileWrite:
    """One planned file write: the transaction's part of a commit.

    Check and write are one step: the store refuses with
    ``Conflict("revision-conflict")`` unless the head revision of the path is
    ``parent`` (None: the path has no revision and no file). Its ``details`` have
    ``path``, ``expected_digest`` and ``actual_digest``. Bytes of another program
    that are in no revision are made one by ``outside`` first.
    """

    revision: Revision
    content: bytes
    manifest: ArtifactManifest | None
    """Written to ``path + '.artifact.json'`` in the same commit."""
    events: tuple[AppendEvent, ...] = ()
    """Appended in the same transaction."""
    changes: tuple[Change, ...] = ()
    working_digest: str | None = field(default=None)
    """Digest the working file must have now; None: there must be no file."""


@dataclass(frozen=True, slots=True)
class FileDelete:
    """A working file to be removed, its manifest with it; its revisions are kept."""

    project_id: str
    path: str
    working_digest: str | None
    """Digest the working file must have now; None: another program has removed it
    already, which is recorded once, and its manifest goes after it."""
    events: tuple[AppendEvent, ...] = ()
    """Appended in the same transaction."""
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class FileMove:
    """A working file to be renamed, its manifest with it; both histories are kept.

    There must be no file at the new path.
    """

    path: str
    """Where it is now."""
    working_digest: str
    """Digest the working file must have now."""
    revision: Revision
    """At the new path, ``moved_from`` the old one: its parent is the head of ``path``,
    its number the one after the last of the new path."""
    manifest: ArtifactManifest | None
    """Written beside the new path; the one beside the old path goes in any case."""
    content: bytes | None = None
    """Where its own references change with it; None: the bytes stay the same."""
    events: tuple[AppendEvent, ...] = ()
    """Appended in the same transaction."""
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """A path and its newest revision."""

    path: str
    revision: str
    number: int
    """1-based number of that revision in the path's history."""
    digest: str
    is_gone: bool
    """Whether the removal of its file is recorded."""


FileStep: TypeAlias = FileWrite | FileDelete | FileMove
"""One file's part of a commit of several."""


@dataclass(frozen=True, slots=True)
class UnreferencedObject:
    """An object that no revision of any project names; ``size`` in bytes."""

    digest: str
    size: int
    reason: Literal["project-deleted", "never-committed"]
    """Whose it was: of a project that was deleted since, or of a write that ended early."""
    project: str | None = None
    """Folder name of the deleted project."""


@dataclass(frozen=True, slots=True)
class ObjectsFound:
    """What lies in the data folder's objects; sizes in bytes."""

    unreferenced: tuple[UnreferencedObject, ...]
    kept: int
    """How many there are that a revision names."""
    kept_size: int


@dataclass(frozen=True, slots=True)
class ObjectsDropped:
    """What a clean-up removed; ``size`` in bytes."""

    objects: int
    size: int


class OpenedFile(Protocol):
    """A working file held open: every piece is of one state of it."""

    async def read(self, start: int, length: int) -> bytes:
        """Return ``length`` bytes from ``start``, fewer at the end of the file.

        Raises ``Conflict('revision-conflict')`` where another program wrote
        into the file since it was opened.
        """

    def close(self) -> None:
        """Let go of the file; may be called twice."""


class ImportSource(Protocol):
    """An archive or a folder whose files want to come into a project."""

    async def examine(self) -> JudgedEntries:
        """Return what may come in, what stays outside, and all that is wrong.

        Raises ``InvalidInput('archive-invalid')``.
        """

    async def read(self, entry: IncomingEntry) -> bytes:
        """Return the bytes of an entry that `examine` listed."""

    def close(self) -> None:
        """Let go of it."""


class RunClaims(Protocol):
    """Which process writes which run; a claim ends with its process, however it ends.

    A run is written by whoever has its claim, and by nobody else.
    """

    async def claim(self, run_id: str) -> bool:
        """Take the claim of a run; False where somebody has it, we too."""
        ...

    async def release(self, run_id: str) -> None:
        """Give a claim of ours back, and forget that anybody asked to stop."""
        ...

    async def ask_to_stop(self, run_id: str) -> None:
        """Ask whoever has the claim to stop the run."""
        ...

    async def asked_to_stop(self) -> frozenset[str]:
        """Return those of our own runs that somebody asked to stop."""
        ...


class Store(Protocol):
    """Records, events, objects and files of one data folder, behind one writer."""

    # one transaction
    async def apply(
        self, changes: Sequence[Change], *, durable: bool = True
    ) -> tuple[StoredEvent, ...]:
        """Apply all changes in one transaction; return the appended events, numbered.

        ``durable`` False may lose the last moments at a power cut (deltas),
        never consistency.
        """

    async def commit_file(self, write: FileWrite) -> tuple[StoredEvent, ...]:
        """Commit one file: object, then transaction, then entry and manifest renamed in."""

    async def commit_files(self, steps: Sequence[FileStep]) -> tuple[StoredEvent, ...]:
        """Commit files of one project in one transaction: all of them, or none.

        What is true of `commit_file` and `delete_file` is true of each step. No
        path may be named twice (``ValueError``).
        """

    async def delete_file(self, delete: FileDelete) -> tuple[StoredEvent, ...]:
        """Remove a working file and its manifest: transaction first, then the files.

        A later file of that path continues its history. Raises
        ``NotFound('file-not-found')`` or ``Conflict('revision-conflict')``.
        """

    # records
    async def projects(self) -> tuple[Project, ...]:
        """Return all projects, the last used first."""

    async def project(self, project_id: str) -> Project:
        """Return a project by id; raise ``NotFound('project-not-found')``."""

    async def project_named(self, name: str) -> Project | None:
        """Return the project with that folder name, if there is one."""

    async def project_at(self, root: str) -> Project | None:
        """Return the project whose record has that root (`PutProject.root`), or None."""

    async def conversations(self, project_id: str) -> tuple[Conversation, ...]:
        """Return a project's conversations, the last used first."""

    async def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation; raise ``NotFound('conversation-not-found')``."""

    async def messages(self, conversation_id: str) -> tuple[tuple[Message, ...], int]:
        """Return the messages in order, and the ``seq`` they are true as of (one read).

        A message whose run is still running has the parts that its stored
        events fold to.
        """

    async def run(self, run_id: str) -> Run:
        """Return a run; raise ``NotFound('run-not-found')``."""

    async def run_prompt(self, run_id: str) -> tuple[PromptMessage, ...]:
        """Return what the run's model was sent; may be empty."""

    async def runs(self, conversation_id: str) -> tuple[Run, ...]:
        """Return the runs of a conversation, the oldest first."""

    async def running(self) -> tuple[Run, ...]:
        """Return all runs whose state is ``running``."""

    async def run_events(self, run_id: str) -> tuple[StoredEvent, ...]:
        """Return a run's events in order."""

    # files
    async def files(self, project_id: str) -> tuple[FileInfo, ...]:
        """Return the project's files by path; no manifest, nothing reserved."""

    async def file(self, project_id: str, path: str) -> FileInfo | None:
        """Return one file as it is on disk now, or None."""

    async def read_file(self, project_id: str, path: str) -> tuple[bytes, FileInfo]:
        """Return a working file's bytes; raise ``NotFound('file-not-found')``."""

    async def open_file(
        self, project_id: str, path: str
    ) -> tuple[OpenedFile, FileInfo]:
        """Return a working file held open, for reading it in pieces.

        Whoever asked closes it. Raises ``NotFound('file-not-found')``.
        """

    async def put_object(self, content: bytes) -> str:
        """Store bytes for revisions that are about to be added; return their digest."""

    async def read_object(self, digest: str) -> bytes:
        """Return the bytes of a revision by their digest."""

    async def head(self, project_id: str, path: str) -> Revision | None:
        """Return the newest revision of a path, whether or not its file is there."""

    async def revisions(
        self,
        project_id: str,
        path: str,
        *,
        before: int | None = None,
        limit: int | None = None,
    ) -> tuple[Revision, ...]:
        """Return a path's revisions, the newest first; at most ``limit`` of them.

        ``before``: only those with a smaller number, for the next page.
        """

    async def revision(self, revision_id: str) -> Revision:
        """Return a revision by id; raise ``NotFound('revision-not-found')``."""

    async def revision_count(self, project_id: str, path: str) -> int:
        """Return how many revisions a path has."""

    async def recorded(self, project_id: str) -> tuple[RecordedFile, ...]:
        """Return the project's paths as the history has them; nothing of the folder."""

    async def manifest(self, project_id: str, path: str) -> ArtifactManifest | None:
        """Return the manifest beside a path, whether or not its entry is there."""

    async def project_file(self, project_id: str) -> bytes | None:
        """Return the bytes of ``.vitrail/project.json``, cut where it is too long."""

    async def history(self, project_id: str) -> tuple[FileHistory, ...]:
        """Return the project's paths that have revisions, by path."""

    async def quarantined(self, project_id: str) -> tuple[QuarantineRecord, ...]:
        """Return the drafts that wait for a decision, the newest first."""

    async def quarantine(self, quarantine_id: str) -> QuarantineRecord:
        """Return a draft that waits; raise ``NotFound('quarantine-not-found')``."""

    # objects that nothing needs
    async def unreferenced(self) -> ObjectsFound:
        """Return the objects that no revision names, and how many there are that one does."""

    async def drop_objects(self, digests: Sequence[str]) -> ObjectsDropped:
        """Remove those of the objects that are still unreferenced; the rest stay."""

    # settings
    async def settings(self) -> Mapping[str, str]:
        """Return the data folder's settings."""

    async def put_settings(self, values: Mapping[str, str | None]) -> None:
        """Set the settings; None removes one."""

    # events
    async def last_seq(self) -> int:
        """Return the number of the last event, 0 where there is none."""

    async def events_after(
        self, seq: int, *, limit: int = 1000
    ) -> tuple[StoredEvent, ...]:
        """Return events with a number greater than ``seq``, in order."""

    def changed(self) -> AsyncIterator[int]:
        """Yield the last event's number whenever it has grown, other processes' included.

        Within 250 ms of another process's commit, at once for this one's. The
        first number comes at once where the log has any event, so that nothing
        is missed between a read and the first wait.
        """

    async def close(self) -> None:
        """Finish what is being written, then let go of everything."""


# --- agents -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt."""

    role: str
    """``system``, ``user`` or ``assistant``."""
    content: str


@dataclass(frozen=True, slots=True)
class AgentPrompt:
    """Everything an agent is told for one turn."""

    messages: tuple[PromptMessage, ...]
    model: str | None = None
    recording: str | None = None
    """For the replay agent: which recording."""
    speed: float = 1.0
    """For the replay agent: how many times as fast as recorded."""


@dataclass(frozen=True, slots=True)
class AgentText:
    """A piece of the reply."""

    text: str


@dataclass(frozen=True, slots=True)
class AgentReasoning:
    """A piece of thinking that came on a channel of its own."""

    text: str


@dataclass(frozen=True, slots=True)
class AgentUsage:
    """Tokens, as far as the provider told them."""

    input_tokens: int | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class AgentEnd:
    """The agent is done; the last thing it yields."""

    reason: RunEndReason


AgentChunk: TypeAlias = AgentText | AgentReasoning | AgentUsage | AgentEnd


class Agent(Protocol):
    """Something that answers a prompt."""

    name: str

    def stream(self, prompt: AgentPrompt) -> AsyncGenerator[AgentChunk, None]:
        """Yield the reply in pieces, cut anywhere, ending with one `AgentEnd`.

        Raises ``AgentError`` where the world fails; what was yielded before
        stands. Closing the generator ends the work behind it.
        """
        ...


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """The agent that is to answer one turn."""

    agent: Agent
    model: str | None
    """The model it will ask, where there is a choice of them."""
    reads_files: bool = False
    """Whether it reads the project itself, so that a file's one line is enough."""


class Agents(Protocol):
    """The agents that are set up now."""

    async def choose(self, request: NewRun) -> AgentChoice:
        """Return who answers this request, by the settings of this moment.

        Raises ``NotFound`` for an agent or a recording that is not there and
        ``AgentError('agent-not-configured')``, saying what is missing.
        """
        ...

    def secrets(self) -> tuple[str, ...]:
        """Return the values that must never be stored or shown, such as keys."""
        ...
