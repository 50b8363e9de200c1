"""Blocks that begin with a line: ``:::artifact{…}``, and a document in a fence.

A colon block ends at the next line that begins with ``:::``. What it holds may
stand in a fence of its own, which is then no part of the body. A fence counts,
where that is asked for, if a whole document begins in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from vitrail.core.parse.open_tags import read_attributes
from vitrail.core.text import LINE_BREAKS

__all__ = ["LineClose", "LineFault", "LineOpener"]

_COLONS: Final = ":::"
_WORD: Final = ":::artifact"
_MIN_FENCE_MARKS: Final = 3
_NAMES: Final = frozenset(["identifier", "type", "title"])
_DOCUMENTS: Final = {
    "<!doctype html": "text/html",
    "<html": "text/html",
    "<svg": "image/svg+xml",
}
"""How a whole document begins, in lower case, and what it then is."""
_LINE: Final = re.compile(r"[^\n\r]*+")
_MAX_CLOSE_CHARS: Final = 256
"""Of a line that may close a block; a longer one does not."""


@dataclass(frozen=True, slots=True)
class LineFault:
    """Why a line that looks like an opener is none."""

    code: str
    message: str


class LineOpener:
    """Read a line that may open a block, from its first mark on.

    `verdict` tells what it is; `faults` say why a line that was meant is text.
    """

    def __init__(self, mark: str, *, max_chars: int, max_attributes: int) -> None:
        self._mark = mark
        self._max_attributes = max_attributes
        self._max_chars = max_chars
        self._text = ""
        self._wrapper: tuple[str, int] | None = None
        self._waits_for_break = mark == ":"
        self.verdict: Literal["block", "text"] | None = None
        self.attributes: dict[str, str] = {}
        self.left_out = 0
        """Attributes that the opener has beyond those that may be."""
        self.chars = 0
        """Characters of the opener, with the line break behind it."""
        self.looked = 0
        """Characters looked at, ever."""
        self.faults: tuple[LineFault, ...] = ()

    def read(self, buf: str, i: int, *, final: bool) -> None:
        """Read ``buf[i:]`` up to the verdict; `final`: no more text comes."""
        while self.verdict is None and i < len(buf):
            to = i + 1
            if self._waits_for_break:
                found = _LINE.match(buf, i, i + self._max_chars)
                to = max(to, found.end() + 1 if found else to)
            self._take(buf[i:to], final=final and to >= len(buf))
            i = to
        if self.verdict is None and final:
            self._judge(final=True)

    def _take(self, piece: str, *, final: bool) -> None:
        if self._mark == ":" and not self._may_be_colons(piece):
            self.verdict = "text"
            return
        self._text += piece
        self.looked += len(piece)
        if not self._waits_for_break or piece[-1:] in LINE_BREAKS or final:
            self._judge(final=final)
        if self.verdict is None and len(self._text) > self._max_chars:
            self.verdict = "text"

    def _judge(self, *, final: bool) -> None:
        if self._mark == ":":
            self._judge_colons(final=final)
        else:
            self._judge_fence(final=final)

    def finder(self) -> LineClose:
        """Return what finds the block's end."""
        return LineClose(self._wrapper, colons=self._mark == ":")

    # --- colons ----------------------------------------------------------------

    def _may_be_colons(self, piece: str) -> bool:
        have = len(self._text)
        word = _WORD[have : have + len(piece)]
        self.looked += len(word) if piece.startswith(word) else 1
        return piece.startswith(word)

    def _judge_colons(self, *, final: bool) -> None:
        text = self._text
        end = _line_end(text, 0)
        if end < 0:
            if not final:
                return
            end = len(text)
        found, left_out = _brace_attributes(
            text[len(_WORD) : end], self._max_attributes
        )
        if _NAMES.isdisjoint(found):
            self.verdict = "text"
            if text.startswith(_WORD) and not _goes_on(text[len(_WORD) : end]):
                self.faults = (
                    LineFault(
                        "malformed-colon-block",
                        "A block begins as ``:::artifact{identifier=… type=…}``"
                        " alone on its line; this line is shown as text.",
                    ),
                )
            return
        self._waits_for_break = False
        body = _behind_break(text, end)
        if body < 0:
            if not final:
                return
            body = len(text)
        self._judge_wrapper(body, final=final)
        if self.verdict == "block":
            self.attributes, self.left_out = found, left_out

    def _judge_wrapper(self, body: int, *, final: bool) -> None:
        """See whether the line behind the opener is a fence around the body."""
        text = self._text
        first = text[body : body + 1]
        if not first and not final:
            return
        self.chars = body
        if first and first in "`~":
            count = len(text) - body - len(text[body:].lstrip(first))
            end = _line_end(text, body)
            behind = -1 if end < 0 else _behind_break(text, end)
            if behind < 0 and not final:
                self._waits_for_break = end < 0
                return
            info = text[body + count : end if end >= 0 else len(text)]
            if count >= _MIN_FENCE_MARKS and not (first == "`" and "`" in info):
                self._wrapper = first, count
                self.chars = behind if behind >= 0 else len(text)
        self.verdict = "block"

    # --- fences ------------------------------------------------------------------

    def _judge_fence(self, *, final: bool) -> None:
        text, mark = self._text, self._mark
        count = len(text) - len(text.lstrip(mark))
        if count < len(text) and count < _MIN_FENCE_MARKS:
            self.verdict = "text"
            return
        end = _line_end(text, 0)
        self._waits_for_break = end < 0 and count < len(text)
        body = -1 if end < 0 else _behind_break(text, end)
        if body < 0:
            self.verdict = "text" if final else None
            return
        if mark == "`" and "`" in text[count:end]:
            self.verdict = "text"
            return
        begun = text[body:].lower()
        for begin, kind in _DOCUMENTS.items():
            if begun.startswith(begin):
                self._wrapper = mark, count
                self.chars = body
                self.attributes = {
                    "identifier": "response",
                    "type": kind,
                    "title": "Response",
                }
                self.verdict = "block"
                return
            if begin.startswith(begun) and not final:
                return
        self.verdict = "text"


class LineClose:
    """Find the line that ends a block; see `BodyFinder`."""

    firm = 0
    in_code = False
    kept: tuple[int, int] | None = None

    def __init__(self, wrapper: tuple[str, int] | None, *, colons: bool) -> None:
        self._wrapper = wrapper
        self._colons = colons
        self._line = ""  # of a line that may close, what has come
        self._at_line_start = True
        self._behind_fence = False
        self.start = -1
        self.read = 0
        self.looked = 0

    def find(self, buf: str, i: int, end: int) -> int:
        """Read ``buf[i:end]``; return the index behind the closing line's marks, or -1."""
        self.read = end
        while i < end:
            if self._at_line_start:
                self._begin_line(i)
            if self.start < 0:
                found = _LINE.match(buf, i, end)
                at = found.end() if found else i
                self.looked += at - i
                i = at
                if i == end:
                    break
            ch = buf[i]
            self.looked += 1
            if ch not in LINE_BREAKS:
                i += 1
                if self._closes_with(ch):
                    self.read = i
                    return i
            elif self.start >= 0 and self._closes_at_break():
                self.read = i
                return i
            else:
                i += 1
                self._end_line()
        return -1

    def finish(self) -> int:
        """Let the text end here; return the index behind a line that closes, or -1."""
        return self.read if self.start >= 0 and self._closes_at_break() else -1

    def quick_pattern(self) -> None:
        """Return None: each line may close the block."""

    def _begin_line(self, i: int) -> None:
        if self.start < 0:
            self.start = i
        self._at_line_start = False
        self._line = ""

    def _closes_with(self, ch: str) -> bool:
        """Take a character of a line that may close the block."""
        self._line += ch
        if self._closes_at_colons():
            return True
        if not self._may_close():
            self._give_up()
        return False

    def shift(self, chars: int) -> None:
        """Take note that so many characters were cut off the buffer's front."""
        if self.start >= 0:
            self.start -= chars

    def _give_up(self) -> None:
        self.start = -1
        self._behind_fence = False

    def _expects_fence(self) -> bool:
        return self._wrapper is not None and not self._behind_fence

    def _may_close(self) -> bool:
        line = self._line.lstrip(" ")
        if len(self._line) > _MAX_CLOSE_CHARS:
            return False
        if len(self._line) - len(line) > _MIN_FENCE_MARKS:
            return False
        if self._expects_fence():
            assert self._wrapper is not None  # noqa: S101 - it is expected
            return not line.lstrip(self._wrapper[0]).strip(" \t")
        return _COLONS.startswith(line.strip(" \t"))

    def _closes_at_colons(self) -> bool:
        return (
            self._colons
            and not self._expects_fence()
            and self._line.strip(" \t") == _COLONS
        )

    def _closes_at_break(self) -> bool:
        return not self._colons and self._is_fence()

    def _is_fence(self) -> bool:
        if self._wrapper is None:
            return False
        mark, count = self._wrapper
        marks = self._line.strip(" \t")
        return len(marks) >= count and marks == mark * len(marks)

    def _end_line(self) -> None:
        """Take the line break behind a line that did not close by itself."""
        self._at_line_start = True
        if self.start < 0:
            return
        if self._expects_fence() and self._is_fence():
            self._behind_fence = True
        elif not (self._behind_fence and not self._line.strip(" \t")):
            self._give_up()


def _line_end(text: str, start: int) -> int:
    found = _LINE.match(text, start)
    end = found.end() if found else start
    return end if end < len(text) else -1


def _behind_break(text: str, end: int) -> int:
    """Return the index behind the line break at `end`, or -1: it may be half of one."""
    if text.startswith("\r\n", end):
        return end + 2
    return -1 if text[end:] == "\r" else end + 1


def _goes_on(behind: str) -> bool:
    """Whether a word goes on with this text, so that it is another one."""
    return behind[:1].isalnum() or behind[:1] in ("-", "_")


def _brace_attributes(text: str, max_count: int) -> tuple[dict[str, str], int]:
    """Return the attributes in braces that are all of the text, and how many are not.

    Of another text there are none.
    """
    text = text.strip(" \t")
    if not text.startswith("{"):
        return {}, 0
    outside: list[str] = []
    values: list[str] = []
    at, quote, opened = 1, "", 0
    for i in range(1, len(text)):
        ch = text[i]
        if quote:
            if ch == quote:
                values.append(text[opened:i])
                quote, at = "", i + 1
        elif ch in "\"'":
            outside += text[at:i], '"'
            quote, opened = ch, i + 1
        elif ch == "}":
            if text[i + 1 :].strip(" \t"):
                return {}, 0
            outside.append(text[at:i])
            return read_attributes("".join(outside), values, max_count=max_count)
    return {}, 0
