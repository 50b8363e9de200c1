"""The three wire formats as one shape, so that every case is held for each of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vitrail.adapters.agents import fake_anthropic as anthropic
from vitrail.adapters.agents import fake_openai as openai
from vitrail.adapters.agents.fake_anthropic import FakeAnthropic
from vitrail.adapters.agents.fake_openai import FakeOpenAI, FakeResponses
from vitrail.adapters.agents.fake_server import FakeAnswer, FakeServer, server_event
from vitrail.adapters.agents.wire import CHAT, MESSAGES, RESPONSES, Wire

__all__ = ["CHAT_FORMAT", "FORMATS", "MESSAGES_FORMAT", "RESPONSES_FORMAT", "Format"]


@dataclass(frozen=True)
class Format:
    """One format, and how its server says things."""

    name: str
    wire: Wire
    server: type[FakeServer]
    key_header: str
    stream: Callable[..., bytes]
    """Pieces (and ``usage``) to a whole stream."""
    begins: bytes
    """What comes in front of the first piece."""
    piece: Callable[[str], bytes]
    ends: Callable[[str], bytes]
    """The reply to what comes after its last piece, but for what nobody waits for."""
    cut: bytes
    """A whole stream of "cut" that the length limit ended."""
    whole: dict[str, Any]
    """"Whole" as a reply in one piece."""
    refuse: Callable[..., FakeAnswer]
    """Status, message and headers to a refusal."""
    fault: Callable[[str], bytes]
    """Words to an error in the middle of a stream."""
    busy: bytes
    """An error in the middle of a stream that says "later"."""

    def make(self, *answers: FakeAnswer, **options: Any) -> FakeServer:
        return self.server(*answers, **options)

    def answer(self, *pieces: str) -> FakeAnswer:
        return FakeAnswer((self.stream(pieces),))


def _chat_fault(message: str, **more: object) -> bytes:
    return f"data: {json.dumps({'error': {'message': message, **more}})}\n\n".encode()


def _responses_fault(message: str) -> bytes:
    error = {"code": "server_error", "message": message}
    response = {"object": "response", "status": "failed", "error": error}
    return server_event("response.failed", {"response": response})


CHAT_FORMAT = Format(
    name="chat",
    wire=CHAT,
    server=FakeOpenAI,
    key_header="authorization",
    stream=openai.chat_stream,
    begins=b"",
    piece=lambda text: openai.chat_event({"content": text}),
    ends=lambda _: openai.chat_event({}, finish="stop"),
    cut=openai.chat_stream(["cut"], finish="length"),
    whole={"choices": [{"message": {"content": "Whole"}, "finish_reason": "stop"}]},
    refuse=openai.error_answer,
    fault=_chat_fault,
    busy=_chat_fault("Slow down", code=429),
)
RESPONSES_FORMAT = Format(
    name="responses",
    wire=RESPONSES,
    server=FakeResponses,
    key_header="authorization",
    stream=openai.response_stream,
    begins=openai.response_begins(),
    piece=openai.response_delta,
    ends=openai.response_ends,
    cut=openai.response_stream(["cut"], cut_by="max_output_tokens"),
    whole=openai.response_reply("Whole"),
    refuse=openai.error_answer,
    fault=_responses_fault,
    busy=server_event("error", {"code": "rate_limit_exceeded", "message": "Slow down"}),
)
MESSAGES_FORMAT = Format(
    name="messages",
    wire=MESSAGES,
    server=FakeAnthropic,
    key_header="x-api-key",
    stream=anthropic.messages_stream,
    begins=anthropic.messages_begin() + anthropic.block_begins(),
    piece=anthropic.block_delta,
    ends=lambda _: anthropic.messages_end().rpartition(b"event: message_stop")[0],
    cut=anthropic.messages_stream(["cut"], reason="max_tokens"),
    whole=anthropic.messages_reply("Whole"),
    refuse=anthropic.refused_answer,
    fault=lambda words: anthropic.messages_error("api_error", words),
    busy=anthropic.messages_error("overloaded_error", "Slow down"),
)
FORMATS = (CHAT_FORMAT, RESPONSES_FORMAT, MESSAGES_FORMAT)
