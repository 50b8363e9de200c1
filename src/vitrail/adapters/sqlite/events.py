"""Statements for the numbered event log."""

from __future__ import annotations

import sqlite3

from vitrail.ports import EventPlace, StoredEvent
from vitrail.protocol.events import Event, decode_event, encode_event
from vitrail.protocol.records import Message

__all__ = [
    "append_event",
    "folded",
    "last_seq",
    "list_events_after",
    "list_run_events",
]

_EVENT = (
    "SELECT seq, at, project_id, conversation_id, run_id, message_id, event FROM events"
)


def append_event(
    db: sqlite3.Connection, place: EventPlace, event: Event, at: str
) -> StoredEvent:
    """Append an event; its number is taken here, inside the transaction."""
    cursor = db.execute(
        "INSERT INTO events"
        " (project_id, conversation_id, run_id, message_id, at, event)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            place.project_id,
            place.conversation_id,
            place.run_id,
            place.message_id,
            at,
            encode_event(event),
        ),
    )
    seq = cursor.lastrowid
    if seq is None:
        raise sqlite3.DatabaseError("an event got no number")
    return StoredEvent(seq=seq, at=at, place=place, event=event)


def last_seq(db: sqlite3.Connection) -> int:
    """Return the number of the last event that was ever appended, or 0."""
    row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()
    return 0 if row is None else int(row[0])


def list_events_after(
    db: sqlite3.Connection, seq: int, limit: int
) -> tuple[StoredEvent, ...]:
    """Return at most ``limit`` events after ``seq``, in order."""
    rows = db.execute(f"{_EVENT} WHERE seq > ? ORDER BY seq LIMIT ?", (seq, limit))
    return tuple(_stored(row) for row in rows)


def list_run_events(db: sqlite3.Connection, run_id: str) -> tuple[StoredEvent, ...]:
    """Return a run's events in order."""
    rows = db.execute(f"{_EVENT} WHERE run_id = ? ORDER BY seq", (run_id,))
    return tuple(_stored(row) for row in rows)


def _stored(
    row: tuple[int, str, str | None, str | None, str | None, str | None, bytes],
) -> StoredEvent:
    seq, at, project_id, conversation_id, run_id, message_id, event = row
    place = EventPlace(project_id, conversation_id, run_id, message_id)
    return StoredEvent(seq=seq, at=at, place=place, event=decode_event(event))


def folded(db: sqlite3.Connection, message: Message) -> Message:
    """Return the message of a run with its parts as far as they have come."""
    if message.run_id is None:
        return message
    from vitrail.core.parse import PartFolder

    folder = PartFolder()
    for stored in list_run_events(db, message.run_id):
        folder.add(stored.event)
    return message.model_copy(update={"parts": folder.parts(), "chars": folder.chars})
