"""Statements for drafts that wait beside the good file."""

from __future__ import annotations

import sqlite3

from vitrail.errors import NotFound
from vitrail.protocol.records import QuarantineRecord

__all__ = [
    "get_quarantine",
    "list_quarantine",
    "put_quarantine",
    "resolve_quarantine",
]


def put_quarantine(db: sqlite3.Connection, record: QuarantineRecord) -> None:
    """Insert or replace a draft's record."""
    db.execute(
        "INSERT OR REPLACE INTO quarantine (id, project_id, created_at, body)"
        " VALUES (?, ?, ?, ?)",
        (record.id, record.project_id, record.created_at, record.model_dump_json()),
    )


def resolve_quarantine(
    db: sqlite3.Connection, project_id: str, quarantine_id: str
) -> None:
    """Remove a draft's record; raise ``NotFound('quarantine-not-found')``."""
    removed = db.execute(
        "DELETE FROM quarantine WHERE id = ? AND project_id = ?",
        (quarantine_id, project_id),
    )
    if removed.rowcount == 0:
        raise _nothing_held()


def get_quarantine(db: sqlite3.Connection, quarantine_id: str) -> QuarantineRecord:
    """Return a draft's record; raise ``NotFound('quarantine-not-found')``."""
    row = db.execute(
        "SELECT body FROM quarantine WHERE id = ?", (quarantine_id,)
    ).fetchone()
    if row is None:
        raise _nothing_held()
    return QuarantineRecord.model_validate_json(row[0])


def list_quarantine(
    db: sqlite3.Connection, project_id: str
) -> tuple[QuarantineRecord, ...]:
    """Return a project's drafts, the newest first."""
    rows = db.execute(
        "SELECT body FROM quarantine WHERE project_id = ?"
        " ORDER BY created_at DESC, id DESC",
        (project_id,),
    )
    return tuple(QuarantineRecord.model_validate_json(body) for (body,) in rows)


def _nothing_held() -> NotFound:
    return NotFound(
        "No draft of that id waits for a decision; somebody has accepted or dropped it. "
        "List the drafts again.",
        code="quarantine-not-found",
    )
