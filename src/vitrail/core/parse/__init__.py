"""Deltas to events: artifacts, reasoning, and later forms, directives and embeds."""

from vitrail.core.parse.join import iter_joined, join_events
from vitrail.core.parse.parser import CloseReason, ParserLimits, StreamParser
from vitrail.core.parse.parts import PartFolder, fold_parts

__all__ = [
    "CloseReason",
    "ParserLimits",
    "PartFolder",
    "StreamParser",
    "fold_parts",
    "iter_joined",
    "join_events",
]
