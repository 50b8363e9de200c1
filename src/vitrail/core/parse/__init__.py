"""Deltas to events: artifacts, reasoning, and later forms, directives and embeds."""

from vitrail.core.parse.join import join_events
from vitrail.core.parse.parser import CloseReason, ParserLimits, StreamParser

__all__ = ["CloseReason", "ParserLimits", "StreamParser", "join_events"]
