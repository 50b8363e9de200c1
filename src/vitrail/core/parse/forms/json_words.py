"""Strings, numbers and bare words of a JSON text, put together from pieces."""

from __future__ import annotations

import math
import re
from typing import Final, Literal, TypeAlias

from vitrail.core.parse.forms.json_tree import RepairKind, RepairLog

__all__ = ["NAME", "Role", "Words", "read_word"]

Role: TypeAlias = Literal["key", "value"]

NAME: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")
"""A bare word that can be meant as a key or a text."""
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_ODD_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
)
_LITERALS: Final = {"true": True, "false": False, "null": None}
_ODD_LITERALS: Final = {**_LITERALS, "none": None, "undefined": None}
_NO_NUMBERS: Final = frozenset({"nan", "infinity", "inf"})
_HIGH: Final = range(0xD800, 0xDC00)
_LOW: Final = range(0xDC00, 0xE000)


class Words:
    """One string or bare word that is being read."""

    __slots__ = (
        "_high",
        "_high_at",
        "_log",
        "_pieces",
        "behind",
        "chars",
        "digits",
        "opener",
        "role",
        "start",
    )

    def __init__(
        self, log: RepairLog, role: Role = "value", opener: str = "", start: int = 0
    ) -> None:
        self.role = role
        self.opener = opener
        """The kind of its opening quote."""
        self.start = start
        self.chars = 0
        self.digits = ""
        r"""Of ``\uXXXX``, what has come."""
        self.behind: list[str] = []
        """A quote that may close, and the white space behind it."""
        self._log = log
        self._pieces: list[str] = []
        self._high = 0  # a high surrogate that waits for its low one
        self._high_at = 0

    def text(self) -> str:
        """Return what is read for certain."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def add(self, piece: str) -> None:
        """Take characters."""
        self._drop_high()
        self.chars += len(piece)
        self._pieces.append(piece)

    def add_unit(self, unit: int, place: int) -> None:
        """Take one UTF-16 unit that was written as an escape."""
        if unit in _LOW and self._high:
            high, self._high = self._high, 0
            self.add(chr(0x10000 + ((high - _HIGH.start) << 10) + unit - _LOW.start))
        elif unit in _HIGH:
            self._drop_high()
            self._high, self._high_at = unit, place
        elif unit in _LOW:
            self._log.add("lone-surrogate", place)
            self.add("\ufffd")
        else:
            self.add(chr(unit))

    def finish(self) -> str:
        """Return the whole text."""
        self._drop_high()
        return self.text()

    def _drop_high(self) -> None:
        """Replace a high surrogate that no low one followed."""
        if self._high:
            self._high = 0
            self._log.add("lone-surrogate", self._high_at)
            self._pieces.append("\ufffd")


def read_word(word: str) -> tuple[object, RepairKind | None] | None:
    """Return the value of a bare word or number, and how it had to be mended.

    None: it means nothing.

    >>> read_word("-1.5"), read_word("True"), read_word("1e400")
    ((-1.5, None), (True, 'odd-word'), (None, 'no-number'))
    """
    if word in _LITERALS:
        return _LITERALS[word], None
    if _NUMBER.fullmatch(word):
        return _finite(word, None)
    folded = word.lower()
    if folded in _ODD_LITERALS:
        return _ODD_LITERALS[folded], "odd-word"
    if folded.lstrip("+-") in _NO_NUMBERS:
        return None, "no-number"
    if _ODD_NUMBER.fullmatch(word):
        return _finite(word, "odd-number")
    if NAME.fullmatch(word):
        return word, "unquoted"
    return None


def _finite(word: str, mended: RepairKind | None) -> tuple[object, RepairKind | None]:
    number = float(word)
    if math.isinf(number):
        return None, "no-number"
    return (int(word) if word.lstrip("+-").isdecimal() else number), mended
