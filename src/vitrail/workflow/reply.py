"""One reply: what an agent says, turned into events that always close.

Strategy: everything here is synchronous and in memory. `ReplyReader` cleans
the text (halves of characters joined, secrets taken out), feeds the parser,
and keeps just enough beside it (which artifacts are open, the last characters)
to end the reply properly when the agent, the person or the parser itself ends
it early. `coalesce` makes the few larger events that one transaction stores.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, Protocol, TypeAlias

import msgspec

from vitrail.core.parse import CloseReason, StreamParser
from vitrail.core.text import SurrogateJoiner
from vitrail.core.text.scrub import Scrubber
from vitrail.limits import MAX_EVENT_BYTES, MAX_HELD_CHARS, MAX_OPEN_TAG_CHARS
from vitrail.ports import AgentChunk, AgentEnd, AgentReasoning, AgentText, AgentUsage
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    EndReason,
    ErrorRaised,
    Event,
    QuestionForm,
    Reasoning,
    RunEndReason,
    Text,
    Usage,
)

__all__ = [
    "MAX_DELTA_CHARS",
    "OpenArtifacts",
    "ParserLike",
    "ReplyReader",
    "coalesce",
]

MAX_DELTA_CHARS: Final = MAX_EVENT_BYTES // 8
"""Longest delta of one event; a character takes at most six bytes as JSON."""

_MAX_TAIL_CHARS: Final = MAX_HELD_CHARS + MAX_OPEN_TAG_CHARS
"""The most that a parser may hold back, which is what it may lose."""

_Delta: TypeAlias = Text | Reasoning | ArtifactChunk


class ParserLike(Protocol):
    """What a reply needs of a parser."""

    def feed(self, text: str) -> Sequence[Event]:
        """Return the events of the next piece."""
        ...

    def close(self, *, reason: CloseReason = "unclosed") -> Sequence[Event]:
        """Return the events that only the end can tell; close what is open."""
        ...


# --- what is open -------------------------------------------------------


@dataclass(slots=True)
class _Body:
    start: ArtifactStart
    position: int
    """Code points: where the body ends so far, in the whole message."""
    length: int = 0
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)


class OpenArtifacts:
    """The artifacts that have a start and no end yet, as events go by."""

    def __init__(self) -> None:
        self._bodies: dict[int, _Body] = {}

    def __contains__(self, artifact: int) -> bool:
        return artifact in self._bodies

    def see(self, events: Iterable[Event]) -> None:
        """Take note of these events."""
        for event in events:
            match event:
                case ArtifactStart():
                    self._bodies[event.artifact] = _Body(event, event.span[1])
                case ArtifactChunk() if event.artifact in self._bodies:
                    body = self._bodies[event.artifact]
                    body.length += len(event.delta)
                    body.position += len(event.delta)
                    body.digest.update(event.delta.encode())
                case ArtifactEnd():
                    self._bodies.pop(event.artifact, None)
                case _:
                    pass

    def ends(self, reason: EndReason) -> list[Event]:
        """Return the missing ends, for bodies that are not whole, and forget them."""
        bodies, self._bodies = self._bodies, {}
        return [
            ArtifactEnd(
                artifact=artifact,
                identifier=body.start.identifier,
                complete=False,
                reason=reason,
                length=body.length,
                sha256=body.digest.hexdigest(),
                span=(body.position, body.position),
            )
            for artifact, body in bodies.items()
        ]


# --- the reply ----------------------------------------------------------


class ReplyReader:
    """Chunks of an agent in, events out; no text is lost, every start gets its end."""

    def __init__(
        self,
        secrets: Iterable[str] = (),
        *,
        parser: Callable[[], ParserLike] = StreamParser,
        told_before: int = 0,
    ) -> None:
        """``told_before``: characters the parser tells that no agent says."""
        secrets = tuple(secrets)
        self._parser: ParserLike | None = parser()
        self._text = _Cleaner(secrets)
        self._reasoning = _Cleaner(secrets)
        self._open = OpenArtifacts()
        self._fed_chars = 0
        self._told_chars = -told_before
        self._tail: deque[str] = deque()
        self._tail_chars = 0
        self.broken: Exception | None = None
        """What the parser threw, if it ever did; the reply goes on as plain text."""

    def feed(self, chunks: Iterable[AgentChunk]) -> list[Event]:
        """Return the events of these chunks; an `AgentEnd` among them says nothing here.

        Neighbouring pieces are read as one, which costs a tenth and changes nothing.
        """
        events: list[Event] = []
        for chunk in _joined_chunks(chunks):
            match chunk:
                case AgentText():
                    events += self._thought_over()
                    events += self._parse(self._text.feed(chunk.text))
                case AgentReasoning():
                    events += self._thought(self._reasoning.feed(chunk.text))
                case AgentUsage():
                    events.append(Usage(chunk.input_tokens, chunk.output_tokens))
                case AgentEnd():
                    pass
        return events

    def close(self, reason: RunEndReason) -> list[Event]:
        """Return the last events; whatever is still open ends incomplete."""
        events = self._thought_over()
        events += self._parse(self._text.flush())
        ended = _close_reason(reason)
        parser = self._parser
        if parser is not None:
            events += self._guarded(lambda: parser.close(reason=ended))
        return events + self._open.ends(ended)

    def _parse(self, text: str) -> list[Event]:
        if not text:
            return []
        parser = self._parser
        if parser is None:
            return [Text(text)]
        self._fed_chars += len(text)
        self._remember(text)
        return self._guarded(lambda: parser.feed(text))

    def _guarded(self, step: Callable[[], Sequence[Event]]) -> list[Event]:
        try:
            events = list(step())
        except Exception as error:  # noqa: BLE001 - a reply outlives its parser
            return self._give_up(error)
        self._open.see(events)
        self._told_chars += sum(_chars(event) for event in events)
        return events

    def _give_up(self, error: Exception) -> list[Event]:
        """Go on without the parser: what it held becomes text, what is open ends."""
        self._parser = None
        self.broken = error
        held = self._fed_chars - self._told_chars
        events = self._open.ends("failed")
        if held > 0:
            events.append(Text("".join(self._tail)[-held:]))
        events.append(
            ErrorRaised(
                code="internal-error",
                message="The reply could not be read any further as artifacts; "
                "the rest of it is kept as text.",
                retryable=False,
            )
        )
        return events

    def _remember(self, text: str) -> None:
        self._tail.append(text)
        self._tail_chars += len(text)
        while self._tail_chars - len(self._tail[0]) >= _MAX_TAIL_CHARS:
            self._tail_chars -= len(self._tail.popleft())

    def _thought(self, text: str) -> list[Event]:
        place = max(0, self._told_chars)
        return [Reasoning(text, (place, place))] if text else []

    def _thought_over(self) -> list[Event]:
        return self._thought(self._reasoning.flush())


class _Cleaner:
    """Halves joined, then secrets taken out."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        self._joiner = SurrogateJoiner()
        self._scrubber = Scrubber(secrets)

    def feed(self, text: str) -> str:
        return self._scrubber.feed(self._joiner.feed(text))

    def flush(self) -> str:
        return self._scrubber.feed(self._joiner.close()) + self._scrubber.flush()


def _joined_chunks(chunks: Iterable[AgentChunk]) -> Iterator[AgentChunk]:
    for kind, run in groupby(chunks, key=type):
        if kind in (AgentText, AgentReasoning):
            texts = (c.text for c in run if isinstance(c, AgentText | AgentReasoning))
            text = "".join(texts)
            yield AgentText(text) if kind is AgentText else AgentReasoning(text)
        else:
            yield from run


def _chars(event: Event) -> int:
    """Return how much of the message an event accounts for."""
    match event:
        case Text() | ArtifactChunk():
            return len(event.delta)
        case DiagnosticFound():
            return 0
        case QuestionForm() if not event.complete:
            return 0
        case _:
            start, end = getattr(event, "span", (0, 0))
            return int(end - start)


def _close_reason(reason: RunEndReason) -> CloseReason:
    match reason:
        case "stopped":
            return "stopped"
        case "failed" | "interrupted":
            return "failed"
        case "done" | "length":
            return "unclosed"


# --- few events, none too large -----------------------------------------


def coalesce(events: Iterable[Event]) -> list[Event]:
    """Return the same events with neighbouring deltas joined and none too large.

    >>> coalesce([Text("a"), Text("b")])
    [Text(delta='ab')]
    """
    runs: list[list[Event]] = []
    for event in events:
        if runs and _continues(runs[-1][-1], event):
            runs[-1].append(event)
        else:
            runs.append([event])
    return [event for run in runs for event in _split(_join(run))]


def _continues(before: Event, after: Event) -> bool:
    match before, after:
        case Text(), Text():
            return True
        case ArtifactChunk(), ArtifactChunk():
            return before.artifact == after.artifact
        case Reasoning(), Reasoning():
            return before.span[1] == after.span[0]
        case _:
            return False


def _join(run: list[Event]) -> Event:
    first, last = run[0], run[-1]
    if len(run) == 1 or not isinstance(first, _Delta):
        return first
    joined = "".join(event.delta for event in run if isinstance(event, _Delta))
    if isinstance(first, Reasoning) and isinstance(last, Reasoning):
        return Reasoning(joined, (first.span[0], last.span[1]))
    return msgspec.structs.replace(first, delta=joined)


def _split(event: Event) -> list[Event]:
    if not isinstance(event, _Delta) or len(event.delta) <= MAX_DELTA_CHARS:
        return [event]
    starts = range(0, len(event.delta), MAX_DELTA_CHARS)
    pieces = [event.delta[start : start + MAX_DELTA_CHARS] for start in starts]
    if not isinstance(event, Reasoning):
        return [msgspec.structs.replace(event, delta=piece) for piece in pieces]
    start, end = event.span
    borders = [min(end, start + at) for at in starts[1:]]
    edges = zip([start, *borders], [*borders, end], strict=True)
    return [Reasoning(piece, span) for piece, span in zip(pieces, edges, strict=True)]
