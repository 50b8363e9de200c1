"""Readers: threads with a reading connection each, so that reads never wait for writes."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from vitrail.adapters.failures import storage_errors
from vitrail.adapters.sqlite.connect import connect_reader
from vitrail.errors import StorageError

__all__ = ["Readers"]

_READER_THREADS: Final = 4
"""SQLite reads hold the interpreter's lock but for the disk: more would not be quicker."""

_T = TypeVar("_T")


class Readers:
    """A pool of reading threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._own = threading.local()
        self._lock = threading.Lock()
        self._connections: list[sqlite3.Connection] = []
        self._is_closed = False
        self._pool = ThreadPoolExecutor(
            _READER_THREADS, thread_name_prefix="vitrail-reader"
        )

    async def read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Return what ``work`` reads; all its queries see one state of the database."""
        return await self.run(partial(self.read_here, work))

    async def run(self, work: Callable[[], _T]) -> _T:
        """Return what ``work`` gives, done in one of the reading threads."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, work)
        except RuntimeError as cause:
            if self._is_closed:
                raise StorageError("The store is closed.") from cause
            raise

    def read_here(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Do the same in the calling thread."""
        with storage_errors():
            connection = self._connection()
            connection.execute("BEGIN")
            try:
                return work(connection)
            finally:
                connection.execute("COMMIT")

    def open(self) -> sqlite3.Connection:
        """Return a reading connection that the caller closes."""
        with storage_errors():
            return connect_reader(self._path)

    def close(self) -> None:
        """Wait for reads that have begun, then close every connection."""
        self._is_closed = True
        self._pool.shutdown(wait=True)
        for connection in self._connections:
            connection.close()
        self._connections.clear()

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            connection = connect_reader(self._path)
            self._own.connection = connection
            with self._lock:
                self._connections.append(connection)
        return connection
