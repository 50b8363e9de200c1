"""Text that needs no closer look: expressions that read much of it at once.

None of them backtracks. Each stops in front of what may change anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from vitrail.core.text.characters import MAY_START_BLOCK

__all__ = [
    "DEAD",
    "FENCED",
    "FENCE_MARKS",
    "LINE",
    "NAME",
    "CalmText",
    "Marks",
    "calm_text",
]

NAME: Final = re.compile(r"<[a-zA-Z]++ ?+")
"""The beginning of a tag."""
DEAD: Final = re.compile(r"[a-zA-Z]*+ ?+(?:<[a-zA-Z]++ (?=<))*+")
"""The rest of one that begins nothing, since another ``<`` cuts it off, and more such."""
FENCE_MARKS: Final = {mark: re.compile(rf"{mark}++") for mark in "`~"}
LINE: Final = re.compile(r"[^\n\r]*+")
FENCED: Final = re.compile(
    r"[^\n\r]*+(?:\n(?:[^ \n\r`~<]| {1,3}+(?:[ \t]|[^ \t\n\r`~<])|(?=\n))[^\n\r]*+)*+"
)
"""Lines of a fence in no container that can neither close it nor hide a tag."""

_NO_TAG: Final = ' \n<>"(),:;@[]'
"""What a ``<`` begins nothing in front of, be it for Markdown or for us."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Where a reader stops, besides each ``<`` in text."""

    in_text: str = ""
    """Characters in front of which it stops anywhere in text."""
    at_line: str = ""
    """Those in front of which it stops where they begin a line."""
    behind_angle: str = ""
    """What may follow a ``<`` that begins something, though it begins no tag."""


@dataclass(frozen=True, slots=True)
class CalmText:
    """Expressions that read text up to a mark."""

    lines: re.Pattern[str]
    """Text of a paragraph, over lines that go on with it, up to the first mark."""
    whole: tuple[re.Pattern[str], re.Pattern[str]]
    """Text with its usual code spans, over lines of text: in it no backtick is open and
    nothing begins. By the number of containers: none, or an item at the margin."""
    spans: tuple[re.Pattern[str], re.Pattern[str]]
    """The same up to a backtick that has no partner in front of the next mark. It is
    ``tick``; ``more`` are further ones behind the text that follows it."""
    heading: re.Pattern[str]
    """The marks of a heading and its text."""
    fence: re.Pattern[str]
    """The marks of a fence and the words behind them."""
    needs_look: frozenset[str]
    """First characters of a line that are not text for certain."""


@cache
def calm_text(marks: Marks) -> CalmText:
    """Return the expressions that stop at these marks."""
    stops = rf"`<\\\n\r{re.escape(marks.in_text)}"
    dull = re.escape("".join(set(_NO_TAG) - set(marks.behind_angle) - {"<"}) + "<")
    plain = rf"[^{stops}]*+(?:<(?=[{dull}])[^{stops}]*+)*+"
    first = rf"[^{stops} \t>#~\-*_+=0-9\[{re.escape(marks.at_line)}]"
    spanned = rf"{plain}(?:`[^{stops}]++`(?=[^`]){plain})*+"
    lines = (rf"\n++{first}", rf"\n(?:\n*+[-*+] )?+{first}")
    return CalmText(
        lines=re.compile(rf"{plain}(?:\n{first}{plain})*+"),
        whole=(
            re.compile(rf"{spanned}(?:{lines[0]}{spanned})*+"),
            re.compile(rf"{spanned}(?:{lines[1]}{spanned})*+"),
        ),
        spans=(
            _spans(plain, stops, lines[0]),
            _spans(plain, stops, lines[1]),
        ),
        heading=re.compile(rf"\#{{1,6}}+ {plain}"),
        fence=re.compile(rf"(`{{3,}}+)[^{stops}]*+"),
        needs_look=MAY_START_BLOCK | {"[", *marks.at_line, *marks.in_text},
    )


def _spans(plain: str, stops: str, next_line: str) -> re.Pattern[str]:
    # Group 2 is `more`: nothing is read behind it.
    return re.compile(
        rf"(?:(?(2)(?!)){plain}(?:(?P<tick>`)[^{stops}]++(?:`(?=[^`]){plain}|(?P<more>`*+)))*+"
        rf"(?(more)|(?:{next_line})?+))*+"
    )
