"""The bridge as the web build left it."""

from __future__ import annotations

from importlib import resources

from vitrail.errors import SetupError

__all__ = ["load_bridge"]


def load_bridge() -> str:
    """Return the bridge's script; raise ``SetupError('web-bundle-missing')``."""
    file = resources.files("vitrail.server") / "static" / "bridge.js"
    try:
        return file.read_text("utf-8")
    except FileNotFoundError as cause:
        raise SetupError(
            "The preview's script has not been built. Run `make run` once in the "
            "source tree, or install the wheel, which holds it.",
            code="web-bundle-missing",
        ) from cause
