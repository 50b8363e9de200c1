"""The one writer: a thread that runs transactions in the order they were asked for.

Strategy: records and events share one connection, so they share transactions.
``synchronous`` is FULL for what a promise was made about and NORMAL for
deltas; it can only be set between transactions, so it is set before each one
that needs the other.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from vitrail.adapters.failures import storage_error
from vitrail.adapters.sqlite.connect import connect_writer
from vitrail.adapters.sqlite.schema import migrate
from vitrail.errors import StorageError

__all__ = ["Writer"]

_T = TypeVar("_T")


class _Job:
    __slots__ = ("durable", "future", "work")

    def __init__(
        self, work: Callable[[sqlite3.Connection], Any], *, durable: bool
    ) -> None:
        self.work = work
        self.durable = durable
        self.future: Future[Any] = Future()


class Writer:
    """Owns the writing connection; made open, ended by `close`."""

    def __init__(self, path: Path) -> None:
        """Open and migrate the database at ``path``; raise ``StorageError``."""
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_closed = False
        try:
            self._connection = connect_writer(path)
            try:
                migrate(self._connection)
            except BaseException:
                self._connection.close()
                raise
            self._path = path
            self._identity = _identity(path)
        except (sqlite3.Error, OSError) as cause:
            raise storage_error(cause) from cause
        self._is_full = True
        self._thread = threading.Thread(
            target=self._run, name="vitrail-writer", daemon=True
        )
        self._thread.start()

    def submit(
        self, work: Callable[[sqlite3.Connection], _T], *, durable: bool = True
    ) -> Future[_T]:
        """Run ``work`` in a transaction of its own; what it raises rolls it back.

        The future is done once the transaction is committed. ``durable``
        False: a power cut may take it away again, whole.
        """
        job = _Job(work, durable=durable)
        with self._lock:
            if self._is_closed:
                raise StorageError("The store is closed.")
            self._jobs.put(job)
        return job.future

    def close(self) -> None:
        """Finish what was asked for, then close the database."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            self._jobs.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if not job.future.set_running_or_notify_cancel():
                continue
            try:
                result = self._transact(job)
            except (sqlite3.Error, OSError) as cause:
                error = storage_error(cause)
                error.__cause__ = cause
                job.future.set_exception(error)
            except BaseException as cause:  # noqa: BLE001 - handed to whoever waits
                job.future.set_exception(cause)
            else:
                job.future.set_result(result)

    def _transact(self, job: _Job) -> Any:
        connection = self._connection
        if job.durable is not self._is_full:
            level = "FULL" if job.durable else "NORMAL"
            connection.execute(f"PRAGMA synchronous = {level}")
            self._is_full = job.durable
        if job.durable and _identity(self._path) != self._identity:
            # what is written to a file without a name is gone when it is closed
            raise StorageError(
                "vitrail.db was removed or replaced while it was open, so this was not "
                "saved. Put it back, or start Vitrail again."
            )
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = job.work(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return result


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one of its name; None: there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
