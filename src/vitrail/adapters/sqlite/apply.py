"""Changes of a transaction, each to its statement."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TypeAlias, assert_never

from vitrail.adapters.sqlite import records
from vitrail.adapters.sqlite.events import append_event, last_seq
from vitrail.adapters.sqlite.quarantine import put_quarantine, resolve_quarantine
from vitrail.adapters.sqlite.revisions import add_revision, mark_gone
from vitrail.ports import (
    AppendEvent,
    Change,
    DeleteConversation,
    DeleteProject,
    PutConversation,
    PutMessage,
    PutProject,
    PutQuarantine,
    PutRevision,
    PutRun,
    ResolveQuarantine,
    StoredEvent,
    UpdateConversation,
    UpdateProject,
)

__all__ = ["apply_changes"]

_RecordChange: TypeAlias = (
    PutProject
    | UpdateProject
    | PutConversation
    | UpdateConversation
    | DeleteConversation
    | PutMessage
    | PutRun
    | PutQuarantine
    | ResolveQuarantine
)


def apply_changes(
    db: sqlite3.Connection, changes: Sequence[Change], at: str
) -> tuple[StoredEvent, ...]:
    """Apply the changes in order; return the appended events, numbered.

    A project that is deleted takes with it the events from before this
    transaction, not those of it.
    """
    before = last_seq(db)
    appended: list[StoredEvent] = []
    for change in changes:
        match change:
            case AppendEvent(place, event):
                appended.append(append_event(db, place, event, at))
            case DeleteProject(project_id):
                records.delete_project(db, project_id, up_to_seq=before)
            case PutRevision(revision):
                add_revision(db, revision, None)
                mark_gone(db, revision.project_id, revision.path)
            case _:
                _apply_record(db, change)
    return tuple(appended)


def _apply_record(db: sqlite3.Connection, change: _RecordChange) -> None:
    match change:
        case PutProject(project, root):
            records.put_project(db, project, root)
        case UpdateProject(project_id, updated_at, title):
            records.update_project(db, project_id, updated_at, title)
        case PutConversation(conversation):
            records.put_conversation(db, conversation)
        case UpdateConversation(conversation_id, updated_at, title):
            records.update_conversation(db, conversation_id, updated_at, title)
        case DeleteConversation(conversation_id):
            records.delete_conversation(db, conversation_id)
        case PutMessage(message):
            records.put_message(db, message)
        case PutRun(run, prompt):
            records.put_run(db, run, prompt)
        case PutQuarantine(record):
            put_quarantine(db, record)
        case ResolveQuarantine(project_id, quarantine_id):
            resolve_quarantine(db, project_id, quarantine_id)
        case _:
            assert_never(change)
