"""Connections to the embedded database, one writer's and the readers'."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["connect_reader", "connect_writer"]

_BUSY_TIMEOUT_MS: Final = 10_000
"""How long another process may hold the database before it counts as busy."""


def connect_writer(path: Path) -> sqlite3.Connection:
    """Open the database for writing, in WAL mode; it is made with mode 0600."""
    # opening and closing it first would drop the locks that this process holds on
    # it through other connections, so the mode is set only where it is made
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    connection = _connect(path)
    try:
        # where shared memory does not work (some network disks) it stays a journal
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    """Open the database for reading; writes through it fail."""
    connection = _connect(path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _connect(path: Path) -> sqlite3.Connection:
    # any thread may close it, one thread at a time uses it
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
    return connection
