"""The stream of a model server to events, as `StreamParser` gives them.

Strategy: a decoder says what the stream says (`facts`); the text among it goes
through a `StreamParser`, calls of tools through `ToolCall`, and `Telling` puts
both in one order. Thinking stands beside the message and takes no place in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never

from vitrail.core.parse.dialects import DIALECTS
from vitrail.core.parse.inputs.calls import ToolCall
from vitrail.core.parse.inputs.chat import ChatCompletionsDecoder
from vitrail.core.parse.inputs.claude_code import ClaudeCodeDecoder
from vitrail.core.parse.inputs.decoding import WireDecoder
from vitrail.core.parse.inputs.edits import KnownFiles
from vitrail.core.parse.inputs.facts import (
    WireEnd,
    WireError,
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
from vitrail.core.parse.inputs.messages import MessagesDecoder
from vitrail.core.parse.inputs.responses import ResponsesDecoder
from vitrail.core.parse.inputs.telling import Telling, TextReader
from vitrail.core.parse.reading import ParserLimits
from vitrail.core.parse.sections import CloseReason
from vitrail.core.text import SurrogateJoiner, clean_surrogates
from vitrail.protocol.events import ErrorRaised, Event, Text, Usage

__all__ = ["WIRE_DIALECTS", "InputParser"]

WIRE_DIALECTS: Final[dict[str, Callable[[], WireDecoder]]] = {
    "openai": ResponsesDecoder,
    "openai-chat": ChatCompletionsDecoder,
    "anthropic": MessagesDecoder,
    "claude-code": ClaudeCodeDecoder,
}
"""The decoder of every wire format, by the name of its dialect."""

_BREAK: Final = "\n\n"
"""Between the texts of two messages; they are paragraphs of their own."""


class InputParser:
    r"""Parse the stream of a model server as it comes.

    Feed it bytes, cut anywhere, or text. The joined events (`join_events`) do
    not depend on the cuts. Whatever is open when the stream ends is closed.

    Raises ``ValueError`` for an unknown dialect.

    >>> parser = InputParser("openai-chat")
    >>> parser.feed(b'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n')
    [Text(delta='Hi')]
    """

    def __init__(
        self,
        dialect: str,
        *,
        text_dialect: str | None = None,
        limits: ParserLimits | None = None,
    ) -> None:
        """``text_dialect`` is how the text inside marks artifacts; every way if None."""
        if dialect not in WIRE_DIALECTS:
            known = ", ".join(sorted(WIRE_DIALECTS))
            raise ValueError(f"expected a dialect of: {known}; got {dialect!r}")
        every = "auto" if "auto" in DIALECTS else "tag"
        self._text_dialect = text_dialect or every
        self._decoder = WIRE_DIALECTS[dialect]()
        self._telling = Telling(limits or ParserLimits())
        self._files = KnownFiles()
        self._folder = ""
        self._text: TextReader | None = None
        self._thought = SurrogateJoiner()
        self._open: dict[str, ToolCall] = {}
        self._written: dict[str, ToolCall] = {}
        self._plain: dict[str, tuple[str, int]] = {}  # name and characters
        self._looked = 0  # by readers that are gone
        self._has_facts = False
        self._is_new_turn = False
        self._closed = False
        self.foreign: str | None = None
        """What came first that is not of the format, and in which line, in words."""

    @property
    def looked_at(self) -> int:
        """Characters looked at so far, each as often as it was."""
        text = self._text.looked_at if self._text else 0
        calls = sum(call.looked_at for call in self._open.values())
        return self._decoder.looked_at + self._looked + text + calls

    def feed(self, data: bytes | str) -> list[Event]:
        """Take a piece of the stream and return the events that are now certain.

        Raises ``ValueError`` after `close`.
        """
        if self._closed:
            raise ValueError("expected no input after close(); make a new InputParser")
        for fact in self._decoder.feed(data):
            self._take(fact)
        return self._telling.take()

    def close(self, *, reason: CloseReason = "unclosed") -> list[Event]:
        """End the stream and return the remaining events; whatever is open is closed.

        A second call returns nothing.
        """
        if self._closed:
            return []
        self._closed = True
        decoder = self._decoder
        for fact in decoder.close():
            self._take(fact)
        if reason == "unclosed" and decoder.has_failed:
            reason = "failed"
        elif reason == "unclosed" and decoder.end == "stopped":
            reason = "stopped"
        for call in tuple(self._open):
            self._end_call(call, reason)
        self._end_text(reason)
        if self._has_facts and not (
            decoder.is_over or decoder.end or decoder.has_failed
        ):
            self._telling.diagnose(
                "stream-unfinished",
                "warning",
                f"The {decoder.format} stream stopped before the model had ended.",
            )
        return self._telling.take()

    # --- facts -------------------------------------------------------------------

    def _take(self, fact: WireEvent) -> None:
        match fact:
            case WireText():
                self._read_text(fact.delta)
            case WireReasoning():
                self._telling.reasoning(self._thought.feed(fact.delta))
            case WireToolStart() | WireToolArguments() | WireToolEnd():
                self._take_call(fact)
            case WireToolResult():
                call = self._written.pop(fact.call, None)
                if call is not None and fact.is_error:
                    call.fail(fact.text)
            case WireNote() | WireRest():
                self._take_stray(fact)
                return
            case _:
                self._take_frame(fact)
        self._has_facts = True

    def _take_frame(
        self, fact: WireFolder | WireTurn | WireUsage | WireEnd | WireError
    ) -> None:
        telling = self._telling
        match fact:
            case WireFolder():
                self._folder = self._folder or clean_surrogates(fact.path)
            case WireTurn():
                self._end_text("unclosed")
                self._is_new_turn = True
            case WireUsage():
                telling.tell(Usage(fact.input_tokens, fact.output_tokens))
            case WireEnd():
                if fact.reason == "length":
                    telling.diagnose(
                        "reply-too-long",
                        "warning",
                        "The model reached the limit of its reply's length and was "
                        "cut off there.",
                    )
            case WireError():
                said = f" It says: {fact.detail}" if fact.detail else ""
                telling.tell(
                    ErrorRaised(
                        fact.code,
                        f"The model's server broke off the reply.{said}",
                        fact.retryable,
                    )
                )
            case _:
                assert_never(fact)

    def _take_stray(self, fact: WireNote | WireRest) -> None:
        match fact:
            case WireNote():
                if fact.code == "not-the-format" and self.foreign is None:
                    self.foreign = fact.message
                self._telling.diagnose(fact.code, fact.severity, fact.message)
            case WireRest():
                self._telling.text(clean_surrogates(fact.delta))

    # --- text --------------------------------------------------------------------

    def _read_text(self, text: str) -> None:
        if self._text is None:
            if self._is_new_turn and isinstance(self._telling.last, Text):
                self._telling.text(_BREAK)
            self._text = TextReader(self._telling, self._text_dialect)
        self._text.feed(text)

    def _end_text(self, reason: CloseReason) -> None:
        self._telling.reasoning(self._thought.close())
        if self._text is not None:
            self._text.close(reason)
            self._looked += self._text.looked_at
            self._text = None

    # --- calls -------------------------------------------------------------------

    def _take_call(self, fact: WireToolStart | WireToolArguments | WireToolEnd) -> None:
        name = fact.call
        match fact:
            case WireToolStart() if fact.takes_text:
                self._plain[name] = (clean_surrogates(fact.name), 0)
            case WireToolStart():
                self._open[name] = ToolCall(
                    self._telling, self._files, fact.name, folder=self._folder
                )
            case WireToolArguments() if name in self._plain:
                tool, chars = self._plain[name]
                self._plain[name] = (tool, chars + len(fact.delta))
            case WireToolArguments():
                self._open[name].feed(fact.delta)
            case WireToolEnd() if name in self._plain:
                self._telling.suppress(*self._plain.pop(name))
            case WireToolEnd():
                self._end_call(name, "unclosed")

    def _end_call(self, name: str, reason: CloseReason) -> None:
        call = self._open.pop(name)
        call.finish(reason)
        self._looked += call.looked_at
        self._written[name] = call
