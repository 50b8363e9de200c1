"""What every state of the parser works on: the buffer, the events, the text.

Strategy: one state at a time reads the buffer from `_at`; what has been told
ends at `_told`, and the buffer keeps only what is behind it. A state that needs
more text says so and goes on where it stopped. *Index* is a place in the
buffer, *place* one in the message.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from vitrail import limits
from vitrail.core.parse.recovery import FenceCopy
from vitrail.core.text import Leaf, Markdown, Marks
from vitrail.protocol.diagnostics import Diagnostic, Severity
from vitrail.protocol.events import DiagnosticFound, Event, Text

__all__ = ["ParserLimits", "Reading"]


@dataclass(frozen=True, slots=True)
class ParserLimits:
    """Limits of one parser, all in code points but the counts."""

    open_tag_chars: int = limits.MAX_OPEN_TAG_CHARS
    held_chars: int = limits.MAX_HELD_CHARS
    attributes: int = limits.MAX_ATTRIBUTES_PER_TAG
    artifacts: int = limits.MAX_ARTIFACTS_PER_MESSAGE
    body_chars: int = limits.MAX_BODY_CODE_POINTS
    recoverable_chars: int = limits.MAX_RECOVERABLE_CHARS


class Reading(ABC):
    """The buffer and what has been told of it."""

    __slots__ = (
        "_at",
        "_base",
        "_buf",
        "_copy",
        "_events",
        "_final",
        "_limits",
        "_looked",
        "_markdown",
        "_quick",
        "_state",
        "_told",
    )

    def __init__(self, parser_limits: ParserLimits, marks: Marks) -> None:
        self._limits = parser_limits
        self._markdown = Markdown(marks)
        self._copy = FenceCopy(max_chars=parser_limits.recoverable_chars)
        self._events: list[Event] = []
        self._buf = ""
        self._base = 0  # place of the buffer's first character
        self._told = 0  # index: everything before it is in an event
        self._at = 0  # index: the state reads on from here
        self._final = False
        self._looked = 0
        self._state: Callable[[], bool] = self._read_text
        self._quick: re.Pattern[str] | None = None

    @abstractmethod
    def _read_text(self) -> bool:
        """Read text; as every state, return False where more text is needed."""

    @abstractmethod
    def _quick_pattern(self) -> re.Pattern[str] | None:
        """Return what matches as much of a piece as holds nothing to stop at."""

    @abstractmethod
    def _shift(self, chars: int) -> None:
        """Take note that so many characters were cut off the buffer's front."""

    def _run(self) -> list[Event]:
        events = self._events = []
        while self._at < len(self._buf) or self._final:
            if not self._state():
                break
        self._trim()
        self._events = []
        return events

    def _trim(self) -> None:
        """Drop what has been told, and see whether the next piece may be quick."""
        told = self._told
        if told:
            self._base += told
            self._at -= told
            self._told = 0
            if told == len(self._buf):
                self._buf = ""
            else:
                self._buf = self._buf[told:]
                self._shift(told)
        self._quick = None if self._buf else self._quick_pattern()

    def _tell_text(self, to: int) -> None:
        if to > self._told:
            text = self._buf[self._told : to]
            self._hear_text(text, self._base + self._told)
            self._told = to
            self._events.append(Text(text))

    @abstractmethod
    def _hear_text(self, text: str, place: int) -> None:
        """Take note of text that is told, and of the place where it begins."""

    def _diagnose(
        self, code: str, severity: Severity, span: tuple[int, int], message: str
    ) -> None:
        self._events.append(DiagnosticFound(code, severity, span, message))

    def _tell_faults(self, found: Iterable[Diagnostic], place: int) -> None:
        """Diagnose what a reader found whose spans count from this place."""
        for one in found:
            start, end = one.span or (0, 0)
            span = (place + start, place + end)
            self._diagnose(one.code, one.severity, span, one.message)

    def _is_in_fence(self, ordinal: int) -> bool:
        return self._markdown.leaf is Leaf.FENCE and self._markdown.fences == ordinal

    def _pass_angle(self) -> None:
        """Let the ``<`` at this place be text."""
        self._markdown.pass_angle()
        self._at += 1
        self._state = self._read_text

    def _take_tag(self, end: int) -> None:
        """Take the text up to the place `end` out of the text."""
        self._told = self._at = end - self._base

    def _begin_text(self) -> None:
        """Begin a new Markdown document behind something that was taken out."""
        self._markdown.reset()
        self._state = self._read_text
