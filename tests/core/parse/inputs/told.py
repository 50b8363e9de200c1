"""What was told of a stream, in the shapes that tests ask for."""

from __future__ import annotations

from vitrail.core.parse import join_events
from vitrail.core.parse.inputs import InputParser
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactStart,
    DiagnosticFound,
    ErrorRaised,
    Text,
)

__all__ = ["bodies", "codes", "of", "read", "words"]


def read(dialect, *texts):
    parser = InputParser(dialect)
    events = [event for text in texts for event in parser.feed(text)]
    return join_events([*events, *parser.close()])


def words(events, kind=Text):
    return "".join(event.delta for event in events if isinstance(event, kind))


def of(events, *kinds):
    return [event for event in events if isinstance(event, kinds)]


def codes(events):
    return [event.code for event in of(events, DiagnosticFound, ErrorRaised)]


def bodies(events):
    return {
        (start.identifier, start.artifact_type): "".join(
            event.delta
            for event in of(events, ArtifactChunk)
            if event.artifact == start.artifact
        )
        for start in of(events, ArtifactStart)
    }
