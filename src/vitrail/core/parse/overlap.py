"""Where a continuation goes on: what it repeats of the text that was cut.

Strategy: the prefix function of the continuation's beginning is run over the
end of the cut text; what it has matched at the last character is the longest
overlap. Linear in both. A model may also repeat the open tag, or begin a code
fence, or say a line first: the overlap is looked for at each of the first lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from vitrail.core.text import TAG_SPACE

__all__ = ["SEEN_CHARS", "Seam", "find_seam", "overlap"]

_MIN_SIGNS: Final = 8
"""Characters, white space aside, that an overlap has: fewer are alike by chance."""
SEEN_CHARS: Final = 2_000
"""Of the cut text's end, what a continuation may repeat."""
_RESTART_CHARS: Final = 80
"""Of the cut text's beginning, what shows that all of it is written again."""
_MAX_LINES: Final = 6
_MAX_LEAD_CHARS: Final = 1_000
"""In front of the overlap: the open tag, a fence, a remark."""

_BLANK: Final = "".join(sorted(TAG_SPACE))
_FENCE: Final = re.compile(r"[ \t]*+(?P<marks>`{3,}+|~{3,}+)[^`\n]*+\n?\Z")


@dataclass(frozen=True, slots=True)
class Seam:
    """How a continuation fits to the text that was cut."""

    keep: int
    """Characters of the cut text that stay; what is behind them was white space."""
    skip: int
    """Characters of the continuation that are left out."""
    fence: str = ""
    """The marks of a fence that the continuation begins with."""
    remark: str = ""
    """What it says in front, tags and fences aside."""


def overlap(end: str, beginning: str) -> int:
    """Return the length of the longest end of one text that begins the other.

    >>> overlap("one two", "two three")
    3
    """
    pattern = beginning[: len(end)]
    if not pattern:
        return 0
    failure = [0] * len(pattern)
    matched = 0
    for at in range(1, len(pattern)):
        while matched and pattern[at] != pattern[matched]:
            matched = failure[matched - 1]
        matched += pattern[at] == pattern[matched]
        failure[at] = matched
    matched = 0
    for ch in end[-len(pattern) :]:
        if matched == len(pattern):
            matched = failure[matched - 1]
        while matched and ch != pattern[matched]:
            matched = failure[matched - 1]
        matched += ch == pattern[matched]
    return matched


def find_seam(cut: str, continuation: str) -> Seam | None:
    """Return how the continuation fits, or None where it repeats nothing.

    The white space at the end of ``cut`` may be missing from what is repeated. One
    that begins the whole text once more fits too: nothing of ``cut`` is kept then.
    """
    bare = cut.rstrip(_BLANK)
    best: Seam | None = None
    longest = 0
    for start in _starts(continuation):
        behind = continuation[start : start + SEEN_CHARS]
        for text in (cut, bare):
            end = text[-SEEN_CHARS:]
            same = overlap(end, behind)
            if same > longest and _is_enough(behind[:same], text):
                longest = same
                best = _seam(continuation, len(text), start, start + same)
    return best or _restart(cut, continuation)


def _restart(cut: str, continuation: str) -> Seam | None:
    """Return the seam of a continuation that writes the whole text once more."""
    head = cut.lstrip(_BLANK)[:_RESTART_CHARS]
    if len(head) < _RESTART_CHARS:
        return None
    for start in _starts(continuation):
        if continuation.startswith(head, start):
            return _seam(continuation, 0, start, start)
    return None


def _is_enough(same: str, text: str) -> bool:
    signs = len(same) - sum(same.count(ch) for ch in _BLANK)
    return signs >= _MIN_SIGNS or (signs > 0 and len(same) == len(text))


def _seam(continuation: str, keep: int, start: int, skip: int) -> Seam:
    fence, said = "", []
    for line in continuation[:start].splitlines(keepends=True):
        found = _FENCE.match(line)
        if found is not None:
            fence = found["marks"]
        elif not line.lstrip(_BLANK).startswith("<artifact"):
            said.append(line)
    return Seam(keep, skip, fence, " ".join("".join(said).split()))


def _starts(continuation: str) -> list[int]:
    """Return where what is repeated may begin: a line, what follows its blanks or tag."""
    starts: list[int] = []
    place = 0
    lines = continuation[: _MAX_LEAD_CHARS + SEEN_CHARS].splitlines(keepends=True)
    for line in lines[:_MAX_LINES]:
        if place > _MAX_LEAD_CHARS:
            break
        bare = place + len(line) - len(line.lstrip(_BLANK))
        starts += [place, bare]
        if continuation.startswith("<artifact", bare):
            tag_end = line.rfind(">", 0, 2 * _MAX_LEAD_CHARS)
            first = continuation.find(">", bare, place + len(line)) + 1
            starts += [at for at in (first, place + tag_end + 1) if at > bare]
        place += len(line)
    return sorted(set(starts))
