"""What one transaction may do to records and to the event log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from vitrail.ports.agents import PromptMessage
from vitrail.protocol.events import Event, UnknownEvent
from vitrail.protocol.records import (
    Conversation,
    Message,
    Project,
    QuarantineRecord,
    Revision,
    Run,
)

__all__ = [
    "AppendEvent",
    "Change",
    "DeleteConversation",
    "DeleteProject",
    "EventPlace",
    "PutConversation",
    "PutMessage",
    "PutProject",
    "PutQuarantine",
    "PutRevision",
    "PutRun",
    "ResolveQuarantine",
    "StoredEvent",
    "UpdateConversation",
    "UpdateProject",
]


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
    with_empty_folder: bool = False
    """Whether the folder goes too where no file is in it."""


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
