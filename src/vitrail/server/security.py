"""The door: every request passes here before any route sees it.

Strategy: pure ASGI, one pure decision (`refusal`) and one effect (`Door`).
What is asked, in this order:

1. ``Host``: exactly one, and a name that is ours. A page of another site whose
   name was pointed at this machine (DNS rebinding) fails here.
2. ``Origin`` and ``Sec-Fetch-Site``: whatever changes something, and everything
   under ``/api``, is answered to our own pages and to programs only. No page of
   another origin, the preview site and sandboxed ones (``null``) included,
   ever gets a byte of it; there are no CORS headers.
3. The token or the cookie, for ``/api``.
4. The size that the request announces; what comes unannounced is counted while
   it is read.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from starlette.datastructures import URL, Headers
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vitrail.errors import InvalidInput, NotPermitted, VitrailError
from vitrail.limits import (
    MAX_IMPORT_BYTES,
    MAX_REQUEST_BYTES,
    MAX_TRANSCRIPT_BYTES,
)
from vitrail.server.access import Access
from vitrail.server.problems import problem_of, problem_response

__all__ = ["PREVIEW_PREFIX", "Door", "HostRule", "host_name", "refusal"]

_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITES: Final = frozenset({"same-origin", "none"})
"""``Sec-Fetch-Site``: our own pages, and what a person typed or opened."""
_MAX_LENGTH_DIGITS: Final = 18
"""Of a ``Content-Length``; a longer number is too large whatever it says."""
_TRANSCRIPTS: Final = re.compile(r"/api/projects/[^/]{1,64}/transcripts")
"""Where a body may be longer: it goes to the disk as it comes."""
_ARCHIVES: Final = re.compile(r"/api/(?:projects/[^/]{1,64}/import|imports)")
"""The same of archives and bundles."""
PREVIEW_PREFIX: Final = "/preview/"
"""Where the preview site lives when its own name is not reachable; it has rules of its own."""


@dataclass(frozen=True, slots=True)
class HostRule:
    """Which names the app answers to."""

    names: frozenset[str]
    """Lower case, without port and brackets."""
    public_origin: str | None = None

    def accepts(self, host: str, *, listens_on: str | None) -> bool:
        """Return whether ``host`` (a ``Host`` header) names this server.

        The address that the connection came in on is always a name of it: an
        address cannot be rebound.
        """
        name = host_name(host)
        if name is None:
            return False
        return name in self.names or (_is_address(name) and name == listens_on)


def host_name(host: str) -> str | None:
    """Return the name in a ``Host`` header, lower case and bare; None for nonsense.

    >>> host_name("[::1]:7717"), host_name("A.Example"), host_name("a:b:c")
    ('::1', 'a.example', None)
    """
    if host.startswith("["):
        name, closed, rest = host[1:].partition("]")
        port = rest.removeprefix(":")
        is_whole = bool(closed) and (not rest or rest.startswith(":"))
    else:
        name, _, port = host.partition(":")
        is_whole = True
    if not is_whole or not name or not (port.isdecimal() or not port):
        return None
    return name.lower().removesuffix(".")


def refusal(
    scope: Scope, headers: Headers, *, hosts: HostRule, access: Access
) -> VitrailError | None:
    """Return why a request may not pass, or None."""
    return (
        _host_refusal(scope, headers, hosts)
        or _origin_refusal(scope, headers, hosts)
        or _token_refusal(scope, headers, access)
        or _size_refusal(headers, _max_bytes(scope))
    )


class Door:
    """The application behind the checks."""

    def __init__(
        self, app: ASGIApp, *, hosts: HostRule, access: Access, address: str
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._access = access
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer why not."""
        if scope["type"] == "websocket":
            # There are none; a cross-site one would carry cookies.
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        error = refusal(scope, headers, hosts=self._hosts, access=self._access)
        if error is not None:
            is_401 = error.code == "token-required"
            challenge = {"WWW-Authenticate": "Bearer"} if is_401 else None
            await problem_response(problem_of(error), challenge)(scope, receive, send)
            return
        if self._is_page_by_other_name(scope, headers):
            url = URL(scope=scope).replace(hostname=self._address)
            await RedirectResponse(url)(scope, receive, send)
            return
        await self._app(scope, _counted(receive, _max_bytes(scope)), send)

    def _is_page_by_other_name(self, scope: Scope, headers: Headers) -> bool:
        """A page of ours asked for as ``localhost``, the preview site's name.

        Sites are told apart by name and not by port: under that name, app and
        artifacts would share a site, and with it a process.
        """
        return (
            host_name(headers["host"]) == "localhost"
            and self._hosts.public_origin is None
            and scope["method"] in ("GET", "HEAD")
            and not _is_api(scope)
        )


def _host_refusal(
    scope: Scope, headers: Headers, hosts: HostRule
) -> VitrailError | None:
    named = headers.getlist("host")
    server = scope.get("server")
    listens_on = server[0] if server else None
    if len(named) == 1 and hosts.accepts(named[0], listens_on=listens_on):
        return None
    return NotPermitted(
        "This server does not answer to that host name. Open it by the address it "
        "printed, or add the name to VITRAIL_ALLOWED_HOSTS.",
        code="host-not-allowed",
    )


def _origin_refusal(
    scope: Scope, headers: Headers, hosts: HostRule
) -> VitrailError | None:
    is_page = scope["method"] in _SAFE_METHODS and not _is_api(scope)
    if is_page or scope["path"].startswith(PREVIEW_PREFIX):
        return None
    own = {f"{scope['scheme']}://{headers['host'].lower()}", hosts.public_origin}
    is_own = all(origin.lower() in own for origin in headers.getlist("origin"))
    site = headers.get("sec-fetch-site")
    if is_own and (site is None or site in _OWN_SITES):
        return None
    return NotPermitted(
        "Only the pages of this server, and programs with its token, may ask this.",
        code="origin-not-allowed",
    )


def _token_refusal(
    scope: Scope, headers: Headers, access: Access
) -> VitrailError | None:
    if not _is_api(scope) or access.allows(
        authorization=headers.get("authorization"),
        cookies="; ".join(headers.getlist("cookie")) or None,
    ):
        return None
    return NotPermitted(
        "This needs the token of the data folder (Authorization: Bearer), or a "
        "browser that opened the link which `vitrail serve` printed.",
    )


def _max_bytes(scope: Scope) -> int:
    """Return how long the body of a request may be."""
    if _TRANSCRIPTS.fullmatch(scope["path"]):
        return MAX_TRANSCRIPT_BYTES
    is_archive = _ARCHIVES.fullmatch(scope["path"]) is not None
    return MAX_IMPORT_BYTES if is_archive else MAX_REQUEST_BYTES


def _size_refusal(headers: Headers, most: int) -> VitrailError | None:
    length = headers.get("content-length", "0")
    is_number = length.isdecimal() and len(length) <= _MAX_LENGTH_DIGITS
    if is_number and int(length) <= most:
        return None
    return InvalidInput(
        f"The body is larger than this server takes ({most} bytes).",
        code="payload-too-large",
    )


def _counted(receive: Receive, most: int) -> Receive:
    """Return ``receive`` with an end where the body is larger than it may be."""
    size = 0

    async def counting() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            # The one kind of error that the framework lets through here.
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return message

    return counting


def _is_api(scope: Scope) -> bool:
    path = scope["path"]
    return bool(path == "/api" or path.startswith("/api/"))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
