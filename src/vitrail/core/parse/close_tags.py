"""Close tags: ``</name>`` in any case, with white space around the name.

`CloseTag` takes the first one. The body of an artifact is read by what knows
its language, for instance the fences of a Markdown document: see `make_finder`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, Protocol

from vitrail.core.parse.body_code import MarkupEnd, ScriptEnd, StyleEnd, UnknownEnd
from vitrail.core.parse.body_ends import BodyEnd
from vitrail.core.parse.body_markdown import MarkdownEnd
from vitrail.core.text import TAG_SPACE

__all__ = ["BodyFinder", "CloseTag", "make_finder"]

_MAX_SPACE_CHARS: Final = 64
"""White space on each side of the name; more makes it no close tag."""


@lru_cache(maxsize=16)
def _other(first: str) -> re.Pattern[str]:
    """Return what matches all that is no beginning of a close tag, by its first letter."""
    letters = re.escape(first + first.upper() + "".join(sorted(TAG_SPACE)))
    return re.compile(rf"(?:[^<]++|<(?:[^/<]|/[^<{letters}]|(?=<)))*+")


class BodyFinder(Protocol):
    """Finds where a body ends."""

    @property
    def start(self) -> int:
        """Index of the ``<`` that may begin the close tag, or -1: hold from there."""
        ...

    looked: int
    """Characters looked at, ever."""
    read: int
    """Index of the next character to read."""
    firm: int
    """Index up to which no close tag may be held while more is read; set by the caller."""
    in_code: bool
    """Whether code hides the tag that was found, and it counts all the same."""
    kept: tuple[int, int] | None
    """A close tag in front of `read` that is body, and worth a word."""

    def find(self, buf: str, i: int, end: int) -> int:
        """Read ``buf[i:end]``; return the index behind the close tag, or -1.

        It returns in front of `end` (see `read`) where a tag was `kept`.
        """
        ...

    def finish(self) -> int:
        """Let the text end where `find` read to; return the index behind it, or -1."""
        ...

    def quick_pattern(self) -> re.Pattern[str] | None:
        """Return what matches as much of a piece as changes nothing here, if anything."""
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


_READERS: Final[tuple[tuple[str, Callable[[str], BodyEnd]], ...]] = (
    ("html htm xhtml xhtml+xml deck slides vue svelte astro", MarkupEnd),
    ("svg svg+xml xml", partial(MarkupEnd, is_xml=True)),
    ("markdown md", MarkdownEnd),
    ("javascript js mjs cjs jsx react typescript ts mts tsx", ScriptEnd),
    ("ecmascript json jsonl scss less", ScriptEnd),
    ("css", StyleEnd),
)
_BY_WORD: Final = {word: reader for words, reader in _READERS for word in words.split()}


@lru_cache(maxsize=64)
def _word_of_type(artifact_type: str) -> str:
    """Return the last word of a type.

    >>> _word_of_type("application/vnd.ant.react; v=1"), _word_of_type("text/x-markdown")
    ('react', 'markdown')
    """
    name = artifact_type.partition(";")[0].strip().lower()
    return name.rpartition("/")[2].rpartition(".")[2].removeprefix("x-")


def make_finder(
    artifact_type: str, *, identifier: str = "", name: str = "artifact"
) -> BodyEnd:
    """Return what finds an artifact's close tag, by its type, then its identifier.

    `name` is that of the tag. A body of which neither says anything is a page
    if it begins with a tag.
    """
    reader = _BY_WORD.get(_word_of_type(artifact_type))
    if reader is None:
        stem, _, extension = identifier.strip().lower().rpartition(".")
        reader = _BY_WORD.get(extension) if stem else None
    if reader is None:
        reader = BodyEnd if artifact_type.strip() else UnknownEnd
    return reader(name)
