"""Neighbouring deltas as one, so that any chunking of a text prints the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from vitrail.protocol.events import ArtifactChunk, Event, Reasoning, Text, UnknownEvent

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

    The span of merged reasoning reaches from the first to the last.

    >>> join_events([Text("a"), Text("b")])
    [Text(delta='ab')]
    """
    return list(iter_joined(events))


def iter_joined(events: Iterable[Event]) -> Iterator[Event]:
    """Yield what `join_events` returns, each as soon as its last piece is known."""
    for _, group in groupby(events, _key):
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
