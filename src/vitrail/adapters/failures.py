"""What a failing disk or database is called: one place for all storage adapters."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from vitrail.errors import StorageError

__all__ = ["storage_error", "storage_errors"]

_FULL: Final = (
    "The disk is full, so this was not saved; what was there before is intact. "
    "Free some space and try again."
)
_READ_ONLY: Final = (
    "This folder cannot be written to, so this was not saved. "
    "Check who owns it and whether the disk is mounted read-only."
)
_BUSY: Final = (
    "Another program is holding the data folder, so this was not saved. Try again."
)

_NO_DATABASE: Final = (
    "vitrail.db is not a database of Vitrail. Move it away, or name another "
    "data folder with --data."
)
_DAMAGED: Final = (
    "vitrail.db is damaged. The files of your projects are still in their folders; "
    "restore vitrail.db from a backup, or move it away to begin a new one."
)
_INTACT: Final = "What was there before is intact."

_ERRNO: Final = {
    errno.ENOSPC: ("storage-full", _FULL),
    errno.EDQUOT: ("storage-full", _FULL),
    errno.EROFS: ("storage-read-only", _READ_ONLY),
    errno.EACCES: ("storage-read-only", _READ_ONLY),
    errno.EPERM: ("storage-read-only", _READ_ONLY),
}
_SQLITE: Final = {
    sqlite3.SQLITE_FULL: ("storage-full", _FULL),
    sqlite3.SQLITE_READONLY: ("storage-read-only", _READ_ONLY),
    sqlite3.SQLITE_PERM: ("storage-read-only", _READ_ONLY),
    sqlite3.SQLITE_CANTOPEN: ("storage-read-only", _READ_ONLY),
    sqlite3.SQLITE_BUSY: ("storage-busy", _BUSY),
    sqlite3.SQLITE_LOCKED: ("storage-busy", _BUSY),
    sqlite3.SQLITE_NOTADB: ("storage-failed", _NO_DATABASE),
    sqlite3.SQLITE_CORRUPT: ("storage-failed", _DAMAGED),
}
_PRIMARY_CODE: Final = 0xFF
"""SQLite's extended result codes keep the primary one in the low byte."""


def storage_error(cause: Exception) -> StorageError:
    """Return the error that says ``cause`` in words, with its code.

    >>> storage_error(OSError(errno.ENOSPC, "")).code
    'storage-full'
    """
    match cause:
        case OSError():
            reason = cause.strerror or type(cause).__name__
            other = ("storage-failed", f"The disk refused: {reason}. {_INTACT}")
            code, message = _ERRNO.get(cause.errno or 0, other)
        case sqlite3.Error():
            primary = getattr(cause, "sqlite_errorcode", 0) & _PRIMARY_CODE
            other = ("storage-failed", f"The database refused: {cause}. {_INTACT}")
            code, message = _SQLITE.get(primary, other)
        case _:
            raise TypeError(f"expected a storage failure, got {cause!r}")
    return StorageError(message, code=code)


@contextmanager
def storage_errors() -> Iterator[None]:
    """Turn what the disk, the database or a lock raises into ``StorageError``."""
    try:
        yield
    except (OSError, sqlite3.Error) as cause:
        raise storage_error(cause) from cause
