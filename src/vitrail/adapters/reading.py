"""A working file held open: pieces of one state of it, however large it is.

Strategy: Vitrail's own writes rename a new file into place, so a file that is
held open stays what it was. Another program may write into it; then the next
piece is an error, not a mixture that no digest names.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable

from vitrail.adapters.failures import storage_errors
from vitrail.errors import Conflict, StorageError

__all__ = ["HeldFile"]


class HeldFile:
    """`vitrail.ports.OpenedFile` over a descriptor, which it closes."""

    def __init__(
        self,
        descriptor: int,
        run: Callable[[Callable[[], bytes]], Awaitable[bytes]],
    ) -> None:
        """``run`` does blocking work on a thread."""
        self._descriptor: int | None = descriptor
        self._run = run
        self._found = self._state(descriptor)

    async def read(self, start: int, length: int) -> bytes:
        """Return ``length`` bytes from ``start``, fewer at the end of the file."""
        return await self._run(lambda: self._read(start, length))

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _read(self, start: int, length: int) -> bytes:
        descriptor = self._descriptor
        if descriptor is None:
            raise StorageError("The file is not open any more.")
        pieces: list[bytes] = []
        with storage_errors():
            while length > 0:
                piece = os.pread(descriptor, length, start)
                if not piece:
                    break
                pieces.append(piece)
                start += len(piece)
                length -= len(piece)
            now = self._state(descriptor)
        if now != self._found:
            raise Conflict(
                "The file was changed by another program while it was being read. "
                "Read it again."
            )
        return b"".join(pieces)

    def _state(self, descriptor: int) -> tuple[int, int]:
        found = os.fstat(descriptor)
        return found.st_size, found.st_mtime_ns
