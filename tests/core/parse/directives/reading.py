"""Readers of directives, driven whole and one character at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Came:
    """What came of one candidate."""

    verdict: str | None
    to: int
    """Of a tag the place behind it, of text the place of the verdict."""
    found: Any
    codes: list[str]
    looked: int


def read_in(reader, pieces):
    """Return what came of a candidate whose text comes in these pieces."""
    buf, at = "", 0
    for number, piece in enumerate(pieces):
        buf += piece
        final = number == len(pieces) - 1
        at = reader.read(buf, at, len(buf), final=final)
        assert at <= len(buf)
        if reader.verdict is not None:
            break
        assert at == len(buf), "a reader that has not decided reads all there is"
    to = reader.end if reader.verdict == "tag" else at
    codes = [diagnostic.code for diagnostic in reader.diagnostics]
    return Came(reader.verdict, to, reader.found(), codes, reader.looked)


def read_both_ways(make, text):
    """Return what came of a text, which must not depend on its pieces."""
    whole = read_in(make(), [text])
    single = read_in(make(), list(text) or [""])
    assert whole == single
    return whole
