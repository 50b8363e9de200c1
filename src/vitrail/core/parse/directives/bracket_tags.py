"""Directives in double brackets and ``[embed …]``: one candidate, as text comes.

Strategy: the second character tells which of the two it may be, and that
one's reader goes on, one character a step, each once. The text in front of the
step decides alone, so that any chunking gives the same verdict at the same
place. A reader that has decided stops; what it read of text is read again by
whoever reads text, so no candidate may read far in vain where another begins:
a tag with another one's beginning in it is text from there on.
"""

from __future__ import annotations

import re
from typing import Final

from vitrail import limits
from vitrail.core.parse.directives.embed_tags import BlockCloses, EmbedReader
from vitrail.core.parse.directives.facts import (
    DirectiveFacts,
    DirectiveName,
    EmbedFacts,
    ReadVerdict,
)
from vitrail.core.text import TAG_SPACE
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["BracketTag", "DirectiveReader", "clean_value"]

_TAKES_VALUE: Final[dict[DirectiveName, bool]] = {
    "audio_as_voice": False,
    "reply_to_current": False,
    "reply_to": True,
    "react": True,
    "react_to_current": True,
}
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz_")
_SPACE: Final = "".join(sorted(TAG_SPACE))
_NAMES: Final[dict[str, DirectiveName]] = {name: name for name in _TAKES_VALUE}
_WHOLE: Final = re.compile(
    r"[ \t]*+(?:(audio_as_voice|reply_to_current)"
    r"|reply_to[ \t]*+:[ \t]*+([A-Za-z0-9_.:@+-]++))[ \t]*+\]\]",
    re.IGNORECASE | re.ASCII,
)
"""The directives that models write."""
_PREFIXES: Final = frozenset(
    name[:count] for name in _TAKES_VALUE for count in range(1, len(name) + 1)
)


def clean_value(written: str) -> str | None:
    r"""Return the id or reaction that was written, or None if nothing is left of it.

    >>> clean_value(" abc\x07[1] ")
    'abc1'
    """
    kept = "".join(
        ch for ch in written if ch not in "[]" and not _is_control(ch)
    ).strip(_SPACE)
    return kept[: limits.MAX_DIRECTIVE_VALUE_CHARS] or None


def _is_control(ch: str) -> bool:
    return ch < " " or "\x7f" <= ch <= "\x9f"


class DirectiveReader:
    """Read a directive from behind its ``[[``."""

    __slots__ = (
        "_blank",
        "_broken",
        "_last",
        "_name",
        "_read",
        "_stage",
        "_value",
        "looked",
        "name",
        "verdict",
    )

    def __init__(self) -> None:
        self._read = 2  # characters of the tag, the brackets included
        self._stage = "begin"
        self._name = ""
        self._value: list[str] = []
        self._blank = False  # a blank that is no line feed stands behind the colon
        self._broken = False  # a line feed stands behind the value's beginning
        self._last = ""
        self.name: DirectiveName | None = None
        """The directive's name, as soon as it is whole."""
        self.looked = 0
        self.verdict: ReadVerdict | None = None

    def read(self, buf: str, i: int, stop: int) -> int:
        """Read ``buf[i:stop]``; return the index behind what was read."""
        if self._stage == "begin":
            i = self._read_whole(buf, i, stop)
        while i < stop and self.verdict is None:
            if self._read == limits.MAX_DIRECTIVE_CHARS:
                self.verdict = "text"
                break
            self.looked += 1
            self._read += 1
            self._step(buf[i])
            i += 1
        return i

    @property
    def value(self) -> str | None:
        """The cleaned value; None also of a blank one."""
        return clean_value("".join(self._value)) if self._value else None

    def _read_whole(self, buf: str, i: int, stop: int) -> int:
        """Read a usual directive in one step, if all of it is there."""
        found = _WHOLE.match(buf, i, min(stop, i + limits.MAX_DIRECTIVE_CHARS - 2))
        if found is None:
            return i
        to = found.end()
        self.looked += to - i
        self._read += to - i
        self.name = _NAMES[found[1].lower() if found[1] else "reply_to"]
        self._value = [found[2] or ""]
        self.verdict = "tag"
        return to

    def _step(self, ch: str) -> None:
        match self._stage:
            case "begin":
                if ch not in TAG_SPACE:
                    self._stage = "name"
                    self._read_name(ch)
            case "name":
                self._read_name(ch)
            case "behind-name":
                self._read_behind_name(ch)
            case "value":
                self._read_value(ch)
            case _:
                self.verdict = "tag" if ch == "]" else "text"

    def _read_name(self, ch: str) -> None:
        low = ch.lower() if ch.isascii() else ch
        if low in _LETTERS:
            self._name += low
            if self._name not in _PREFIXES:
                self.verdict = "text"
            return
        for name in _TAKES_VALUE:
            if name == self._name:
                self.name = name
                self._stage = "behind-name"
                self._read_behind_name(ch)
                return
        self.verdict = "text"

    def _read_behind_name(self, ch: str) -> None:
        if ch in TAG_SPACE:
            return
        takes = self.name is not None and _TAKES_VALUE[self.name]
        if ch == ":" and takes:
            self._stage = "value"
        elif ch == "]" and not takes:
            self._stage = "end"
        else:
            self.verdict = "text"

    def _read_value(self, ch: str) -> None:
        last, self._last = self._last, ch
        if ch == "]":
            self._stage = "end"
            if not self._value and not self._blank:
                self.verdict = "text"
        elif ch in TAG_SPACE:
            if self._value:
                self._broken = self._broken or ch == "\n"
                self._value.append(ch)
            else:
                self._blank = self._blank or ch != "\n"
        elif self._broken or (ch == "[" and last == "["):
            self.verdict = "text"  # a line feed in the id, or another tag in it
        else:
            self._value.append(ch)


class BracketTag:
    """Read one candidate ``[[…]]`` or ``[embed …]`` from its ``[`` on.

    >>> tag = BracketTag()
    >>> tag.read("[[reply_to: 7]] Hi", 0, 18, final=False), tag.verdict, tag.found()
    (15, 'tag', DirectiveFacts(name='reply_to', value='7'))
    """

    __slots__ = (
        "_blocks",
        "_closes",
        "_looked",
        "_place",
        "_reader",
        "_started",
        "diagnostics",
        "end",
        "verdict",
    )

    def __init__(
        self,
        *,
        place: int = 0,
        closes: BlockCloses | None = None,
        blocks: bool = True,
    ) -> None:
        """Begin at this place of the message.

        `closes` is what the candidates of one message know together about close
        tags; without it each looks for its own, and hostile text is read often.
        Without `blocks` an embed that does not close itself is text.
        """
        self._place = place
        self._blocks = blocks
        self._closes = closes if closes is not None else BlockCloses()
        self._started = False
        self._looked = 0
        self._reader: DirectiveReader | EmbedReader | None = None
        self.verdict: ReadVerdict | None = None
        """None: more text is needed."""
        self.end = 0
        """Of a tag: index behind it."""
        self.diagnostics: tuple[Diagnostic, ...] = ()
        """What is wrong with it, with spans from its ``[`` on; for text that
        nothing hides, and for a tag."""

    @property
    def looked(self) -> int:
        """Characters looked at, each once."""
        return self._looked + (self._reader.looked if self._reader else 0)

    @property
    def name(self) -> str | None:
        """The name of the directive, or ``embed``; None while it is not whole."""
        reader = self._reader
        return reader.name if isinstance(reader, DirectiveReader) else "embed"

    def read(self, buf: str, i: int, stop: int, *, final: bool) -> int:
        """Read ``buf[i:stop]`` on from where the last call stopped.

        Returns the index that it got to: `stop`, or that of the verdict. Where
        it is `final`, no text comes behind `stop`.
        """
        if self.verdict is None and not self._started and i < stop:
            self._started = True
            self._looked += 1
            i += 1
        if self.verdict is None and self._reader is None and i < stop:
            i = self._choose(buf[i], i)
        reader = self._reader
        if reader is not None and self.verdict is None:
            i = reader.read(buf, i, stop)
            self.verdict = reader.verdict
        if self.verdict is None and final and i >= stop:
            self.verdict = "text"
        if self.verdict is not None:
            self._conclude(i)
        return i

    def found(self) -> DirectiveFacts | EmbedFacts | None:
        """Return what a tag says; None of ``reply_to`` with a blank id."""
        match self._reader:
            case EmbedReader() as reader if self.verdict == "tag":
                return reader.facts
            case DirectiveReader(name=str() as name) as reader if self.verdict == "tag":
                is_blank = name == "reply_to" and reader.value is None
                return None if is_blank else DirectiveFacts(name, reader.value)
            case _:
                return None

    def _choose(self, ch: str, i: int) -> int:
        """Take the second character, which tells whose reader goes on."""
        self._looked += 1
        if ch == "[":
            self._reader = DirectiveReader()
        elif ch in "eE":
            self._reader = EmbedReader(self._place, self._closes, blocks=self._blocks)
        else:
            self.verdict = "text"
        return i + 1

    def _conclude(self, i: int) -> None:
        self.end = i if self.verdict == "tag" else 0
        match self._reader:
            case EmbedReader() as reader:
                self.diagnostics = reader.diagnose()
            case DirectiveReader(name=str()) as reader if self.verdict == "text":
                self.diagnostics = (
                    Diagnostic(
                        "malformed-directive",
                        "warning",
                        f"This begins as the directive {reader.name} but is none;"
                        " it is shown as text.",
                        (0, 2),
                    ),
                )
