"""Places of a tokenizer's tokens, as code points of the source.

Strategy: the tokenizer counts lines and columns of a text whose line breaks are
folded to one character. Where each of its lines begins, and which breaks were
two characters, says what such a place is in the source.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate
from typing import Final

import turbohtml

__all__ = ["TokenPlaces"]

_CRLF: Final = re.compile("\r\n")


class TokenPlaces:
    r"""Where the tokens of one page stand in it.

    >>> page = "<p\r\nid=a>\r\n<b>"
    >>> tokens = turbohtml.tokenize(page, capture_source=True)
    >>> [page[slice(*TokenPlaces(page).span(token))] for token in tokens]
    ['<p\r\nid=a>', '', '<b>']
    """

    def __init__(self, html: str) -> None:
        folded = html.replace("\r\n", "\n").replace("\r", "\n")
        self._pairs = tuple(
            match.start() - before for before, match in enumerate(_CRLF.finditer(html))
        )
        self._lines = tuple(
            accumulate((len(line) + 1 for line in folded.split("\n")), initial=0)
        )

    def span(self, token: turbohtml.Token) -> tuple[int, int]:
        """Return where a token begins, and where the source that it kept ends.

        A text keeps none of its source: both are where it begins.
        """
        start = self._lines[(token.line or 1) - 1] + (token.col or 0)
        return self._offset(start), self._offset(start + len(token.source or ""))

    def _offset(self, place: int) -> int:
        return place + bisect_left(self._pairs, place)
