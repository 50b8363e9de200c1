"""The app's own pages: the web bundle, its policy, and plain pages for plain news."""

from __future__ import annotations

import stat
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from vitrail.errors import CODES
from vitrail.server.places import Places

__all__ = ["BUNDLE", "AppPolicy", "WebBundle", "plain_page"]

BUNDLE: Final = Path(__file__).parent / "web"
"""The built workspace; it ships in the wheel, and `make run` builds it."""

_IMMUTABLE: Final = "public, max-age=31536000, immutable"
"""A year, the most that RFC 9111 caches are asked to keep."""

_HASHED: Final = "assets/"
"""Where the build puts files with a digest in their name."""

_MISSING_WORDS: Final = (
    "The workspace has not been built. Run `make run` in the project's folder, or "
    "`scripts/build_web.sh` after a change; the API answers without it."
)


class AppPolicy:
    """The ``Content-Security-Policy`` of the app's own pages (design §5).

    ``frame-src`` is what keeps a previewed page from navigating its frame
    away: the browser refuses before any request leaves.
    """

    def __init__(self, places: Places, *, embed_origins: tuple[str, ...]) -> None:
        self._places = places
        self._ancestors = " ".join(embed_origins) or "'none'"
        self._steady = {
            "Cross-Origin-Opener-Policy": "same-origin",
            "Permissions-Policy": (
                "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
            ),
        }
        if not embed_origins:
            self._steady["X-Frame-Options"] = "DENY"

    def headers(self, scope: Scope) -> dict[str, str]:
        """Return the headers for a page that was asked for by an accepted host."""
        host = Headers(scope=scope)["host"].lower()
        return {
            "Content-Security-Policy": self._policy(f"{scope['scheme']}://{host}"),
            **self._steady,
        }

    def _policy(self, own_origin: str) -> str:
        preview = " ".join(self._places.preview_sources(own_origin))
        directives = {
            "default-src": "'none'",
            "script-src": "'self'",
            # The component library sets styles of elements and of its own
            # scroll lock; a style cannot call out, since no source allows it.
            "style-src": "'self' 'unsafe-inline'",
            "font-src": "'self'",
            "img-src": f"'self' data: blob: {preview}",
            "media-src": f"'self' data: blob: {preview}",
            "connect-src": "'self'",
            "worker-src": "'self'",
            "manifest-src": "'self'",
            "frame-src": preview,
            "object-src": "'none'",
            "base-uri": "'none'",
            "form-action": "'self'",
            "frame-ancestors": self._ancestors,
        }
        return "; ".join(f"{name} {value}" for name, value in directives.items())


class WebBundle(StaticFiles):
    """The workspace's files; an address that names none of them is a page of it."""

    def __init__(self, policy: AppPolicy, *, directory: Path) -> None:
        super().__init__(directory=directory, check_dir=False)
        self._folder = directory
        self._policy = policy
        # A bundle that is not there is met with words, not with an exception.
        self.config_checked = True

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file of the bundle, the workspace's page, or 404."""
        if scope["path"].startswith(("/api/", "/preview/")):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != HTTPStatus.NOT_FOUND or not _is_page(path):
                raise
            return await self._page(scope)
        is_hashed = path.startswith(_HASHED)
        response.headers["Cache-Control"] = _IMMUTABLE if is_hashed else "no-cache"
        if path.endswith(".html"):
            response.headers.update(self._policy.headers(scope))
        return response

    async def _page(self, scope: Scope) -> Response:
        """Return the workspace, which reads the address itself."""
        full_path, found = self.lookup_path("index.html")
        if found is None or not stat.S_ISREG(found.st_mode):
            return plain_page(
                "The workspace is not here yet",
                _MISSING_WORDS,
                code="web-bundle-missing",
            )
        response = self.file_response(full_path, found, scope)
        response.headers["Cache-Control"] = "no-cache"
        response.headers.update(self._policy.headers(scope))
        return response


def _is_page(path: str) -> bool:
    """Whether an address that is no file is one of the workspace's views.

    A project's name may have a dot; elsewhere a dot means a file that is gone.
    """
    return path.startswith("p/") or "." not in path.rpartition("/")[2].strip(".")


def plain_page(title: str, words: str, *, code: str) -> HTMLResponse:
    """Return a page that tells an error and needs nothing but itself."""
    body = (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title>"
        '<body style="font:16px/1.5 system-ui;max-width:40rem;margin:20vh auto;'
        'padding:0 1rem">'
        f"<h1>{escape(title)}</h1><p>{_with_code(words)}</p>"
        f"<p><small><code>{escape(code)}</code></small></p>"
    )
    return HTMLResponse(
        body,
        status_code=CODES[code].status,
        headers={
            "Cache-Control": "no-store",
            "Content-Security-Policy": (
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
                "form-action 'none'; frame-ancestors 'none'"
            ),
        },
    )


def _with_code(words: str) -> str:
    """Return the words as HTML, what stands in backticks as code."""
    parts = escape(words).split("`")
    return "".join(
        f"<code>{part}</code>" if number % 2 else part
        for number, part in enumerate(parts)
    )
