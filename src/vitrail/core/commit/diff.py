"""What changed between two texts: lines in hunks, and the words in them.

Strategy: the equal lines at both ends are cut off first, but for those that a
hunk shows, so that a long file with one change costs little more than finding
it. Lines are compared without their line breaks, so that a file which an
editor turned from LF to CRLF shows no red line; how its line breaks changed is
told apart, in runs. In a change that takes lines away and brings
others, both sides are cut into words and compared the same way (`sequences`),
all its lines at once: no line has to be paired with another by guessing. The
work grows with the texts and with nothing in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final, Literal, TypeAlias

from vitrail.core.commit.sequences import Common, changes_of, common_runs
from vitrail.core.commit.sharing import (
    common_words,
    equal_line_ends,
    parted,
    split_lines,
)
from vitrail.protocol.diagnostics import Span

__all__ = [
    "DiffLine",
    "EndingChange",
    "FileDiff",
    "Hunk",
    "LineKind",
    "apply_hunks",
    "diff_lines",
    "first_lines",
    "word_spans",
]

LineKind: TypeAlias = Literal["same", "removed", "added"]

_LEAST_COMMON: Final = 0.3
"""Share of the letters and digits that two sides must have in common to be the same lines
changed; below it, words that happen to be equal would only be noise."""
_COUNTED_CHARS: Final = 4096
"""Counted at once of what two sides have in common."""
_MAX_WORD_CHARS: Final = 400_000
"""Characters of both sides of one change beyond which words are left out; they would be more
than anyone reads. What is equal at both ends does not count."""


_BREAK: Final = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a hunk."""

    kind: LineKind
    text: str
    """Without its line break."""
    ending: str
    r"""``\n``, ``\r\n``, ``\r`` or nothing: of the old text where removed, else of the new."""
    words: tuple[Span, ...] = ()
    """What of the line changed, in code points of `text`; sorted, apart. Empty where the
    whole line did."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Changes close to each other, with the lines around them."""

    old_start: int
    """0-based number of its first line in the old text."""
    old_lines: int
    new_start: int
    new_lines: int
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True, slots=True)
class EndingChange:
    """Lines whose text stayed and whose line break did not."""

    new_start: int
    """0-based number of the first of them in the new text."""
    new_end: int
    old: str
    r"""``\n``, ``\r\n``, ``\r`` or nothing."""
    new: str


@dataclass(frozen=True, slots=True)
class FileDiff:
    """How one text becomes another."""

    hunks: tuple[Hunk, ...]
    """In order; none where the lines are equal."""
    added: int
    """Lines that are new, in the whole diff."""
    removed: int
    """Lines that are gone, in the whole diff."""
    endings: tuple[EndingChange, ...]
    """In order. One that covers the whole file is "the line endings changed"."""
    truncated: bool
    """True where a bound was met: what is here is right, but it may name more than what
    changed, leave words out, or (after `first_lines`) end early."""


def diff_lines(old: str, new: str, *, context: int = 3) -> FileDiff:
    r"""Return how ``old`` becomes ``new``, with that many lines around each change.

    >>> diff = diff_lines("a\nb\n", "a\nc\n")
    >>> [(line.kind, line.text) for line in diff.hunks[0].lines]
    [('same', 'a'), ('removed', 'b'), ('added', 'c')]

    Raises:
        ValueError: ``context`` is negative.
    """
    if context < 0:
        raise ValueError(f"expected context of 0 lines or more, got {context}")
    head, tail = equal_line_ends(old, new)
    if head == len(old) == len(new):
        return FileDiff((), 0, 0, (), truncated=False)
    start = _lines_back(old, head, context)
    old_end = _lines_on(old, len(old) - tail, context)
    new_end = len(new) - (len(old) - old_end)
    found = _compared(old[start:old_end], new[start:new_end], context)
    return _moved_down(found, _line_count(old, start))


def _compared(old: str, new: str, context: int) -> FileDiff:
    """Return the diff of two texts without looking at their ends first."""
    old_lines = [parted(line) for line in split_lines(old)]
    new_lines = [parted(line) for line in split_lines(new)]
    old_texts = [text for text, _ in old_lines]
    new_texts = [text for text, _ in new_lines]
    common = common_runs(old_texts, new_texts)
    changes = changes_of(common.runs, len(old_lines), len(new_lines))
    maker = _HunkMaker(old_lines, new_lines, context)
    hunks = tuple(maker.hunk(group) for group in _grouped(changes, context))
    return FileDiff(
        hunks=hunks,
        added=sum(end - start for _, _, start, end in changes),
        removed=sum(end - start for start, end, _, _ in changes),
        endings=_ending_changes(common, old_lines, new_lines),
        truncated=maker.truncated or not common.is_least,
    )


def _lines_back(text: str, at: int, count: int) -> int:
    """Return where the line begins that is ``count`` lines above the one at ``at``.

    ``at`` is the beginning of a line.
    """
    for _ in range(count):
        if at == 0:
            break
        # the line break in front of it is the line above's own
        end = at - 2 if text[max(at - 2, 0) : at] == "\r\n" else at - 1
        at = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
    return at


def _lines_on(text: str, at: int, count: int) -> int:
    """Return where the line ends that is ``count`` lines below what ends at ``at``."""
    for _ in range(count):
        found = _BREAK.search(text, at)
        if found is None:
            return len(text)
        at = found.end()
    return at


def _line_count(text: str, end: int) -> int:
    """Return how many line breaks are in front of ``end``."""
    return (
        text.count("\n", 0, end) + text.count("\r", 0, end) - text.count("\r\n", 0, end)
    )


def _moved_down(diff: FileDiff, by: int) -> FileDiff:
    """Return the diff as it is for texts with so many more lines in front."""
    if not by:
        return diff
    return replace(
        diff,
        hunks=tuple(
            replace(hunk, old_start=hunk.old_start + by, new_start=hunk.new_start + by)
            for hunk in diff.hunks
        ),
        endings=tuple(
            replace(one, new_start=one.new_start + by, new_end=one.new_end + by)
            for one in diff.endings
        ),
    )


def apply_hunks(old: str, diff: FileDiff) -> str:
    r"""Return the new text that a whole diff of ``old`` leads to, byte for byte.

    >>> apply_hunks("a\nb", diff_lines("a\nb", "a\r\nc"))
    'a\r\nc'

    Raises:
        ValueError: The diff is of another text.
    """
    lines = [parted(line) for line in split_lines(old)]
    made: list[tuple[str, str]] = []
    at = 0
    for hunk in diff.hunks:
        made += lines[at : hunk.old_start]
        at = hunk.old_start
        for line in hunk.lines:
            if line.kind != "added":
                if at >= len(lines) or lines[at][0] != line.text:
                    raise ValueError(f"expected the diff's old text, line {at} is not")
                at += 1
            if line.kind != "removed":
                made.append((line.text, line.ending))
    made += lines[at:]
    for change in diff.endings:
        for at in range(change.new_start, change.new_end):
            made[at] = made[at][0], change.new
    return "".join(text + ending for text, ending in made)


def first_lines(diff: FileDiff, limit: int, *, max_chars: int) -> FileDiff:
    """Return the diff with at most ``limit`` lines in its hunks, of ``max_chars`` together.

    The counts of added and removed lines stay those of the whole.
    """
    kept: list[Hunk] = []
    room = limit
    for hunk in diff.hunks:
        if room <= 0:
            break
        lines = hunk.lines[:room]
        sizes = accumulate(len(line.text) for line in lines)
        lines = lines[: sum(size <= max_chars for size in sizes)]
        max_chars -= sum(len(line.text) for line in lines)
        if not lines:
            break
        room -= len(lines)
        if len(lines) < len(hunk.lines):
            old_lines = sum(line.kind != "added" for line in lines)
            new_lines = sum(line.kind != "removed" for line in lines)
            kept.append(
                Hunk(hunk.old_start, old_lines, hunk.new_start, new_lines, lines)
            )
            break
        kept.append(hunk)
    if tuple(kept) == diff.hunks:
        return diff
    return replace(diff, hunks=tuple(kept), truncated=True)


def word_spans(
    old_line: str, new_line: str
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return what changed in each of two texts, by words; sorted, apart.

    Both are empty where the texts have so little in common that one is not a
    change of the other, or where they are too long to compare by words.

    >>> word_spans("a red door", "a blue door")
    (((2, 5),), ((2, 6),))
    """
    old_spans, new_spans, _ = _word_spans(old_line, new_line)
    return old_spans, new_spans


_Change: TypeAlias = tuple[int, int, int, int]


def _grouped(changes: Sequence[_Change], context: int) -> Iterator[list[_Change]]:
    """Yield the changes whose surroundings touch, together."""
    group: list[_Change] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * context:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _ending_changes(
    common: Common, old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]
) -> tuple[EndingChange, ...]:
    found: list[EndingChange] = []
    for run in common.runs:
        for at in range(run.length):
            before, after = old[run.old + at][1], new[run.new + at][1]
            if before == after:
                continue
            line = run.new + at
            last = found[-1] if found else None
            if last and (last.new_end, last.old, last.new) == (line, before, after):
                found[-1] = replace(last, new_end=line + 1)
            else:
                found.append(EndingChange(line, line + 1, before, after))
    return tuple(found)


class _HunkMaker:
    """Makes hunks of changes, and knows whether a bound was met in one."""

    def __init__(
        self,
        old: Sequence[tuple[str, str]],
        new: Sequence[tuple[str, str]],
        context: int,
    ) -> None:
        self._old = old
        self._new = new
        self._context = context
        self.truncated = False

    def hunk(self, changes: Sequence[_Change]) -> Hunk:
        lead = min(self._context, changes[0][0], changes[0][2])
        old_start, new_start = changes[0][0] - lead, changes[0][2] - lead
        tail = min(self._context, len(self._old) - changes[-1][1])
        lines: list[DiffLine] = []
        old_at, new_at = old_start, new_start
        for change in changes:
            lines += self._same(new_at, change[2])
            lines += self._changed(change)
            old_at, new_at = change[1], change[3]
        lines += self._same(new_at, new_at + tail)
        return Hunk(
            old_start,
            old_at + tail - old_start,
            new_start,
            new_at + tail - new_start,
            tuple(lines),
        )

    def _same(self, start: int, end: int) -> Iterator[DiffLine]:
        return (DiffLine("same", *self._new[at]) for at in range(start, end))

    def _changed(self, change: _Change) -> list[DiffLine]:
        old = self._old[change[0] : change[1]]
        new = self._new[change[2] : change[3]]
        old_words: list[tuple[Span, ...]] = [()] * len(old)
        new_words: list[tuple[Span, ...]] = [()] * len(new)
        if old and new:
            old_texts, new_texts = [text for text, _ in old], [text for text, _ in new]
            old_spans, new_spans, is_whole = _word_spans(
                "\n".join(old_texts), "\n".join(new_texts)
            )
            self.truncated = self.truncated or not is_whole
            old_words = _by_line(old_texts, old_spans)
            new_words = _by_line(new_texts, new_spans)
        return [
            DiffLine("removed", *line, words)
            for line, words in zip(old, old_words, strict=True)
        ] + [
            DiffLine("added", *line, words)
            for line, words in zip(new, new_words, strict=True)
        ]


def _by_line(lines: Sequence[str], spans: Sequence[Span]) -> list[tuple[Span, ...]]:
    """Return the part of the spans that is in each of the lines, from its start on."""
    found: list[tuple[Span, ...]] = []
    start = first = 0
    for line in lines:
        end = start + len(line)
        while first < len(spans) and spans[first][1] <= start:
            first += 1
        at = first
        own = []
        while at < len(spans) and spans[at][0] < end:
            own.append(
                (max(spans[at][0], start) - start, min(spans[at][1], end) - start)
            )
            at += 1
        # a line that changed whole needs no words
        found.append(() if own == [(0, len(line))] else tuple(own))
        start = end + 1
    return found


def _word_spans(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...], bool]:
    """Return the changed spans of both texts, and whether no bound was met."""
    shared, is_least = common_words(old, new, max_chars=_MAX_WORD_CHARS)
    old_gaps = _gaps([(start, length) for start, _, length in shared], len(old))
    new_gaps = _gaps([(start, length) for _, start, length in shared], len(new))
    pieces = [(start, start + length) for start, _, length in shared]
    if not shared or not _is_alike(old, pieces, old_gaps, new, new_gaps):
        return (), (), is_least
    return old_gaps, new_gaps, is_least


def _is_alike(
    old: str,
    shared: Sequence[Span],
    old_gaps: Sequence[Span],
    new: str,
    new_gaps: Sequence[Span],
) -> bool:
    """Return whether enough letters and digits of the shorter text are in both.

    Of what is shared only as much is counted as is needed to know.
    """
    apart = min(_weight(old, old_gaps), _weight(new, new_gaps))
    missing = apart * _LEAST_COMMON / (1 - _LEAST_COMMON)
    for start, end in shared:
        for at in range(start, end, _COUNTED_CHARS):
            if missing <= 0:
                return True
            missing -= _weight(old, [(at, min(at + _COUNTED_CHARS, end))])
    return missing <= 0


def _weight(text: str, spans: Sequence[Span]) -> int:
    return sum(sum(map(str.isalnum, text[start:end])) for start, end in spans)


def _gaps(pieces: Sequence[tuple[int, int]], end: int) -> tuple[Span, ...]:
    gaps = []
    at = 0
    for start, length in (*pieces, (end, 0)):
        if start > at:
            gaps.append((at, start))
        at = start + length
    return tuple(gaps)
