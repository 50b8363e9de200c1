"""Claims of runs: a lock of the operating system for each run that is written.

Strategy: whoever writes a run holds the lock on a file of its own in the data
folder's ``locks/``; the system lets go of it when the process ends, however it
ends. So every process can tell, at any time, a run that another one writes
from a run that nobody writes any more. A file beside the lock says that
somebody asks the writer to stop.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from contextlib import suppress
from pathlib import Path

from vitrail.adapters.failures import storage_errors

__all__ = ["LockedClaims"]

_LOCK_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class LockedClaims:
    """`vitrail.ports.RunClaims` on the lock folder of a data folder."""

    def __init__(self, locks: Path) -> None:
        self._locks = locks
        self._held: dict[str, int] = {}

    async def claim(self, run_id: str) -> bool:
        """Take the claim; raise ``StorageError`` where the folder refuses."""
        handle = await asyncio.to_thread(_locked, self._lock_file(run_id))
        if handle is None:
            return False
        self._held[run_id] = handle
        return True

    async def release(self, run_id: str) -> None:
        """Give a claim of ours back; one that is not ours stays."""
        handle = self._held.pop(run_id, None)
        if handle is not None:
            await asyncio.to_thread(self._unlock, run_id, handle)

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

    def _unlock(self, run_id: str, handle: int) -> None:
        # Removed while the lock is held: who opened the file before gets the
        # lock of a file that is gone, sees it, and takes the new one.
        try:
            for file in (self._stop_file(run_id), self._lock_file(run_id)):
                with suppress(OSError):
                    file.unlink()
        finally:
            os.close(handle)

    def _lock_file(self, run_id: str) -> Path:
        return self._locks / f"run-{run_id}.lock"

    def _stop_file(self, run_id: str) -> Path:
        return self._locks / f"run-{run_id}.stop"


def _locked(path: Path) -> int | None:
    """Return the handle of the locked file, or None where somebody has the lock."""
    with storage_errors():
        while True:
            handle = os.open(path, _LOCK_FLAGS, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                is_there = os.fstat(handle).st_nlink > 0
            except BlockingIOError:
                os.close(handle)
                return None
            except BaseException:
                os.close(handle)
                raise
            if is_there:
                return handle
            os.close(handle)
