"""What changed between two texts: lines in hunks, and the words in them.

Strategy: lines are compared without their line breaks, so that a file which
an editor turned from LF to CRLF shows no red line; how its line breaks
changed is told apart, in runs. In a change that takes lines away and brings
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
from vitrail.protocol.diagnostics import Span

__all__ = [
    "DiffLine",
    "EndingChange",
    "FileDiff",
    "Hunk",
    "LineKind",
    "apply_hunks",
    "common_spans",
    "diff_lines",
    "first_lines",
    "split_lines",
    "split_words",
    "word_spans",
]

LineKind: TypeAlias = Literal["same", "removed", "added"]

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_MARKS: Final = (
    r"\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u1ab0-\u1aff\u200c\u200d"
    r"\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\U0001f3fb-\U0001f3ff"
)
"""What belongs to the character before it: accents, vowel points, joiners, skin tones."""
_SIGNS: Final = (
    r"\u2e80-\u2fdf\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Scripts that put no space between words: each sign is a word."""
_SYLLABLES: Final = r"\u0900-\u109f\u1780-\u17ff"
"""Scripts of India and its neighbours, whose vowel signs are no letters to `re`."""
_WORD: Final = re.compile(
    rf"[{_SIGNS}][{_MARKS}]*"
    rf"|(?:(?![{_SIGNS}])[\w{_SYLLABLES}])(?:(?![{_SIGNS}])[\w{_SYLLABLES}{_MARKS}])*"
    rf"|[^\S\r\n]+|\r\n|(?s:.)[{_MARKS}]*"
)
_ENDINGS: Final = ("\r\n", "\n", "\r")
_LEAST_COMMON: Final = 0.3
"""Share of the letters and digits that two sides must have in common to be the same lines
changed; below it, words that happen to be equal would only be noise."""
_CHANCE_ROUNDS: Final = 4
"""What is left out makes the changes around it longer, so it is looked at again."""
_MAX_WORD_CHARS: Final = 400_000
"""Characters of both sides of one change beyond which words are left out; they would be more
than anyone reads. What is equal at both ends does not count."""


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


def split_lines(text: str) -> tuple[str, ...]:
    r"""Return the lines with their line breaks; joined they are the text.

    A line ends at LF, CRLF or CR and nowhere else.

    >>> split_lines("a\r\nb\rc")
    ('a\r\n', 'b\r', 'c')
    """
    return tuple(_LINE.findall(text))


def split_words(text: str) -> tuple[str, ...]:
    """Return words, white space and single marks; joined they are the text."""
    return tuple(_WORD.findall(text))


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
    old_lines = [_parted(line) for line in split_lines(old)]
    new_lines = [_parted(line) for line in split_lines(new)]
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


def apply_hunks(old: str, diff: FileDiff) -> str:
    r"""Return the new text that a whole diff of ``old`` leads to, byte for byte.

    >>> apply_hunks("a\nb", diff_lines("a\nb", "a\r\nc"))
    'a\r\nc'

    Raises:
        ValueError: The diff is of another text.
    """
    lines = [_parted(line) for line in split_lines(old)]
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


def first_lines(diff: FileDiff, limit: int) -> FileDiff:
    """Return the diff with no more than ``limit`` lines in its hunks.

    The counts of added and removed lines stay those of the whole.
    """
    kept: list[Hunk] = []
    room = limit
    for hunk in diff.hunks:
        if room <= 0:
            break
        lines = hunk.lines[:room]
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


def common_spans(old: str, new: str) -> tuple[tuple[tuple[int, int, int], ...], bool]:
    r"""Return what two texts share: old offset, new offset, length; in code points.

    Whole lines first, then words within the lines that changed. The second
    value is False where a bound was met and there may be more in common.

    >>> common_spans("a\nred door", "a\nblue door")
    (((0, 0, 2), (5, 6, 5)), True)
    """
    old_lines, new_lines = split_lines(old), split_lines(new)
    common = common_runs(
        [_parted(line)[0] for line in old_lines],
        [_parted(line)[0] for line in new_lines],
    )
    old_at, new_at = _offsets(old_lines), _offsets(new_lines)
    found: list[tuple[int, int, int]] = []
    for run in common.runs:
        for at in range(run.length):
            line, other = old_lines[run.old + at], new_lines[run.new + at]
            length = len(line) if line == other else len(_parted(line)[0])
            found.append((old_at[run.old + at], new_at[run.new + at], length))
    is_least = common.is_least
    for change in changes_of(common.runs, len(old_lines), len(new_lines)):
        old_start, old_end = old_at[change[0]], old_at[change[1]]
        new_start, new_end = new_at[change[2]], new_at[change[3]]
        middle = old[old_start:old_end], new[new_start:new_end]
        shared, least = _common_words(*middle, max_chars=sum(map(len, middle)))
        is_least = is_least and least
        found += [(old_start + a, new_start + b, length) for a, b, length in shared]
    return tuple(_touching_joined(sorted(found))), is_least


def _touching_joined(
    found: Sequence[tuple[int, int, int]],
) -> Iterator[tuple[int, int, int]]:
    last = (0, 0, 0)
    for old, new, length in found:
        if not length:
            continue
        if last[0] + last[2] == old and last[1] + last[2] == new:
            last = (last[0], last[1], last[2] + length)
            continue
        if last[2]:
            yield last
        last = (old, new, length)
    if last[2]:
        yield last


def _parted(line: str) -> tuple[str, str]:
    for ending in _ENDINGS:
        if line.endswith(ending):
            return line[: -len(ending)], ending
    return line, ""


def _offsets(tokens: Sequence[str]) -> list[int]:
    return list(accumulate(map(len, tokens), initial=0))


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
    shared, is_least = _common_words(old, new, max_chars=_MAX_WORD_CHARS)
    if not shared or _share(old, new, shared) < _LEAST_COMMON:
        return (), (), is_least
    return (
        _gaps([(start, length) for start, _, length in shared], len(old)),
        _gaps([(start, length) for _, start, length in shared], len(new)),
        is_least,
    )


def _share(old: str, new: str, shared: Sequence[tuple[int, int, int]]) -> float:
    """Return which share of the shorter text's letters and digits both have."""
    least = min(_weight(old), _weight(new))
    if not least:
        return 1.0
    return sum(_weight(old[at : at + length]) for at, _, length in shared) / least


def _weight(text: str) -> int:
    return sum(map(str.isalnum, text))


def _gaps(pieces: Sequence[tuple[int, int]], end: int) -> tuple[Span, ...]:
    gaps = []
    at = 0
    for start, length in (*pieces, (end, 0)):
        if start > at:
            gaps.append((at, start))
        at = start + length
    return tuple(gaps)


def _common_words(
    old: str, new: str, *, max_chars: int
) -> tuple[tuple[tuple[int, int, int], ...], bool]:
    """Return what two texts share by words, and whether no bound was met.

    Equal ends are cut off at the last border of words in them: a long line
    with one change costs no more than finding it.
    """
    head = _head(old, new)
    tail = _tail(old, new, min(len(old), len(new)) - head)
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    ends = [(0, 0, head), (len(old) - tail, len(new) - tail, tail)]
    if len(old_middle) + len(new_middle) > max_chars:
        return tuple(end for end in ends if end[2]), False
    old_words, new_words = split_words(old_middle), split_words(new_middle)
    common = common_runs(old_words, new_words)
    old_at, new_at = _offsets(old_words), _offsets(new_words)
    middle = [
        (
            head + old_at[run.old],
            head + new_at[run.new],
            old_at[run.old + run.length] - old_at[run.old],
        )
        for run in common.runs
    ]
    found = [one for one in (ends[0], *middle, ends[1]) if one[2]]
    joined = list(_touching_joined(found))
    return tuple(_telling(joined, len(old), len(new))), common.is_least


def _telling(
    shared: list[tuple[int, int, int]], old_length: int, new_length: int
) -> list[tuple[int, int, int]]:
    """Leave out what is shared by chance: no longer than what changed on both its sides.

    A space or an article that two different sentences have is no sign that one
    was made of the other.
    """
    for _ in range(_CHANCE_ROUNDS):
        kept: list[tuple[int, int, int]] = []
        before = (0, 0)
        for at, (old, new, length) in enumerate(shared):
            after = (
                shared[at + 1][:2] if at + 1 < len(shared) else (old_length, new_length)
            )
            gap_before = max(old - before[0], new - before[1])
            gap_after = max(after[0] - old - length, after[1] - new - length)
            if length > min(gap_before, gap_after):
                kept.append((old, new, length))
                before = (old + length, new + length)
        if len(kept) == len(shared):
            break
        shared = kept
    return shared


def _head(old: str, new: str) -> int:
    """Return how long the equal beginnings are, up to a border of words."""
    low, high = 0, min(len(old), len(new))
    while (
        low < high
    ):  # what is equal up to here is looked at once more, halved each time
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    while low and not (_is_border(old, low) and _is_border(new, low)):
        low -= 1
    return low


def _tail(old: str, new: str, room: int) -> int:
    """Return how long the equal ends are, within ``room``, up to a border of words."""
    low, high = 0, room
    while low < high:
        middle = (low + high + 1) // 2
        if (
            old[len(old) - middle : len(old) - low]
            == new[len(new) - middle : len(new) - low]
        ):
            low = middle
        else:
            high = middle - 1
    while low and not (
        _is_border(old, len(old) - low) and _is_border(new, len(new) - low)
    ):
        low -= 1
    return low


def _is_border(text: str, at: int) -> bool:
    """Return whether no word and no white space goes on across ``at``."""
    return _WORD.fullmatch(text[at - 1 : at + 1]) is None or at in (0, len(text))
