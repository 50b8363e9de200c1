"""The preview site: another site beside the app, for what models make."""

from __future__ import annotations

from vitrail.server.preview.bundle import load_bridge
from vitrail.server.preview.capabilities import Capabilities, Capability
from vitrail.server.preview.site import PreviewSettings, PreviewSite, create_preview_app

__all__ = [
    "Capabilities",
    "Capability",
    "PreviewSettings",
    "PreviewSite",
    "create_preview_app",
    "load_bridge",
]
