"""The last line of a text that grows, held while it may be a ``MEDIA:`` line."""

from __future__ import annotations

import re
from typing import Final, Literal

from vitrail import limits

__all__ = ["HeldLine"]

_MARK: Final = "media:"
_BREAK: Final = re.compile(r"[\n\r]")


class HeldLine:
    r"""Let text through, but for a last line that begins as ``MEDIA:`` does.

    A line that is complete is let through, whatever it says. Blanks at a line's
    beginning wait for `settle`: what follows them in the same piece decides.

    >>> line = HeldLine()
    >>> line.feed("Look:\n MED"), line.settle(), line.feed("als are")
    ('Look:\n', '', ' MEDals are')
    """

    __slots__ = ("_begins", "_chars", "_matched", "_pieces", "_state", "looked")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._chars = 0
        self._matched = 0
        self._begins = False  # a line was just ended
        self._state: Literal["blanks", "mark", "media", "other"] = "blanks"
        self.looked = 0
        """Characters looked at, each once."""

    @property
    def rest(self) -> str:
        """What is held of the last line."""
        return "".join(self._pieces)

    def feed(self, text: str) -> str:
        """Take a piece of text and return what may be shown by now."""
        shown: list[str] = []
        at = 0
        while at < len(text):
            start = at
            self._begins = False
            if self._state in ("blanks", "mark"):
                at = self._read_mark(text, at)
            if self._state in ("media", "other"):
                at = self._read_line(text, at)
            self._pieces.append(text[start:at])
            self._chars += at - start
            if self._chars > limits.MAX_HELD_CHARS and self._state == "media":
                self._state = "other"
            if self._state == "other" or self._begins:
                shown += self._pieces
                self._pieces, self._chars = [], 0
        return "".join(shown)

    def settle(self) -> str:
        """Return held blanks, since the piece has ended behind them."""
        if self._state != "blanks":
            return ""
        rest = self.rest
        self._pieces, self._chars = [], 0
        return rest

    def release(self) -> str:
        """Return what is held, and hold nothing more of this line."""
        rest = self.rest
        self._pieces, self._chars = [], 0
        if rest:
            self._state = "other"
        return rest

    def _read_mark(self, text: str, at: int) -> int:
        while at < len(text) and self._state in ("blanks", "mark"):
            ch = text[at]
            self.looked += 1
            if ch in "\n\r":
                self._begin_line()
                return at + 1
            at += 1
            if ch.lower() == _MARK[self._matched]:
                self._matched += 1
                self._state = "media" if self._matched == len(_MARK) else "mark"
            elif self._matched or ch not in " \t":
                self._state = "other"
        return at

    def _read_line(self, text: str, at: int) -> int:
        """Read on to behind the line's break."""
        found = _BREAK.search(text, at)
        to = found.end() if found else len(text)
        self.looked += to - at
        if found:
            self._begin_line()
        return to

    def _begin_line(self) -> None:
        self._state, self._matched = "blanks", 0
        self._begins = True
