"""The text of a fence that never closed, read for what begins its lines."""

from __future__ import annotations

import re
from typing import Final

from vitrail.core.text.markdown import Markdown

__all__ = ["FencedText"]

_INDENT: Final = re.compile(r" {0,3}+")
_LINE: Final = re.compile(r"[^\n\r]*+")


class FencedText(Markdown):
    """Text that is code throughout, so that nothing in it hides anything.

    `scan` takes it in one piece, and stops in front of each ``<`` that begins its line.
    """

    __slots__ = ("_is_line_start",)

    _is_line_start: bool

    def may_hide(self, *, runs: bool) -> bool:  # noqa: ARG002 - as in `Markdown`
        """Return False."""
        return False

    def pass_angle(self) -> None:
        """Take the ``<`` at this place as text."""
        self.at_mark = False
        self._looked += 1

    def pass_named_angle(self) -> None:
        """Take the ``<`` at this place as text."""
        self.pass_angle()

    def pass_dead_angle(self) -> None:
        """Take the ``<`` at this place as text."""
        self.pass_angle()

    def scan(self, buf: str, i: int, end: int) -> int:
        """Read ``buf[i:end]`` up to the next stop and return its place."""
        self.at_mark = False
        while i < end:
            if self._is_line_start:
                self._is_line_start = False
                i = self._match(_INDENT, buf, i, end)
                if i < end and buf[i] == "<":
                    self.at_mark = self.begins_line = True
                    break
            i = self._match(_LINE, buf, i, end)
            if i < end:
                self._looked += 1
                self._is_line_start = True
                i += 1
        return i

    def _match(self, pattern: re.Pattern[str], buf: str, i: int, end: int) -> int:
        found = pattern.match(buf, i, end)
        at = found.end() if found else i
        self._looked += at - i
        return at

    def _clear(self) -> None:
        self._is_line_start = True
        super()._clear()
