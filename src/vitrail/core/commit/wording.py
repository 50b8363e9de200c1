"""Words and passages of a text, to say which of them are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from vitrail.core.commit.thing import Thing

__all__ = ["first_words", "passages_in", "words_of"]

_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
"""A run of letters and digits; of scripts that put no spaces, one character."""

_MAX_SHOWN_CHARS: Final = 60


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text, case-folded.

    >>> list(words_of("Größe: 3 km, 図表"))
    ['grösse', '3', 'km', '図', '表']
    """
    return (found[0].casefold() for found in _WORD.finditer(text))


def passages_in(text: str) -> tuple[Thing, ...]:
    """Return the passages of a plain text: lines up to a blank one."""
    return tuple(_passages(text))


def _passages(text: str) -> Iterator[Thing]:
    start: int | None = None
    at = end = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            start = at if start is None else start
            end = at + len(line)
        elif start is not None:
            yield _passage(text, start, end)
            start = None
        at += len(line)
    if start is not None:
        yield _passage(text, start, end)


def _passage(text: str, start: int, end: int) -> Thing:
    passage = text[start:end]
    shown = first_words(passage)
    return Thing("words", passage.strip(), shown, (start, end), passage)


def first_words(text: str) -> str:
    """Return how a passage begins, as one line."""
    # a passage may be long; what is shown comes from its begin
    words = text[: 8 * _MAX_SHOWN_CHARS].split()
    line = " ".join(words)
    if len(line) <= _MAX_SHOWN_CHARS:
        return line
    return line[:_MAX_SHOWN_CHARS].rpartition(" ")[0] or line[:_MAX_SHOWN_CHARS]
