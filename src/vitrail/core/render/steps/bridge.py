"""The bridge: one script, before any script of the page."""

from __future__ import annotations

import html

from vitrail.core.document.source import script_offset
from vitrail.core.render.page import Injection, Page

__all__ = ["bridge_script", "inject_bridge"]


def inject_bridge(page: Page) -> tuple[Injection, ...]:
    """Put the bridge where it runs first."""
    if not page.bridge:
        return ()
    match page.drawing:
        case "html":
            offset = script_offset(page.source)
        case "svg":
            offset = page.source.starts_at
    return (Injection(offset, bridge_script(page.bridge, page.generation)),)


def bridge_script(bridge: str, generation: str) -> str:
    """Return the script element.

    Raises ``ValueError`` for a script that would not end where it should, or
    that would move the lines of the source.
    """
    forbidden = ("</script", "<!--", "\n", "\r")
    if any(text in bridge.lower() for text in forbidden):
        msg = "expected a bridge on one line without '</script' and '<!--'"
        raise ValueError(msg)
    return f'<script data-vitrail-bridge="{html.escape(generation)}">{bridge}</script>'
