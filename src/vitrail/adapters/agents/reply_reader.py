"""A model server's answer, in any format, as the chunks of an agent.

Strategy: a decoder of `vitrail.core.parse.inputs` tells facts; here they become
chunks, and what is a failure becomes an error in words. A failure is kept
beside the chunks instead of raised, since text may have come with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from vitrail.adapters.agents.refusals import broken_off
from vitrail.core.parse.inputs import (
    WireDecoder,
    WireEnd,
    WireError,
    WireEvent,
    WireNote,
    WireReasoning,
    WireText,
    WireTurn,
    WireUsage,
)
from vitrail.core.text import SurrogateJoiner
from vitrail.errors import AgentError
from vitrail.ports import AgentChunk, AgentReasoning, AgentText, AgentUsage
from vitrail.protocol.events import RunEndReason

__all__ = ["ReplyReader"]

_NOT_THE_FORMAT: Final = "not-the-format"
"""Code of the note that says so."""


class ReplyReader:
    """Reads one answer, in pieces or whole.

    ``reason`` is set once the server has said why it stopped, ``is_over`` once
    nothing more can come, ``failure`` once there is nothing more to be had.
    """

    def __init__(
        self, decoder: WireDecoder, host: str, secrets: Iterable[str] = ()
    ) -> None:
        """``secrets`` are taken out of what an error says."""
        self._decoder = decoder
        self._host = host
        self._secrets = tuple(secrets)
        self._text = SurrogateJoiner()
        self._reasoning = SurrogateJoiner()
        self.reason: RunEndReason | None = None
        self.is_over = False
        self.failure: AgentError | None = None

    def feed(self, data: bytes) -> list[AgentChunk]:
        """Return the chunks that these bytes complete, cut anywhere."""
        return self._chunks(self._decoder.feed(data))

    def close(self) -> list[AgentChunk]:
        """Return what the end of the stream left without its last line break."""
        return self._chunks(self._decoder.close())

    def whole(self, body: str) -> list[AgentChunk]:
        """Return the chunks of an answer that was not streamed."""
        chunks = self._chunks(self._decoder.read(body))
        if self.reason is None and self.failure is None and not chunks:
            self._fail_format()
        self.reason = self.reason or "done"
        self.is_over = True
        return chunks

    def rest(self) -> list[AgentChunk]:
        """Return what is left at the end: the sign for half a character, if any."""
        chunks: list[AgentChunk] = []
        if thought := self._reasoning.close():
            chunks.append(AgentReasoning(thought))
        if text := self._text.close():
            chunks.append(AgentText(text))
        return chunks

    def _chunks(self, facts: Iterable[WireEvent]) -> list[AgentChunk]:
        chunks: list[AgentChunk] = []
        for fact in facts:
            if self.failure is not None:
                break  # what comes after it is no part of the reply
            if chunk := self._chunk(fact):
                chunks.append(chunk)
        self.is_over = self.is_over or self._decoder.is_over
        return chunks

    def _chunk(self, fact: WireEvent) -> AgentChunk | None:
        match fact:
            case WireText(delta=delta):
                text = self._text.feed(delta)
                return AgentText(text) if text else None
            case WireReasoning(delta=delta):
                thought = self._reasoning.feed(delta)
                return AgentReasoning(thought) if thought else None
            case WireUsage():
                return AgentUsage(fact.input_tokens, fact.output_tokens)
            case WireTurn():
                return AgentText("\n\n")  # a text of its own is a paragraph of its own
            case WireEnd(reason=reason):
                self._end(reason)
            case WireError():
                self.failure = broken_off(
                    self._host, fact.code, fact.detail, self._secrets
                )
            case WireNote(code=code) if code == _NOT_THE_FORMAT:
                self._fail_format()
            case _:
                pass  # tools, of which none is offered; what a note was about
        return None

    def _end(self, reason: RunEndReason) -> None:
        self.reason = reason
        if reason not in ("done", "length"):
            self.failure = broken_off(self._host, "agent-interrupted", "")

    def _fail_format(self) -> None:
        self.failure = AgentError(
            f"{self._host} sent what is not of the {self._decoder.format} format. "
            "Check the address; it usually ends with /v1.",
            code="agent-protocol",
        )
