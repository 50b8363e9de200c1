"""The beginning of a line: open containers, markers, and what block begins.

Strategy: small phases, each of which can be cut anywhere; a phase reads
``buf[i:end]`` on from where it stopped and names the phase that follows. Only
the few characters of an undecided marker are kept. Each line first continues
the open containers (block quotes, list items), then may begin new blocks, and
else is text; text goes on with an open paragraph even where containers do not
match (lazy continuation). CommonMark 0.31.2 §4 and §5.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, TypeAlias

from vitrail.core.text.calm import Marks, calm_text
from vitrail.core.text.characters import LINE_BREAKS
from vitrail.core.text.inline import Inline

__all__ = [
    "CODE_INDENT",
    "MAX_CONTAINERS",
    "QUOTE",
    "Leaf",
    "Lines",
    "Phase",
]

MAX_CONTAINERS: Final = 32
"""Deepest nesting of quotes and items; deeper markers are text. The reference
parser stops reading at 20 levels, where each list counts twice."""

QUOTE: Final = 0
"""A container is the columns its lines are indented by; a block quote is this."""

CODE_INDENT: Final = 4
"""Columns from which on a line is indented code."""

_MAX_MARKS_CHARS: Final = 1024
"""Of a line of marks, what is read again as nested items: room for the deepest."""

_MAX_NUMBER_DIGITS: Final = 9
_MAX_HEADING_MARKS: Final = 6
_MIN_RULE_MARKS: Final = 3

_BLANKS: Final = re.compile(r"[ \t]*")
_NUMBER: Final = re.compile(r"[0-9]*")
_RUNS: Final = {mark: re.compile(re.escape(mark) + "*") for mark in "#`~"}
_MARKS: Final = {mark: re.compile(rf"[{re.escape(mark)} \t]*") for mark in "-*+_="}

Phase: TypeAlias = Callable[[str, int, int], int]
"""Reads ``buf[i:end]`` and returns the index it got to."""


class Leaf(Enum):
    """The block that takes the lines."""

    NONE = auto()
    PARAGRAPH = auto()
    HEADING = auto()
    FENCE = auto()
    INDENTED = auto()
    HTML = auto()


# A member that is read from its enumeration costs ten times a name.
_NONE: Final = Leaf.NONE
_PARAGRAPH: Final = Leaf.PARAGRAPH
_HEADING: Final = Leaf.HEADING
_FENCE: Final = Leaf.FENCE
_INDENTED: Final = Leaf.INDENTED
_HTML: Final = Leaf.HTML


class Lines(ABC):
    """The containers, the open block, and the reading of a line's beginning."""

    __slots__ = (
        "_after_definition",
        "_bare",
        "_calm",
        "_column",
        "_containers",
        "_count",
        "_deep_angle",
        "_eats_column",
        "_fresh_item",
        "_indent",
        "_inline",
        "_is_fresh",
        "_item",
        "_leaf",
        "_line_mark",
        "_looked",
        "_marks",
        "_matched",
        "_may_hurry",
        "_opening",
        "_phase",
        "_rest",
        "_rules_out",
    )

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._calm = calm_text(marks)
        self._inline = Inline(marks)
        self._looked = 0
        self._clear()
        # a line of marks to be read again, and by what
        self._rest: tuple[str, Phase] = ("", self._phase)

    def _clear(self) -> None:
        """Begin a new document."""
        self._containers: list[int] = []
        self._leaf = _NONE
        self._fresh_item = False  # the last item has had no content yet
        self._is_fresh = False  # in front of a paragraph's first character
        self._line_mark = ""  # the mark that the line begins with
        self._after_definition = False  # a definition whose title may follow
        self._count = 0  # marks read of a run
        self._opening = ""  # characters read of a marker
        self._deep_angle = False  # text goes on with a "<", indented like code
        self._start_line()

    # --- what the blocks do ----------------------------------------------------

    @abstractmethod
    def _leaf_takes(self, ch: str) -> bool:
        """Let the open code or HTML block take the line, unless it ends here."""

    @abstractmethod
    def _read_text(self, buf: str, i: int, end: int) -> int:
        """Read the text of a paragraph or a heading."""

    @abstractmethod
    def _read_code(self, buf: str, i: int, end: int) -> int:
        """Read the rest of a line of block code."""

    @abstractmethod
    def _read_break(self, buf: str, i: int, end: int) -> int:
        """Read the line break that the text is at."""

    @abstractmethod
    def _read_fence_ticks(self, buf: str, i: int, end: int) -> int:
        """Read backticks that may open a fence."""

    @abstractmethod
    def _read_fence_tildes(self, buf: str, i: int, end: int) -> int:
        """Read tildes that may open a fence."""

    @abstractmethod
    def _at_line_mark(self, buf: str, i: int, end: int) -> int:
        """Stay in front of a mark that begins a line."""

    @abstractmethod
    def _at_block_angle(self, buf: str, i: int, end: int) -> int:
        """Stay in front of a ``<`` that begins a line."""

    # --- the beginning of a line ---------------------------------------------

    def _start_line(self) -> None:
        self._matched = 0  # containers that this line continues
        self._indent = 0  # columns of white space since the last marker
        self._column = 0
        self._eats_column = False  # one column after ">" belongs to it
        self._bare = True  # only white space on this line so far
        self._rules_out = False  # a line of marks is read again as items
        self._opening = ""
        # whether the line may begin in a usual way
        self._may_hurry = self._leaf is _NONE or self._leaf is _PARAGRAPH
        self._phase: Phase = self._read_indent

    def _read_indent(self, buf: str, i: int, end: int) -> int:
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
            if width == QUOTE:
                if blank or ch != ">" or self._indent >= CODE_INDENT:
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
        if self._leaf in (_FENCE, _HTML, _INDENTED):
            if self._matched == len(self._containers) and self._leaf_takes(ch):
                return 0
            self._leaf = _NONE
        return self._start_block(ch)

    def _start_block(self, ch: str) -> int:
        """Find what block the line begins with `ch`; return the characters taken."""
        after_definition, self._after_definition = self._after_definition, False
        if ch in LINE_BREAKS:
            self._end_paragraph()
            self._close_unmatched()
            self._phase = self._read_break
            return 0
        if self._indent >= CODE_INDENT:
            if self._leaf is _PARAGRAPH and ch.isalpha() and self._may_stop(ch):
                self._line_mark = ch  # a word's beginning: no block begins with it
                self._phase = self._at_line_mark
            elif self._leaf is _PARAGRAPH:
                self._start_text()
                self._deep_angle = ch == "<" and self._bare
            else:
                self._open_leaf(_INDENTED, self._read_code)
            return 0
        if self._may_stop(ch):
            self._line_mark = ch
            self._phase = self._at_line_mark
            return 0
        return self._begin_block(ch, after_definition=after_definition)

    def _may_stop(self, ch: str) -> bool:
        """Whether the line's first character is a mark that counts there."""
        return ch in self._marks.at_line and self._bare and not self._inline.is_watching

    def _begin_block(self, ch: str, *, after_definition: bool = False) -> int:
        self._count = 0
        self._opening = ""
        if ch == ">" and len(self._containers) < MAX_CONTAINERS:
            self._open_container(QUOTE)
            return self._take_quote_mark()
        phase = self._STARTS.get(ch)
        if phase is None:
            title_only = after_definition and ch in "\"'("
            begins = self._leaf is not _PARAGRAPH
            self._start_text()
            self._is_fresh = begins
            if begins and (title_only or ch == "["):
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
        return self._leaf is _PARAGRAPH and self._matched == len(self._containers)

    def _close_unmatched(self) -> None:
        if self._matched < len(self._containers):
            del self._containers[self._matched :]
            self._fresh_item = False

    def _end_paragraph(self) -> None:
        if self._leaf is _PARAGRAPH:
            self._inline.end()
            self._leaf = _NONE

    def _open_leaf(self, leaf: Leaf, phase: Phase) -> None:
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
        self._leaf = _NONE

    def _start_text(self, read: str = "") -> None:
        """Let the rest of the line be text of the open paragraph or of a new one.

        `read` is what of that text has been read already; it holds no marks.
        """
        if self._leaf is _PARAGRAPH:
            self._phase = self._read_text
        else:
            self._open_leaf(_PARAGRAPH, self._read_text)
        self._inline.take(read)

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
            self._leaf = _NONE
            self._phase = self._read_break
        elif at_line_end and self._count >= _MIN_RULE_MARKS and mark in "-*_":
            self._open_leaf(_NONE, self._read_break)
        elif mark in "_=" or len(marks) >= _MAX_MARKS_CHARS:
            self._start_text(marks)
        else:
            self._rules_out = True
            self._phase = self._read_bullet
            self._read_items(marks)

    def _read_items(self, marks: str) -> None:
        """Take the kept line of marks, which is counted, as items, up to a verdict."""
        at, looked = 0, self._looked
        while at < len(marks) and self._phase != self._read_text:
            at = self._phase(marks, at, len(marks))
            self._looked = looked
            if self._inline.verdict:
                self._rest = marks[at:], self._phase
                self._phase = self._read_rest
                return
        self._inline.take(marks[at:])

    def _read_rest(self, _buf: str, i: int, _end: int) -> int:
        marks, self._phase = self._rest
        self._read_items(marks)
        return i

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
            one = blank or self._indent > CODE_INDENT
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
                self._open_leaf(_HEADING, self._read_text)
            else:
                self._start_text("#" * self._count)
        return at

    def _read_run(self, mark: str, buf: str, i: int, end: int) -> int:
        found = _RUNS[mark].match(buf, i, end)
        at = found.end() if found else i
        self._looked += at - i
        self._count += at - i
        return at
