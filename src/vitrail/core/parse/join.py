"""Neighbouring deltas as one, so that any chunking of a text prints the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from vitrail.protocol.events import (
    ArtifactChunk,
    DiagnosticFound,
    Event,
    QuestionForm,
    Reasoning,
    Text,
    UnknownEvent,
)

__all__ = ["iter_joined", "join_events"]


def _key(event: Event | UnknownEvent) -> object:
    """Neighbours of an equal key are one; any other event stands alone."""
    match event:
        case Text() | Reasoning():
            return type(event)
        case ArtifactChunk():
            return event.artifact, event.identifier
        case _:
            return object()


def join_events(events: Iterable[Event]) -> list[Event]:
    """Return the events with neighbouring text, reasoning and chunks merged.

    The span of merged reasoning reaches from the first to the last. Of a form only
    its last state is kept, behind the diagnostics that came before it.

    >>> join_events([Text("a"), Text("b")])
    [Text(delta='ab')]
    """
    return list(iter_joined(events))


def iter_joined(events: Iterable[Event]) -> Iterator[Event]:
    """Yield what `join_events` returns, each as soon as its last piece is known."""
    for _, group in groupby(_last_forms(events), _key):
        same = list(group)
        first = same[0]
        if len(same) == 1:
            yield first
            continue
        match first, same[-1]:
            case Text(), _:
                yield Text("".join(e.delta for e in same if isinstance(e, Text)))
            case Reasoning(), Reasoning() as last:
                delta = "".join(e.delta for e in same if isinstance(e, Reasoning))
                yield Reasoning(delta, (first.span[0], last.span[1]))
            case ArtifactChunk(), _:
                delta = "".join(e.delta for e in same if isinstance(e, ArtifactChunk))
                yield ArtifactChunk(first.artifact, first.identifier, delta)


def _last_forms(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events but for each state of a form that a later one replaces."""
    form: QuestionForm | None = None
    for event in events:
        if isinstance(event, QuestionForm):
            if form is not None and form.span[0] != event.span[0]:
                yield form
            form = event
        elif isinstance(event, DiagnosticFound):
            yield event  # it may be about the form that is still to come whole
        else:
            if form is not None:
                yield form
                form = None
            yield event
    if form is not None:
        yield form
