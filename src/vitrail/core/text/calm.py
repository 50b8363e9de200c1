"""Text that needs no closer look: expressions that read much of it at once.

None of them backtracks. Each stops in front of what may change anything.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = [
    "CALM",
    "DEAD",
    "FENCE",
    "FENCED",
    "FENCE_MARKS",
    "HEADING",
    "LINE",
    "NAME",
    "QUICK",
    "SPANS",
]

_NO_CONSTRUCT: Final = r"<(?=[ \n<>\"(),:;@\[\]])"
"""A ``<`` that begins nothing by what follows it, be it for Markdown or for us."""
NAME: Final = re.compile(r"<[a-zA-Z]++ ?+")
"""The beginning of a tag."""
DEAD: Final = re.compile(r"[a-zA-Z]*+ ?+(?:<[a-zA-Z]++ (?=<))*+")
"""The rest of one that begins nothing, since another ``<`` cuts it off, and more such."""
_PLAIN: Final = rf"[^`<\\\n\r]*+(?:{_NO_CONSTRUCT}[^`<\\\n\r]*+)*+"
_NO_BLOCK: Final = r"[^`<\\\n\r \t>#~\-*_+=0-9]"
"""What a line may begin with that is text for certain, behind a line of text."""
CALM: Final = re.compile(rf"{_PLAIN}(?:\n{_NO_BLOCK}{_PLAIN})*+")
"""Text of a paragraph, over lines that go on with it, up to the first mark."""
_SPANNED: Final = rf"{_PLAIN}(?:`[^`<\\\n\r]++`(?=[^`]){_PLAIN})*+"
_NEXT_LINE: Final = rf"\n++(?!\[){_NO_BLOCK}"
_NEXT_ITEM_LINE: Final = rf"\n(?:\n*+[-*+] )?+(?!\[){_NO_BLOCK}"


def _quick(next_line: str) -> re.Pattern[str]:
    """Return what matches text with its usual code spans, over such lines.

    In it no backtick is open and nothing begins.
    """
    return re.compile(rf"{_SPANNED}(?:{next_line}{_SPANNED})*+")


def _spans(next_line: str) -> re.Pattern[str]:
    """Return the same up to a backtick that has no partner in front of the next mark.

    It is ``tick``; ``more`` are further ones behind the text that follows it.
    """
    return re.compile(
        rf"(?:{_PLAIN}(?:(?P<tick>`)[^`<\\\n\r]++(?:`(?=[^`]){_PLAIN}|(?P<more>`*+)))*+"
        rf"(?(more)|(?:{next_line})?+))*+"
    )


QUICK: Final = {0: _quick(_NEXT_LINE), 1: _quick(_NEXT_ITEM_LINE)}
SPANS: Final = {0: _spans(_NEXT_LINE), 1: _spans(_NEXT_ITEM_LINE)}
"""By the number of containers: none, or an item that begins at the margin."""
HEADING: Final = re.compile(rf"\#{{1,6}}+ {_PLAIN}")
FENCE: Final = re.compile(r"(`{3,}+)[^`<\\\n\r]*+")
FENCE_MARKS: Final = {mark: re.compile(rf"{mark}++") for mark in "`~"}
LINE: Final = re.compile(r"[^\n\r]*+")
FENCED: Final = re.compile(
    r"[^\n\r]*+(?:\n(?:[^ \n\r`~<]| {1,3}+(?:[ \t]|[^ \t\n\r`~<])|(?=\n))[^\n\r]*+)*+"
)
"""Lines of a fence in no container that can neither close it nor hide a tag."""
