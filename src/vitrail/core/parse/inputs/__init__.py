"""Streams of model servers and agents: facts of four formats, and their events."""

from vitrail.core.parse.inputs.chat import ChatCompletionsDecoder
from vitrail.core.parse.inputs.claude_code import ClaudeCodeDecoder
from vitrail.core.parse.inputs.decoding import WireDecoder
from vitrail.core.parse.inputs.facts import (
    WireEnd,
    WireError,
    WireErrorCode,
    WireEvent,
    WireNote,
    WireReasoning,
    WireRest,
    WireText,
    WireToolArguments,
    WireToolEnd,
    WireToolResult,
    WireToolStart,
    WireTurn,
    WireUsage,
)
from vitrail.core.parse.inputs.messages import MessagesDecoder
from vitrail.core.parse.inputs.responses import ResponsesDecoder

__all__ = [
    "ChatCompletionsDecoder",
    "ClaudeCodeDecoder",
    "MessagesDecoder",
    "ResponsesDecoder",
    "WireDecoder",
    "WireEnd",
    "WireError",
    "WireErrorCode",
    "WireEvent",
    "WireNote",
    "WireReasoning",
    "WireRest",
    "WireText",
    "WireToolArguments",
    "WireToolEnd",
    "WireToolResult",
    "WireToolStart",
    "WireTurn",
    "WireUsage",
]
