"""Gate: no page goes out with the words of its template still in it.

Strategy: the five strings of seed 003 §5.2, gate 1, and those that the project
or the manifest declares, are looked for in the bytes as they are, so that no
encoding trouble hides them; then, in a page that can be read, in what a person
sees of it, since ``<b>Name</b>&nbsp;to confirm`` is the same to a reader.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Final

import turbohtml
from turbohtml import TokenType

from vitrail.core.validate.gated import (
    GATED_KINDS,
    GateCandidate,
    GateFinding,
    GatePolicy,
)
from vitrail.core.validate.placeholders import PLACEHOLDERS, Placeholder
from vitrail.core.validate.whitespace import BLANK
from vitrail.protocol.diagnostics import Diagnostic, Span
from vitrail.protocol.manifest import Kind

__all__ = ["find_placeholders", "guards_publication", "no_placeholders"]

_INLINE: Final = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em"}
    | {"font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small"}
    | {"span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"}
)
"""Elements whose tags part no sentence."""

_UNSEEN: Final = frozenset({"script", "style", "title", "template", "noscript"})
"""Elements whose text is not on the page."""

_BREAK: Final = "\0"
"""Stands where a sentence ends, whatever comes next; no placeholder can hold it."""

_UTF_16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_SPACES: Final = dict.fromkeys(map(ord, BLANK), " ")

_MAX_SHOWN_CHARS: Final = 60

_MAX_PIECES: Final = 4_000
"""Texts and breaks that are looked at together: no step is long on a long page."""


def no_placeholders(candidate: GateCandidate, policy: GatePolicy) -> GateFinding | None:
    """Refuse a page that holds a placeholder; a reason to replace it changes nothing."""
    del policy
    if not guards_publication(candidate.kind) or not candidate.is_complete:
        return None
    text = _text(candidate.content)
    found = find_placeholders(candidate.content, candidate.placeholders)
    if not found:
        return None
    return GateFinding(
        "refused",
        tuple(_told(one, text) for one in found),
        placeholders=found,
    )


def guards_publication(kind: Kind | str | None) -> bool:
    """Return whether placeholders block this kind: html and deck only."""
    return kind in GATED_KINDS


def find_placeholders(
    body: object, declared: tuple[Placeholder, ...] = ()
) -> tuple[str, ...]:
    """Return the placeholders that a body holds, the five first, then the declared.

    ``body`` is a text or its bytes; in anything else nothing is found.

    >>> find_placeholders("<h1>Name to confirm</h1><p>$X.XM</p>")
    ('Name to confirm', '$X.XM')
    """
    match body:
        case str():
            raw = body.encode("utf-8", "surrogatepass")
        case bytes() | bytearray() | memoryview():
            raw = bytes(body)
        case _:
            return ()
    wanted = tuple(dict.fromkeys(one.text for one in (*PLACEHOLDERS, *declared)))
    text = _text(raw)
    if raw.startswith(_UTF_16_MARKS) and text is not None:
        raw = text.encode("utf-8", "replace")
    missing = {
        one: _spaced(one) for one in wanted if one.encode("utf-8", "replace") not in raw
    }
    for seen in () if text is None else _seen(text):
        missing = {one: words for one, words in missing.items() if words not in seen}
    return tuple(one for one in wanted if one not in missing)


def _text(content: bytes) -> str | None:
    """Return the text of bytes, by their mark or as UTF-8; None where they are none."""
    encoding = "utf-8"
    if content.startswith(_UTF_16_MARKS):
        encoding = "utf-16"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _seen(page: str) -> Iterator[str]:
    """Yield what a person reads of a page, in pieces; white space is one space.

    A piece ends where a sentence does, so that whatever stands on the page is
    in one of them.
    """
    start_tag, end_tag, words = (
        TokenType.START_TAG,
        TokenType.END_TAG,
        TokenType.TEXT,
    )
    pieces: list[str] = []
    unseen = ""
    for token in turbohtml.tokenize(page, capture_attributes=False):
        kind = token.type
        if kind is words:
            if not unseen:
                pieces.append(token.data or "")
        elif kind is start_tag or kind is end_tag:
            tag = token.tag or ""
            if tag not in _INLINE:
                pieces.append(_BREAK)
                if len(pieces) > _MAX_PIECES:
                    yield _spaced("".join(pieces))
                    pieces = [_BREAK]
            if kind is end_tag:
                unseen = "" if tag == unseen else unseen
            elif not unseen and tag in _UNSEEN:
                unseen = tag
    yield _spaced("".join(pieces))


def _spaced(text: str) -> str:
    return " ".join(text.translate(_SPACES).split())


def _told(placeholder: str, text: str | None) -> Diagnostic:
    at = -1 if text is None else text.find(placeholder)
    span: Span | None = (at, at + len(placeholder)) if at >= 0 else None
    return Diagnostic(
        "artifact-publication-blocked",
        "error",
        f"The page still holds {placeholder[:_MAX_SHOWN_CHARS]!r}, which is a template's "
        "and stands in no finished page. Nothing was saved; write what belongs there, "
        "or leave that part out, and save it again.",
        span,
    )
