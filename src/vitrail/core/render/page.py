"""A preview document in the making: the source, and what is injected into it.

Strategy: the steps never touch the text. Each returns injections at offsets of
the source, and one join puts them in, so the source between two injections is
equal to the source, whatever the steps do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from vitrail.core.document.source import Source

__all__ = ["Drawing", "Injection", "Page", "assemble"]

Drawing: TypeAlias = Literal["html", "svg"]


@dataclass(frozen=True, slots=True)
class Injection:
    """A text that the preview document has and the source has not."""

    offset: int
    """Where it goes, in code points of the source."""
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """What the steps know of the document they build."""

    source: Source
    drawing: Drawing
    """How the source is written: a page of its own, or an SVG to be hosted in one."""
    title: str
    generation: str
    """Names this one document to the host; empty for one that nobody listens to."""
    bridge: str
    """The bridge's script; empty for a document without one."""


def assemble(text: str, injections: Iterable[Injection]) -> str:
    """Return the text with the injections in it, those of one offset in their order.

    Raises ``ValueError`` for an offset outside the text.

    >>> assemble("ad", [Injection(1, "b"), Injection(1, "c")])
    'abcd'
    """
    pieces: list[str] = []
    done = 0
    for injection in sorted(injections, key=lambda injection: injection.offset):
        if not 0 <= injection.offset <= len(text):
            msg = f"expected an offset up to {len(text)}, got {injection.offset}"
            raise ValueError(msg)
        pieces += (text[done : injection.offset], injection.text)
        done = injection.offset
    pieces.append(text[done:])
    return "".join(pieces)
