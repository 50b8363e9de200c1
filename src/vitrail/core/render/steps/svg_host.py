"""An SVG is drawn inside a page of ours, inline, so that the bridge is in it too."""

from __future__ import annotations

import html
from typing import Final

from vitrail.core.render.page import Injection, Page

__all__ = ["host_svg"]

_STYLE: Final = """
html,body{margin:0;min-height:100%}
body{min-height:100vh;display:grid;place-items:center;background:#fff}
body>svg{max-width:100%;max-height:100vh;height:auto}
body>svg:not([width]){width:100%;height:100vh}
"""


def host_svg(page: Page) -> tuple[Injection, ...]:
    """Open the hosting page before the source."""
    if page.drawing != "svg":
        return ()
    opening = (
        '<!doctype html><html><head><meta charset="utf-8">'
        f"<title>{html.escape(page.title)}</title><style>{_STYLE}</style>"
    )
    return (Injection(page.source.starts_at, opening),)
