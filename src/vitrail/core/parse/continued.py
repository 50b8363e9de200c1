"""The reply that continues an artifact which was cut, read as one with it.

Strategy: the parser is given the open tag and the cut body again, and then the
continuation without what it repeats. So the artifact is one, its end is found
by the same rules as ever, and its digest is that of the whole. The beginning
of the continuation is held until it can be seen where it fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from vitrail.core.parse.overlap import SEEN_CHARS, Seam, find_seam
from vitrail.core.parse.parser import StreamParser
from vitrail.core.parse.sections import CloseReason
from vitrail.core.parse.written_tags import write_open_tag
from vitrail.core.text import TAG_SPACE
from vitrail.protocol.events import ArtifactEnd, DiagnosticFound, Event

__all__ = ["ContinuedParser"]

_HELD_CHARS: Final = 2 * SEEN_CHARS
"""Of the continuation, what is looked at to see where it fits."""
_MAX_REMARK_CHARS: Final = 200
_BLANK: Final = "".join(sorted(TAG_SPACE))


class ContinuedParser:
    """Parse a continuation; its events tell the artifact from its beginning.

    Where nothing comes at all there is no event either. Where nothing shows
    that the continuation fits, the artifact ends incomplete, ``unjoined``.
    """

    def __init__(self, attributes: Mapping[str, str], cut: str) -> None:
        self._tag = write_open_tag(attributes)
        self._cut = cut
        self._parser = StreamParser(dialect="tag")
        self._held: str | None = ""
        self._fence = _ClosingFence("")
        self._is_joined = True

    @property
    def told_before(self) -> int:
        """Characters that the events tell and the continuation does not have."""
        return len(self._tag) + len(self._cut)

    def feed(self, text: str) -> list[Event]:
        """Take a piece of the continuation."""
        if self._held is None:
            return self._read(self._fence.feed(text))
        self._held += text
        if len(self._held) < _HELD_CHARS:
            return []
        return self._begin()

    def close(self, *, reason: CloseReason = "unclosed") -> list[Event]:
        """End the continuation."""
        events: list[Event] = []
        if self._held is not None:
            if not self._held.strip(_BLANK):
                return []
            events = self._begin()
        events += self._read(self._fence.close())
        return events + self._told(self._parser.close(reason=reason))

    def _begin(self) -> list[Event]:
        """Tell the cut body, and go on behind what the continuation repeats."""
        held, self._held = self._held or "", None
        seam = find_seam(self._cut, held)
        if seam is None:
            self._is_joined = False
            place = self.told_before
            told = DiagnosticFound(
                "continuation-without-overlap",
                "warning",
                (place, place),
                "The continuation repeats nothing of the text that was cut, so nothing"
                " shows that it fits. Both are kept as a draft beside the file.",
            )
            return [*self._read(self._tag + self._cut + held), told]
        self._fence = _ClosingFence(seam.fence)
        events = self._read(self._tag + self._cut[: seam.keep])
        events += _remark_of(seam)
        return events + self._read(self._fence.feed(held[seam.skip :]))

    def _read(self, text: str) -> list[Event]:
        return self._told(self._parser.feed(text)) if text else []

    def _told(self, events: list[Event]) -> list[Event]:
        if self._is_joined:
            return events
        return [
            replace(event, complete=False, reason="unjoined")
            if isinstance(event, ArtifactEnd) and event.artifact == 0
            else event
            for event in events
        ]


def _remark_of(seam: Seam) -> list[Event]:
    if not seam.remark:
        return []
    return [
        DiagnosticFound(
            "continuation-remark",
            "info",
            (0, 0),
            f"In front of the continuation it says: {seam.remark[:_MAX_REMARK_CHARS]}",
        )
    ]


class _ClosingFence:
    """Leaves out the one line that closes a fence, in text that comes in pieces."""

    def __init__(self, marks: str) -> None:
        self._marks = marks
        self._line = ""  # held: so far it may be that line
        self._is_candidate = True

    def feed(self, text: str) -> str:
        """Return what is certain to stay."""
        if not self._marks:
            return text
        return "".join([self._take(piece) for piece in text.splitlines(keepends=True)])

    def close(self) -> str:
        """Return what was held, unless it closes the fence."""
        line, self._line = self._line, ""
        return "" if self._closes(line) else line

    def _take(self, piece: str) -> str:
        ends = piece[-1] in "\n\r"
        if not self._marks or not self._is_candidate:
            self._is_candidate = ends
            return piece
        line = self._line + piece
        if not ends and not line.strip(_BLANK).strip(self._marks[0]):
            self._line = line
            return ""
        self._line, self._is_candidate = "", ends
        if self._closes(line):
            self._marks = ""
            return ""
        return line

    def _closes(self, line: str) -> bool:
        marks = line.strip(_BLANK)
        return bool(self._marks) and (
            len(marks) >= len(self._marks) and not marks.strip(self._marks[0])
        )
