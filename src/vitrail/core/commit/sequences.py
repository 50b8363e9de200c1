"""What two sequences have in common, in work that the input cannot drive up.

Strategy: equal ends go first. What is left is divided at the tokens that both
sides have exactly once (the longest rising chain of them), and each piece
again, a few times over: that is where a reader sees the seams, and it costs
no more than sorting. A piece without such tokens loses those that one side
alone has, and goes to Myers' greedy search with a budget of steps; where the
budget ends, a compiled one compares windows of a fixed size side by side. So
the work is linear times a constant, the answer is the same on every machine
(no clock ends the search), and `Common.is_least` says when it was cut short.

Measured in November 2026 on 50 000 lines: `difflib` takes 9 s and more, and
`fast-diff-match-patch` alone has no bound but a clock; this takes 0.1 s on
edits, 0.02 s on lines that are all equal or all different, and half a second
on the worst text found (random lines out of twenty).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from fast_diff_match_patch import diff as compiled_diff

__all__ = ["Common", "Run", "changes_of", "common_runs", "slide_changes"]

_MAX_DEPTH: Final = 12
"""How often a piece is divided again at its unique tokens; each time costs its length."""
_MAX_EDITS: Final = 256
"""Differences that the greedy search looks for; what it remembers grows with the square."""
_STEPS: Final = 8
"""Steps of the greedy search for each token of its piece."""
_WINDOW: Final = 1_000
"""Tokens of both sides together that the compiled search gets at once: 5 ms at worst."""
_FIRST_CHAR: Final = 0x100
"""Tokens of a window become characters from here on, so that none is a surrogate."""
_BLOCK: Final = 256
"""Tokens compared at once where two sides are likely to be equal."""
_MAX_SLIDE: Final = 1_000
"""Places that one change is tried at."""


@dataclass(frozen=True, slots=True)
class Run:
    """Equal tokens: ``old[old:old + length] == new[new:new + length]``."""

    old: int
    new: int
    length: int


@dataclass(frozen=True, slots=True)
class Common:
    """What two sequences have in common."""

    runs: tuple[Run, ...]
    """In order, none empty, no two of them adjoining on both sides."""
    is_least: bool
    """False where a bound was met: right, but there may be more in common."""
    looked_at: int
    """Tokens looked at, counted once for each time."""


_Piece: TypeAlias = tuple[int, int, int, int]
"""Half-open ranges: of the old side, then of the new side."""


def common_runs(old: Sequence[Hashable], new: Sequence[Hashable]) -> Common:
    """Return the runs that two sequences have in common, found as told above.

    >>> common_runs("abcd", "abxd").runs
    (Run(old=0, new=0, length=2), Run(old=3, new=3, length=1))
    """
    numbers: dict[Hashable, int] = {}
    search = _Search(
        [numbers.setdefault(token, len(numbers)) for token in old],
        [numbers.setdefault(token, len(numbers)) for token in new],
    )
    search.divide()
    return Common(
        tuple(_joined(sorted(search.found))), search.is_least, search.looked_at
    )


def changes_of(
    runs: Sequence[Run], old_length: int, new_length: int
) -> tuple[tuple[int, int, int, int], ...]:
    """Return what lies between the runs: old range, new range; one may be empty.

    >>> changes_of((Run(0, 0, 2), Run(3, 3, 1)), 4, 4)
    ((2, 3, 2, 3),)
    """
    found = []
    old = new = 0
    for run in (*runs, Run(old_length, new_length, 0)):
        if run.old > old or run.new > new:
            found.append((old, run.old, new, run.new))
        old, new = run.old + run.length, run.new + run.length
    return tuple(found)


def slide_changes(
    runs: Sequence[Run],
    old: Sequence[Hashable],
    new: Sequence[Hashable],
    rank: Callable[[Sequence[Hashable], int, int], int],
) -> tuple[Run, ...]:
    """Return the runs with each pure insertion or deletion at its best place.

    ``<li>a</li><li>b</li>`` grows by ``<li>x</li>`` or, said as truly, by
    ``x</li><li>``. ``rank(side, start, end)`` says how good a change is at
    ``side[start:end]``; the highest wins, of equals the first found from the
    place where it is, upwards then downwards.
    """
    slid: list[Run] = []
    waiting = [*runs, Run(len(old), len(new), 0)]
    before = Run(0, 0, 0)
    for after in waiting:
        by = _best_slide(before, after, old, new, rank)
        if before.length + by:
            slid.append(Run(before.old, before.new, before.length + by))
        before = Run(after.old + by, after.new + by, after.length - by)
    if before.length:
        slid.append(before)
    return tuple(_joined((run.old, run.new, run.length) for run in slid))


def _best_slide(
    before: Run,
    after: Run,
    old: Sequence[Hashable],
    new: Sequence[Hashable],
    rank: Callable[[Sequence[Hashable], int, int], int],
) -> int:
    """Return by how many tokens the change between two runs is best moved."""
    old_start, new_start = before.old + before.length, before.new + before.length
    if old_start == after.old and new_start < after.new:
        side, start, end = new, new_start, after.new
    elif new_start == after.new and old_start < after.old:
        side, start, end = old, old_start, after.old
    else:
        return 0
    best, best_rank = 0, rank(side, start, end)
    for direction, room in ((-1, before.length), (1, after.length)):
        for steps in range(1, min(room, _MAX_SLIDE) + 1):
            by = direction * steps
            left, right = (
                (start + by, end + by) if by < 0 else (start + by - 1, end + by - 1)
            )
            if side[left] != side[right]:
                break
            ranked = rank(side, start + by, end + by)
            if ranked > best_rank:
                best, best_rank = by, ranked
    return best


def _joined(
    found: Sequence[tuple[int, int, int]] | Iterator[tuple[int, int, int]],
) -> Iterator[Run]:
    """Yield the runs, those that adjoin on both sides made one."""
    last: Run | None = None
    for old, new, length in found:
        if (
            last is not None
            and last.old + last.length == old
            and last.new + last.length == new
        ):
            last = Run(last.old, last.new, last.length + length)
            continue
        if last is not None:
            yield last
        last = Run(old, new, length)
    if last is not None:
        yield last


class _Search:
    """One search: the numbered tokens of both sides, and what was found so far."""

    def __init__(self, old: list[int], new: list[int]) -> None:
        self.old = old
        self.new = new
        self.found: list[tuple[int, int, int]] = []
        self.is_least = True
        self.looked_at = len(old) + len(new)

    def divide(self) -> None:
        """Look at every piece; those that are left go onto a stack, not deeper calls."""
        waiting: list[tuple[_Piece, int]] = [((0, len(self.old), 0, len(self.new)), 0)]
        while waiting:
            whole, depth = waiting.pop()
            piece = self._trimmed(whole)
            old_start, old_end, new_start, new_end = piece
            if old_start == old_end or new_start == new_end:
                continue
            if old_end - old_start == 1 or new_end - new_start == 1:
                self._find_one(piece)
                continue
            chain = self._anchors(piece) if depth < _MAX_DEPTH else []
            if not chain:
                self._compare(piece)
                continue
            for old_at, new_at in chain:
                waiting.append(((old_start, old_at, new_start, new_at), depth + 1))
                self.found.append((old_at, new_at, 1))
                old_start, new_start = old_at + 1, new_at + 1
            waiting.append(((old_start, old_end, new_start, new_end), depth + 1))

    def _find_one(self, piece: _Piece) -> None:
        """Find the one token that a side has on the other side; most pieces are so short."""
        old_start, old_end, new_start, new_end = piece
        self.looked_at += old_end - old_start + new_end - new_start
        if old_end - old_start == 1:
            side, token, start, end = self.new, self.old[old_start], new_start, new_end
        else:
            side, token, start, end = self.old, self.new[new_start], old_start, old_end
        try:
            at = side.index(token, start, end)
        except ValueError:
            return
        is_old = side is self.old
        self.found.append((at, new_start, 1) if is_old else (old_start, at, 1))

    def _trimmed(self, piece: _Piece) -> _Piece:
        """Return the piece without its equal ends, which are found."""
        old_start, old_end, new_start, new_end = piece
        room = min(old_end - old_start, new_end - new_start)
        head = 0
        while head < room - _BLOCK:
            size = _BLOCK
            old_at, new_at = old_start + head, new_start + head
            if self.old[old_at : old_at + size] != self.new[new_at : new_at + size]:
                break
            head += size
        while head < room and self.old[old_start + head] == self.new[new_start + head]:
            head += 1
        room -= head
        tail = 0
        while tail < room - _BLOCK:
            size = _BLOCK
            old_at, new_at = old_end - tail, new_end - tail
            if self.old[old_at - size : old_at] != self.new[new_at - size : new_at]:
                break
            tail += size
        while (
            tail < room and self.old[old_end - tail - 1] == self.new[new_end - tail - 1]
        ):
            tail += 1
        if head:
            self.found.append((old_start, new_start, head))
        if tail:
            self.found.append((old_end - tail, new_end - tail, tail))
        self.looked_at += head + tail + 2
        return old_start + head, old_end - tail, new_start + head, new_end - tail

    def _anchors(self, piece: _Piece) -> list[tuple[int, int]]:
        """Return the longest rising chain of tokens that both sides have once."""
        old_start, old_end, new_start, new_end = piece
        old, new = self.old[old_start:old_end], self.new[new_start:new_end]
        self.looked_at += len(old) + len(new)
        old_counts, new_counts = Counter(old), Counter(new)
        places = {
            token: place
            for place, token in enumerate(new, new_start)
            if new_counts[token] == 1 and old_counts.get(token) == 1
        }
        if not places:
            return []
        pairs = [
            (place, places[token])
            for place, token in enumerate(old, old_start)
            if token in places
        ]
        return _rising(pairs)

    def _compare(self, piece: _Piece) -> None:
        """Find what is common in a piece that no unique token divides."""
        old_start, old_end, new_start, new_end = piece
        old_set = set(self.old[old_start:old_end])
        new_set = set(self.new[new_start:new_end])
        old = [at for at in range(old_start, old_end) if self.old[at] in new_set]
        new = [at for at in range(new_start, new_end) if self.new[at] in old_set]
        self.looked_at += 2 * (old_end - old_start + new_end - new_start)
        if not old or not new:
            return
        greedy = self._greedy(old, new)
        pairs = self._windows(old, new) if greedy is None else greedy
        self.found.extend((old[one], new[other], 1) for one, other in pairs)

    def _greedy(self, old: list[int], new: list[int]) -> list[tuple[int, int]] | None:
        """Return the pairs of a least difference, or None where the budget ends.

        Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), the
        basic search: how far each diagonal gets with so many differences.
        """
        one = [self.old[at] for at in old]
        other = [self.new[at] for at in new]
        budget = _STEPS * (len(one) + len(other)) + _MAX_EDITS
        reach: dict[int, int] = {1: 0}
        trace: list[dict[int, int]] = []
        for edits in range(min(_MAX_EDITS, len(one) + len(other)) + 1):
            trace.append(reach.copy())
            for diagonal in range(-edits, edits + 1, 2):
                x = _next_x(reach, diagonal, edits)
                start = x
                y = x - diagonal
                while x < len(one) and y < len(other) and one[x] == other[y]:
                    x += 1
                    y += 1
                reach[diagonal] = x
                budget -= x - start + 1
                if x >= len(one) and y >= len(other):
                    self.looked_at += x - start + 1
                    return _walked_back(trace, len(one), len(other))
            if budget < 0:
                break
        self.looked_at += _STEPS * (len(one) + len(other)) + _MAX_EDITS - budget
        return None

    def _windows(self, old: list[int], new: list[int]) -> Iterator[tuple[int, int]]:
        """Yield pairs found by the compiled search in windows side by side."""
        count = -(-(len(old) + len(new)) // _WINDOW)
        self.is_least = self.is_least and count == 1
        for number in range(count):
            old_at, old_end = (len(old) * at // count for at in (number, number + 1))
            new_at, new_end = (len(new) * at // count for at in (number, number + 1))
            self.looked_at += old_end - old_at + new_end - new_at
            chars: dict[int, str] = {}
            one, other = (
                "".join(
                    chars.setdefault(token, chr(_FIRST_CHAR + len(chars)))
                    for token in tokens
                )
                for tokens in (
                    [self.old[at] for at in old[old_at:old_end]],
                    [self.new[at] for at in new[new_at:new_end]],
                )
            )
            for sign, length in compiled_diff(
                one, other, timelimit=0, checklines=False, cleanup="No"
            ):
                if sign == "=":
                    yield from zip(
                        range(old_at, old_at + length),
                        range(new_at, new_at + length),
                        strict=True,
                    )
                old_at += length if sign != "+" else 0
                new_at += length if sign != "-" else 0


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of pairs, rising in their first, that rises in both."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, (_, new_at) in enumerate(pairs):
        length = bisect_left(ends, new_at)
        before.append(last[length - 1] if length else -1)
        if length == len(ends):
            ends.append(new_at)
            last.append(at)
        else:
            ends[length] = new_at
            last[length] = at
    chain = []
    at = last[-1] if last else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def _is_down(reach: dict[int, int], diagonal: int, edits: int) -> bool:
    """Return whether a diagonal is best reached from the one above it."""
    return diagonal == -edits or (
        diagonal != edits and reach[diagonal - 1] < reach[diagonal + 1]
    )


def _next_x(reach: dict[int, int], diagonal: int, edits: int) -> int:
    """Return where a diagonal begins with one more difference than its neighbours."""
    if _is_down(reach, diagonal, edits):
        return reach[diagonal + 1]
    return reach[diagonal - 1] + 1


def _walked_back(trace: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    """Return the pairs of equal tokens on the way that the search took."""
    pairs: list[tuple[int, int]] = []
    for edits in range(len(trace) - 1, -1, -1):
        reach = trace[edits]
        diagonal = x - y
        is_down = _is_down(reach, diagonal, edits)
        start = _next_x(reach, diagonal, edits)
        while x > start:
            x -= 1
            y -= 1
            pairs.append((x, y))
        if is_down:
            y -= 1
        else:
            x -= 1
    return pairs[::-1]
