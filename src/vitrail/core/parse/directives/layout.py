"""A message's events laid out: what is left of the text, and where something was taken out.

Every view of a reply is made of this one `Layout`; none reads the text again.
Media are told at the end, with spans into text that had been told as text: they
are cut out of it here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

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
    Suppressed,
    Text,
    UnknownEvent,
)

__all__ = ["Layout", "Mark", "Removal", "lay_out"]

Removal: TypeAlias = DirectiveFound | EmbedFound
"""What a mark stands for."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the text that is left where something was taken out."""

    at: int
    """Index in the text that is left."""
    event: Removal


@dataclass(frozen=True, slots=True)
class Layout:
    """What is left of a message's text, and the marks in it."""

    text: str
    marks: tuple[Mark, ...]
    """In order of place."""
    begins: bool
    """Whether the text begins at the message's very beginning."""


@dataclass(slots=True)
class _Run:
    """Text that stands in one piece in the message."""

    start: int
    text: str


def lay_out(events: Iterable[Event | UnknownEvent]) -> Layout:
    """Return the layout of the events of one message.

    Artifacts, forms, thinking and what was suppressed are left out without a mark.

    >>> lay_out([Text("a "), DirectiveFound("audio_as_voice", None, (2, 20))]).text
    'a '
    """
    runs: list[_Run] = []
    found: list[tuple[Span, Removal | None]] = []
    recovered: dict[int, int] = {}  # artifact -> where its open tag begins
    place = 0
    for event in events:
        match event:
            case Text():
                runs.append(_Run(place, event.delta))
                place += len(event.delta)
            case ArtifactStart() if event.recovered is not None:
                recovered[event.artifact] = event.span[0]
            case ArtifactChunk() if event.artifact not in recovered:
                place += len(event.delta)
            case ArtifactEnd() if event.artifact in recovered:
                found.append(((recovered[event.artifact], event.span[1]), None))
            case DirectiveFound() | EmbedFound():
                found.append((event.span, event))
                place = max(place, event.span[1])
            case (
                ArtifactStart()
                | ArtifactEnd()
                | Reasoning()
                | QuestionForm()
                | Suppressed()
            ):
                if event.span[0] < place:
                    found.append((event.span, None))
                place = max(place, event.span[1])
    return _cut(runs, found)


def _cut(runs: list[_Run], found: list[tuple[Span, Removal | None]]) -> Layout:
    """Take the spans out of the runs that hold them, and note where they were."""
    found = sorted(found, key=lambda one: one[0])
    starts = [run.start for run in runs]
    kept: list[str] = []
    marks: list[Mark] = []
    chars = 0
    place = at = 0  # what is in front of the place is done; run of that place
    for (start, end), event in found:
        to = bisect_right(starts, start)
        for run in runs[at:to]:
            piece = run.text[max(place - run.start, 0) : max(start - run.start, 0)]
            kept.append(piece)
            chars += len(piece)
        if event is not None:
            marks.append(Mark(chars, event))
        place = max(place, end)
        at = max(to - 1, 0)
    kept.extend(run.text[max(place - run.start, 0) :] for run in runs[at:])
    begins = bool(runs) and runs[0].start == 0 and not (found and found[0][0][0] == 0)
    return Layout("".join(kept), tuple(marks), begins)
