"""A page's source and its tree, with the places of the tree in the source.

Strategy: the parser counts offsets in a text whose line breaks are already
folded (CRLF is one) and that begins after a byte-order mark. Both are kept
here, so that an offset of the tree becomes an offset of the source as it is,
and nobody else has to know. What carries no position stays without one: an
element whose tag is implied is nowhere in the source.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

import turbohtml

__all__ = ["Source", "parse_source", "script_offset"]

_BYTE_ORDER_MARK: Final = "\ufeff"
_CRLF: Final = re.compile("\r\n")


@dataclass(frozen=True, slots=True)
class Source:
    """A text and the tree that a browser makes of it."""

    text: str
    """The source, exactly."""
    document: turbohtml.Document
    """As a browser with scripts builds it."""
    starts_at: int
    """Where the page begins: 1 after a byte-order mark, else 0. Code points."""
    _folds: tuple[int, ...]
    """Offsets of the line breaks in the folded text that were two characters."""

    def offset(self, folded: int) -> int:
        """Return the code point offset in `text` of an offset that the tree gives."""
        return self.starts_at + folded + bisect_left(self._folds, folded)

    def start_tag(self, element: turbohtml.Element) -> tuple[int, int] | None:
        r"""Return ``[start, end)`` of the element's start tag; None where it is implied.

        >>> source = parse_source("<html>\r\n<head>")
        >>> source.start_tag(source.document.find("head"))
        (8, 14)
        """
        location = element.source_location
        if location is None:
            return None
        span = location.start_tag
        return self.offset(span.start_offset), self.offset(span.end_offset)

    def end_tag(self, element: turbohtml.Element) -> tuple[int, int] | None:
        """Return ``[start, end)`` of the element's end tag; None where there is none."""
        location = element.source_location
        if location is None or location.end_tag is None:
            return None
        span = location.end_tag
        return self.offset(span.start_offset), self.offset(span.end_offset)


def parse_source(text: str) -> Source:
    """Return the text with its tree and the places of one in the other."""
    starts_at = 1 if text.startswith(_BYTE_ORDER_MARK) else 0
    page = text[starts_at:]
    folds = tuple(
        match.start() - before for before, match in enumerate(_CRLF.finditer(page))
    )
    document = turbohtml.parse(page, source_locations=True, scripting=True)
    return Source(text, document, starts_at, folds)


def script_offset(source: Source) -> int:
    """Return where a script has to stand to run before any of the page's own.

    After the start tag of ``head`` if the source has one that counts, else of
    ``html``, else after the doctype, else at the page's begin; at none of them
    does the script change what the rest of the source parses to.

    >>> script_offset(parse_source("<!doctype html><p>hi"))
    15
    """
    for tag in ("head", "html"):
        element = source.document.find(tag)
        place = None if element is None else source.start_tag(element)
        if place is not None:
            return place[1]
    return _doctype_end(source)


def _doctype_end(source: Source) -> int:
    """Return where the doctype ends, or where the page begins if it has none."""
    has_doctype = any(
        isinstance(node, turbohtml.Doctype) for node in source.document.children
    )
    if not has_doctype:
        return source.starts_at
    page = source.text[source.starts_at :]
    for token in turbohtml.tokenize(page):
        if token.type is turbohtml.TokenType.DOCTYPE:
            return source.starts_at + _token_end(page, token)
    return source.starts_at


_LINE_BREAK: Final = re.compile("\r\n|\r|\n")


def _token_end(page: str, doctype: turbohtml.Token) -> int:
    """A doctype ends at its first ``>``, inside quotes too."""
    line_start = 0
    breaks = _LINE_BREAK.finditer(page)
    for _ in range(doctype.line - 1):
        line_start = next(breaks).end()
    end = page.find(">", line_start + doctype.col)
    return len(page) if end < 0 else end + 1
