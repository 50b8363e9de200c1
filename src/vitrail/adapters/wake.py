"""Waking those who follow the event log, for this process's commits and others'."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from typing import Final

from vitrail.adapters.sqlite.events import last_seq
from vitrail.adapters.sqlite.readers import Readers
from vitrail.errors import StorageError

__all__ = ["Wake"]

_POLL_S: Final = 0.1
"""How often other processes' commits are looked for; design §4.9 allows 250 ms."""


class Wake:
    """The number of the last event, and those who wait for it to grow.

    Everything but `commit_seen` runs on the loop that made it.
    """

    def __init__(self, readers: Readers, seq: int) -> None:
        self._readers = readers
        self._loop = asyncio.get_running_loop()
        self._seq = seq
        self._grown = asyncio.Event()
        self._is_closed = False
        self._followers = 0
        self._poller: asyncio.Task[None] | None = None

    @property
    def seq(self) -> int:
        """The last event's number, as far as this process has noticed."""
        return self._seq

    def commit_seen(self, seq: int) -> None:
        """Say, from any thread, that this process committed events up to ``seq``."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.grow, seq)

    def grow(self, seq: int) -> None:
        """Wake all followers if ``seq`` is new."""
        if seq > self._seq:
            self._seq = seq
            self._wake()

    def close(self) -> None:
        """End every follower's iteration."""
        self._is_closed = True
        if self._poller is not None:
            self._poller.cancel()
        self._wake()

    async def follow(self) -> AsyncIterator[int]:
        """Yield the last number now, if there is one, and whenever it has grown."""
        seen = 0
        self._followers += 1
        if self._poller is None and not self._is_closed:
            self._poller = self._loop.create_task(self._poll())
        try:
            while not self._is_closed:
                if self._seq > seen:
                    seen = self._seq
                    yield seen
                else:
                    await self._grown.wait()
        finally:
            self._followers -= 1
            if self._followers == 0 and self._poller is not None:
                self._poller.cancel()
                self._poller = None

    def _wake(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()

    async def _poll(self) -> None:
        """Look for commits of others, until cancelled."""
        lookout = _Lookout(self._readers.open())
        try:
            while True:
                try:
                    seq = await asyncio.to_thread(lookout.look)
                except (StorageError, sqlite3.Error):
                    seq = None  # the next look may go through
                if seq is not None:
                    self.grow(seq)
                await asyncio.sleep(_POLL_S)
        finally:
            lookout.close()


class _Lookout:
    """A connection that notices others' commits: ``data_version`` counts them.

    A look may still be going on in its thread when the poller is cancelled,
    and a connection that is closed under it takes the process down; so the
    two exclude each other.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version = -1
        self._lock = threading.Lock()
        self._is_closed = False

    def look(self) -> int | None:
        """Return the last event's number if anything was committed since the last look."""
        with self._lock:
            if self._is_closed:
                return None
            query = "PRAGMA data_version"
            (version,) = self._connection.execute(query).fetchone()
            if version == self._version:
                return None
            self._version = version
            return last_seq(self._connection)

    def close(self) -> None:
        """Let go of the connection; waits for a look that goes on, a moment."""
        with self._lock:
            self._is_closed = True
            self._connection.close()
