"""Close tags: ``</name>`` in any case, with white space around the name.

This finder takes the first one (what the body says does not matter). Finders
that know the body's language, for instance the fences of a Markdown artifact,
have the same shape: see `make_finder`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Protocol

from vitrail.core.text import TAG_SPACE

__all__ = ["CloseFinder", "CloseTag", "make_finder"]

_MAX_SPACE_CHARS: Final = 64
"""White space on each side of the name; more makes it no close tag."""


@lru_cache(maxsize=16)
def _other(first: str) -> re.Pattern[str]:
    """Return what matches all that is no beginning of a close tag, by its first letter."""
    letters = re.escape(first + first.upper() + "".join(sorted(TAG_SPACE)))
    return re.compile(rf"(?:[^<]++|<(?:[^/<]|/[^<{letters}]|(?=<)))*+")


class CloseFinder(Protocol):
    """Finds where a body ends."""

    start: int
    """Index of the ``<`` that may begin the close tag, or -1: hold from there."""
    looked: int
    """Characters looked at, ever."""

    def find(self, buf: str, i: int, end: int) -> int:
        """Read ``buf[i:end]``; return the index behind the close tag, or -1."""
        ...

    def shift(self, chars: int) -> None:
        """Take note that so many characters were cut off the buffer's front."""
        ...


class CloseTag:
    """The first close tag of one name, in text that comes in pieces."""

    __slots__ = (
        "_name",
        "_other",
        "_seen",
        "_space",
        "_stage",
        "_whole",
        "looked",
        "start",
    )

    def __init__(self, name: str) -> None:
        self._name = name
        self._whole = f"</{name}>"
        self._other = _other(name[0])
        self._stage = "slash"
        self._seen = 0
        self._space = 0
        self.start = -1
        self.looked = 0

    def find(self, buf: str, i: int, end: int) -> int:
        """Read ``buf[i:end]``; return the index behind the close tag, or -1."""
        while i < end:
            if self.start < 0:
                found = self._other.match(buf, i, end)
                at = found.end() if found else i
                self.looked += at - i
                i = at
                if at == end:
                    return -1
                self._begin(at)
                if buf.startswith(self._whole, at) and at + len(self._whole) <= end:
                    self.looked += len(self._whole)
                    return at + len(self._whole)
                self.looked += 1
                i = at + 1
                continue
            ch = buf[i]
            self.looked += 1
            if ch == "<":
                self._begin(i)
            elif not self._step(ch):
                self.start = -1
            elif self._stage == "end":
                return i + 1
            i += 1
        return -1

    def shift(self, chars: int) -> None:
        """Take note that so many characters were cut off the buffer's front."""
        if self.start >= 0:
            self.start -= chars

    def _begin(self, at: int) -> None:
        self.start = at
        self._stage = "slash"
        self._seen = self._space = 0

    def _step(self, ch: str) -> bool:
        """Take one more character of a close tag; False if it is none."""
        match self._stage:
            case "slash":
                self._stage = "name"
                return ch == "/"
            case "name" if self._seen < len(self._name):
                if ch in TAG_SPACE and not self._seen:
                    return self._take_space()
                self._seen += 1
                return ch.isascii() and ch.lower() == self._name[self._seen - 1]
            case _ if ch == ">":
                self._stage = "end"
                return True
            case _:
                if self._stage == "name":
                    self._stage, self._space = "space", 0
                return ch in TAG_SPACE and self._take_space()

    def _take_space(self) -> bool:
        self._space += 1
        return self._space <= _MAX_SPACE_CHARS


def make_finder(artifact_type: str) -> CloseFinder:
    """Return the finder of an artifact's close tag, by the artifact's type."""
    del artifact_type  # every type ends at its first close tag
    return CloseTag("artifact")
