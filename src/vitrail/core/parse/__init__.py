"""Deltas to events: artifacts, reasoning, and later forms, directives and embeds."""

from vitrail.core.parse.join import iter_joined, join_events
from vitrail.core.parse.parser import StreamParser
from vitrail.core.parse.parts import PartFolder, fold_parts
from vitrail.core.parse.reading import ParserLimits
from vitrail.core.parse.sections import CloseReason

__all__ = [
    "CloseReason",
    "ParserLimits",
    "PartFolder",
    "StreamParser",
    "fold_parts",
    "iter_joined",
    "join_events",
]
