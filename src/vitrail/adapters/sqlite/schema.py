"""The tables, as a list of migrations; ``PRAGMA user_version`` counts those applied.

Every table has its tenant and its project, so that a shared database can
hold many. Numbers of events are AUTOINCREMENT: one that was deleted is never
given again, and they are taken inside the transaction, so their order is the
order of the commits.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from vitrail.errors import StorageError

__all__ = ["MIGRATIONS", "migrate"]

_FIRST: Final = (
    """
    CREATE TABLE projects (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL DEFAULT 'local',
        name TEXT NOT NULL,
        title TEXT NOT NULL,
        root TEXT NOT NULL, -- relative to the data folder, or absolute
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        UNIQUE (tenant, name)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE conversations (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        title TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX conversations_of_project ON conversations (project_id, updated_at)",
    """
    CREATE TABLE messages (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        run_id TEXT,
        body TEXT NOT NULL
    )
    """,
    "CREATE INDEX messages_of_conversation ON messages (conversation_id, position)",
    """
    CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        state TEXT NOT NULL,
        body TEXT NOT NULL,
        prompt TEXT
    ) WITHOUT ROWID
    """,
    "CREATE INDEX runs_running ON runs (id) WHERE state = 'running'",
    "CREATE INDEX runs_of_project ON runs (project_id)",
    "CREATE INDEX runs_of_conversation ON runs (conversation_id)",
    """
    CREATE TABLE revisions (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        path TEXT NOT NULL,
        number INTEGER NOT NULL,
        digest TEXT NOT NULL,
        body TEXT NOT NULL,
        manifest TEXT,
        UNIQUE (project_id, path, number)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE heads (
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        path TEXT NOT NULL,
        revision_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (project_id, path)
    ) WITHOUT ROWID
    """,
    # committed, but perhaps not yet renamed into place: what a start rolls forward
    """
    CREATE TABLE placements (
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        path TEXT NOT NULL,
        digest TEXT, -- none: the file is to be removed
        before TEXT, -- digest of the working file it replaces, none: there was none
        revision_id TEXT,
        manifest TEXT,
        PRIMARY KEY (project_id, path)
    ) WITHOUT ROWID
    """,
    # digests of working files by what the file system says of them
    """
    CREATE TABLE digests (
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        path TEXT NOT NULL,
        signature TEXT NOT NULL,
        digest TEXT NOT NULL,
        media_type TEXT NOT NULL,
        PRIMARY KEY (project_id, path)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE settings (
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL DEFAULT '',
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (tenant, project_id, key)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT,
        conversation_id TEXT,
        run_id TEXT,
        message_id TEXT,
        at TEXT NOT NULL,
        event BLOB NOT NULL
    )
    """,
    "CREATE INDEX events_of_run ON events (run_id, seq) WHERE run_id IS NOT NULL",
    "CREATE INDEX events_of_project ON events (project_id, seq)",
)

_SECOND: Final = (
    # drafts beside good files, until a person decides
    """
    CREATE TABLE quarantine (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        created_at TEXT NOT NULL,
        body TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX quarantine_of_project ON quarantine (project_id, created_at)",
    # whether bytes are in the history at all
    "CREATE INDEX revisions_of_digest ON revisions (digest)",
    # the staged file: after the exchange it holds what was replaced
    "ALTER TABLE placements ADD COLUMN staged TEXT",
    # objects of projects that were deleted, so that a clean-up can say whose they were
    """
    CREATE TABLE released (
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        project TEXT NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (digest)
    ) WITHOUT ROWID
    """,
)

_THIRD: Final = (
    # 1: the path's file was removed, and that is recorded
    "ALTER TABLE heads ADD COLUMN gone INTEGER NOT NULL DEFAULT 0",
)

_FOURTH: Final = (
    # what an imported transcript says that no record has a field for, as JSON
    """
    CREATE TABLE carried (
        owner_id TEXT PRIMARY KEY, -- of the conversation or the message
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        fields TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX carried_of_conversation ON carried (conversation_id)",
    "CREATE INDEX carried_of_project ON carried (project_id)",
)

MIGRATIONS: Final = (_FIRST, _SECOND, _THIRD, _FOURTH)
"""Each a tuple of statements; the database's ``user_version`` is how many it has."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database up to this version, in one transaction.

    Raises ``StorageError`` for a database that another program wrote, and
    ``storage-too-new`` where a later version did; nothing of it is touched then.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        _refuse_newer(version)
        if version == 0:
            _refuse_foreign(connection)
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        if version < len(MIGRATIONS):
            connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        # a full disk has ended it by itself
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _refuse_foreign(connection: sqlite3.Connection) -> None:
    """Leave another program's database alone."""
    query = "SELECT count(*) FROM sqlite_master"
    (tables,) = connection.execute(query).fetchone()
    if tables:
        raise StorageError(
            "vitrail.db is the database of another program. Move it away, or name "
            "another data folder with --data."
        )


def _refuse_newer(version: int) -> None:
    if version > len(MIGRATIONS):
        raise StorageError(
            "This data folder was written by a newer version of Vitrail. "
            "Update Vitrail, or name another data folder with --data.",
            code="storage-too-new",
        )
