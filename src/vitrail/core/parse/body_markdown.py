"""Close tags in a Markdown body: what its fences and code spans hide.

This asks less than `vitrail.core.text` answers, and of every container alike,
because a close tag that is taken for code costs the rest of the reply: only
fences hide, wherever on a line they begin, and spans that are closed on the
tag's own line, if the tag does not begin that line. HTML and indented code hide
nothing.
"""

from __future__ import annotations

import re
from typing import Final

from vitrail.core.parse.body_ends import BodyEnd, Hiding
from vitrail.core.text import LINE_BREAKS

__all__ = ["MarkdownEnd"]

_TEXT: Final = re.compile(
    r"[^`\\<\n\r]*+(?:\n[^`\\<\n\r \t>*+\-0-9.)~#][^`\\<\n\r]*+)*+"
)
"""Text, over lines that begin no block, where a backtick is open."""
_PROSE: Final = re.compile(
    r"[^`\\<\n\r]*+(?:\n++[^`\\<\n\r \t>*+\-0-9.)~][^`\\<\n\r]*+)*+"
)
"""The same over paragraphs and headings, where none is."""
_TEXT_LINE: Final = re.compile(r"[^`\\<\n\r]*+")
_BLANKS: Final = re.compile(r"[ \t]*+")
_FENCE: Final = re.compile(r"[^<\n\r]*+(?:\n++[ \t]*+[^<\n\r \t`~][^<\n\r]*+)*+")
_OPENING: Final = re.compile(r"\n++(`{3,}+)[^`<\n\r]*+\n([ \t]*+[^<\n\r \t`~>])?+")
"""The first line of a fence, behind text; the second group begins text in it."""
_CLOSING: Final = re.compile(r"\n(`{3,}+)[ \t]*+\n(\n*+[^`\\<\n\r \t>*+\-0-9.)~])?+")
"""The last line of one, likewise."""
_BREAKS: Final = re.compile(r"\n++[ \t]*+")
_FIRST: Final = re.compile(r"[^`\\<\n\r \t>*+\-0-9.)~]")
"""What a line may begin with that opens neither a fence nor a container."""
_FENCE_LINE: Final = re.compile(r"[^<\n\r]*+")
_INFO: Final = re.compile(r"[^`<\n\r]*+")
_CONTAINER_MARKS: Final = frozenset(">*+-0123456789.)")
_MIN_MARKS: Final = 3


class MarkdownEnd(BodyEnd):
    """Find the close tag of a Markdown document."""

    _skips_itself = True
    _mark = ""  # that of the run being read
    _count = 0
    _may_be_fence = False  # that run begins its line
    _escaping = False
    _escaped = False  # a backslash stands in front of that run
    _quoted = False  # the line begins with the mark of a quote
    _fence = ("", 0)  # the open one's mark, and how many
    _fence_quoted = False
    _begins_line = False  # the tag being read
    _in_tail = False
    _order = 0
    _doubt_order = 0

    def _begin(self) -> None:
        self._runs: dict[int, int] = {}  # open runs of backticks: length, order
        self._enter_line()

    def _hiding(self) -> Hiding | None:
        begins_line, self._begins_line = self._begins_line, False
        in_tail, self._in_tail = self._in_tail, False
        if self._take == self._take_fence:
            return None if in_tail else "block"
        if self._take != self._take_text or begins_line or not self._runs:
            return None
        if self._doubt is None:
            self._doubt_order = self._order
        return "line"

    def _skip(self, run: re.Pattern[str], buf: str, i: int, end: int) -> int:
        """Pass over text, and over the usual lines where nothing is open."""
        i = super()._skip(run, buf, i, end)
        while i < end and self._doubt is None and not self._runs:
            found = self._usual(buf, i, end)
            if found is None:
                break
            self.looked += found.end() - i
            i = super()._skip(self._run, buf, found.end(), end)
        return i

    def _usual(self, buf: str, i: int, end: int) -> re.Match[str] | None:
        """Take at once what usually ends a line or begins one, if it is here."""
        run = self._run
        if buf[i] != "\n":
            found = None
            if run is _BLANKS and self._take == self._take_line:
                found = _FIRST.match(buf, i, end)
            if found is not None:
                self._enter_text()
            return found
        if run is _PROSE or self._take == self._take_line:
            found = _OPENING.match(buf, i, end)
            if found is None:
                self._enter_line()
                return _BREAKS.match(buf, i, end)
        elif run is _FENCE:
            found = _CLOSING.match(buf, i, end)
        else:
            return None
        is_text = run is not _FENCE
        return found if found and self._jumps(found, is_text=is_text) else None

    def _jumps(self, found: re.Match[str], *, is_text: bool) -> bool:
        """Take the first or last line of a fence; False if it is none."""
        marks = found.end(1) - found.start(1)
        if is_text:
            self._mark, self._count, self._quoted = "`", marks, False
            self._take_info("\n")
            if found.start(2) >= 0:
                self._enter_fence()
        elif self._fence[0] != "`" or marks < self._fence[1]:
            return False
        else:
            self._end_fence()
            if found.start(2) >= 0:
                self._enter_text()
        return True

    # --- lines -----------------------------------------------------------------------

    def _enter_line(self) -> None:
        self._quoted = False
        self._enter(_BLANKS, self._take_line)

    def _take_line(self, ch: str) -> None:
        """Take what a line outside fences begins with."""
        if ch in "`~":
            self._enter_marks(ch, may_be_fence=True)
        elif ch in _CONTAINER_MARKS:
            self._quoted = self._quoted or ch == ">"
            self._runs.clear()
        elif ch in LINE_BREAKS:
            self._runs.clear()
            self._enter_line()
        elif ch not in " \t":
            if ch == "#":
                self._runs.clear()
            self._begins_line = ch == "<"
            self._enter_text()
            self._take_text(ch)

    def _enter_text(self) -> None:
        self._escaping = False
        run = _TEXT if self._runs else _PROSE
        self._enter(run, self._take_text, line_run=_TEXT_LINE)

    def _take_text(self, ch: str) -> None:
        escaped, self._escaping = self._escaping, False
        if ch == "`":
            self._enter_marks(ch, escaped=escaped)
        elif ch in LINE_BREAKS:
            if self._runs:
                self._begin_code()
            self._enter_line()
        elif ch == "\\" and not escaped:
            self._escaping = self._single = True

    # --- runs of marks -----------------------------------------------------------------

    def _enter_marks(
        self, mark: str, *, may_be_fence: bool = False, escaped: bool = False
    ) -> None:
        self._mark, self._count = mark, 1
        self._may_be_fence, self._escaped = may_be_fence, escaped
        self._single = True
        self._take = self._take_marks

    def _take_marks(self, ch: str) -> None:
        if ch == self._mark:
            self._count += 1
            self._single = True
        elif self._may_be_fence and self._count >= _MIN_MARKS:
            run = _INFO if self._mark == "`" else _FENCE_LINE
            self._enter(run, self._take_info)
            self._take_info(ch)
        else:
            self._end_run()
            self._enter_text()
            self._take_text(ch)

    def _end_run(self) -> None:
        """Let the backticks read last open a code span, or close one."""
        if self._mark != "`":
            return
        order = self._runs.get(self._count)
        if order is None:
            length = self._count - self._escaped
            if length and length not in self._runs:
                self._order += 1
                self._runs[length] = self._order
            return
        while self._runs and next(reversed(self._runs.values())) >= order:
            self._runs.popitem()
        doubt = self._doubt
        if doubt is not None and doubt.hiding == "line" and order <= self._doubt_order:
            self._end_code(doubt.construct)

    def _take_info(self, ch: str) -> None:
        """Take what follows the marks of a fence's first line, if it is one."""
        if ch in LINE_BREAKS:
            self._fence = (self._mark, self._count)
            self._fence_quoted = self._quoted
            self._runs.clear()
            self._begin_code()
            self._enter_fence_line()
        elif ch == "`" == self._mark:
            self._end_run()
            self._enter_marks(ch)

    # --- fences ------------------------------------------------------------------------

    def _enter_fence_line(self) -> None:
        self._quoted = False
        self._enter(_BLANKS, self._take_fence_line)

    def _take_fence_line(self, ch: str) -> None:
        """Take what a line of a fence begins with."""
        if ch == ">" and self._fence_quoted:
            self._quoted = True
        elif ch in LINE_BREAKS and self._quoted == self._fence_quoted:
            self._enter_fence_line()
        elif self._fence_quoted and not self._quoted and ch not in " \t":
            self._end_fence()
            self._take_line(ch)
        elif ch == self._fence[0]:
            self._count = 1
            self._single = True
            self._take = self._take_fence_marks
        elif ch not in " \t":
            self._enter_fence()
            self._take_fence(ch)

    def _enter_fence(self) -> None:
        run = _FENCE_LINE if self._fence_quoted else _FENCE
        self._enter(run, self._take_fence, line_run=_FENCE_LINE)

    def _take_fence(self, ch: str) -> None:
        if ch in LINE_BREAKS:
            self._enter_fence_line()

    def _take_fence_marks(self, ch: str) -> None:
        if ch == self._fence[0]:
            self._count += 1
            self._single = True
        elif self._count < self._fence[1]:
            self._enter_fence()
            self._take_fence(ch)
        else:
            self._enter(_BLANKS, self._take_fence_tail)
            self._take_fence_tail(ch)

    def _take_fence_tail(self, ch: str) -> None:
        """Take what is behind marks that close the fence if nothing else follows."""
        if ch in LINE_BREAKS:
            self._end_fence()
        elif ch not in " \t":
            self._in_tail = ch == "<"
            self._enter_fence()

    def _end_fence(self) -> None:
        construct = self._construct
        self._begin_code()
        self._enter_line()
        self._end_code(construct)
