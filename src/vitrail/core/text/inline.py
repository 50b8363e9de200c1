"""Code spans, raw HTML, autolinks and escapes of one paragraph, as it comes.

Strategy: whether a backtick run opens a code span is known only when its
partner arrives or the paragraph ends. So each unmatched opener is a hypothesis
("I have a partner"), kept in order of place; a later one stands only if all
earlier ones fail. An arriving closer proves the earliest hypothesis it fits;
all later ones lay inside and are dropped. At the end of the paragraph all fail.
Raw HTML and autolinks (`Angle`) are hypotheses of the same kind.

No text is kept: a hypothesis is a number or a state. Each character is looked
at once. Two openers of the same run length, or two `Angle` in the same state,
share their future, so only the earliest is kept: run lengths being distinct,
n characters hold at most sqrt(2n) of them.

A place in the text may be *watched*: `verdict` then tells when it is certain
that it lies in a construct that hides it (``code``) or in none (``clear``).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Literal, TypeAlias

from vitrail.core.text.angles import Angle
from vitrail.core.text.calm import Marks
from vitrail.core.text.characters import ASCII_PUNCTUATION
from vitrail.core.text.definitions import COMPLETE, EXTENSIBLE, Definition

__all__ = ["Inline", "Verdict"]

Verdict: TypeAlias = Literal["code", "clear"]

_ANGLE_STARTS: Final = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.!#$%&'*+/=?^_`{|}~-"
)
"""What may follow a ``<`` that begins a construct: a tag, or a mail address."""
_ANGLE: Final = r"<(?:(?=[{behind}])|\Z)"
_TICKS: Final = re.compile("`*")
_IN_TAG: Final = 1
_AFTER_TAG: Final = 2


@cache
def _patterns(marks: Marks) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds the next mark, and the same where an `Angle` is open."""
    behind = re.escape("".join(sorted(_ANGLE_STARTS)) + marks.behind_angle)
    angle = _ANGLE.format(behind=behind)
    stops = r"`\\\n\r" + re.escape(marks.in_text)
    return (
        re.compile(rf"[{stops}]|{angle}"),
        re.compile(rf"[{stops}>\"'\-?\]]|{angle}"),
    )


_OTHER: Final = "x"
"""Stands for any character that is no mark, towards a patient hypothesis."""


class Inline:
    """The inline state of the current paragraph or heading.

    `scan` stops in front of a line break, in front of an unescaped ``<`` or other
    mark that nothing is known to hide (`at_mark`), and when a verdict is there.
    """

    def __init__(self, marks: Marks) -> None:
        self._in_text = "<" + marks.in_text
        self._marks, self._closing_marks = _patterns(marks)
        self.looked = 0
        """Characters looked at, ever."""
        self.at_mark = False
        self.verdict: Verdict | None = None
        self.is_watching = False
        """Whether a place is being watched."""
        self._order = 0
        self._runs: list[tuple[int, int]] = []  # (length, order), by order
        self._run_orders: dict[int, int] = {}  # length -> order
        self._angles: list[Angle] = []  # by order
        self._is_impatient = False  # one of them needs every character
        self._ticks = 0  # length of the run being read
        self._ticks_escaped = False
        self._escaping = False  # an active backslash is the last character
        self._after_angle = False  # an unescaped "<" is the last character
        self._watched = 0  # hypotheses of lower order are watched; 0: no watch
        self._watches_runs = False
        self._line_hides = False
        self.stops_at_tick = False
        """Stop in front of the next backtick, once."""
        self._definition: Definition | None = None
        self._lone_hides = False  # the watched place is in that tag
        self._lone = 0  # 1: in a tag that begins the paragraph; 2: just after it

    # --- what others ask ---------------------------------------------------

    def may_hide(self, *, runs: bool) -> bool:
        """Whether something open may yet hide this place; `runs`: code spans too."""
        return bool(self._angles or (runs and self._runs))

    @property
    def is_calm(self) -> bool:
        """Whether only a mark can change anything from here."""
        return not (
            self._ticks
            or self._escaping
            or self._after_angle
            or self._angles
            or self._watched
            or self._lone
            or self._definition
            or self.stops_at_tick
        )

    @property
    def ends_lone_tag(self) -> bool:
        """Whether the paragraph is nothing but one tag on one line."""
        return self._lone == _AFTER_TAG

    def watch(self, *, runs: bool, line: bool) -> None:
        """Watch this place until there is a `verdict`.

        `runs`: code spans hide it too; `line`: the whole line may turn out to
        be code (see `line_is_text`).
        """
        self.verdict = None
        self.is_watching = True
        self._watched = self._order + 1
        self._watches_runs = runs
        self._line_hides = line
        self._judge()

    def unwatch(self) -> None:
        """Stop watching."""
        self.is_watching = False
        self._watched = 0
        self._lone_hides = False
        self.verdict = None

    # --- what the lines tell -----------------------------------------------

    def end(self) -> None:
        """Let the paragraph end: every hypothesis fails."""
        if self._ticks:
            self.end_run()
        if self._order:
            self._runs.clear()
            self._run_orders.clear()
            self._angles.clear()
            self._is_impatient = False
            self._order = 0
        self._lone = 0
        self._definition = None
        self._lone_hides = False
        self._escaping = self._after_angle = False
        if self._watched and self.verdict is None:
            self.verdict = "clear"

    def begin_definition(self, *, title_only: bool) -> None:
        """Let the paragraph that begins here perhaps be a definition, or its title."""
        self._definition = Definition(title_only=title_only)

    def end_definition_line(self) -> str:
        """Take a line break; return how a definition ended with it, or nothing."""
        definition = self._definition
        if definition is None:
            return ""
        end = definition.step("\n")
        if end == "dead":
            self._definition = None
        return end if end in (COMPLETE, EXTENSIBLE) else ""

    def line_is_code(self) -> None:
        """Take note that the line read last was block code after all."""
        if self._watched and self._line_hides and self.verdict is None:
            self.verdict = "code"

    def line_is_text(self) -> None:
        """Take note that the line being read is text for certain."""
        if self._line_hides:
            self._line_hides = False
            self._judge()

    def break_line(self) -> None:
        """Take the line break of a paragraph that goes on."""
        if self._ticks:
            self.end_run()
        self._lone = 0
        self._escaping = self._after_angle = False
        if self._angles:
            self._step_angles("\n")

    # --- reading -----------------------------------------------------------

    def scan(self, buf: str, i: int, end: int) -> int:
        """Read ``buf[i:end]`` up to the next stop and return its place."""
        self.at_mark = False
        while i < end and self.verdict is None:
            if self._is_busy():
                i = self._read_closely(buf, i, end)
                if self._is_busy():
                    return i
                continue
            marks = self._closing_marks if self._angles else self._marks
            found = marks.search(buf, i, end)
            at = found.start() if found else end
            if at > i:
                self._skip(at - i)
                i = at
            if found is None:
                return i
            ch = buf[i]
            if ch in "\n\r" or self._stops_at(ch):
                return i
            self.looked += 1
            self._take(ch)
            i += 1
        return i

    def take(self, text: str) -> None:
        """Take text without marks that was read, and counted, before it was known to be."""
        if self._angles or self._definition:
            for ch in text:
                self._take(ch)

    def put_off(self) -> Verdict | None:
        """Take the verdict back, which holds only if this line is text; see `decide`."""
        verdict, self.verdict = self.verdict, None
        self._watched = 0
        return verdict

    def decide(self, verdict: Verdict) -> None:
        """Let this be the verdict, after all."""
        self.verdict = verdict

    def pass_mark(self, ch: str) -> None:
        """Take the mark other than a ``<`` that `scan` stopped at as text."""
        self.looked += 1
        self._take(ch)

    def pass_angle(self, *, begins_paragraph: bool = False, dead: bool = False) -> None:
        """Take the ``<`` that `scan` stopped at as what Markdown makes of it.

        `dead`: nothing can begin with it.
        """
        self.looked += 1
        if begins_paragraph:
            self._lone = _IN_TAG
        self._take("<")
        if dead:
            self._after_angle = False

    def _is_busy(self) -> bool:
        """Whether the next character matters, whatever it is."""
        return bool(
            self._ticks
            or self._escaping
            or self._after_angle
            or self._definition
            or self._lone == _AFTER_TAG
            or self._is_impatient
        )

    def _stops_at(self, ch: str) -> bool:
        if ch in self._in_text and not (self._watched or self._escaping):
            self.at_mark = True
            return True
        if ch == "`" and self.stops_at_tick:
            self.stops_at_tick = False
            return True
        return False

    def _skip(self, chars: int) -> None:
        """Pass over characters that are no marks."""
        self.looked += chars
        if self._angles:
            self._step_angles(_OTHER)

    def _read_closely(self, buf: str, i: int, end: int) -> int:
        """Read a character at a time until only marks matter, or to a stop."""
        while i < end:
            if self._ticks:
                i = self._read_run(buf, i, end)
            elif self._angles and self._may_skip_in_tag:
                i = self._skip_in_tag(buf, i, end)
            if i == end or self.verdict is not None or not self._is_busy():
                return i
            ch = buf[i]
            if self._after_angle and ch not in _ANGLE_STARTS:
                self._after_angle = False
                self._forget_lone_tag()
                continue
            if ch in "\n\r" or self._stops_at(ch):
                return i
            self.looked += 1
            self._take(ch)
            i += 1
        return i

    @property
    def _may_skip_in_tag(self) -> bool:
        return len(self._angles) == 1 and not (
            self._after_angle or self._escaping or self._definition
        )

    def _skip_in_tag(self, buf: str, i: int, end: int) -> int:
        angle = self._angles[0]
        at = angle.skip(buf, i, end)
        self.looked += at - i
        if at > i:
            self._is_impatient = not angle.patient
        return at

    def _take(self, ch: str) -> None:
        """Take one character that is neither a line break nor skipped."""
        if self._lone == _AFTER_TAG and not ch.isspace():
            self._end_lone_tag()
        if self._definition is not None and self._definition.step(ch) == "dead":
            self._definition = None
        if self._after_angle:
            self._after_angle = False
            self._open_angle(ch)
        elif self._angles:
            self._step_angles(ch)
        escaped, self._escaping = self._escaping, False
        if ch == "`":
            self._ticks, self._ticks_escaped = 1, escaped
        elif escaped and ch in ASCII_PUNCTUATION:
            return
        elif ch == "\\":
            self._escaping = True
        elif ch == "<":
            self._after_angle = True

    def _read_run(self, buf: str, i: int, end: int) -> int:
        """Read on in a run of backticks."""
        found = _TICKS.match(buf, i, end)
        at = found.end() if found else i
        self.looked += at - i
        self._ticks += at - i
        if self._angles:
            for _ in range(at - i):
                self._step_angles("`")
        if self._definition is not None and at > i:
            self._definition.step("`")
        if at < end:
            self.end_run()
        return at

    def begin_run(self, ticks: int) -> None:
        """Take the backticks that begin a line of the paragraph; more may follow."""
        for _ in range(ticks if self._angles else 0):
            self._step_angles("`")
        if self._definition is not None:
            self._definition.step("`")
        self._ticks, self._ticks_escaped = ticks, False

    def drop_run(self) -> None:
        """Forget the backticks read last: they were no text."""
        self._ticks = 0

    def read_run(self, buf: str, i: int, end: int) -> int:
        """Read a run of backticks that begins here, where all is calm (`is_calm`)."""
        at = i + 1
        if at == end or buf[at] == "`":
            found = _TICKS.match(buf, i, end)
            at = found.end() if found else i
        self.looked += at - i
        self._ticks, self._ticks_escaped = at - i, False
        if at < end:
            self.end_run()
        return at

    # --- hypotheses --------------------------------------------------------

    def end_run(self) -> None:
        """Take note that other text is behind the backticks read last."""
        length, escaped = self._ticks, self._ticks_escaped
        self._ticks = 0
        order = self._run_orders.get(length)
        if order is not None:
            self._prove(order, run=True)
            return
        length -= escaped
        if length and length not in self._run_orders:
            self._order += 1
            self._runs.append((length, self._order))
            self._run_orders[length] = self._order

    def _open_angle(self, ch: str) -> None:
        if self._angles:
            self._step_angles(ch)
        angle = Angle(self._order + 1, self._in_text[1:])
        if ch not in _ANGLE_STARTS or angle.step(ch) == "dead":
            self._forget_lone_tag()
        else:
            self._order += 1
            self._angles.append(angle)
            self._is_impatient = True

    def _forget_lone_tag(self) -> None:
        """Take note that nothing came of the last ``<``."""
        if not self._angles and self._lone == _IN_TAG:
            self._lone = 0

    def _step_angles(self, ch: str) -> None:
        dead = False
        impatient = False
        for angle in self._angles:
            state = angle.step(ch)
            if state == "done":
                if self._lone == _IN_TAG and angle.order == 1:
                    self._lone = _AFTER_TAG if angle.is_tag else 0
                self._prove(angle.order, run=False)
                return
            if state == "dead":
                dead = True
            elif not angle.patient:
                impatient = True
        self._is_impatient = impatient
        if dead or len(self._angles) > 1:
            self._drop_dead()

    def _drop_dead(self) -> None:
        seen: set[str] = set()
        alive: list[Angle] = []
        for angle in self._angles:
            state = angle.waits_for_more
            if state == "dead" or (state and state in seen):
                continue
            seen.add(state)
            alive.append(angle)
        if len(alive) < len(self._angles):
            self._angles = alive
            if not alive:
                self._lone = 0
            self._judge()

    def _prove(self, order: int, *, run: bool) -> None:
        """Let the hypothesis of this order be true: later ones lay inside it."""
        runs = self._runs
        while runs and runs[-1][1] >= order:
            del self._run_orders[runs.pop()[0]]
        if self._angles:
            while self._angles and self._angles[-1].order >= order:
                self._angles.pop()
            self._is_impatient = not all(angle.patient for angle in self._angles)
        self._after_angle = self._escaping = False
        if not self._watched or self.verdict is not None:
            return
        if order >= self._watched or (run and not self._watches_runs):
            self._judge()
        elif self._lone == _AFTER_TAG:
            self._lone_hides = True
        else:
            self.verdict = "code"

    def _end_lone_tag(self) -> None:
        """Take note of more text behind the tag: it is no HTML block of its own."""
        self._lone = 0
        if self._lone_hides:
            self._lone_hides = False
            self.verdict = "code"

    def _judge(self) -> None:
        """Find the watched place clear once nothing of before it may hide it."""
        if not self._watched or self.verdict is not None or self._line_hides:
            return
        runs = self._watches_runs and self._runs
        if runs and self._runs[0][1] < self._watched:
            return
        if self._angles and self._angles[0].order < self._watched:
            return
        self.verdict = "clear"
