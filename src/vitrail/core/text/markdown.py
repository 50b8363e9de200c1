"""What is code in Markdown, decided line by line as the text comes.

Strategy: one machine that never looks back. `Lines` reads the beginning of
each line; what is left of it belongs to the inline reader (`Inline`), to block
code, or to an HTML block. No text is kept. Lines that begin no block, which are
most, are read by one regular expression without backtracking.
"""

from __future__ import annotations

import re
from typing import Final

from vitrail.core.text.calm import DEAD, FENCED, LINE, NAME, Marks
from vitrail.core.text.characters import LINE_BREAKS
from vitrail.core.text.definitions import EXTENSIBLE
from vitrail.core.text.fences import Fences
from vitrail.core.text.html_blocks import BlockEnd, html_block_type
from vitrail.core.text.inline import Verdict
from vitrail.core.text.lines import CODE_INDENT, QUOTE, Leaf

__all__ = ["Markdown"]

_NONE: Final = Leaf.NONE
_PARAGRAPH: Final = Leaf.PARAGRAPH
_HEADING: Final = Leaf.HEADING
_FENCE: Final = Leaf.FENCE
_HTML: Final = Leaf.HTML
_FIRST_SILENT_HTML: Final = 6
"""HTML blocks of this type and above hide nothing."""

_USUAL_LIST: Final = [2]
"""The containers in an item that begins with a mark and a space at the margin."""

_BREAK_OR_ANGLE: Final = re.compile(r"[\n\r<]")


class Markdown(Fences):
    """The Markdown state at one place of a text that is still growing.

    `scan` reads on and stops in front of each ``<``, or other mark, that no block
    hides and no backslash escapes (`at_mark`), at a `verdict`, and after
    `in_fence_angle`. The caller then either takes the place for its own, or calls
    `pass_angle`, or `pass_mark` where it is no ``<``.
    """

    __slots__ = (
        "_after_dead",
        "_after_return",
        "_html",
        "at_mark",
        "begins_line",
        "begins_paragraph",
        "in_fence_angle",
    )

    def __init__(self, marks: Marks = Marks()) -> None:  # noqa: B008 - it is frozen
        """Begin a document; `marks` are further characters to stop in front of."""
        self.at_mark = False
        """The text's next character is a mark that may begin something."""
        self.begins_line = False
        """With `at_mark`: only white space is in front of it on its line."""
        self.begins_paragraph = False
        """With `at_mark`: nothing of its paragraph is in front of it."""
        self.in_fence_angle = False
        """A line of a fence begins with ``<`` here."""
        super().__init__(marks)

    def reset(self) -> None:
        """Begin a new document at this place."""
        self._inline.end()
        self._inline.unwatch()
        self._clear()

    def _clear(self) -> None:
        self._after_return = False  # the last line break was a CR; an LF belongs to it
        self._after_dead = False  # behind the "<" of a name that another "<" cuts off
        self._html: BlockEnd | None = None  # end mark of an HTML block, 1 to 5
        super()._clear()

    @property
    def looked(self) -> int:
        """Characters looked at, ever."""
        return self._looked + self._inline.looked

    @property
    def leaf(self) -> Leaf:
        """The block that takes the text at this place."""
        return self._leaf

    def quick_pattern(self) -> re.Pattern[str] | None:
        """Return what matches as much text as changes nothing here.

        Where it matches the whole of the next piece, that piece need not be
        given to `scan`; the caller counts its characters as looked at.
        """
        if self._phase == self._read_text:
            if not self._is_calm:
                return None
            calm = self._calm
            return calm.whole[len(self._containers)] if self._is_prose else calm.lines
        if self._phase == self._read_code:
            return FENCED if self._is_plain_fence else LINE
        return None

    @property
    def _is_calm(self) -> bool:
        """Whether only a mark or a line that begins a block can change anything."""
        return (
            self._leaf is _PARAGRAPH and self._maybe_fence < 0 and self._inline.is_calm
        )

    @property
    def verdict(self) -> Verdict | None:
        """What is certain about the watched place."""
        return self._inline.verdict

    def may_hide(self, *, runs: bool) -> bool:
        """Whether this place may turn out to lie in a construct that hides it.

        `runs`: code spans count too.
        """
        return self._maybe_fence >= 0 or self._inline.may_hide(runs=runs)

    def watch(self, *, runs: bool) -> None:
        """Watch this place until there is a `verdict`; `runs` as in `may_hide`."""
        self._inline.watch(runs=runs, line=self._maybe_fence >= 0)

    def unwatch(self) -> None:
        """Stop watching."""
        self._inline.unwatch()

    def pass_angle(self) -> None:
        """Take the ``<`` at this place as what Markdown makes of it."""
        self.at_mark = False
        if self._phase == self._at_block_angle:
            self._begin_tag()
            self._phase = self._read_html_opening
        elif self._leaf is _HTML:
            self._looked += 1
            self._bare = False
        else:
            self._inline.pass_angle()

    def pass_mark(self, ch: str) -> None:
        """Take the mark at this place, which is no ``<``, as what Markdown makes of it.

        One that begins a line is not read yet: the line goes on in front of it.
        """
        self.at_mark = False
        if self._phase == self._at_line_mark:
            self._begin_block(self._line_mark)
        else:
            self._inline.pass_mark(ch)

    def restart_line(self) -> None:
        """Go on as if what began this paragraph, and was taken out, had not been there."""
        self._inline.end()
        self._leaf = _NONE
        self._indent = 0
        self._phase = self._read_indent

    def pass_named_angle(self) -> None:
        """Take the ``<`` at this place, behind which is a name that opens no HTML block.

        That is, none but that of a tag alone on its line.
        """
        if self._phase == self._at_block_angle:
            self.at_mark = False
            self._begin_tag()
        else:
            self.pass_angle()

    def pass_dead_angle(self) -> None:
        """Take the ``<`` at this place, behind which another comes before any quote.

        So nothing begins here, and what is in between is read as text. The word
        behind it must be none that opens an HTML block.
        """
        self.at_mark = False
        if self._phase == self._at_block_angle:
            self._looked += 1
            self._start_text()
        elif self._leaf is _HTML:
            self.pass_angle()
        else:
            self._inline.pass_angle(dead=True)
        self._after_dead = True

    def finish(self) -> None:
        """Let the text end here: what is open in the paragraph fails.

        A fence whose closing line is the last one, without a line break, closes.
        """
        if self._leaf is _FENCE and self._is_on_closing_line:
            self._leaf = _NONE
        self._finish_marks()
        if self._maybe_fence >= 0:
            self._inline.line_is_code()
        self._inline.end()

    def scan(self, buf: str, i: int, end: int) -> int:
        """Read ``buf[i:end]`` up to the next stop and return its place."""
        self.at_mark = self.in_fence_angle = False
        while i < end:
            i = self._phase(buf, i, end)
            if self.at_mark or self.in_fence_angle or self._inline.verdict:
                break
        return i

    # --- the lines of open blocks ------------------------------------------------

    def _leaf_takes(self, ch: str) -> bool:
        blank = ch in LINE_BREAKS
        match self._leaf:
            case Leaf.FENCE:
                if ch == self._fence[0] and self._indent < CODE_INDENT:
                    self._count = 0
                    self._phase = self._read_closing_fence
                else:
                    self.in_fence_angle = ch == "<" and self._indent < CODE_INDENT
                    self._phase = self._read_code
            case Leaf.INDENTED:
                if not blank and self._indent < CODE_INDENT:
                    return False
                self._phase = self._read_code
            case _ if self._html is not None:
                self._html.break_line()
                self._phase = self._read_hiding_html
            case _:
                if blank:
                    return False
                self._phase = self._read_html
        return True

    def _read_break(self, buf: str, i: int, _end: int) -> int:
        self._looked += 1
        self._after_return = buf[i] == "\r"
        self._start_line()
        return i + 1

    def _read_indent(self, buf: str, i: int, end: int) -> int:
        if self._after_return:
            self._after_return = False
            if buf[i] == "\n":
                self._looked += 1
                return i + 1
        if self._may_hurry:
            self._may_hurry = False
            i, hurried = self._hurry(buf, i, end)
            if hurried or i == end:
                return i
        return super()._read_indent(buf, i, end)

    def _hurry(self, buf: str, i: int, end: int) -> tuple[int, bool]:
        """Do at once, for the usual beginnings of a line, what `Lines` does in general.

        Returns the place behind what was read, and whether it is in text again;
        if not, it is at the beginning of a line.
        """
        if (
            self._after_definition
            or self._fresh_item
            or self._inline.is_watching
            or QUOTE in self._containers
        ):
            return i, False
        needs_look, marks = self._calm.needs_look, self._marks.at_line
        while i + 2 < end and (ch := buf[i]) not in marks:
            if ch == "\n":
                self._looked += 1
                if self._leaf is _PARAGRAPH:
                    self._end_paragraph()
                i += 1
            elif ch not in needs_look:
                if self._leaf is _NONE:
                    self._containers.clear()
                    self._leaf = _PARAGRAPH
                self._phase = self._read_text
                return i, True
            else:
                i, hurried = self._hurry_mark(ch, buf, i, end)
                if hurried is not None:
                    return i, hurried
        return i, False

    def _hurry_mark(
        self, ch: str, buf: str, i: int, end: int
    ) -> tuple[int, bool | None]:
        """Do the same at a mark; None: behind a whole line, at the next one."""
        if ch == "<":
            self._start_line()
            self._may_hurry = False
            self._begin_block(ch)
            return i, True
        if ch in "-*+" and buf[i + 1] == " ":
            if buf[i + 2] in self._calm.needs_look:
                return i, False
            self._looked += 2
            self._end_paragraph()
            self._containers[:] = _USUAL_LIST
            self._leaf = _PARAGRAPH
            self._phase = self._read_text
            return i + 2, True
        if ch == "#" and (found := self._calm.heading.match(buf, i, end)):
            i = self._hurry_heading(buf, i, found.end(), end)
            return i, True if self._leaf is _HEADING else None
        if ch == "`" and self._inline.is_calm:
            at = self._hurry_fence(buf, i, end)
            return at, at > i
        return i, False

    def _hurry_heading(self, buf: str, i: int, at: int, end: int) -> int:
        """Open the heading whose text goes up to `at`, and close it if its line ends."""
        self._looked += at - i
        self._end_paragraph()
        self._containers.clear()
        if at < end and buf[at] == "\n":
            self._looked += 1
            return at + 1
        self._leaf = _HEADING
        self._phase = self._read_text
        return at

    # --- text ----------------------------------------------------------------------

    def _read_text(self, buf: str, i: int, end: int) -> int:
        start = i
        deep_angle, self._deep_angle = self._deep_angle, False
        is_fresh, self._is_fresh = self._is_fresh, False
        at_angle = False
        if self._is_calm:
            if self._after_dead:
                i = self._read_dead(buf, i, end)
                at_angle = i < end and buf[i] == "<"
            if not at_angle:
                i = self._read_calm(buf, i, end)
            if i == end or self._phase != self._read_text:
                return i
        inline = self._inline
        if not at_angle:
            i = inline.scan(buf, i, end)
            if i == end or inline.verdict:
                return i
        if at_angle or inline.at_mark:
            self.at_mark = True
            self.begins_line = i == start and (deep_angle or (is_fresh and self._bare))
            self.begins_paragraph = i == start and is_fresh
        elif buf[i] == "`":
            self._maybe_fence = -1
            inline.line_is_text()
        else:
            self._break_text()
        return i

    def _read_calm(self, buf: str, i: int, end: int) -> int:
        """Read a paragraph, and those that follow it, up to what needs a closer look."""
        inline = self._inline
        while i < end:
            if self._is_prose:
                i = self._read_prose(buf, i, end)
            else:
                found = self._calm.lines.match(buf, i, end)
                at = found.end() if found else i
                self._looked += at - i
                i = at
            if i == end:
                break
            ch = buf[i]
            if ch == "`":
                i = inline.read_run(buf, i, end)
            elif ch == "\n":
                i, hurried = self._hurry(buf, i + 1, end)
                self._looked += 1
                if not hurried:
                    self._start_line()
                    self._may_hurry = False
                if self._leaf is not _PARAGRAPH or self._phase != self._read_text:
                    break
                if self._maybe_fence >= 0:
                    break
            else:
                break
        return i

    def _read_dead(self, buf: str, i: int, end: int) -> int:
        """Read the rest of a dead name, and further names that are dead in the same way."""
        self._after_dead = False
        found = DEAD.match(buf, i, end)
        at = found.end() if found else i
        vain = NAME.match(buf, at, end)
        self._looked += (vain.end() if vain else at) - i
        return at

    @property
    def _is_prose(self) -> bool:
        """Whether no backtick is open, and no container but a list of the usual kind."""
        containers = self._containers
        if containers and containers != _USUAL_LIST:
            return False
        return not self._inline.may_hide(runs=True)

    def _read_prose(self, buf: str, i: int, end: int) -> int:
        """Read lines of text with their usual code spans, up to what needs a closer look."""
        found = self._calm.spans[len(self._containers)].match(buf, i, end)
        if found is None:
            return i
        at, more = found.end(), found.start("more")
        self._looked += at - i
        if more >= 0:
            tick = found.start("tick")
            self._looked -= 1 + at - more
            self._inline.read_run(buf, tick, tick + 2)
            if at > more:
                self._inline.read_run(buf, more, min(end, at))
        return at

    def _break_text(self) -> None:
        self._phase = self._read_break
        if self._maybe_fence >= 0:
            self._matched, self._maybe_fence = self._maybe_fence, -1
            self._inline.stops_at_tick = False
            self._inline.line_is_code()
            self._open_fence("`")
            if self._line_has_tag:
                self.tagged_fence = self.fences
            self._phase = self._read_break
        elif self._leaf is _HEADING:
            self._inline.end()
            self._leaf = _NONE
        elif end := self._inline.end_definition_line():
            self._inline.end()
            self._leaf = _NONE
            self._after_definition = end == EXTENSIBLE
        elif self._inline.ends_lone_tag:
            self._inline.end()
            self._leaf, self._html = _HTML, None
        else:
            self._inline.break_line()

    # --- HTML blocks -----------------------------------------------------------------

    def _at_line_mark(self, _buf: str, i: int, _end: int) -> int:
        """Stay in front of a mark that begins a line until the caller decides."""
        self.at_mark = self.begins_line = True
        self.begins_paragraph = self._leaf is not _PARAGRAPH
        return i

    def _at_block_angle(self, _buf: str, i: int, _end: int) -> int:
        """Stay in front of a ``<`` that begins a line until the caller decides."""
        if self._inline.is_watching:
            self.pass_angle()
            self.at_mark = False
            return i + 1
        self.at_mark, self.begins_line = True, self._bare
        return i

    def _begin_tag(self) -> None:
        """Let the ``<`` be text for now; a tag alone on its line may be a block."""
        begins = self._leaf is not _PARAGRAPH
        self._start_text()
        self._inline.pass_angle(begins_paragraph=begins)
        self._opening = ""

    def _read_html_opening(self, buf: str, i: int, _end: int) -> int:
        """Read on, as text too, until it is certain whether a block opens."""
        ch = buf[i]
        at_line_end = ch in LINE_BREAKS
        opening = self._opening if at_line_end else self._opening + ch
        kind = html_block_type(opening, at_line_end=at_line_end)
        if kind is None:
            self._opening = opening
            if self._inline.scan(buf, i, i + 1) == i:
                self._inline.pass_mark(ch)
            return i + 1
        if kind == 0:
            self._phase = self._read_text
            return i
        self._open_html(kind)
        self._looked += not at_line_end
        return i + (not at_line_end)

    def _open_html(self, kind: int) -> None:
        self._open_leaf(_HTML, self._read_html)
        self._html = None
        if kind < _FIRST_SILENT_HTML:
            self._html = BlockEnd(kind)
            self._phase = self._read_hiding_html

    def _read_hiding_html(self, buf: str, i: int, end: int) -> int:
        html = self._html
        if html is None:
            return self._read_code(buf, i, end)
        looked = html.looked
        at = html.scan(buf, i, end)
        self._looked += html.looked - looked
        if at < end:
            if html.found:
                self._leaf, self._html = _NONE, None
            self._phase = self._read_break
        return at

    def _read_html(self, buf: str, i: int, end: int) -> int:
        found = _BREAK_OR_ANGLE.search(buf, i, end)
        at = found.start() if found else end
        self._looked += at - i
        if at > i:
            self._bare = False
        if found is None:
            return at
        if buf[at] != "<":
            self._phase = self._read_break
        elif self._inline.is_watching:
            self._looked += 1
            return at + 1
        else:
            self.at_mark, self.begins_line = True, self._bare
        return at
