"""A message cut into segments: its text, and what is taken out of it, in order.

Strategy: the events say which spans were taken out; what lies between them is
text. So the segments of a text, put together, are the text, to the character.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from vitrail.core.parse.join import join_events
from vitrail.core.parse.parser import StreamParser
from vitrail.core.parse.written_tags import write_open_tag
from vitrail.core.text import clean_surrogates
from vitrail.protocol.diagnostics import Span
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DirectiveFound,
    EmbedFound,
    Event,
    QuestionForm,
    Reasoning,
    Recovery,
    Suppressed,
)
from vitrail.protocol.records import ArtifactPart, FormPart, Part, TextPart

__all__ = [
    "Segment",
    "SegmentKind",
    "cut_spans",
    "read_segments",
    "segments_of_parts",
    "taken_out",
]

SegmentKind: TypeAlias = Literal["text", "artifact", "form", "other"]
"""``other``: thinking, directives, embeds, internal tags."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of a message."""

    kind: SegmentKind
    raw: str
    """As it was written, tags included."""
    span: Span = (0, 0)
    """Its place in the message; (0, 0) where only the parts are known."""
    identifier: str = ""
    artifact_type: str = ""
    title: str = ""
    body: str = ""
    """An artifact's body."""
    is_complete: bool = True
    """False for an artifact without its end, or a form that is not whole."""
    recovered: Recovery | None = None
    """How an artifact was found that only the end of the text could tell."""


def read_segments(text: str, *, dialect: str = "tag") -> tuple[Segment, ...]:
    r"""Return the segments of a finished message, which is parsed once.

    >>> [s.kind for s in read_segments("Hi\n<artifact identifier='a'>b</artifact>")]
    ['text', 'artifact']
    """
    text = clean_surrogates(text)
    parser = StreamParser(dialect=dialect)
    events = join_events([*parser.feed(text), *parser.close()])
    return cut_spans(text, taken_out(events, text))


def cut_spans(text: str, taken: Iterable[Segment]) -> tuple[Segment, ...]:
    """Return the segments taken out of a text with the text between them.

    They come in any order; none overlaps another.
    """
    segments: list[Segment] = []
    place = 0
    for segment in sorted(taken, key=lambda segment: segment.span):
        start, end = segment.span
        if start > place:
            segments.append(Segment("text", text[place:start], (place, start)))
        segments.append(segment)
        place = end
    if place < len(text):
        segments.append(Segment("text", text[place:], (place, len(text))))
    return tuple(segments)


def taken_out(events: Iterable[Event], text: str) -> Iterator[Segment]:
    """Yield what the joined events of a text take out of it.

    An artifact that has not ended goes to the end of the last of its body.
    """
    starts: dict[int, ArtifactStart] = {}
    bodies: dict[int, str] = {}
    for event in events:
        match event:
            case ArtifactStart():
                starts[event.artifact] = event
            case ArtifactChunk():
                bodies[event.artifact] = bodies.get(event.artifact, "") + event.delta
            case ArtifactEnd():
                start = starts.pop(event.artifact)
                body = bodies.pop(event.artifact, "")
                yield _artifact(start, body, text, end=event)
            case QuestionForm() if event.complete:
                yield Segment("form", text[slice(*event.span)], event.span)
            case Reasoning() | DirectiveFound() | EmbedFound() | Suppressed():
                yield Segment("other", text[slice(*event.span)], event.span)
            case _:
                pass
    for start in starts.values():
        yield _artifact(start, bodies.get(start.artifact, ""), text, end=None)


def _artifact(
    start: ArtifactStart, body: str, text: str, *, end: ArtifactEnd | None
) -> Segment:
    behind = start.span[1] + len(body) if end is None else end.span[1]
    span = start.span[0], behind
    return Segment(
        "artifact",
        text[slice(*span)],
        span,
        start.identifier,
        start.artifact_type,
        start.title,
        body,
        end is not None and end.complete,
        start.recovered,
    )


def segments_of_parts(parts: Iterable[Part]) -> Iterator[Segment]:
    """Yield the segments of a stored message, whose tags are written anew.

    What is not told again (thinking, views, internal tags) has no segment.
    """
    for part in parts:
        match part:
            case TextPart():
                yield Segment("text", part.text, (part.start, part.start))
            case ArtifactPart():
                yield Segment(
                    "artifact",
                    f"{write_open_tag(part.attributes)}{part.text}</artifact>",
                    (part.start, part.start),
                    part.identifier,
                    part.artifact_type,
                    part.title,
                    part.text,
                    part.state == "complete",
                )
            case FormPart():
                yield Segment("form", "", is_complete=part.complete)
            case _:
                pass
