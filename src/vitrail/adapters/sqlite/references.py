"""Statements that tell which objects some revision needs."""

from __future__ import annotations

import sqlite3

__all__ = ["forget_released", "referenced_digests", "released_digests"]


def referenced_digests(db: sqlite3.Connection) -> frozenset[str]:
    """Return the digest of every revision, and of what is still to be placed."""
    rows = db.execute(
        "SELECT digest FROM revisions"
        " UNION SELECT digest FROM placements WHERE digest IS NOT NULL"
    )
    return frozenset(digest for (digest,) in rows)


def released_digests(db: sqlite3.Connection) -> dict[str, str]:
    """Return the objects of deleted projects, each with a project's folder name."""
    return dict(db.execute("SELECT digest, project FROM released").fetchall())


def forget_released(db: sqlite3.Connection, digests: tuple[str, ...]) -> None:
    """Forget whose the objects were: they are gone."""
    db.executemany(
        "DELETE FROM released WHERE digest = ?", ((digest,) for digest in digests)
    )
