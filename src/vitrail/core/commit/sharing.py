"""What two texts share, by lines and then by words; places in code points.

Strategy: equal ends are cut off first, by halving, so that a long text with
one change costs little more than finding it. The lines in between are compared
without their line breaks, and what is left of them by words (`sequences`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, TypeAlias

from vitrail.core.commit.sequences import changes_of, common_runs

__all__ = [
    "Shared",
    "common_spans",
    "common_words",
    "equal_ends",
    "equal_line_ends",
    "parted",
    "split_lines",
    "split_words",
]

Shared: TypeAlias = tuple[int, int, int]
"""Offset in the old text, offset in the new one, length."""

_LINE: Final = re.compile(r"[^\r\n]++(?:\r\n|\r|\n)?|\r\n|\r|\n")
_BREAK: Final = re.compile("\r\n|\r|\n")
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

_CHANCE_ROUNDS: Final = 4
"""What is left out makes the changes around it longer, so it is looked at again."""


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


def common_spans(old: str, new: str) -> tuple[tuple[Shared, ...], bool]:
    r"""Return what two texts share, and whether no bound was met.

    Whole lines first, then words within the lines that changed; in order,
    apart, in code points. Where a bound was met there may be more in common.

    >>> common_spans("a\nred door", "a\nblue door")
    (((0, 0, 2), (5, 6, 5)), True)
    """
    head, tail = equal_line_ends(old, new)
    found, is_least = _common_lines(
        old[head : len(old) - tail], new[head : len(new) - tail]
    )
    ends = (0, 0, head), (len(old) - tail, len(new) - tail, tail)
    middle = [(a + head, b + head, length) for a, b, length in found]
    return tuple(_joined([ends[0], *middle, ends[1]])), is_least


def equal_ends(old: str, new: str) -> tuple[int, int]:
    """Return how long the equal beginnings and the equal ends are; they do not overlap.

    Halving: texts of megabytes cost a few comparisons of memory.

    >>> equal_ends("a red door", "a blue door")
    (2, 5)
    """
    head = _equal_head(old, new)
    return head, _equal_tail(old, new, min(len(old), len(new)) - head)


def equal_line_ends(old: str, new: str) -> tuple[int, int]:
    r"""Return the same in whole lines, line breaks included.

    >>> equal_line_ends("a\nred door\nb\n", "a\nblue door\nb\n")
    (2, 2)
    """
    head = _line_head(old, new)
    return head, _line_tail(old, new, min(len(old), len(new)) - head)


def _common_lines(old: str, new: str) -> tuple[list[Shared], bool]:
    if not old or not new:
        return [], True  # of a first text nothing is read line by line
    old_lines, new_lines = split_lines(old), split_lines(new)
    common = common_runs(
        [parted(line)[0] for line in old_lines],
        [parted(line)[0] for line in new_lines],
    )
    old_at, new_at = _offsets(old_lines), _offsets(new_lines)
    found: list[Shared] = []
    for run in common.runs:
        for at in range(run.length):
            line, other = old_lines[run.old + at], new_lines[run.new + at]
            length = len(line) if line == other else len(parted(line)[0])
            found.append((old_at[run.old + at], new_at[run.new + at], length))
    is_least = common.is_least
    for change in changes_of(common.runs, len(old_lines), len(new_lines)):
        old_start, new_start = old_at[change[0]], new_at[change[2]]
        middle = old[old_start : old_at[change[1]]], new[new_start : new_at[change[3]]]
        shared, least = common_words(*middle, max_chars=sum(map(len, middle)))
        is_least = is_least and least
        found += [(old_start + a, new_start + b, length) for a, b, length in shared]
    return sorted(found), is_least


def _joined(
    found: Sequence[Shared],
) -> Iterator[Shared]:
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


def parted(line: str) -> tuple[str, str]:
    """Return a line's text and its line break, which may be nothing."""
    for ending in _ENDINGS:
        if line.endswith(ending):
            return line[: -len(ending)], ending
    return line, ""


def _offsets(tokens: Sequence[str]) -> list[int]:
    return list(accumulate(map(len, tokens), initial=0))


def common_words(
    old: str, new: str, *, max_chars: int
) -> tuple[tuple[Shared, ...], bool]:
    """Return what two texts share by words, and whether no bound was met.

    More than ``max_chars`` of both that are not equal ends are not compared.

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
    joined = list(_joined(found))
    return tuple(_telling(joined, len(old), len(new))), common.is_least


def _telling(shared: list[Shared], old_length: int, new_length: int) -> list[Shared]:
    """Leave out what is shared by chance: no longer than what changed on both its sides.

    A space or an article that two different sentences have is no sign that one
    was made of the other.
    """
    for _ in range(_CHANCE_ROUNDS):
        kept: list[Shared] = []
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
    length = _equal_head(old, new)
    while length and not (_is_border(old, length) and _is_border(new, length)):
        length -= 1
    return length


def _tail(old: str, new: str, room: int) -> int:
    """Return how long the equal ends are, within ``room``, up to a border of words."""
    length = _equal_tail(old, new, room)
    while length and not (
        _is_border(old, len(old) - length) and _is_border(new, len(new) - length)
    ):
        length -= 1
    return length


def _line_head(old: str, new: str) -> int:
    """Return how long the equal beginnings are, in whole lines."""
    length = _equal_head(old, new)
    if length == len(old) == len(new):
        return length
    length = max(old.rfind("\n", 0, length), old.rfind("\r", 0, length)) + 1
    behind = old[length : length + 1], new[length : length + 1]
    if "\n" in behind and old.endswith("\r", 0, length):  # one break in one of them
        length -= 1
        length = max(old.rfind("\n", 0, length), old.rfind("\r", 0, length)) + 1
    return length


def _line_tail(old: str, new: str, room: int) -> int:
    """Return how long the equal ends are, within ``room``, in whole lines."""
    first = _BREAK.search(old, len(old) - _equal_tail(old, new, room))
    return 0 if first is None else len(old) - first.end()


def _equal_head(old: str, new: str) -> int:
    """Return the length of the equal beginnings; halving costs twice their length."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _equal_tail(old: str, new: str, room: int) -> int:
    """Return the length of the equal ends, at most ``room``."""
    low, high = 0, room
    ends = len(old), len(new)
    while low < high:
        middle = (low + high + 1) // 2
        if (
            old[ends[0] - middle : ends[0] - low]
            == new[ends[1] - middle : ends[1] - low]
        ):
            low = middle
        else:
            high = middle - 1
    return low


def _is_border(text: str, at: int) -> bool:
    """Return whether no word and no white space goes on across ``at``."""
    return _WORD.fullmatch(text[at - 1 : at + 1]) is None or at in (0, len(text))
