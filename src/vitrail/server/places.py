"""Where things are reached: the app's origin, the preview site's, and what that allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from vitrail.server.security import PREVIEW_PREFIX
from vitrail.server.settings import DEFAULT_HOST, Settings, host_of

__all__ = ["PREVIEW_NAME", "Places", "PreviewMode", "places_of"]

PreviewMode: TypeAlias = Literal["separate", "same-origin"]

PREVIEW_NAME = "localhost"
"""The other loopback name: another site than the app's, whatever the ports (design §5)."""


@dataclass(frozen=True, slots=True)
class Places:
    """Origins as browsers see them."""

    app_origin: str
    preview_origin: str
    """The app's own where the preview site has no name of its own."""
    preview_mode: PreviewMode
    has_artifact_hosts: bool = False
    """Whether names below the preview site's reach it too."""

    def preview_sources(self, own_origin: str) -> tuple[str, ...]:
        """Return policy sources that cover every preview address.

        ``own_origin`` is the app's as this request sees it: through a port
        forward, or behind a proxy that ends the encryption, it is another one.
        """
        own = dict.fromkeys((own_origin, self.app_origin))
        sources = [f"{origin}{PREVIEW_PREFIX}" for origin in own]
        if self.preview_mode == "separate":
            sources.append(self.preview_origin)
            if self.has_artifact_hosts:
                scheme, _, host = self.preview_origin.partition("://")
                sources.append(f"{scheme}://*.{host}")
        return tuple(sources)


def places_of(settings: Settings, *, has_artifact_hosts: bool = False) -> Places:
    """Return the places that the settings, with the ports really bound, come to.

    A deployment that names its public address and no preview site shows
    previews under the app's origin: no other name of it is known.
    """
    shown_host = f"[{settings.host}]" if ":" in settings.host else settings.host
    app_origin = settings.public_url or f"http://{shown_host}:{settings.port}"
    if settings.preview_url is not None:
        return Places(app_origin, settings.preview_url, "separate")
    if settings.public_url is not None or host_of(app_origin) != DEFAULT_HOST:
        return Places(app_origin, app_origin, "same-origin")
    return Places(
        app_origin,
        f"http://{PREVIEW_NAME}:{settings.preview_port}",
        "separate",
        has_artifact_hosts,
    )
