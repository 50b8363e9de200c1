"""Whether a tag in the middle of a line begins a body or is being talked about.

Such a tag is real if its body's first non-blank character fits its type, or
if its close tag comes on the same line (design §4.4). Another opener on that
line decides too: the first one was being talked about, since a literal opener
never pairs with the close tag of a later artifact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, Protocol, TypeAlias

from vitrail.core.parse.close_tags import CloseTag
from vitrail.core.text import LINE_BREAKS, TAG_SPACE

__all__ = ["BodyFit", "Fit", "FitVerdict", "JsonFit"]

FitVerdict: TypeAlias = Literal["real", "text"]

_MARKUP_TYPES: Final = frozenset(
    ["text/html", "html", "application/xhtml+xml", "image/svg+xml", "svg"]
)
_BLANKS: Final = re.compile(f"[{''.join(sorted(TAG_SPACE))}]*")
_ANGLE_OR_BREAK: Final = re.compile(r"[<\n\r]")


class BodyFit(Protocol):
    """Judges one tag by the text behind it, which comes in pieces."""

    verdict: FitVerdict | None
    looked: int
    """Characters looked at, ever."""

    def safe(self, base: int) -> int:
        """Return the place in front of the tag being read, or the next to read."""
        ...

    def shift(self, chars: int) -> None:
        """Take note that so many characters were cut off the buffer's front."""
        ...

    def read(self, buf: str, base: int, stop: int) -> None:
        """Read up to ``buf[stop]`` or to the `verdict`."""
        ...


class JsonFit:
    """Judge a form's tag: its body begins with JSON, or with a fence around it."""

    def __init__(self, *, at: int) -> None:
        self._at = at
        self.verdict: FitVerdict | None = None
        self.looked = 0

    def safe(self, base: int) -> int:
        """Return the next place to read."""
        del base
        return self._at

    def shift(self, chars: int) -> None:
        """Take note of nothing: no index is kept."""

    def read(self, buf: str, base: int, stop: int) -> None:
        """Read white space, and judge by what follows it."""
        i = self._at - base
        found = _BLANKS.match(buf, i, stop)
        at = found.end() if found else i
        self.looked += at - i
        self._at = base + at
        if at < stop:
            self.verdict = "real" if buf[at] in "{[`" else "text"


class Fit:
    """Judge an artifact's tag."""

    def __init__(
        self,
        attributes: Mapping[str, str],
        *,
        word: str,
        at: int,
        is_hasty: bool = False,
    ) -> None:
        """Judge the tag that begins with `word` and whose body begins at `at`.

        A hasty one does not look for the close tag.
        """
        self._is_hasty = is_hasty
        self._word = word
        self._is_markup = attributes.get("type", "").strip().lower() in _MARKUP_TYPES
        self._is_named = bool(attributes.get("identifier"))
        self._in_blanks = True
        self._same_line = True
        self._close = CloseTag(word[1:].lower())
        self._angle = -1  # index of a "<" that may begin a tag
        self._matched = 0  # characters of an opener from there
        self.at = at
        """Place of the next character to read; counts from the message's beginning."""
        self.verdict: FitVerdict | None = None
        self.looked = 0
        """Characters looked at, ever."""

    def safe(self, base: int) -> int:
        """Return the place in front of the tag being read, or the next to read."""
        return self.at if self._angle < 0 else base + self._angle

    def shift(self, chars: int) -> None:
        """Take note that so many characters were cut off the buffer's front."""
        if self._angle >= 0:
            self._angle -= chars

    def read(self, buf: str, base: int, stop: int) -> None:
        """Read up to ``buf[stop]`` or to the `verdict`, and keep the place in `at`."""
        i = self.at - base
        if self._in_blanks:
            i = self._read_blanks(buf, i, stop)
        if not self._in_blanks and self.verdict is None:
            i = self._read_line(buf, i, stop)
        self.at = base + i

    def _read_blanks(self, buf: str, i: int, stop: int) -> int:
        found = _BLANKS.match(buf, i, stop)
        at = found.end() if found else i
        self.looked += at - i
        blanks = buf[i:at]
        if not LINE_BREAKS.isdisjoint(blanks):
            if not self._is_markup:
                self.verdict = "real"
                return at
            self._same_line = False
        if at < stop:
            self._in_blanks = False
            self._judge_first(buf[at])
        return at

    def _judge_first(self, ch: str) -> None:
        fits = ch == "<" if self._is_markup else self._is_named
        if fits:
            self.verdict = "real"
        elif self._is_hasty or not self._same_line:
            self.verdict = "text"

    def _read_line(self, buf: str, i: int, stop: int) -> int:
        """Look for the close tag, another opener, or the end of the line."""
        while i < stop:
            if self._angle < 0:
                found = _ANGLE_OR_BREAK.search(buf, i, stop)
                at = found.start() if found else stop
                self.looked += at - i
                i = at
                if found is None:
                    break
            self.looked += 1
            self._take(buf[i], i)
            i += 1
            if self.verdict is not None:
                break
        return i

    def _take(self, ch: str, i: int) -> None:
        seen = i - self._angle
        if ch == "<":
            self._angle, self._matched = i, 1
        elif self._matched == seen == len(self._word) and ch in TAG_SPACE:
            self.verdict = "text"
            return
        elif self._matched == seen < len(self._word) and ch == self._word[seen]:
            self._matched += 1
        if ch in LINE_BREAKS:
            self.verdict = "text"
            self._angle = -1
        elif self._close.find(ch, 0, 1) >= 0:
            self.verdict = "real"
        elif self._close.start < 0 and self._matched != i + 1 - self._angle:
            self._angle = -1
