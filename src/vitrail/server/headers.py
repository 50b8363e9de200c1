"""Headers that every response of the app carries, and those of downloads."""

from __future__ import annotations

import unicodedata
from typing import Final
from urllib.parse import quote

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vitrail.server.security import PREVIEW_PREFIX

__all__ = ["RAW_POLICY", "DefaultHeaders", "content_disposition"]

RAW_POLICY: Final = (
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of stored files served raw: an opaque origin, no script, no request (field bug 22)."""

_EVERYWHERE: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class DefaultHeaders:
    """Adds what every response needs; what a route set stands."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the inner application; the preview site's responses are its own."""
        path = scope.get("path", "")
        if scope["type"] != "http" or path.startswith(PREVIEW_PREFIX):
            await self._app(scope, receive, send)
            return

        async def with_defaults(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _EVERYWHERE.items():
                    headers.setdefault(name, value)
                if path.startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, with_defaults)


def content_disposition(name: str, *, is_attachment: bool = True) -> str:
    r"""Return the header that names a download, whatever characters the name has.

    An ASCII form for old clients and the UTF-8 form of RFC 6266; nothing in
    the name can end either.

    >>> content_disposition('一覧 "1".html')
    'attachment; filename="__ _1_.html"; filename*=UTF-8\'\'%E4%B8%80%E8%A6%A7%20%221%22.html'
    """
    base = name.rpartition("/")[2] or "download"
    composed = unicodedata.normalize("NFC", base)
    plain = "".join(
        c if c.isascii() and c.isprintable() and c not in '"\\%' else "_"
        for c in composed
    )
    encoded = quote(composed.encode("utf-8", "replace"), safe="")
    kind = "attachment" if is_attachment else "inline"
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{encoded}"
