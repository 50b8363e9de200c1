"""What is code in Markdown, decided line by line as the text comes.

Strategy: one machine that never looks back. The beginning of a line (white
space, container markers, the first characters of a block) is read by small
phases, each of which can be cut anywhere; what is left of the line then
belongs to the inline reader, to block code, or to an HTML block. Nothing of
the text is kept but the few characters of an undecided marker.

The rules are CommonMark 0.31.2 §4 and §5: each line first continues the open
containers (block quotes, list items), then may begin new blocks, then is text;
text goes on with an open paragraph even where containers do not match (lazy
continuation).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, TypeAlias

from vitrail.core.text.characters import LINE_BREAKS
from vitrail.core.text.definitions import EXTENSIBLE
from vitrail.core.text.html_blocks import BlockEnd, html_block_type
from vitrail.core.text.inline import Inline, Verdict

__all__ = ["MAX_CONTAINERS", "Leaf", "Markdown"]

MAX_CONTAINERS: Final = 32
"""Deepest nesting of quotes and items; deeper markers are text. The reference
parser stops reading at 20 levels, where each list counts twice."""

_MAX_MARKS_CHARS: Final = 1024
"""Of a line of marks, what is read again as nested items: room for the deepest."""

_QUOTE: Final = 0
"""A container is the columns its lines are indented by; a block quote is this."""

_CODE_INDENT: Final = 4
_MAX_NUMBER_DIGITS: Final = 9
_MAX_HEADING_MARKS: Final = 6
_MIN_FENCE_MARKS: Final = 3
_MIN_RULE_MARKS: Final = 3
_FIRST_SILENT_HTML: Final = 6
"""HTML blocks of this type and above hide nothing."""

_MAY_START_BLOCK: Final = frozenset("\n\r \t>#`~<-*+_=0123456789")
"""First characters of a line that need a look; any other is text."""

_BLANKS: Final = re.compile(r"[ \t]*")
_BREAK: Final = re.compile(r"[\n\r]")
_BREAK_OR_TICK: Final = re.compile(r"[\n\r`]")
_BREAK_OR_ANGLE: Final = re.compile(r"[\n\r<]")
_NUMBER: Final = re.compile(r"[0-9]*")
_RUNS: Final = {mark: re.compile(re.escape(mark) + "*") for mark in "#`~"}
_MARKS: Final = {mark: re.compile(rf"[{re.escape(mark)} \t]*") for mark in "-*+_="}

_Phase: TypeAlias = Callable[[str, int, int], int]


class Leaf(Enum):
    """The block that takes the lines."""

    NONE = auto()
    PARAGRAPH = auto()
    HEADING = auto()
    FENCE = auto()
    INDENTED = auto()
    HTML = auto()


class Markdown:
    """The Markdown state at one place of a text that is still growing.

    `scan` reads on and stops in front of each ``<`` that no block hides and no
    backslash escapes (`at_angle`), at a `verdict`, and after `in_fence_angle`.
    The caller then either takes the place for its own, or calls `pass_angle`.
    """

    def __init__(self) -> None:
        self._inline = Inline()
        self._looked = 0
        self.at_angle = False
        """The text's next character is a ``<`` that may begin something."""
        self.begins_line = False
        """With `at_angle`: only white space is in front of it on its line."""
        self.in_fence_angle = False
        """A line of a fence begins with ``<`` here."""
        self.fences = 0
        """Fences opened so far."""
        self.reset()

    def reset(self) -> None:
        """Begin a new document at this place."""
        self._inline.end()
        self._inline.unwatch()
        self._containers: list[int] = []
        self._leaf = Leaf.NONE
        self._fresh_item = False  # the last item has had no content yet
        self._fence = ("", 0)
        self._html: BlockEnd | None = None  # end mark of an HTML block, 1 to 5
        self._maybe_fence = -1  # containers matched by a line that may open one
        self._after_return = False
        self._after_definition = False  # a definition whose title may follow
        self._start_line()

    @property
    def looked(self) -> int:
        """Characters looked at, ever."""
        return self._looked + self._inline.looked

    @property
    def leaf(self) -> Leaf:
        """The block that takes the text at this place."""
        return self._leaf

    @property
    def is_calm(self) -> bool:
        """Whether only a mark or a line break can change anything from here."""
        return (
            self._phase == self._read_text
            and self._leaf is Leaf.PARAGRAPH
            and self._maybe_fence < 0
            and self._inline.is_calm
        )

    @property
    def is_code_line(self) -> bool:
        """Whether the rest of the line is block code."""
        return self._phase == self._read_code

    @property
    def verdict(self) -> Verdict | None:
        """What is certain about the watched place."""
        return self._inline.verdict

    def may_hide(self, *, runs: bool) -> bool:
        """Whether this place may turn out to lie in a construct that hides it.

        `runs`: code spans count too.
        """
        return self._maybe_fence >= 0 or self._inline.may_hide(runs=runs)

    def closes_span(self, ticks: int) -> bool:
        """Whether a run of so many backticks here would make code of this place."""
        return self._inline.has_run(ticks)

    def watch(self, *, runs: bool) -> None:
        """Watch this place until there is a `verdict`; `runs` as in `may_hide`."""
        self._inline.watch(runs=runs, line=self._maybe_fence >= 0)

    def unwatch(self) -> None:
        """Stop watching."""
        self._inline.unwatch()

    def pass_angle(self) -> None:
        """Take the ``<`` at this place as what Markdown makes of it."""
        self.at_angle = False
        if self._phase == self._at_block_angle:
            self._looked += 1
            self._opening = ""
            self._phase = self._read_html_opening
        elif self._leaf is Leaf.HTML:
            self._looked += 1
            self._bare = False
        else:
            self._inline.pass_angle()

    def finish(self) -> None:
        """Let the text end here: what is open in the paragraph fails."""
        if self._maybe_fence >= 0:
            self._inline.line_is_code()
        self._inline.end()

    def scan(self, buf: str, i: int, end: int) -> int:
        """Read ``buf[i:end]`` up to the next stop and return its place."""
        self.at_angle = self.in_fence_angle = False
        while i < end:
            i = self._phase(buf, i, end)
            if self.at_angle or self.in_fence_angle or self._inline.verdict:
                break
        return i

    # --- the beginning of a line ---------------------------------------------

    def _start_line(self) -> None:
        self._matched = 0  # containers that this line continues
        self._indent = 0  # columns of white space since the last marker
        self._column = 0
        self._eats_column = False  # one column after ">" belongs to it
        self._bare = True  # only white space on this line so far
        self._rules_out = False  # a line of marks is read again as items
        self._opening = ""
        self._phase: _Phase = self._read_indent

    def _read_indent(self, buf: str, i: int, end: int) -> int:
        if self._after_return:
            self._after_return = False
            if buf[i] == "\n":
                self._looked += 1
                return i + 1
        at = self._read_blanks(buf, i, end)
        if at == end:
            return at
        if self._eats_column:
            self._eats_column = False
            self._indent = max(self._indent - 1, 0)
        return at + self._continue_containers(buf[at])

    def _read_blanks(self, buf: str, i: int, end: int) -> int:
        """Read white space into the indent; tabs go to the next column of four."""
        found = _BLANKS.match(buf, i, end)
        at = found.end() if found else i
        if at > i:
            self._looked += at - i
            column = self._column
            if "\t" in buf[i:at]:
                for ch in buf[i:at]:
                    column += 4 - column % 4 if ch == "\t" else 1
            else:
                column += at - i
            self._indent += column - self._column
            self._column = column
        return at

    def _continue_containers(self, ch: str) -> int:
        """Match open containers in front of `ch`; return the characters taken."""
        blank = ch in LINE_BREAKS
        containers = self._containers
        while self._matched < len(containers):
            width = containers[self._matched]
            if width == _QUOTE:
                if blank or ch != ">" or self._indent >= _CODE_INDENT:
                    break
                self._matched += 1
                return self._take_quote_mark()
            if blank:
                if self._fresh_item and self._matched == len(containers) - 1:
                    break
            elif self._indent < width:
                break
            else:
                self._indent -= width
            self._matched += 1
        return self._continue_leaf(ch)

    def _take_quote_mark(self) -> int:
        self._looked += 1
        self._column += 1
        self._indent = 0
        self._eats_column = True
        self._bare = False
        self._phase = self._read_indent
        return 1

    def _continue_leaf(self, ch: str) -> int:
        """Let the open block take the line, or begin another."""
        if self._leaf in (Leaf.FENCE, Leaf.HTML, Leaf.INDENTED):
            if self._matched == len(self._containers) and self._leaf_takes(ch):
                return 0
            self._leaf = Leaf.NONE
            self._html = None
        return self._start_block(ch)

    def _leaf_takes(self, ch: str) -> bool:
        blank = ch in LINE_BREAKS
        match self._leaf:
            case Leaf.FENCE:
                if ch == self._fence[0] and self._indent < _CODE_INDENT:
                    self._count = 0
                    self._phase = self._read_closing_fence
                else:
                    self.in_fence_angle = ch == "<"
                    self._phase = self._read_code
            case Leaf.INDENTED:
                if not blank and self._indent < _CODE_INDENT:
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

    def _start_block(self, ch: str) -> int:
        """Find what block the line begins with `ch`; return the characters taken."""
        after_definition, self._after_definition = self._after_definition, False
        if ch in LINE_BREAKS:
            self._end_paragraph()
            self._close_unmatched()
            self._phase = self._read_break
            return 0
        if self._indent >= _CODE_INDENT:
            if self._leaf is Leaf.PARAGRAPH:
                self._start_text()
            else:
                self._open_leaf(Leaf.INDENTED, self._read_code)
            return 0
        self._count = 0
        self._opening = ""
        if ch == ">" and len(self._containers) < MAX_CONTAINERS:
            self._open_container(_QUOTE)
            return self._take_quote_mark()
        phase = self._STARTS.get(ch)
        if phase is None:
            title_only = after_definition and ch in "\"'("
            begins = self._leaf is not Leaf.PARAGRAPH and (title_only or ch == "[")
            self._start_text()
            if begins:
                self._inline.begin_definition(title_only=title_only)
        else:
            again = self._rules_out and ch in _MARKS
            self._phase = self._read_bullet if again else getattr(self, phase)
        return 0

    _STARTS: Final = {
        "#": "_read_heading_marks",
        "`": "_read_fence_ticks",
        "~": "_read_fence_tildes",
        "<": "_at_block_angle",
        **dict.fromkeys("-*+_=", "_read_marks"),
        **dict.fromkeys("0123456789", "_read_number"),
    }
    """First character of a block that is not text -> the phase that reads it."""

    @property
    def _interrupts(self) -> bool:
        """Whether a block that begins here would interrupt its own paragraph."""
        return self._leaf is Leaf.PARAGRAPH and self._matched == len(self._containers)

    def _close_unmatched(self) -> None:
        if self._matched < len(self._containers):
            del self._containers[self._matched :]
            self._fresh_item = False

    def _end_paragraph(self) -> None:
        if self._leaf is Leaf.PARAGRAPH:
            self._inline.end()
            self._leaf = Leaf.NONE

    def _open_leaf(self, leaf: Leaf, phase: _Phase) -> None:
        self._end_paragraph()
        self._close_unmatched()
        self._fresh_item = False
        self._leaf = leaf
        self._phase = phase

    def _open_container(self, width: int) -> None:
        self._end_paragraph()
        self._close_unmatched()
        self._containers.append(width)
        self._fresh_item = False
        self._matched = len(self._containers)
        self._leaf = Leaf.NONE

    def _start_text(self, read: str = "") -> None:
        """Let the rest of the line be text of the open paragraph or of a new one.

        `read` is what of that text has been read already.
        """
        if self._leaf is Leaf.PARAGRAPH:
            self._phase = self._read_text
        else:
            self._open_leaf(Leaf.PARAGRAPH, self._read_text)
        if read:
            self._inline.scan(read, 0, len(read))

    # --- markers ---------------------------------------------------------------

    def _read_marks(self, buf: str, i: int, end: int) -> int:
        """Read a line of ``-``, ``*``, ``_``, ``+`` or ``=``: rule, underline, items."""
        mark = self._opening[0] if self._opening else buf[i]
        found = _MARKS[mark].match(buf, i, end)
        at = found.end() if found else i
        self._looked += at - i
        self._count += buf.count(mark, i, at)
        if len(self._opening) < _MAX_MARKS_CHARS:
            self._opening += buf[i : min(at, i + _MAX_MARKS_CHARS)]
        if at < end:
            self._end_marks(mark, at_line_end=buf[at] in LINE_BREAKS)
        return at

    def _end_marks(self, mark: str, *, at_line_end: bool) -> None:
        marks, self._opening = self._opening, ""
        if at_line_end and self._is_underline(mark, marks):
            self._inline.end()
            self._leaf = Leaf.NONE
            self._phase = self._read_break
        elif at_line_end and self._count >= _MIN_RULE_MARKS and mark in "-*_":
            self._open_leaf(Leaf.NONE, self._read_break)
        elif mark in "_=" or len(marks) >= _MAX_MARKS_CHARS:
            self._start_text(marks)
        else:
            self._rules_out = True
            self._phase = self._read_bullet
            at = 0
            while at < len(marks):
                at = self._phase(marks, at, len(marks))

    def _is_underline(self, mark: str, marks: str) -> bool:
        return (
            mark in "-="
            and self._interrupts
            and marks.rstrip(" \t").count(mark) == len(marks.rstrip(" \t"))
        )

    def _read_bullet(self, buf: str, i: int, _end: int) -> int:
        self._looked += 1
        self._take_item_mark(buf[i])
        return i + 1

    def _read_number(self, buf: str, i: int, end: int) -> int:
        found = _NUMBER.match(buf, i, min(end, i + _MAX_NUMBER_DIGITS + 1))
        at = found.end() if found else i
        self._looked += at - i
        self._opening = (self._opening + buf[i:at])[: _MAX_NUMBER_DIGITS + 1]
        digits = len(self._opening)
        if digits > _MAX_NUMBER_DIGITS:
            self._start_text(self._opening)
        elif at < end:
            if buf[at] not in ".)" or (self._interrupts and int(self._opening) != 1):
                self._start_text(self._opening)
            else:
                self._looked += 1
                self._take_item_mark(self._opening + buf[at])
                at += 1
        return at

    def _take_item_mark(self, marker: str) -> None:
        self._opening = marker
        self._item = self._indent + len(marker)  # columns up to the marker's end
        self._column += len(marker)
        self._indent = 0
        self._phase = self._read_item_space

    def _read_item_space(self, buf: str, i: int, end: int) -> int:
        at = self._read_blanks(buf, i, end)
        if at == end:
            return at
        blank = buf[at] in LINE_BREAKS
        if (
            (not blank and not self._indent)
            or (blank and self._interrupts)
            or len(self._containers[: self._matched]) >= MAX_CONTAINERS
        ):
            self._start_text(self._opening)
        else:
            one = blank or self._indent > _CODE_INDENT
            space = 1 if one else self._indent
            self._open_container(self._item + space)
            self._indent = 0 if blank else self._indent - space
            self._fresh_item = blank
            self._bare = False
            self._phase = self._read_indent
        return at

    def _read_heading_marks(self, buf: str, i: int, end: int) -> int:
        at = self._read_run("#", buf, i, end)
        if at < end:
            if self._count <= _MAX_HEADING_MARKS and buf[at] in " \t\n\r":
                self._open_leaf(Leaf.HEADING, self._read_text)
            else:
                self._start_text("#" * self._count)
        return at

    def _read_run(self, mark: str, buf: str, i: int, end: int) -> int:
        found = _RUNS[mark].match(buf, i, end)
        at = found.end() if found else i
        self._looked += at - i
        self._count += at - i
        return at

    # --- fences and indented code ------------------------------------------------

    def _read_fence_tildes(self, buf: str, i: int, end: int) -> int:
        at = self._read_run("~", buf, i, end)
        if at < end:
            if self._count < _MIN_FENCE_MARKS:
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
        if self._count >= _MIN_FENCE_MARKS:
            if self._inline.is_watching:
                self._waited = self._count
                self._phase = self._wait_for_fence
                return at
            self._maybe_fence = self._matched
        self._start_text("`" * self._count)
        self._inline.stops_at_tick = self._maybe_fence >= 0
        return at

    def _wait_for_fence(self, buf: str, i: int, end: int) -> int:
        """Read on without a guess while the watched place's text is held anyway."""
        found = _BREAK_OR_TICK.search(buf, i, end)
        at = found.start() if found else end
        self._looked += at - i
        self._waited += at - i
        if found is None:
            return at
        if buf[at] == "`":
            self._start_text()
            return at - self._waited
        self._open_fence("`")
        self._phase = self._read_break
        return at

    def _open_fence(self, mark: str) -> None:
        self._open_leaf(Leaf.FENCE, self._read_code)
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

    def _read_fence_tail(self, buf: str, i: int, end: int) -> int:
        at = self._read_blanks(buf, i, end)
        if at < end:
            if buf[at] in LINE_BREAKS:
                self._leaf = Leaf.NONE
            self._phase = self._read_code
        return at

    def _read_code(self, buf: str, i: int, end: int) -> int:
        found = _BREAK.search(buf, i, end)
        at = found.start() if found else end
        self._looked += at - i
        if found:
            self._phase = self._read_break
        return at

    def _read_break(self, buf: str, i: int, _end: int) -> int:
        self._looked += 1
        self._after_return = buf[i] == "\r"
        self._start_line()
        return i + 1

    # --- text ----------------------------------------------------------------------

    def _read_text(self, buf: str, i: int, end: int) -> int:
        inline = self._inline
        i = inline.scan(buf, i, end)
        while (
            i + 1 < end
            and buf[i] == "\n"
            and buf[i + 1] not in _MAY_START_BLOCK
            and self._goes_on
            and not inline.verdict
        ):
            self._looked += 2
            inline.break_line()
            i = inline.scan(buf, i + 1, end)
        if i == end or inline.verdict:
            return i
        if inline.at_angle:
            self.at_angle, self.begins_line = True, False
        elif buf[i] == "`":
            self._maybe_fence = -1
            inline.line_is_text()
        else:
            self._break_text()
        return i

    @property
    def _goes_on(self) -> bool:
        """Whether a next line that begins no block goes on with this paragraph."""
        return (
            self._leaf is Leaf.PARAGRAPH
            and self._maybe_fence < 0
            and not self._inline.ends_lone_tag
            and not self._inline.may_define
        )

    def _break_text(self) -> None:
        self._phase = self._read_break
        if self._maybe_fence >= 0:
            self._matched, self._maybe_fence = self._maybe_fence, -1
            self._inline.stops_at_tick = False
            self._inline.line_is_code()
            self._open_fence("`")
            self._phase = self._read_break
        elif self._leaf is Leaf.HEADING:
            self._inline.end()
            self._leaf = Leaf.NONE
        elif end := self._inline.end_definition_line():
            self._inline.end()
            self._leaf = Leaf.NONE
            self._after_definition = end == EXTENSIBLE
        elif self._inline.ends_lone_tag:
            self._inline.end()
            self._leaf = Leaf.HTML
        else:
            self._inline.break_line()

    # --- HTML blocks -----------------------------------------------------------------

    def _at_block_angle(self, _buf: str, i: int, _end: int) -> int:
        """Stay in front of a ``<`` that begins a line until the caller decides."""
        if self._inline.is_watching:
            self.pass_angle()
            self.at_angle = False
            return i + 1
        self.at_angle, self.begins_line = True, self._bare
        return i

    def _read_html_opening(self, buf: str, i: int, end: int) -> int:
        ch = buf[i]
        at_line_end = ch in LINE_BREAKS
        if not at_line_end:
            self._opening += ch
        kind = html_block_type(self._opening, at_line_end=at_line_end)
        if kind is None:
            self._looked += 1
            return i + 1
        taken = 0 if at_line_end else 1
        self._looked += taken
        if kind:
            self._open_html(kind)
        else:
            self._open_lone_tag(taken)
            taken = 0
        return i + taken

    def _open_html(self, kind: int) -> None:
        self._open_leaf(Leaf.HTML, self._read_html)
        if kind < _FIRST_SILENT_HTML:
            self._html = BlockEnd(kind)
            self._phase = self._read_hiding_html

    def _open_lone_tag(self, unread: int) -> None:
        """Let the ``<`` be text; a tag alone on its line may still be a block."""
        begins = self._leaf is not Leaf.PARAGRAPH
        self._start_text()
        opening = self._opening[: len(self._opening) - unread]
        self._inline.pass_angle(begins_paragraph=begins)
        self._inline.scan(opening, 0, len(opening))

    def _read_hiding_html(self, buf: str, i: int, end: int) -> int:
        html = self._html
        if html is None:
            return self._read_code(buf, i, end)
        looked = html.looked
        at = html.scan(buf, i, end)
        self._looked += html.looked - looked
        if at < end:
            if html.found:
                self._leaf, self._html = Leaf.NONE, None
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
            self.at_angle, self.begins_line = True, self._bare
        return at
