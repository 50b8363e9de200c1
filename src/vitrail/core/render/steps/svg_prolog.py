"""What precedes the drawing in an SVG file is no HTML and would show as text.

An XML declaration, a doctype with entities, comments: they are kept in a
template, where nothing of them is shown or run.
"""

from __future__ import annotations

from vitrail.core.render.page import Injection, Page

__all__ = ["hide_prolog"]


def hide_prolog(page: Page) -> tuple[Injection, ...]:
    """Put everything before the ``svg`` element into a template."""
    if page.drawing != "svg":
        return ()
    element = page.source.document.find("svg")
    place = None if element is None else page.source.start_tag(element)
    begin = page.source.starts_at
    if place is None or not page.source.text[begin : place[0]].strip():
        return ()
    return (Injection(begin, "<template>"), Injection(place[0], "</template>"))
