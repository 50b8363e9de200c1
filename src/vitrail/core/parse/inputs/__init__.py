"""Streams of model servers and agents: facts of four formats, and their events."""

from vitrail.core.parse.inputs.chat import ChatCompletionsDecoder
from vitrail.core.parse.inputs.claude_code import ClaudeCodeDecoder
from vitrail.core.parse.inputs.decoding import WireDecoder
from vitrail.core.parse.inputs.facts import (
    WireEnd,
    WireError,
    WireErrorCode,
    WireEvent,
    WireFolder,
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
from vitrail.core.parse.inputs.failures import in_one_line, message_in
from vitrail.core.parse.inputs.messages import MessagesDecoder
from vitrail.core.parse.inputs.parser import WIRE_DIALECTS, InputParser
from vitrail.core.parse.inputs.responses import ResponsesDecoder

__all__ = [
    "WIRE_DIALECTS",
    "ChatCompletionsDecoder",
    "ClaudeCodeDecoder",
    "InputParser",
    "MessagesDecoder",
    "ResponsesDecoder",
    "WireDecoder",
    "WireEnd",
    "WireError",
    "WireErrorCode",
    "WireEvent",
    "WireFolder",
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
    "in_one_line",
    "message_in",
]
