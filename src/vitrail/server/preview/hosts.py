"""Names of the preview site: its own, and one below it for each preview."""

from __future__ import annotations

import hashlib
import re
from typing import Final
from urllib.parse import urlsplit

__all__ = ["artifact_host", "is_preview_host", "origin_for"]

_LABEL_CHARS: Final = 20
"""80 bits of SHA-256: two artifacts never meet by accident."""
_LABEL: Final = re.compile(rf"[0-9a-f]{{{_LABEL_CHARS}}}")


def artifact_host(origin: str, name: str) -> str:
    """Return the origin of one preview: a label of its own below the site's name.

    The label is a digest: it gives nothing of the name away.

    >>> artifact_host("http://localhost:7718", "p/a.html")
    'http://d89b190207b8039dd070.localhost:7718'
    """
    label = hashlib.sha256(name.encode()).hexdigest()[:_LABEL_CHARS]
    scheme, _, host = origin.partition("://")
    return f"{scheme}://{label}.{host}"


def is_preview_host(host: str, origin: str, *, has_artifact_hosts: bool) -> bool:
    """Return whether a ``Host`` header names the preview site.

    Only the site's own name does, never the address it listens on: under the
    app's name it would share the app's site, and with it a process.

    >>> is_preview_host("127.0.0.1:7718", "http://localhost:7718", has_artifact_hosts=True)
    False
    """
    name = host.lower()
    own = _netloc(origin)
    if name == own:
        return True
    label, dot, rest = name.partition(".")
    return bool(has_artifact_hosts and dot and rest == own and _LABEL.fullmatch(label))


def origin_for(host: str, origin: str) -> str:
    """Return the origin that a checked ``Host`` header means."""
    return f"{urlsplit(origin).scheme}://{host.lower()}"


def _netloc(origin: str) -> str:
    return urlsplit(origin).netloc.lower()
