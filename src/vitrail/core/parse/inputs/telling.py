"""One order for what comes from a text and what comes from tools.

Strategy: the message of a wire is what its events tell, in their order: text,
tags, bodies; places count its code points. A text has a parser of its own that
counts from 0 and knows nothing of what tools write in between; `TextReader`
moves its events to where they stand in the message and gives artifacts the
message's ordinals.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import Final

import msgspec

from vitrail.core.parse.parser import StreamParser
from vitrail.core.parse.reading import ParserLimits
from vitrail.core.parse.sections import CloseReason
from vitrail.core.text import SurrogateJoiner
from vitrail.protocol.diagnostics import Severity, Span
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    Event,
    QuestionForm,
    Reasoning,
    Suppressed,
    Text,
    Usage,
)

__all__ = ["Telling", "TextReader"]

_MAX_NAME_CHARS: Final = 80
"""Of a tool's name, what is shown."""


class Telling:
    """The events of one message, and how far they have come."""

    def __init__(self, limits: ParserLimits) -> None:
        self.limits = limits
        self.place = 0
        """Code points of the message told so far."""
        self.artifacts = 0
        """Artifacts started so far."""
        self.last: Event | None = None
        """The event that was told last, but for those that stand beside the message."""
        self._events: list[Event] = []

    def take(self) -> list[Event]:
        """Return the events that were told since the last call."""
        events, self._events = self._events, []
        return events

    def tell(self, event: Event) -> None:
        """Tell an event that is where it belongs."""
        self._events.append(event)
        if not isinstance(event, DiagnosticFound | Usage):
            self.last = event

    def text(self, text: str) -> None:
        """Tell text that no parser reads."""
        if text:
            self.tell(Text(text))
            self.place += len(text)

    def reasoning(self, text: str) -> None:
        """Tell thinking; it stands beside the message."""
        if text:
            self.tell(Reasoning(text, self.here))

    def suppress(self, name: str, chars: int) -> None:
        """Tell that so much of a tool's arguments is not shown."""
        self.tell(Suppressed(name[:_MAX_NAME_CHARS] or "tool", chars, self.here))

    def diagnose(self, code: str, severity: Severity, message: str) -> None:
        """Tell what is wrong here."""
        self.tell(DiagnosticFound(code, severity, self.here, message))

    @property
    def here(self) -> Span:
        """The empty span behind what has been told."""
        return self.place, self.place


class TextReader:
    """Reads one text of the message."""

    def __init__(self, telling: Telling, dialect: str) -> None:
        self._telling = telling
        self._parser = StreamParser(dialect=dialect, limits=telling.limits)
        self._surrogates = SurrogateJoiner()
        self._told = 0  # code points of this text
        self._recovered: set[int] = set()  # artifacts in text that was told before
        self._shift = telling.place  # of what is told next
        self._places: list[int] = []  # of this text where something stands in between
        self._shifts = [self._shift]  # in front of each of them, and behind the last
        self._ordinals: dict[int, int] = {}

    @property
    def looked_at(self) -> int:
        """Characters looked at so far, each as often as it was."""
        return self._parser.looked_at

    def feed(self, text: str) -> None:
        """Read a piece of the text."""
        self._pass_on(self._parser.feed(self._surrogates.feed(text)))

    def close(self, reason: CloseReason) -> None:
        """End the text."""
        rest = self._surrogates.close()
        self._pass_on(self._parser.feed(rest))
        self._pass_on(self._parser.close(reason=reason))

    def _pass_on(self, events: Iterable[Event]) -> None:
        telling = self._telling
        if telling.place != self._shift + self._told:
            # Something was told since the text's last piece.
            self._shift = telling.place - self._told
            self._places.append(self._told)
            self._shifts.append(self._shift)
        for event in events:
            telling.tell(self._moved(event))
            self._count(event)
        telling.place = self._shift + self._told

    def _count(self, event: Event) -> None:
        """Take note of how far an event of the parser has told the text."""
        match event:
            case Text():
                self._told += len(event.delta)
            case ArtifactChunk():
                if event.artifact not in self._recovered:
                    self._told += len(event.delta)
            case ArtifactStart(recovered=str()):
                self._recovered.add(event.artifact)
            case DiagnosticFound() | QuestionForm(complete=False):
                pass  # they point at what is told elsewhere
            case ArtifactEnd() if event.artifact in self._recovered:
                pass
            case _:
                span: Span = getattr(event, "span", (0, self._told))
                self._told = max(self._told, span[1])

    def _moved(self, event: Event) -> Event:
        match event:
            case ArtifactStart():
                ordinal = self._telling.artifacts
                self._telling.artifacts += 1
                self._ordinals[event.artifact] = ordinal
                if ordinal != event.artifact:
                    event = msgspec.structs.replace(event, artifact=ordinal)
            case ArtifactChunk() | ArtifactEnd():
                ordinal = self._ordinals[event.artifact]
                if ordinal != event.artifact:
                    event = msgspec.structs.replace(event, artifact=ordinal)
            case _:
                pass
        span: Span | None = getattr(event, "span", None)
        if span is None or self._shifts == [0]:
            return event
        return msgspec.structs.replace(event, span=self._moved_span(span))

    def _moved_span(self, span: Span) -> Span:
        start, end = span
        moved = start + self._shifts[bisect_right(self._places, start)]
        if end == start:
            return moved, moved
        return moved, end + self._shifts[bisect_left(self._places, end)]
