"""Fences: lines that open one, lines in it, and the line that closes it."""

from __future__ import annotations

import re
from typing import Final

from vitrail.core.text.calm import FENCE_MARKS, FENCED, LINE, Marks
from vitrail.core.text.characters import LINE_BREAKS
from vitrail.core.text.inline import Verdict
from vitrail.core.text.lines import Leaf, Lines

__all__ = ["Fences"]

_NONE: Final = Leaf.NONE
_FENCE: Final = Leaf.FENCE
_MIN_MARKS: Final = 3
_BREAK_OR_TICK: Final = re.compile(r"[\n\r`]")


class Fences(Lines):
    """The lines of fences and of indented code.

    Three backticks open a fence unless one more follows on their line. Until
    that is certain the line is read as text, `_maybe_fence`.
    """

    __slots__ = (
        "_fence",
        "_line_has_tag",
        "_maybe_fence",
        "_put_off",
        "fence_end",
        "fences",
        "tagged_fence",
    )

    def __init__(self, marks: Marks) -> None:
        self.fences = 0
        """Fences opened so far."""
        self.fence_end = -1
        """Index behind the last line of the first fence that closed since this was -1."""
        self.tagged_fence = 0
        """The last fence with a whole tag in its first line, by its number; see `note_tag`."""
        super().__init__(marks)

    def _clear(self) -> None:
        self._fence = ("", 0)  # the open one's mark, and how many
        self._maybe_fence = -1  # containers matched by a line that may open one
        self._line_has_tag = False  # a whole tag is text in that line
        self._put_off: Verdict | None = None  # what is certain if that line is text
        super()._clear()

    def _finish_marks(self) -> None:
        """Let backticks that are too few, at the end of the text, be text."""
        if self._phase == self._read_fence_ticks and self._count < _MIN_MARKS:
            self._start_text()
            self._inline.begin_run(self._count)

    @property
    def fence_mark(self) -> tuple[str, int]:
        """The last fence's mark, and how many of them opened it."""
        return self._fence

    @property
    def _is_plain_fence(self) -> bool:
        return self._leaf is _FENCE and not self._containers

    def _read_fence_tildes(self, buf: str, i: int, end: int) -> int:
        at = self._read_run("~", buf, i, end)
        if at < end:
            if self._count < _MIN_MARKS:
                self._start_text("~" * self._count)
            else:
                self._open_fence("~")
                self._phase = self._read_code
        return at

    def _read_fence_ticks(self, buf: str, i: int, end: int) -> int:
        """Read backticks that open a fence unless one more follows on the line."""
        at = self._read_run("`", buf, i, end)
        if at == end:
            return at
        self._start_text()
        self._inline.begin_run(self._count)
        if self._count >= _MIN_MARKS:
            if self._inline.is_watching:
                self._put_off = None
                self._phase = self._wait_for_fence
            else:
                self._begin_maybe_fence(self._matched)
        return at

    def _begin_maybe_fence(self, matched: int) -> None:
        """Read on as text, in a line that matched so many containers."""
        self._maybe_fence = matched
        self._line_has_tag = False
        self._inline.stops_at_tick = True

    def note_tag(self) -> None:
        """Take note that a whole tag in what was read last is text."""
        if self._maybe_fence >= 0:
            self._line_has_tag = True
        elif self._leaf is _FENCE:
            self.tagged_fence = self.fences

    def _wait_for_fence(self, buf: str, i: int, end: int) -> int:
        """Read on as text too, but without a verdict, until it is certain."""
        found = _BREAK_OR_TICK.search(buf, i, end)
        at = found.start() if found else end
        inline = self._inline
        while i < at:
            i = inline.scan(buf, i, at)
            if inline.verdict:
                self._put_off = inline.put_off()
            elif i < at:
                inline.pass_angle()
                i += 1
        if found is None:
            return at
        is_text = buf[at] == "`"
        if self._put_off:
            inline.decide(self._put_off if is_text else "clear")
        if is_text:
            self._phase = self._read_text
        else:
            inline.drop_run()
            self._open_fence("`")
            self._phase = self._read_break
        return at

    def _open_fence(self, mark: str) -> None:
        self._open_leaf(_FENCE, self._read_code)
        self._fence = (mark, self._count)
        self.fences += 1

    def _read_closing_fence(self, buf: str, i: int, end: int) -> int:
        mark, length = self._fence
        at = self._read_run(mark, buf, i, end)
        if at == end:
            return at
        if self._count < length:
            self._phase = self._read_code
        else:
            self._phase = self._read_fence_tail
        return at

    @property
    def _is_on_closing_line(self) -> bool:
        if self._phase == self._read_closing_fence:
            return self._count >= self._fence[1]
        return self._phase == self._read_fence_tail

    def _read_fence_tail(self, buf: str, i: int, end: int) -> int:
        at = self._read_blanks(buf, i, end)
        if at < end:
            if buf[at] in LINE_BREAKS:
                self._close_fence(at)
            self._phase = self._read_code
        return at

    def _close_fence(self, at: int) -> None:
        self._leaf = _NONE
        if self.fence_end < 0:
            self.fence_end = at

    def _read_code(self, buf: str, i: int, end: int) -> int:
        is_plain = self._is_plain_fence
        found = (FENCED if is_plain else LINE).match(buf, i, end)
        at = found.end() if found else i
        self._looked += at - i
        if at < end:
            self._phase = self._read_break
            if is_plain and buf[at] == "\n":
                return self._hurry_fence_end(buf, at, end)
        return at

    def _hurry_fence_end(self, buf: str, i: int, end: int) -> int:
        """Read the line break and the marks behind it, if they may close a fence."""
        mark, length = self._fence
        found = FENCE_MARKS[mark].match(buf, i + 1, end)
        if found is None:
            return i
        at = found.end()
        self._looked += at - i
        if at < end and buf[at] == "\n" and at - i > length:
            self._close_fence(at)
            return at
        self._start_line()
        self._bare = False
        self._count = at - i - 1
        self._phase = self._read_closing_fence
        return at

    def _hurry_fence(self, buf: str, i: int, end: int) -> int:
        """Read the first line of a fence, or as much of what may be one as is here."""
        found = self._calm.fence.match(buf, i, end)
        if found is None:
            return i
        at = found.end()
        ticks = found.end(1) - i
        self._looked += at - i
        self._matched = 0
        self._count = ticks
        if at == i + ticks == end:
            self._phase = self._read_fence_ticks
        elif at < end and buf[at] in LINE_BREAKS:
            self._end_paragraph()
            self._containers.clear()
            self._open_fence("`")
        else:
            self._start_text()
            self._inline.begin_run(ticks)
            if at > i + ticks:
                self._inline.end_run()
            self._begin_maybe_fence(0)
        return at
