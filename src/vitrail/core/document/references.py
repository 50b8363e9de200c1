"""References of a page: every address that its markup, styles and scripts name.

Strategy: the tokenizer gives start tags with decoded attributes, and the text
of styles and scripts; it skips comments by itself. Styles go to a CSS
tokenizer, scripts to a scanner of string literals. What is text for a reader
is never looked at. Nothing here backtracks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

import turbohtml
from turbohtml import TokenType

from vitrail.core.document.positions import TokenPlaces
from vitrail.core.document.script_strings import string_literals
from vitrail.core.document.style_urls import style_urls
from vitrail.protocol.diagnostics import Span

__all__ = [
    "SRCSET_ATTRIBUTES",
    "URL_ATTRIBUTES",
    "Reference",
    "local_segments",
    "references_of",
    "srcset_spans",
]

URL_ATTRIBUTES: Final = frozenset(
    {"href", "src", "poster", "action", "formaction", "data", "xlink:href"}
    | {"background", "longdesc", "manifest", "ping"}
)
"""Attributes that are an address."""
SRCSET_ATTRIBUTES: Final = frozenset({"srcset", "imagesrcset"})
"""Attributes that are a list of addresses, with a width or density each."""
_MAX_NESTED: Final = 3
"""Documents within documents (``srcdoc``) that are looked into."""

_URL_SPACE: Final = "".join(map(chr, range(0x21)))
"""C0 controls and space, which the URL standard strips at both ends."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One address a page names."""

    value: str
    """As written, entities and escapes decoded."""
    span: Span | None
    """The tag it is in, in code points of the page; None inside of styles and scripts."""
    is_guessed: bool = False
    """A string of a script, which may be no address at all."""
    tag: str = ""
    """Name of the tag whose own attribute it is."""


def references_of(
    html: str, *, depth: int = 0, reads_scripts: bool = True
) -> Iterator[Reference]:
    """Yield the references of a page, in order; of styles see `style_urls`.

    Without ``reads_scripts`` those that only the strings of scripts may mean
    are left out, and what takes longest is not done.
    """
    places = TokenPlaces(html)
    inside = ""
    for token in turbohtml.tokenize(html, capture_source=True):
        if token.type is TokenType.START_TAG:
            inside = token.tag or ""
            if token.attrs:
                found = _of_tag(token, places.span(token), depth)
                yield from (one for one in found if reads_scripts or not one.is_guessed)
        elif token.type is TokenType.TEXT and inside in ("style", "script"):
            text = token.data or ""
            if inside == "style":
                yield from (Reference(value, None) for value in style_urls(text))
            elif reads_scripts:
                yield from _of_script(text, None)
        elif token.type is TokenType.END_TAG:
            inside = ""


def local_segments(value: str) -> tuple[str, ...]:
    """Return the path of a local address in decoded segments, dots resolved.

    Empty for a fragment, an address with a scheme or a host, and none at all.

    >>> local_segments("./a/%2eod/../.od/x.png?y#z")
    ('a', '.od', 'x.png')
    >>> local_segments("https://example.test/.od/x")
    ()
    """
    address = value.strip(_URL_SPACE)
    address = address.translate({9: None, 10: None, 13: None}).replace("\\", "/")
    if not address or address[0] == "#" or address.startswith("//"):
        return ()
    if _has_scheme(address):
        return ()
    path = address.partition("#")[0].partition("?")[0]
    segments: list[str] = []
    for raw in path.split("/"):
        for segment in unquote(raw).replace("\\", "/").split("/"):
            match segment:
                case "" | ".":
                    continue
                case "..":
                    del segments[-1:]
                case _:
                    segments.append(segment)
    return tuple(segments)


def srcset_spans(value: str) -> Iterator[Span]:
    """Yield where the addresses of a ``srcset`` are: to white space, then to a comma.

    A comma inside an address belongs to it (``data:`` addresses have one),
    commas at its end do not (HTML standard, "parse a srcset attribute").

    >>> value = "a.png 1x, data:image/png,x 2x, b.png,"
    >>> [value[start:end] for start, end in srcset_spans(value)]
    ['a.png', 'data:image/png,x', 'b.png']
    """
    at, end = 0, len(value)
    while at < end:
        while at < end and (value[at].isspace() or value[at] == ","):
            at += 1
        start = at
        while at < end and not value[at].isspace():
            at += 1
        stop = start + len(value[start:at].rstrip(","))
        if stop > start:
            yield start, stop
        if stop < at:  # its comma ends the candidate too
            continue
        depth = 0
        while at < end and (value[at] != "," or depth):
            depth += (value[at] == "(") - (value[at] == ")" and depth > 0)
            at += 1


def _of_tag(
    token: turbohtml.Token, span: Span | None, depth: int
) -> Iterator[Reference]:
    refresh = False
    for name, value in token.attrs or ():
        if not value:
            continue
        if name in URL_ATTRIBUTES:
            yield from _of_url(value, span, token.tag or "")
        elif name in SRCSET_ATTRIBUTES:
            yield from (
                Reference(value[start:end], span, tag=token.tag or "")
                for start, end in srcset_spans(value)
            )
        elif name == "style":
            yield from (Reference(url, span) for url in style_urls(value))
        elif name == "srcdoc" and depth < _MAX_NESTED:
            yield from (
                Reference(inner.value, span, inner.is_guessed)
                for inner in references_of(value, depth=depth + 1)
            )
        elif name.startswith("on"):
            yield from _of_script(value, span)
        elif name == "http-equiv":
            refresh = value.strip().lower() == "refresh"
        elif name == "content" and refresh:
            yield Reference(_refresh_url(value), span)


def _of_url(value: str, span: Span | None, tag: str) -> Iterator[Reference]:
    stripped = value.strip(_URL_SPACE)
    if stripped[:11].lower() == "javascript:":
        yield from _of_script(unquote(stripped[11:]), span)
    else:
        yield Reference(value, span, tag=tag)


def _of_script(text: str, span: Span | None) -> Iterator[Reference]:
    for literal in string_literals(text):
        if not any(char.isspace() for char in literal):
            yield Reference(literal, span, is_guessed=True)


def _refresh_url(content: str) -> str:
    after = content.partition(";")[2] or content.partition(",")[2]
    url = after.strip()
    if url[:3].lower() == "url":
        url = url[3:].lstrip().removeprefix("=").lstrip()
    return url.strip("'\"")


def _has_scheme(address: str) -> bool:
    scheme, colon, _ = address.partition(":")
    if not colon or not scheme[:1].isalpha() or not scheme.isascii():
        return False
    return all(char.isalnum() or char in "+-." for char in scheme)
