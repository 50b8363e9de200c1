"""HTML blocks: how a line begins one, and what ends it.

CommonMark 0.31.2 §4.6. Types 1 to 5 end with a mark of their own and hide what
is in them; types 6 and 7 end with a blank line and hide nothing.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["MAX_OPENING_CHARS", "BlockEnd", "html_block_type"]

_RAW_NAMES: Final = "script|pre|style|textarea"
_BLOCK_NAMES: Final = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col"
    "|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer"
    "|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li"
    "|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search"
    "|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_OPENINGS: Final = (
    (re.compile(rf"(?:{_RAW_NAMES})(?=[\s>])", re.IGNORECASE | re.ASCII), 1),
    (re.compile(r"!--"), 2),
    (re.compile(r"\?"), 3),
    (re.compile(r"![A-Za-z]"), 4),
    (re.compile(r"!\[CDATA\["), 5),
    (re.compile(rf"/?(?:{_BLOCK_NAMES})(?=\s|/?>)", re.IGNORECASE | re.ASCII), 6),
)
_GROWING: Final = re.compile(
    r"!(?:-|\[(?:C(?:D(?:A(?:T(?:A)?)?)?)?)?)?|/?[A-Za-z0-9]*/?"
)
"""What may still become an opening with more characters."""

MAX_OPENING_CHARS: Final = 14
"""``/blockquote``, ``/figcaption`` and what follows them: longer opens no block."""


def html_block_type(opening: str, *, at_line_end: bool) -> int | None:
    """Return the type (1 to 6) that the text after ``<`` opens, 0 for none.

    None if it takes more characters to tell. `opening` is the beginning of that
    text, without its line break; `at_line_end` if there is no more on the line.

    >>> html_block_type("!-", at_line_end=False), html_block_type("!--", at_line_end=False)
    (None, 2)
    """
    text = opening + "\n" if at_line_end else opening
    for pattern, kind in _OPENINGS:
        if pattern.match(text):
            return kind
    if at_line_end or len(opening) >= MAX_OPENING_CHARS:
        return 0
    return None if _GROWING.fullmatch(opening) else 0


_RAW_END: Final = re.compile(rf"</(?:{_RAW_NAMES})>", re.IGNORECASE | re.ASCII)
_MAX_RAW_END_CHARS: Final = len("</textarea>")


class BlockEnd:
    """Find the end mark of one HTML block of type 1 to 5 in lines that come in pieces.

    `looked` counts the characters looked at.
    """

    __slots__ = ("_marks", "_run", "_tag", "_type", "found", "looked")

    _CLASSES: Final = {
        1: re.compile(r"[<>\n\r]"),
        2: re.compile(r"[->\n\r]"),
        3: re.compile(r"[?>\n\r]"),
        4: re.compile(r"[>\n\r]"),
        5: re.compile(r"[\]>\n\r]"),
    }
    _NEEDED: Final = {2: 2, 3: 1, 4: 0, 5: 2}

    def __init__(self, kind: int) -> None:
        self._type = kind
        self._marks = self._CLASSES[kind]
        self._run = {2: 2, 3: 1}.get(kind, 0)  # marks right in front of this place
        self._tag = ""  # since the last "<", of type 1
        self.found = False
        self.looked = 0

    def scan(self, buf: str, i: int, end: int) -> int:
        """Read up to the line break or `end`; `found` tells if the mark was there."""
        while i < end:
            match = self._marks.search(buf, i, end)
            at = match.start() if match else end
            self.looked += at - i
            if at > i:
                self._run = 0
                if self._tag:
                    self._grow(buf[i : min(at, i + _MAX_RAW_END_CHARS)])
            if match is None or buf[at] in "\n\r":
                return at
            self.looked += 1
            self._take(buf[at])
            i = at + 1
        return i

    def break_line(self) -> None:
        """Take a line break: no mark goes across it."""
        self._run = 0
        self._tag = ""

    def _grow(self, text: str) -> None:
        if len(self._tag) <= _MAX_RAW_END_CHARS:
            self._tag += text

    def _take(self, ch: str) -> None:
        if self._type == 1:
            if ch == "<":
                self._tag = "<"
            elif self._tag:
                self.found |= bool(_RAW_END.fullmatch(self._tag + ch))
                self._tag = ""
        elif ch == ">":
            self.found |= self._run >= self._NEEDED[self._type]
            self._run = 0
        else:
            self._run += 1
