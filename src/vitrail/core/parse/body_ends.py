"""Where a body ends: at its close tag, but for one that the body's own code hides.

Strategy: one pass. Each character is looked at once and steps both what reads
tags (here) and what reads the body's language (`_take`, in the classes below
this one). What changes nothing is skipped by one expression, `_run`.

A close tag in code (a string, a comment, a fence) is part of the body if its
code began with an open tag, or ends on the tag's line. Otherwise it is
*doubted*: the text from it on is held, read on as body, and the first of these
decides:

* outside code comes a close tag: that one ends the body;
* an open tag begins a line, or stands outside code; the code was a string that
  its line's end cut off; a blank line follows and the code goes on behind it;
  the text ends: the doubted tag ends the body after all;
* the text held is as much as may be: the doubted tag is body if its code has
  ended since, and the end of the body if not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from vitrail.core.parse.open_tags import common_chars
from vitrail.core.text import LINE_BREAKS, TAG_SPACE
from vitrail.limits import MAX_HELD_CHARS

__all__ = ["BodyEnd", "Hiding", "Tags", "tags_of"]

Hiding: TypeAlias = Literal["line", "comment", "block", "script"]
"""What hides a close tag: code that its line's end cuts off; a comment that it
ends; code of many lines; a script around the tag, but nothing in the script."""

_MAX_SPACE_CHARS: Final = 64
"""White space on each side of the name; more makes it no close tag."""

_MAY_END_CODE: Final = frozenset("`~*-<")
"""What a line may begin with that ends code of many lines."""

_ON_ITS_LINE, _BEHIND_IT, _BEHIND_BLANK, _ANYWHERE = range(4)
"""Where reading is behind a doubted tag: only blanks have followed it so far on
its line; only its line's end; only that and blank lines; anything else."""


_SPACE: Final = "".join(sorted(TAG_SPACE))


def _deviation(words: Iterable[str]) -> str:
    """Return an expression for what follows a ``<`` and begins none of these words.

    It takes no more than it needs, and no ``<``. A space stands for any white space.
    """
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[0], []).append(word[1:])
    letters = {ch: _SPACE if ch == " " else ch + ch.upper() for ch in rests}
    parts = [f"[^<{re.escape(''.join(letters.values()))}]", "(?=<)"]
    parts += [
        f"[{re.escape(letters[ch])}]{_deviation(rest)}"
        for ch, rest in rests.items()
        if all(rest)
    ]
    return f"(?:{'|'.join(parts)})"


@dataclass(frozen=True, slots=True)
class Tags:
    """Tags to look for in one part of a body: those of the artifact, and others."""

    open: str
    """What is behind the ``<`` of the artifact's open tag, in lower case."""
    close: str
    """The same of its close tag."""
    whole: str
    """The close tag as it should be written."""
    prefixes: frozenset[str]
    """All beginnings of what is behind the ``<`` of a tag that matters."""
    text: re.Pattern[str]
    """Text up to a ``<`` that may begin one of them, the open tag aside."""


@lru_cache(maxsize=64)
def tags_of(name: str, *words: str) -> Tags:
    """Return what to look for: the tags of this name, and ``<`` with these words."""
    open_word = name.lower()
    close = f"/{open_word}"
    every = (open_word, close, *words)
    deviation = _deviation((close, "/ ", *words))
    return Tags(
        open_word,
        close,
        f"</{name}>",
        frozenset(word[:n] for word in every for n in range(len(word) + 1)),
        re.compile(rf"[^<]*+(?:<{deviation}[^<]*+)*+"),
    )


@dataclass(slots=True)
class _Doubt:
    """A close tag in code, of which it is not known yet whether it counts."""

    start: int
    end: int
    hiding: Hiding
    construct: int
    where: int = _ON_ITS_LINE
    in_blanks: bool = True
    """Only blanks so far on this line, or behind the tag."""
    lines: int = 0
    """Line breaks behind it."""
    ended: bool = False
    """The code that hides it has ended."""


class BodyEnd:
    """Find the close tag of a body whose language is not known: the first one counts."""

    read = 0
    """Index of the next character to read."""
    firm = 0
    """Index up to which no close tag may be doubted: that text is not read again."""
    in_code = False
    """Whether code hides the tag that was found, and it counts all the same."""

    looked = 0
    """Characters looked at, ever."""
    kept: tuple[int, int] | None = None
    """A close tag that nothing in its script hides, and that is body all the same."""

    _word: str | None = None  # of the tag being read, in lower case
    _single = False  # the next character matters, whatever it is
    _doubt: _Doubt | None = None
    _found: tuple[int, int] | None = None
    _spaces = 0
    _gap = False  # white space stands in front of its name
    _angle = -1  # index of that tag's "<"
    _angle_hiding: Hiding | None = None
    _angle_construct = 0
    _angle_begins_line = False
    _after_return = False
    _construct = 0  # ordinal of the code being read
    _constructs = 0
    _openers = 0  # open tags in this code without a close tag yet
    _skips_itself = False  # `_skip` does more than to pass over text

    def __init__(self, name: str) -> None:
        """Look for the close tag of this name; case does not matter."""
        self._name = name
        self._tags = tags_of(name)
        self._run: re.Pattern[str]
        self._line_run: re.Pattern[str]
        self._take: Callable[[str], None]
        self._begin()

    def _begin(self) -> None:
        """Set the first state."""
        self._enter_plain()

    def _enter_plain(self) -> None:
        """Read what hides nothing."""
        self._enter(self._tags.text, self._take_nothing)

    def _enter(
        self,
        run: re.Pattern[str],
        take: Callable[[str], None],
        *,
        line_run: re.Pattern[str] | None = None,
    ) -> None:
        """Read by `take`, but for what `run` passes over; it changes nothing.

        `line_run` is the same, but stops at line breaks.
        """
        self._run, self._line_run = run, line_run or run
        self._take = take

    # --- what callers use --------------------------------------------------------

    @property
    def start(self) -> int:
        """Index of the ``<`` that may begin the close tag, or -1: hold from there."""
        if self._found is not None:
            return self._found[0]
        if self._doubt is not None:
            return self._doubt.start
        word = self._word
        if word is None or not self._tags.close.startswith(word):
            return -1
        return self._angle

    def find(self, buf: str, i: int, end: int) -> int:
        """Read ``buf[i:end]``; return the index behind the close tag, or -1.

        It returns in front of `end` (see `read`) where a tag was `kept`.
        """
        self.kept = None
        while i < end:
            doubt = self._doubt
            if doubt is None:
                i = self._read(buf, i, end)
            else:
                limit = doubt.start + MAX_HELD_CHARS
                i = self._read_doubted(buf, i, min(end, limit))
                if self._doubt is doubt and i >= limit:
                    self._decide(body=doubt.ended)
            if self._found is not None or self.kept is not None:
                break
        self.read = i
        return -1 if self._found is None else self._found[1]

    def finish(self) -> int:
        """Let the text end here; return the index behind a tag that was doubted, or -1."""
        self.kept = None
        if self._doubt is not None:
            self._take("\n")
        if self._doubt is not None:
            self._decide(body=False)
        return -1 if self._found is None else self._found[1]

    def shift(self, chars: int) -> None:
        """Take note that so many characters were cut off the buffer's front."""
        self._angle -= chars
        if self._doubt is not None:
            self._doubt.start -= chars
            self._doubt.end -= chars

    def quick_pattern(self) -> re.Pattern[str] | None:
        """Return what matches as much of a piece as changes nothing here, if anything."""
        if self._word is not None or self._single or self._doubt is not None:
            return None
        return self._run

    # --- reading -----------------------------------------------------------------

    def _read(self, buf: str, i: int, end: int) -> int:
        """Read on to the end, or to where something was found."""
        whole = self._tags.whole
        while i < end:
            if self._word is not None or self._single:
                i = self._go_on(buf, i, end)
            else:
                if self._skips_itself:
                    i = self._skip(self._run, buf, i, end)
                else:
                    found = self._run.match(buf, i, end)
                    at = found.end() if found else i
                    self.looked += at - i
                    i = at
                if i == end:
                    return i
                if buf.startswith(whole, i) and i + len(whole) <= end:
                    i = self._take_whole(i)
                else:
                    self._step(buf[i], i)
                    i += 1
            if self._found or self._doubt or self.kept:
                return i
        return i

    def _read_doubted(self, buf: str, i: int, end: int) -> int:
        """Do the same, but line by line, while a tag is doubted."""
        doubt = self._doubt
        while i < end and doubt is not None:
            if not (self._single or self._word is not None or doubt.in_blanks):
                i = self._skip(self._line_run, buf, i, end)
                if i == end:
                    return i
            self._step_doubted(doubt, buf[i], i)
            i += 1
            if self._found or self._doubt is not doubt or self.kept:
                return i
        return i

    def _skip(self, run: re.Pattern[str], buf: str, i: int, end: int) -> int:
        """Pass over what changes nothing."""
        found = run.match(buf, i, end)
        at = found.end() if found else i
        self.looked += at - i
        return at

    def _go_on(self, buf: str, i: int, end: int) -> int:
        """Take as much of a tag as goes on like the close tag, or one character."""
        close, word = self._tags.close, self._word
        at = i
        if word and not (self._single or self._spaces) and close.startswith(word):
            at += common_chars(close[len(word) :], buf[i:end], 0)
        if word is None or at == i:
            self._step(buf[i], i)
            return i + 1
        self.looked += at - i
        for ch in buf[i:at]:
            self._take(ch)
        self._word = word + buf[i:at]
        return at

    def _take_whole(self, i: int) -> int:
        """Take the close tag at this index, that is written as it should be."""
        whole = self._tags.whole
        end = i + len(whole)
        self.looked += end - i
        if self._doubt is None:
            self._take("<")
            hiding = self._hiding()
            if hiding is None:
                self._found = i, end
                return end
            self._angle_begins_line = False
            self._mark_tag(i, hiding)
        else:
            self._begin_tag("<", i)
        for ch in whole[1:]:
            self._take(ch)
        self._take_close(end)
        return end

    def _step(self, ch: str, i: int) -> None:
        """Take the one character at this index."""
        self.looked += 1
        self._single = False
        if self._after_return:
            self._after_return = False
            if ch == "\n":
                return
        if ch == "\r":
            self._after_return = self._single = True
        if self._word is not None and self._step_tag(ch, i):
            return
        if ch == "<":
            self._begin_tag(ch, i)
        else:
            self._take(ch)

    def _step_doubted(self, doubt: _Doubt, ch: str, i: int) -> None:
        if ch not in LINE_BREAKS:
            if doubt.in_blanks and ch not in " \t":
                self._begin_line_of(doubt, ch)
            self._step(ch, i)
            doubt.in_blanks = doubt.in_blanks and ch in " \t"
            return
        ends_line = not (self._continues_line or (ch == "\n" and self._after_return))
        self._step(ch, i)
        if ends_line and self._doubt is doubt:
            self._end_line_of(doubt)

    @property
    def _continues_line(self) -> bool:
        """Whether a line break here would be none to the body's language."""
        return False

    # --- tags --------------------------------------------------------------------

    def _look_for(self, *words: str) -> None:
        """Look for these tags too; see `_take_word`."""
        self._tags = tags_of(self._name, *words)

    def _begin_tag(self, ch: str, i: int) -> None:
        doubt = self._doubt
        self._angle_begins_line = (
            doubt is not None and doubt.in_blanks and doubt.lines > 0
        )
        self._take(ch)
        self._mark_tag(i, self._hiding())

    def _mark_tag(self, i: int, hiding: Hiding | None) -> None:
        self._angle = i
        self._angle_hiding = hiding
        self._angle_construct = self._construct
        self._word = ""
        self._spaces = 0
        self._gap = False

    def _step_tag(self, ch: str, i: int) -> bool:
        """Take one more character of a tag; False if it is none."""
        word = self._word or ""
        if ch in TAG_SPACE and word in ("/", self._tags.close):
            self._spaces += 1
            if self._spaces <= _MAX_SPACE_CHARS:
                self._gap = self._gap or word == "/"
                self._take(ch)
                return True
        longer = word + (ch.lower() if ch.isascii() else ch)
        if longer in self._tags.prefixes and (
            not self._spaces or (self._gap and self._tags.close.startswith(longer))
        ):
            self._word = longer
            if longer == self._tags.close:
                self._spaces = 0
            self._take(ch)
            self._take_word_at_once(longer)
            return True
        self._word = None
        self._end_tag(word, ch, i)
        return False

    def _end_tag(self, word: str, ch: str, i: int) -> None:
        """Take what a tag's name was, this character being behind it."""
        is_end = ch == ">" or ch in TAG_SPACE
        if word == self._tags.close and ch == ">":
            self._take_close(i + 1)
        elif word == self._tags.open and is_end:
            self._take_open(is_real=ch != ">")
        elif not self._spaces and (is_end or ch == "/"):
            self._take_word(word)

    def _take_close(self, end: int) -> None:
        """Take a complete close tag: it ends the body, is body, or is doubted."""
        self._word = None
        hiding = self._angle_hiding
        if hiding is not None and self._construct != self._angle_construct:
            hiding = None
        span = (self._angle, end)
        if self._doubt is not None:
            if hiding is None:
                self._doubt = None
                self._find(span, None)
        elif hiding is None or span[0] < self.firm:
            self._find(span, hiding)
        elif self._openers:
            self._openers -= 1
        else:
            self._doubt = _Doubt(*span, hiding, self._construct)

    def _take_open(self, *, is_real: bool) -> None:
        """Take the beginning of an open tag."""
        if self._doubt is None:
            self._openers += self._angle_hiding in ("block", "comment")
        elif is_real and (self._angle_begins_line or self._angle_hiding is None):
            self._decide(body=False)

    def _find(self, span: tuple[int, int], hiding: Hiding | None) -> None:
        self._found = span
        self.in_code = hiding not in (None, "line")

    # --- doubt ---------------------------------------------------------------------

    def _decide(self, *, body: bool) -> None:
        doubt = self._doubt
        if doubt is None:
            return
        self._doubt = None
        span = doubt.start, doubt.end
        if not body:
            self._find(span, doubt.hiding)
        elif doubt.hiding == "script":
            self.kept = span

    def _begin_line_of(self, doubt: _Doubt, ch: str) -> None:
        """Take the first character of a line, or behind the tag, that is not blank."""
        was, doubt.where = doubt.where, _ANYWHERE
        if was == _BEHIND_BLANK and not doubt.ended and ch not in _MAY_END_CODE:
            self._decide(body=False)

    def _end_line_of(self, doubt: _Doubt) -> None:
        """Take a line break."""
        if not doubt.ended and doubt.hiding in ("line", "script"):
            self._decide(body=False)
        elif doubt.where == _ON_ITS_LINE:
            doubt.where = _BEHIND_IT
        elif doubt.where == _BEHIND_IT:
            doubt.where = _BEHIND_BLANK
        doubt.in_blanks = True
        doubt.lines += 1

    # --- the body's language ----------------------------------------------------------

    def _begin_code(self) -> None:
        """Take note that something begins that hides close tags."""
        self._constructs += 1
        self._construct = self._constructs
        self._openers = 0

    def _end_code(self, construct: int) -> None:
        """Take note that this code ended as it should."""
        doubt = self._doubt
        if doubt is None or doubt.construct != construct:
            return
        if doubt.lines or doubt.hiding == "comment":
            doubt.ended = True
        elif doubt.hiding == "script":
            self._decide(body=True)
        else:
            self._doubt = None

    def _take_nothing(self, ch: str) -> None:
        """Take a character that changes nothing."""

    def _take_word(self, word: str) -> None:
        """Take the beginning of a tag that was looked for, up to behind its name."""

    def _take_word_at_once(self, word: str) -> None:
        """Take as much of such a tag, if it needs nothing behind its name."""

    def _hiding(self) -> Hiding | None:
        """Return what hides a close tag that begins here."""
        return None
