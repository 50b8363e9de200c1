"""Open tags: where one ends, and what attributes it has.

Strategy: a tag ends at the first ``>`` outside quotes. It fails at a ``<``
outside quotes, at a blank line, or beyond `max_chars`; then the text is read
again from behind its ``<``. So that openers inside quotes of a failed opener
cost no second reading, all of them are followed in one pass: quotes swap the
states of all, hence at most one lives in each of the three states. It does not
matter which of the dialect's words they begin with. The quotes are remembered,
so that values are taken whole: attributes are read from what is outside quotes,
and every character is outside those of one tag at most.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from vitrail.core.parse.dialects import Opener
from vitrail.core.text import TAG_SPACE

__all__ = [
    "OpenTags",
    "TagFault",
    "common_chars",
    "first_stop",
    "read_attributes",
]

TagFault: TypeAlias = Literal["angle", "blank-line", "too-long"]
"""Why an open tag is none."""

_STOP: Final = re.compile(r"[\"'<>\n\r]")
_BLANKS: Final = re.compile(r"[ \t]*")
_OUT, _DOUBLE, _SINGLE = 0, 1, 2
_MANY: Final = 1024
"""Tags remembered before old ones are forgotten; more than begin in one tag."""


def first_stop(buf: str, i: int, end: int) -> int:
    """Return the index of the first mark in ``buf[i:end]`` that a tag cares for."""
    found = _STOP.search(buf, i, end)
    return found.start() if found else end


def common_chars(word: str, buf: str, at: int) -> int:
    """Return how many characters of the word are at this index, from its beginning."""
    if buf.startswith(word, at):
        return len(word)
    count = 0
    while count < len(word) and buf[at + count : at + count + 1] == word[count]:
        count += 1
    return count


class OpenTags:
    """The ends of the open tags that begin at and after one place.

    Places count from the beginning of the message.
    """

    __slots__ = (
        "_after_return",
        "_angle",
        "_ends",
        "_line_start",
        "_live",
        "_longest",
        "_max_chars",
        "_met",
        "_met_marks",
        "_openers",
        "_quotes",
        "_start",
        "looked",
        "read_to",
    )

    def __init__(
        self,
        openers: tuple[Opener, ...],
        *,
        opener: Opener,
        start: int,
        read: int,
        max_chars: int,
    ) -> None:
        """Follow the tags of `openers` from one at `start` on.

        Behind its word so much has been read to `first_stop`.
        """
        self._openers = openers
        self._longest = max(len(one.word) for one in openers)
        self._max_chars = max_chars
        self._start = start
        self._met_marks = False  # quotes or line breaks
        self._live: list[int | None] = [start, None, None]  # state -> start
        self._met: dict[int, Opener] = {start: opener}
        self._ends: dict[int, int | TagFault] = {}
        self._quotes: list[int] = []  # places of those met and still of use
        self.read_to = start + len(opener.word) + read
        """Place up to which text was read for these tags."""
        self._angle = -1  # a "<" inside quotes, not yet compared with the openers
        self._after_return = False
        self._line_start = False
        self.looked = 0
        """Characters looked at, ever."""

    def is_bare(self, start: int) -> bool:
        """Whether a tag failed at another before anything else was met in it."""
        return start == self._start and not self._met_marks

    def knows(self, start: int) -> bool:
        """Whether an opener at this place was met."""
        return start in self._met

    def opener(self, start: int) -> Opener:
        """Return the opener that was met at this place."""
        return self._met[start]

    def covers(self, place: int) -> bool:
        """Whether a ``<`` at this place has been compared with the openers."""
        return self._start < place < self.read_to and place != self._angle

    def parts(self, start: int, buf: str, base: int) -> tuple[str, list[str]]:
        """Return a tag that ended: what is outside quotes, and what in.

        The opener's word and what is behind it are left out. Outside, one double
        quote stands for each value with its quotes.
        """
        end = self._ends[start]
        if not isinstance(end, int):
            msg = f"expected the start of a tag that ended, got that of one: {end}"
            raise ValueError(msg)  # noqa: TRY004 - the value is wrong, not its type
        at = start - base + self._met[start].chars
        outside: list[str] = []
        values: list[str] = []
        opened = -1
        first = bisect_left(self._quotes, start)
        for place in self._quotes[first : bisect_left(self._quotes, end)]:
            i = place - base
            if opened < 0:
                outside += buf[at:i], '"'
                opened = i
            elif buf[i] == buf[opened]:
                values.append(buf[opened + 1 : i])
                at, opened = i + 1, -1
        outside.append(buf[at : end - 1 - base])
        return "".join(outside), values

    def end(
        self, start: int, buf: str, base: int, *, final: bool
    ) -> int | TagFault | None:
        """Return the place behind the tag's ``>``, or why there is none, or None.

        None: more text is needed. `base` is the place of ``buf[0]``; `final` if
        no more text comes.
        """
        if len(self._ends) > _MANY:
            self._forget(start)
        while start not in self._ends:
            stop = min(base + len(buf), start + self._max_chars)
            if self.read_to < stop or self._angle >= 0:
                if not self._advance(buf, base, stop - base, final=final):
                    return None
            elif self.read_to >= start + self._max_chars:
                self._fail(start, "too-long")
            else:
                return None
        del self._quotes[: bisect_left(self._quotes, start)]
        return self._ends[start]

    def _forget(self, start: int) -> None:
        """Forget the tags that begin in front of this place: none is asked for again."""
        self._ends = {at: end for at, end in self._ends.items() if at >= start}
        self._met = {at: one for at, one in self._met.items() if at >= start}
        del self._quotes[: bisect_left(self._quotes, start)]

    def _advance(self, buf: str, base: int, stop: int, *, final: bool) -> bool:
        if self._angle >= 0:
            return self._compare(buf, base, final=final)
        i = self.read_to - base
        if self._after_return or self._line_start:
            i = self._read_line_start(buf, i, stop)
            if i < stop and self._line_start:
                self._line_start = False
                if buf[i] in "\n\r":
                    self.looked += 1
                    self._fail_all("blank-line")
            self.read_to = base + i
            return True
        live = self._live
        for found in _STOP.finditer(buf, i, stop):
            at = found.start()
            ch = buf[at]
            if ch in "\"'":
                quoted = _DOUBLE if ch == '"' else _SINGLE
                live[_OUT], live[quoted] = live[quoted], live[_OUT]
                self._met_marks = True
                self._quotes.append(base + at)
            else:
                self.looked += at + 1 - i
                self.read_to = base + at + 1
                self._take(ch, base + at)
                return True
        self.looked += stop - i
        self.read_to = base + stop
        return True

    def _read_line_start(self, buf: str, i: int, stop: int) -> int:
        first = i
        if self._after_return:
            self._after_return = False
            i += buf[i] == "\n"
        found = _BLANKS.match(buf, i, stop)
        at = found.end() if found else i
        self.looked += at - first
        return at

    def _take(self, ch: str, place: int) -> None:
        """Take a line break or an angle bracket."""
        live = self._live
        if ch in "\n\r":
            self._met_marks = True
            self._line_start = True
            self._after_return = ch == "\r"
        else:
            start = live[_OUT]
            if start is not None:
                self._ends[start] = place + 1 if ch == ">" else "angle"
                live[_OUT] = None
            if ch == "<":
                self._angle = place

    def _compare(self, buf: str, base: int, *, final: bool) -> bool:
        """See whether the last ``<`` begins an opener of its own."""
        i = self._angle - base
        if len(buf) <= i + self._longest and not final:
            return False
        same = 1
        for opener in self._openers:
            is_tag, chars = opener.begins_tag_at(buf, i)
            same = max(same, chars)
            if is_tag:
                self._live[_OUT] = self._angle
                self._met[self._angle] = opener
                same += buf[i + same] in " \t\f"
                break
        self.looked += same - 1  # but for the "<"
        self.read_to = self._angle + same
        self._angle = -1
        return True

    def _fail(self, start: int, fault: TagFault) -> None:
        self._ends[start] = fault
        if start in self._live:
            self._live[self._live.index(start)] = None

    def _fail_all(self, fault: TagFault) -> None:
        for start in self._live:
            if start is not None:
                self._fail(start, fault)


_SPACE: Final = "".join(sorted(TAG_SPACE))
_ATTRIBUTE: Final = re.compile(
    rf"([^{_SPACE}\"<>/=]+)(?:[{_SPACE}]*=[{_SPACE}]*(?:(\")|([^{_SPACE}\"<>]+)))?|(\")"
)
"""An attribute, or a quoted value that belongs to none; see `OpenTags.parts`."""
_REFERENCE: Final = re.compile(
    r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});"
)


def read_attributes(
    outside: str, values: Sequence[str], *, max_count: int
) -> tuple[dict[str, str], int]:
    """Return the attributes of a tag, in order; of a repeated name the last value.

    `outside` and `values` are the tag's `OpenTags.parts`. Values may be quoted
    or bare, references in them are decoded, an attribute without a value has
    the empty one. No more than `max_count` are kept; how many are not comes second.

    >>> read_attributes(' title=" open x=1', ["a &amp; b"], max_count=9)
    ({'title': 'a & b', 'open': '', 'x': '1'}, 0)
    """
    attributes: dict[str, str] = {}
    left_out = 0
    rest = iter(values)
    for name, is_quoted, bare, is_stray in _ATTRIBUTE.findall(outside):
        value = next(rest) if is_quoted or is_stray else bare
        if name and (name in attributes or len(attributes) < max_count):
            attributes[name] = (
                _REFERENCE.sub(lambda m: html.unescape(m.group()), value)
                if "&" in value
                else value
            )
        elif name:
            left_out += 1
    return attributes, left_out
