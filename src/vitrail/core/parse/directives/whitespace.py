r"""White space beside what was taken out of a text: mended there, and nowhere else.

Strategy: only maximal runs of blanks and line breaks that hold or touch a place
where something was taken out (a *seam*) are looked at. A run is cut at its line
breaks; its first part ends a line, its last one begins one, and those between
are lines of blanks. A seam in the middle of a line leaves one blank of those on
its two sides, one at a line's end none; a line that holds nothing but seams
goes, and two line breaks at most stay of its run. ``\r\n`` is one break.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from vitrail.core.text import Leaf, Markdown

__all__ = [
    "Mended",
    "WhiteRun",
    "has_code_indent",
    "mend",
    "mend_run",
    "trim_end",
    "trim_start",
    "white_runs",
]

_BREAK: Final = re.compile(r"\r\n|\n|\r")
_WHITE: Final = " \t\r\n"
_CODE_COLUMNS: Final = 4
_MOST_BREAKS: Final = 2


@dataclass(frozen=True, slots=True)
class WhiteRun:
    """White space with seams in it."""

    start: int
    end: int
    seams: tuple[int, ...]
    """Indexes in the text, from `start` to `end`."""
    begins: bool
    """Whether nothing stands in front of it."""
    ends: bool
    """Whether nothing stands behind it."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A text with its white space mended."""

    text: str
    move: Callable[[int], int]
    """From an index in the text as it was to one in the text as it is."""


def white_runs(
    text: str, seams: Sequence[int], *, walls: frozenset[int] = frozenset()
) -> list[WhiteRun]:
    """Return the runs of white space that hold or touch these sorted places.

    `walls` are places where something else stands, which no run goes beyond.
    """
    runs: list[WhiteRun] = []
    at = 0
    done = 0  # what is in front of it belongs to an earlier run
    while at < len(seams):
        start = end = seams[at]
        while start > done and text[start - 1] in _WHITE and start not in walls:
            start -= 1
        while end < len(text) and text[end] in _WHITE and end not in walls:
            end += 1
        first = at
        while at < len(seams) and seams[at] <= end:
            at += 1
        held = tuple(seams[first:at])
        begins = start == 0 and start not in walls
        ends = end == len(text) and end not in walls
        runs.append(WhiteRun(start, end, held, begins, ends))
        done = end
    return runs


def mend(
    text: str, seams: Sequence[int], *, walls: frozenset[int] = frozenset()
) -> Mended:
    r"""Mend the white space beside the seams, and trim the ends where there is one.

    The places are sorted. What is code keeps its white space, and so does what
    stands beside a wall, see `white_runs`.

    >>> mend("Test  end", [5]).text
    'Test end'
    """
    if not seams:
        whole = "" if not text.strip(_WHITE) else text
        return Mended(whole, lambda index: min(index, len(whole)))
    runs = white_runs(text, seams, walls=walls)
    pieces: list[str] = []
    moves: list[tuple[WhiteRun, int, str]] = []
    place = chars = 0
    for run in runs:
        pieces.append(text[place : run.start])
        chars += run.start - place
        kept = mend_run(text[run.start : run.end], run)
        moves.append((run, chars, kept))
        pieces.append(kept)
        chars += len(kept)
        place = run.end
    pieces.append(text[place:])
    mended = "".join(pieces)
    head = 0 if 0 in walls else len(mended) - len(trim_start(mended))
    rest = mended[head:]
    trimmed = rest if len(text) in walls else trim_end(rest)
    return Mended(trimmed, _mover(moves, head, len(trimmed)))


def _mover(
    moves: Sequence[tuple[WhiteRun, int, str]], head: int, chars: int
) -> Callable[[int], int]:
    """Return what finds an index of the old text again in the new one."""
    starts = [run.start for run, _, _ in moves]

    def move(index: int) -> int:
        to = bisect_right(starts, index) - 1
        if to < 0:
            return min(max(index - head, 0), chars)
        run, start, kept = moves[to]
        if index == run.start:
            place = start
        elif index < run.end:
            found = _BREAK.search(kept)
            place = start + (found.end() if found else 0)
        else:
            place = start + len(kept) + index - run.end
        return min(max(place - head, 0), chars)

    return move


def mend_run(white: str, run: WhiteRun) -> str:
    """Return what stays of one run."""
    parts, breaks = _lines(white)
    held = _seams_by_part(parts, breaks, run)
    if not breaks:
        return _mend_blanks(white, [seam - run.start for seam in run.seams], run)
    first = "" if 0 in held else parts[0]
    last = parts[-1]
    if len(breaks) in held:
        before, behind = held[len(breaks)]
        last = before or behind
    alone = sum(0 < part < len(breaks) for part in held)
    alone += run.begins and 0 in held
    alone += run.ends and len(breaks) in held
    if not alone:
        middle = white[len(parts[0]) : len(white) - len(parts[-1])]
    else:
        middle = "".join(breaks[: min(_MOST_BREAKS, max(len(breaks) - alone, 1))])
    return first + middle + last


def _lines(white: str) -> tuple[list[str], list[str]]:
    """Return the parts between line breaks, and the breaks."""
    parts: list[str] = []
    breaks: list[str] = []
    at = 0
    for found in _BREAK.finditer(white):
        parts.append(white[at : found.start()])
        breaks.append(found.group())
        at = found.end()
    parts.append(white[at:])
    return parts, breaks


def _seams_by_part(
    parts: Sequence[str], breaks: Sequence[str], run: WhiteRun
) -> dict[int, tuple[str, str]]:
    """Return the parts that hold seams: the blanks before the first, behind the last."""
    held: dict[int, tuple[str, str]] = {}
    seams = iter(run.seams)
    seam = next(seams, None)
    start = run.start
    for at, part in enumerate(parts):
        end = start + len(part)
        first = last = -1
        while seam is not None and seam <= end:
            first = seam if first < 0 else first
            last = seam
            seam = next(seams, None)
        if first >= 0:
            held[at] = part[: first - start], part[last - start :]
        start = end + (len(breaks[at]) if at < len(breaks) else 0)
    return held


def _mend_blanks(white: str, seams: Sequence[int], run: WhiteRun) -> str:
    """Mend a run without a line break."""
    before, behind = white[: seams[0]], white[seams[-1] :]
    if run.begins:
        return before or behind
    if run.ends:
        return ""
    is_on_one_side = white in (before, behind)
    return white if is_on_one_side else " "


def trim_start(text: str) -> str:
    r"""Take off blank lines, and one blank in front of a word.

    More blanks are an indentation, which may be code.

    >>> trim_start("\n\n    code"), trim_start(" words")
    ('    code', 'words')
    """
    start = len(text) - len(text.lstrip(_WHITE))
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if start - line == 1 and text[line] == " ":
        line = start
    return text[line:]


def trim_end(text: str) -> str:
    """Take off the white space at the end, but for that of code that goes on there."""
    kept = text.rstrip(_WHITE)
    if len(kept) == len(text) or ("```" not in kept and "~~~" not in kept):
        return kept
    return text if _is_in_fence(text) else kept


def _is_in_fence(text: str) -> bool:
    """Whether a code fence is open at the text's end."""
    markdown = Markdown()
    at = 0
    while True:
        at = markdown.scan(text, at, len(text))
        if markdown.at_mark:
            markdown.pass_angle()
            at += 1
        elif not markdown.in_fence_angle:
            break
    markdown.finish()
    return markdown.leaf is Leaf.FENCE


def has_code_indent(blanks: str) -> bool:
    """Whether a line with these blanks in front of its text may be indented code."""
    return len(blanks.expandtabs(_CODE_COLUMNS)) >= _CODE_COLUMNS
