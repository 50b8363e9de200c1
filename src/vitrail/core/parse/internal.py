"""Internal tags that leak from agents: their spellings, and where they close.

They are written with white space, bars, commas, hyphens and underscores strewn
in, so a tag is known by its name without these. Source: spec/open-design-1 §14.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

__all__ = ["FAMILIES", "CloseSearch", "Family", "InternalTag"]

_STREWN: Final = frozenset("| \uff5c\t,_-\u2581")
_MAX_NAME_CHARS: Final = 64
"""Characters of a tag up to the end of its name; more are text."""


@dataclass(frozen=True, slots=True)
class Family:
    """Internal tags that close each other."""

    name: str
    """What they are called where they are counted."""
    opens: tuple[str, ...]
    """Names that may have attributes behind them."""
    bare: tuple[str, ...]
    """Names that are the whole tag."""
    closes: tuple[str, ...]


FAMILIES: Final = (
    Family(
        "DSML artifact", ("dsmlartifact",), (), ("artifact", "dsml", "dsmlartifact")
    ),
    Family("tool_call", ("toolcall",), ("edit",), ("toolcall", "edit")),
)
"""Every family."""

_OPENS: Final = {name: family for family in FAMILIES for name in family.opens}
_BARE: Final = {name: family for family in FAMILIES for name in family.bare}
_NAMES: Final = (*_OPENS, *_BARE)
_CLOSES: Final = {name: family for family in FAMILIES for name in family.closes}


class InternalTag:
    """Read one open tag from behind its ``<``, a character at a time.

    `family` is set once its name is certain; `is_dead` once it can be none.
    """

    __slots__ = ("_chars", "_name", "family", "is_dead")

    def __init__(self) -> None:
        self._name = ""
        self._chars = 0
        self.family: Family | None = None
        self.is_dead = False

    def step(self, ch: str) -> None:
        """Take the next character."""
        self._chars += 1
        name = self._name
        if ch == ">":
            self.family = _OPENS.get(name) or _BARE.get(name)
            self.is_dead = self.family is None
        elif ch in _STREWN:
            # Behind a whole name, white space begins its attributes.
            self.family = _OPENS.get(name) if ch in " \t" else None
        else:
            self._name = name + (ch.lower() if ch.isascii() else ch)
            self.is_dead = not any(known.startswith(self._name) for known in _NAMES)
        if self._chars > _MAX_NAME_CHARS and self.family is None:
            self.is_dead = True


class CloseSearch:
    """Find the close tags of all families, in text that comes in pieces.

    Places count from the beginning of the message.
    """

    __slots__ = ("_closes", "_name", "_slash", "_start", "at", "looked")

    def __init__(self) -> None:
        # Places behind close tags that were passed, of families not asked about.
        self._closes: dict[str, deque[int]] = {f.name: deque() for f in FAMILIES}
        self._start = -1  # place of a "<" that may begin one
        self._name = ""
        self._slash = False
        self.at = 0
        """Place up to which they are known."""
        self.looked = 0
        """Characters looked at, ever."""

    def begin(self, place: int) -> None:
        """Look from this place on, or from where the look goes on behind it."""
        if place > self.at:
            self.at = place
            self._start = -1

    def find(self, family: Family, start: int, buf: str, base: int, stop: int) -> int:
        """Return the place behind the first close tag behind `start`, or -1.

        It is looked for up to ``buf[stop]``.
        """
        closes = self._closes[family.name]
        while closes and closes[0] <= start:
            closes.popleft()
        if not closes:
            self._read(closes, buf, base, stop)
        return closes[0] if closes and closes[0] <= base + stop else -1

    def _read(self, wanted: deque[int], buf: str, base: int, stop: int) -> None:
        """Read on from `at` up to ``buf[stop]``, or behind a tag that is wanted."""
        i = self.at - base
        while i < stop and not wanted:
            if self._start < 0:
                found = buf.find("<", i, stop)
                to = found if found >= 0 else stop
                self.looked += to - i
                i = to
                if i == stop:
                    break
            ch = buf[i]
            self.looked += 1
            i += 1
            self._step(ch, base + i)
        self.at = max(self.at, base + i)

    def _step(self, ch: str, place: int) -> None:
        if ch == "<":
            self._start, self._name, self._slash = place - 1, "", False
        elif ch == ">":
            self._start = -1
            if self._slash and self._name in _CLOSES:
                self._closes[_CLOSES[self._name].name].append(place)
        elif ch == "/" and not self._slash:
            self._slash = True
        elif ch not in _STREWN and ch not in "\n\r":
            self._name += ch.lower() if ch.isascii() else ch
        too_long = place - self._start > _MAX_NAME_CHARS
        if too_long or not any(name.startswith(self._name) for name in _CLOSES):
            self._start = -1
