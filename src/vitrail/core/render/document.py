"""The preview document: the source, plus what makes it a guest of the workspace.

    source -> tree with places -> steps, in order -> injections -> document

The document is never written to disk, and the source never has an injection.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from vitrail.core.document.source import parse_source
from vitrail.core.render.kinds import mode_of
from vitrail.core.render.page import Drawing, Injection, Page, assemble
from vitrail.core.render.source_view import source_page
from vitrail.core.render.steps import STEPS
from vitrail.protocol.manifest import Kind

__all__ = ["PreviewOptions", "inject", "preview_document"]


@dataclass(frozen=True, slots=True)
class PreviewOptions:
    """What a preview document is built with."""

    title: str = ""
    """Of a page that has none of its own: a hosted SVG, a source."""
    generation: str = ""
    """Names the document to its host; empty for one that nobody listens to."""
    bridge: str = ""
    """The bridge's script; empty for a document without one."""


def preview_document(text: str, kind: Kind | None, options: PreviewOptions) -> str:
    """Return the document that a frame shows for a source of that kind.

    A kind that is not drawn yet gives the page of its source.

    >>> preview_document("<head><p>", "html", PreviewOptions(bridge="go()"))
    '<head><script data-vitrail-bridge="">go()</script><p>'
    """
    if mode_of(kind) == "source":
        return source_page(text, title=options.title)
    drawing: Drawing = "svg" if kind == "svg" else "html"
    return assemble(text, inject(text, drawing, options))


def inject(
    text: str, drawing: Drawing, options: PreviewOptions
) -> tuple[Injection, ...]:
    """Return everything that the steps put into the source, in order."""
    page = Page(
        source=parse_source(text),
        drawing=drawing,
        title=options.title,
        generation=options.generation,
        bridge=options.bridge,
    )
    return tuple(chain.from_iterable(step(page) for step in STEPS))
