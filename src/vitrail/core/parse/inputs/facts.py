"""What the streams of model servers say, whatever their format: facts.

Strategy: every decoder gives these few values and nothing else, so that agents
and `InputParser` read four formats as one. Texts are as they came: halves of
characters are joined by whoever puts the pieces together.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from vitrail.protocol.diagnostics import Severity
from vitrail.protocol.events import RunEndReason

__all__ = [
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
]

WireErrorCode: TypeAlias = Literal[
    "agent-key-refused", "agent-rate-limited", "agent-refused", "agent-interrupted"
]
"""What an error means to who waits for the reply; codes of docs/errors.md."""


class WireText(Struct, frozen=True, gc=False):
    """A piece of the message's text."""

    delta: str


class WireReasoning(Struct, frozen=True, gc=False):
    """A piece of the model's thinking."""

    delta: str


class WireToolStart(Struct, frozen=True, gc=False):
    """The model began to call a tool."""

    call: str
    """Names the call in this stream; never twice."""
    name: str
    takes_text: bool = False
    """Whether its arguments are plain text and no JSON."""


class WireToolArguments(Struct, frozen=True, gc=False):
    """A piece of a call's arguments."""

    call: str
    delta: str
    """JSON, cut anywhere; of a tool that takes plain text, that text."""


class WireToolEnd(Struct, frozen=True, gc=False):
    """A call's arguments are told; each start has at most one."""

    call: str


class WireToolResult(Struct, frozen=True, gc=False):
    """What became of a call, where the stream tells it."""

    call: str
    is_error: bool
    text: str
    """The result in words, cut; may be empty."""


class WireFolder(Struct, frozen=True, gc=False):
    """The folder that the model works in, where the stream tells it."""

    path: str


class WireTurn(Struct, frozen=True, gc=False):
    """Another message of the model begins; what follows is a text of its own."""


class WireUsage(Struct, frozen=True, gc=False):
    """Tokens as far as they were told; the last one counts."""

    input_tokens: int | None
    output_tokens: int | None


class WireEnd(Struct, frozen=True, gc=False):
    """The model ended its message; the last one of a stream counts."""

    reason: RunEndReason


class WireError(Struct, frozen=True, gc=False):
    """The server gave up in the middle of the reply."""

    code: WireErrorCode
    detail: str
    """What the server says, in one printable line of at most 300 characters; may be
    empty. It is not ours: scrub it before it is shown."""
    retryable: bool


class WireNote(Struct, frozen=True, gc=False):
    """Something in the stream that is not as its format says."""

    code: str
    severity: Severity
    message: str
    line: int
    """1-based line of the input; 0 where it has none."""


class WireRest(Struct, frozen=True, gc=False):
    """Input that is not of the format, as it came; a note in front of it says so."""

    delta: str


WireEvent: TypeAlias = (
    WireText
    | WireReasoning
    | WireToolStart
    | WireToolArguments
    | WireToolEnd
    | WireToolResult
    | WireFolder
    | WireTurn
    | WireUsage
    | WireEnd
    | WireError
    | WireNote
    | WireRest
)
"""One fact of a stream."""
