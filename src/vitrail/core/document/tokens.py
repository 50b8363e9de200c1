"""A page as tokens that joined are its source, character for character.

Strategy: the tokenizer says where each token begins, in lines whose breaks are
folded; those places become offsets of the source as it is. A markup token ends
where its own source does, a text where the next token begins, and what the
tokenizer drops (``</>``, a tag that the end cuts) stays as a token of its own,
so that nothing is lost. One pass; the source is never searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import turbohtml
from turbohtml import TokenType

from vitrail.core.document.positions import TokenPlaces

__all__ = [
    "AttributeSource",
    "HtmlToken",
    "TokenKind",
    "attribute_sources",
    "html_tokens",
]

TokenKind: TypeAlias = Literal["text", "start", "end", "comment", "other"]

_KINDS: Final[dict[TokenType, TokenKind]] = {
    TokenType.TEXT: "text",
    TokenType.START_TAG: "start",
    TokenType.END_TAG: "end",
    TokenType.COMMENT: "comment",
}
_SPACE: Final = "\t\n\f\r "
_NAME: Final = re.compile(r"[^\t\n\f\r />][^\t\n\f\r />=]*+")
_SPACES: Final = re.compile(r"[\t\n\f\r ]*+")
_SPACES_AND_SLASHES: Final = re.compile(r"[\t\n\f\r /]*+")
_UNQUOTED: Final = re.compile(r"[^\t\n\f\r >]*+")


@dataclass(frozen=True, slots=True)
class HtmlToken:
    """One token of a page's source."""

    kind: TokenKind
    """``other`` are doctypes, processing instructions and what no browser reads."""
    start: int
    """Code points of the source."""
    end: int
    tag: str = ""
    """Lower-case name of a start or end tag."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Names in lower case and decoded values of a start tag, in order."""
    is_self_closing: bool = False


@dataclass(frozen=True, slots=True)
class AttributeSource:
    """Where a start tag has the value of an attribute."""

    name: str
    """In lower case."""
    start: int
    """Of the value without quotes, in code points of the source; half-open."""
    end: int
    quote: str
    """``"``, ``'`` or nothing."""


def html_tokens(html: str) -> tuple[HtmlToken, ...]:
    r"""Return the tokens of a page, in order; their spans partition it.

    >>> page = "<p>a\r\nb</p><!--c-->"
    >>> [(token.kind, page[token.start : token.end]) for token in html_tokens(page)]
    [('start', '<p>'), ('text', 'a\r\nb'), ('end', '</p>'), ('comment', '<!--c-->')]
    """
    found: list[HtmlToken] = []
    at = 0
    for token in _located(html):
        if token.start < at:  # never seen; a token out of order is no token of ours
            continue
        if token.start > at:
            _fill(found, at, token.start)
        found.append(token)
        at = token.end
    if at < len(html):
        _fill(found, at, len(html))
    return tuple(found)


def attribute_sources(html: str, tag: HtmlToken) -> Iterator[AttributeSource]:
    """Yield where a start tag has its attributes' values, in order.

    Only those that count: of two of one name the first, and none without a
    value (HTML standard, "attribute name state" and on).

    >>> html = '<a x y = "1" z=2>'
    >>> [html[a.start : a.end] for a in attribute_sources(html, html_tokens(html)[0])]
    ['1', '2']
    """
    end = tag.end - 1 if html[tag.start : tag.end].endswith(">") else tag.end
    at = _match(_UNQUOTED_NAME, html, tag.start, end)
    seen: set[str] = set()
    while (at := _match(_SPACES_AND_SLASHES, html, at, end)) < end:
        name_start = at
        at = _match(_NAME, html, at, end)
        name = html[name_start:at].lower()
        after = _match(_SPACES, html, at, end)
        if html[after : min(after + 1, end)] != "=":
            seen.add(name)
            continue
        start = _match(_SPACES, html, after + 1, end)
        quote = html[start : min(start + 1, end)]
        if quote and quote in "\"'":
            start += 1
            close = html.find(quote, start, end)
            value_end = end if close < 0 else close
            at = value_end + 1
        else:
            quote = ""
            value_end = at = _match(_UNQUOTED, html, start, end)
        if name not in seen:
            seen.add(name)
            yield AttributeSource(name, start, value_end, quote)


_UNQUOTED_NAME: Final = re.compile(r"<[^\t\n\f\r />]*+")


def _match(pattern: re.Pattern[str], text: str, at: int, end: int) -> int:
    found = pattern.match(text, at, end)
    return at if found is None else found.end()


def _fill(found: list[HtmlToken], start: int, end: int) -> None:
    """Add what the tokenizer left out: to the text in front of it, or as its own."""
    if found and found[-1].kind == "text":
        found[-1] = HtmlToken("text", found[-1].start, end)
    else:
        found.append(HtmlToken("other", start, end))


def _located(html: str) -> Iterator[HtmlToken]:
    """Yield the tokens with their places; of a text only where it begins is known."""
    places = TokenPlaces(html)
    for token in turbohtml.tokenize(html, capture_source=True):
        start, end = places.span(token)
        kind = _KINDS.get(token.type, "other")
        if kind == "text":
            yield HtmlToken("text", start, start)
            continue
        yield HtmlToken(
            kind,
            start,
            end,
            token.tag or "",
            tuple(token.attrs or ()) if kind == "start" else (),
            bool(token.self_closing),
        )
