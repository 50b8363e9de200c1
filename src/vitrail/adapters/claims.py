"""Claims of runs: a lock of the operating system for each run that is written.

Strategy: whoever writes a run holds the lock on a file of its own in the data
folder's ``locks/``; the system lets go of it when the process ends, however it
ends. So every process can tell, at any time, a run that another one writes
from a run that nobody writes any more. A file beside the lock says that
somebody asks the writer to stop.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from vitrail.adapters.failures import storage_errors
from vitrail.adapters.locks import HeldLock, try_lock

__all__ = ["LockedClaims"]


class LockedClaims:
    """`vitrail.ports.RunClaims` on the lock folder of a data folder."""

    def __init__(self, locks: Path) -> None:
        self._locks = locks
        self._held: dict[str, HeldLock] = {}

    async def claim(self, run_id: str) -> bool:
        """Take the claim; raise ``StorageError`` where the folder refuses."""
        held = await asyncio.to_thread(try_lock, self._lock_file(run_id))
        if held is None:
            return False
        self._held[run_id] = held
        return True

    async def release(self, run_id: str) -> None:
        """Give a claim of ours back; one that is not ours stays."""
        held = self._held.pop(run_id, None)
        if held is not None:
            await asyncio.to_thread(self._unlock, run_id, held)

    async def ask_to_stop(self, run_id: str) -> None:
        """Ask whoever has the claim; raise ``StorageError``."""
        with storage_errors():
            await asyncio.to_thread(self._stop_file(run_id).touch, mode=0o600)

    async def asked_to_stop(self) -> frozenset[str]:
        """Return those of our own runs that somebody asked to stop."""
        held = tuple(self._held)
        if not held:
            return frozenset()
        return await asyncio.to_thread(
            lambda: frozenset(run for run in held if self._stop_file(run).exists())
        )

    def _unlock(self, run_id: str, held: HeldLock) -> None:
        with suppress(OSError):
            self._stop_file(run_id).unlink()
        held.release(forget=True)

    def _lock_file(self, run_id: str) -> Path:
        return self._locks / f"run-{run_id}.lock"

    def _stop_file(self, run_id: str) -> Path:
        return self._locks / f"run-{run_id}.stop"
