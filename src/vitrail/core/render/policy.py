"""What a preview may do: the one place for its policy and its headers.

Every answer of the preview site carries the whole policy, the raw files of an
artifact and the pages of words too, so that nothing the site serves runs with
an origin, however it is opened. What each part is for is written in
``docs/security.md``; what stays open is a strict, expected-to-fail test there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = [
    "FRAME_SANDBOX",
    "PERMISSIONS_OFF",
    "Policy",
    "content_security_policy",
    "document_headers",
    "words_headers",
]

FRAME_SANDBOX: Final = ("allow-scripts", "allow-downloads", "allow-forms")
"""What the frame may do. Never ``allow-same-origin``: with scripts it is no sandbox.

``allow-forms`` lets submit handlers run; ``form-action 'none'`` lets no post out.
"""

PERMISSIONS_OFF: Final = (
    "accelerometer",
    "autoplay",
    "bluetooth",
    "browsing-topics",
    "camera",
    "clipboard-read",
    "clipboard-write",
    "compute-pressure",
    "cross-origin-isolated",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "identity-credentials-get",
    "idle-detection",
    "keyboard-map",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "otp-credentials",
    "payment",
    "picture-in-picture",
    "private-state-token-issuance",
    "private-state-token-redemption",
    "publickey-credentials-create",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "storage-access",
    "sync-xhr",
    "unload",
    "usb",
    "web-share",
    "window-management",
    "xr-spatial-tracking",
)
"""Every feature that a Permissions-Policy can switch off today, all of them off."""


@dataclass(frozen=True, slots=True)
class Policy:
    """For whom and from where one preview may load."""

    own: str | None
    """Address that the artifact's own files begin with, ending in a slash; None: it has none."""
    frame_ancestors: tuple[str, ...]
    """Origins whose pages may show it in a frame; empty: nobody's."""
    has_scripts: bool = True
    """Whether it may run scripts: the page of a source may not."""


def content_security_policy(policy: Policy) -> str:
    """Return the value of the ``Content-Security-Policy`` header.

    ``default-src 'none'`` stands for what is not named: manifests, prefetches,
    and kinds of load that are still to be invented.
    """
    own = (policy.own,) if policy.own else ()
    data = (*own, "data:", "blob:")
    script = (*own, "'unsafe-inline'", "'unsafe-eval'") if policy.has_scripts else ()
    sandbox = FRAME_SANDBOX if policy.has_scripts else ("allow-downloads",)
    directives: dict[str, tuple[str, ...]] = {
        "sandbox": sandbox,
        "default-src": (),
        "script-src": script,
        "style-src": (*own, "'unsafe-inline'"),
        "img-src": data,
        "font-src": data,
        "media-src": data,
        "connect-src": own,
        "frame-src": own,
        "worker-src": ("blob:",) if policy.has_scripts else (),
        "object-src": (),
        "form-action": (),
        "base-uri": (),
        "frame-ancestors": policy.frame_ancestors,
    }
    return "; ".join(
        f"{name} {' '.join(values) or _NONE}" for name, values in directives.items()
    )


def document_headers(policy: Policy) -> dict[str, str]:
    """Return every header of an answer that belongs to an artifact, its type aside.

    Lower case names, as ASGI has them.
    """
    return {
        "content-security-policy": content_security_policy(policy),
        # an opaque page reads its own modules, fonts and data by CORS only
        "access-control-allow-origin": "*",
        "origin-agent-cluster": "?1",
        "permissions-policy": _PERMISSIONS,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        # a name that is looked up leaves the machine before any policy is asked
        "x-dns-prefetch-control": "off",
        "cache-control": "no-store",
    }


def words_headers(frame_ancestors: tuple[str, ...]) -> dict[str, str]:
    """Return the headers of a page of our own words: styles only."""
    return document_headers(Policy(None, frame_ancestors, has_scripts=False))


_NONE: Final = "'none'"
_PERMISSIONS: Final = ", ".join(f"{feature}=()" for feature in PERMISSIONS_OFF)
