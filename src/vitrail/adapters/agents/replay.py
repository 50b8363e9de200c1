"""The replay agent: a recording, told again with its timing.

It is never chosen in the place of a model: a request names its recording, and
the workspace labels what it says as a recording.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final

from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.errors import AgentError
from vitrail.ports import (
    AgentChunk,
    AgentEnd,
    AgentPrompt,
    AgentReasoning,
    AgentText,
    AgentUsage,
)
from vitrail.protocol.recording import RecordingLine

__all__ = ["ReplayAgent", "chunk_of"]

_SHORTEST_SLEEP_S: Final = 0.002
"""Shorter pauses are added up: a timer costs about as much."""


class ReplayAgent:
    """Plays recordings of a shelf."""

    name = "replay"

    def __init__(
        self,
        shelf: RecordingShelf,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._shelf = shelf
        self._sleep = sleep

    async def stream(self, prompt: AgentPrompt) -> AsyncGenerator[AgentChunk, None]:
        """Yield what was recorded, ``prompt.speed`` times as fast.

        A speed of infinity plays at once. Raises ``NotFound`` for a recording
        that is not there, ``AgentError`` where none was named.
        """
        if prompt.recording is None:
            raise AgentError(
                "The replay agent was not told which recording to play.",
                code="agent-not-configured",
            )
        if not prompt.speed > 0:
            msg = f"expected a speed above 0, got {prompt.speed!r}"
            raise ValueError(msg)
        recording = await self._shelf.load(prompt.recording)
        played_s = 0.0
        for line in recording.lines:
            pause_s = (line.t - played_s) / prompt.speed
            if pause_s >= _SHORTEST_SLEEP_S and not math.isinf(prompt.speed):
                await self._sleep(pause_s)
                played_s = line.t
            yield chunk_of(line)


def chunk_of(line: RecordingLine) -> AgentChunk:
    """Return what an agent yields for a line of a recording."""
    if line.text is not None:
        return AgentText(line.text)
    if line.reasoning is not None:
        return AgentReasoning(line.reasoning)
    if line.usage is not None:
        return AgentUsage(line.usage.input_tokens, line.usage.output_tokens)
    return AgentEnd(line.end or "failed")
