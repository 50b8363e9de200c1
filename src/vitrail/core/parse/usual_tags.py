"""Open tags as models write them: ``name="value"`` behind single spaces, on one line.

Nearly all are like that. One that begins its line, where nothing may hide it, needs
no more than its end and its attributes: it is read once, from where it stopped,
and its attributes are picked out when all of it is there. What is written in any
other way is read again, by `OpenTags`.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["UsualTag"]

_PAIRS: Final = re.compile(
    r'(?: [A-Za-z-]++="[^"<&\n\r]*+")*+'
    r'(?:(>)|( [A-Za-z-]*+)(?:(?<=[A-Za-z-])(=)(?:(")[^"<&\n\r]*+)?+)?+)?+'
)
"""Attributes; then the tag's end, or as much as there is of one more attribute."""
_PAIR: Final = re.compile(r' ([^=]++)="([^"]*+)"')
_NAME: Final = re.compile(r"[A-Za-z-]*+")
_VALUE: Final = re.compile(r'[^"<&\n\r]*+')

_BETWEEN, _AT_END, _IN_NAME, _BEHIND_EQUALS, _IN_VALUE, _OTHER = range(6)
"""Where a tag has been read to; the first ones as `_PAIRS` numbers its groups."""


class UsualTag:
    """One open tag that may be a usual one, in text that comes in pieces.

    Offsets count from its ``<``.
    """

    __slots__ = ("_behind", "_part", "looked", "read_to")

    def __init__(self, behind: int) -> None:
        """Begin behind the tag's word, at this offset."""
        self._behind = behind
        self._part = _BETWEEN
        self.read_to = behind
        """Offset of the next character to read; of a tag that ended, where it ends."""
        self.looked = 0
        """Characters looked at, ever."""

    def read(self, buf: str, i: int, stop: int) -> bool | None:
        """Read the tag at ``buf[i]`` on: True, it is one; False, it is none; or None."""
        start = at = i + self.read_to
        part = self._part
        while at < stop and part != _OTHER:
            if part != _BETWEEN:
                part, at = _read_part(part, buf, at, stop)
                continue
            found = _PAIRS.match(buf, at, stop)
            if found is None:
                break
            part, at = found.lastindex or _BETWEEN, found.end()
            if part == _AT_END:
                self.looked += at - start
                self.read_to = at - i
                return True
            if at < stop:
                part = _OTHER
        self.looked += at - start
        self.read_to = at - i
        self._part = part
        return False if part == _OTHER else None

    def attributes(self, buf: str, i: int) -> dict[str, str]:
        """Return the attributes of the whole tag at ``buf[i]``; a repeated one's last."""
        self.looked += self.read_to - self._behind
        return dict(_PAIR.findall(buf, i + self._behind, i + self.read_to))


def _read_part(part: int, buf: str, at: int, stop: int) -> tuple[int, int]:
    """Read on in a part of an attribute; return what it goes on with, and where."""
    fits = True
    if part == _BEHIND_EQUALS:
        mark, then = '"', _IN_VALUE
    elif part == _IN_NAME:
        found, mark, then = _NAME.match(buf, at, stop), "=", _BEHIND_EQUALS
        at = found.end() if found else at
        fits = buf[at - 1] != " "
    else:
        found, mark, then = _VALUE.match(buf, at, stop), '"', _BETWEEN
        at = found.end() if found else at
    if at == stop:
        return part, at
    return (then, at + 1) if fits and buf[at] == mark else (_OTHER, at)
