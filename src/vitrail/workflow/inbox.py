"""What an agent has said and nobody has written down yet."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from vitrail.ports import AgentChunk, AgentReasoning, AgentText

__all__ = ["Inbox"]


class Inbox:
    """Chunks between one reader and one writer, bounded, never losing one.

    ``put`` takes its chunk before it waits, so that a reader who is cancelled
    in the middle has lost nothing.
    """

    def __init__(self, *, full_chars: int, batch_chars: int) -> None:
        self._chunks: list[AgentChunk] = []
        self._chars = 0
        self._full_chars = full_chars
        self._batch_chars = batch_chars
        self._is_over = False
        self.total_chars = 0
        """Of everything that was ever put in."""
        self._filled = asyncio.Event()
        self._urgent = asyncio.Event()
        self._drained = asyncio.Event()

    async def put(self, chunk: AgentChunk) -> None:
        """Add a chunk; then wait while there is too much of them."""
        self._chunks.append(chunk)
        if isinstance(chunk, AgentText | AgentReasoning):
            self._chars += len(chunk.text)
            self.total_chars += len(chunk.text)
        self._filled.set()
        if self._chars >= self._batch_chars:
            self._urgent.set()
        while self._chars >= self._full_chars:
            self._drained.clear()
            await self._drained.wait()

    def end(self) -> None:
        """Say that no chunk will follow."""
        self._is_over = True
        self._filled.set()
        self._urgent.set()

    async def take(self, *, wait_s: float = 0.0) -> list[AgentChunk]:
        """Return all chunks there are, at least one; an empty list is the end.

        Once there is one, ``wait_s`` seconds are given for more to come,
        unless there are enough for a batch.
        """
        await self._filled.wait()
        if wait_s > 0 and not self._urgent.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._urgent.wait(), wait_s)
        chunks, self._chunks = self._chunks, []
        self._chars = 0
        self._drained.set()
        if not self._is_over:
            self._filled.clear()
            self._urgent.clear()
        return chunks
