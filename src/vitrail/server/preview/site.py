"""The preview site: what models make, under a name of its own.

Strategy: one pure ASGI application that answers three things and refuses all
else. An address is ``/p/CAPABILITY/PATH``:

* the entry file, asked for as a document, is its preview document;
* any file of the entry's project, asked for in any other way, is its bytes;
* everything else is a page of words.

Every answer carries the whole policy of `vitrail.core.render.policy`. No
cookie is read or set, and the app's routes are not here: there is nothing on
this site that a token would open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from vitrail.core.render.document import PreviewOptions, preview_document
from vitrail.core.render.kinds import kind_of, mode_of
from vitrail.core.render.policy import Policy, document_headers, words_headers
from vitrail.core.render.source_view import words_page
from vitrail.errors import InvalidPath, NotFound, VitrailError
from vitrail.ports import OpenedFile
from vitrail.protocol.http import PreviewInfo
from vitrail.protocol.records import FileInfo
from vitrail.server.preview.capabilities import (
    Capabilities,
    Capability,
    Entry,
    expired,
)
from vitrail.server.preview.hosts import artifact_host, is_preview_host, origin_for
from vitrail.server.sending import decide, send_file

__all__ = ["PreviewSettings", "PreviewSite", "ProjectFiles", "create_preview_app"]

_SMALL_BYTES: Final = 64 * 1024
"""A document is made of so much in a few milliseconds; more goes to a thread."""

_DOCUMENT_DESTINATIONS: Final = frozenset({"document", "iframe", "frame"})
"""``Sec-Fetch-Dest`` of a load that becomes a document."""
_PROBE: Final = bytes.fromhex(
    "47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b"
)
"""A GIF of one transparent pixel: whoever can load it can reach this site."""


class ProjectFiles(Protocol):
    """What the site needs of the store: to read, nothing else."""

    async def open_file(
        self, project_id: str, path: str
    ) -> tuple[OpenedFile, FileInfo]:
        """Return a working file held open; raise ``NotFound`` or ``InvalidPath``."""
        ...


@dataclass(frozen=True, slots=True)
class PreviewSettings:
    """Where the preview site is, and who may show what it serves."""

    origin: str
    """Origin of the preview site, such as ``http://localhost:7718``."""
    app_origins: tuple[str, ...]
    """Origins whose pages may frame a preview; the first is the app's own."""
    fallback_prefix: str = "/preview"
    """Where the app's origin serves the same answers."""
    has_artifact_hosts: bool = False
    """Whether names below `origin`'s may lead here: each preview then has its own."""


@dataclass(frozen=True, slots=True)
class PreviewSite:
    """The previews that are open, and the site that shows them."""

    store: ProjectFiles
    capabilities: Capabilities
    settings: PreviewSettings
    bridge: str = field(repr=False)
    """The script that every drawn document begins with."""

    @property
    def app(self) -> ASGIApp:
        """The site under its own origin."""
        return create_preview_app(self)

    @property
    def fallback_app(self) -> ASGIApp:
        """The same answers under the app's origin, below the fallback prefix."""
        return create_preview_app(self, is_fallback=True)

    async def open(self, project_id: str, path: str) -> PreviewInfo:
        """Return a new address that shows the file while a host keeps it alive.

        Raises ``NotFound`` and ``InvalidPath`` as the store does.
        """
        opened, info = await self.store.open_file(project_id, path)
        opened.close()
        kind = kind_of(info.path, info.manifest)
        entry = Entry(project_id, info.path, info.digest, kind, mode_of(kind))
        return self._describe(self.capabilities.open(entry))

    async def keep(self, capability: str) -> PreviewInfo:
        """Keep an address alive; raise ``NotFound('preview-expired')``."""
        return self._describe(self.capabilities.keep(capability))

    async def drop(self, capability: str) -> None:
        """Let an address go; one that is gone stays gone."""
        self.capabilities.close(capability)

    def _describe(self, capability: Capability) -> PreviewInfo:
        entry = capability.entry
        settings = self.settings
        address = _address(capability.secret, entry.path)
        own_host_url = None
        if settings.has_artifact_hosts:
            # by the capability, not by the file: a page that loops must not keep
            # its own mended revision from loading
            own_host_url = artifact_host(settings.origin, capability.secret) + address
        return PreviewInfo(
            url=settings.origin + address,
            own_host_url=own_host_url,
            fallback_url=settings.fallback_prefix + address,
            capability=capability.secret,
            generation=capability.generation,
            path=entry.path,
            digest=entry.digest,
            mode=entry.mode,
            kind=entry.kind,
            expires_in_s=self.capabilities.ttl_s,
        )


def create_preview_app(site: PreviewSite, *, is_fallback: bool = False) -> ASGIApp:
    """Return the site as an application.

    ``is_fallback``: it answers below the app's origin, whose own checks of the
    ``Host`` header come before it.
    """

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "http":
                response = await _Answer(site, scope, is_fallback).response()
                await response(scope, receive, send)
            case "websocket":
                await send({"type": "websocket.close", "code": 1008})
            case _:
                await _lifespan(receive, send)

    return app


async def _lifespan(receive: Receive, send: Send) -> None:
    """Say yes to the start and the end: nothing is held open here."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


class _Answer:
    """The answer to one request."""

    def __init__(self, site: PreviewSite, scope: Scope, is_fallback: bool) -> None:  # noqa: FBT001 - private, one caller
        self._site = site
        self._scope = scope
        self._headers = Headers(scope=scope)
        self._is_fallback = is_fallback

    async def response(self) -> Response:
        """Return the response, a page of words for whatever is refused."""
        try:
            return await self._serve()
        except VitrailError as error:
            return self._words(error)

    async def _serve(self) -> Response:
        method = self._scope["method"]
        if method not in {"GET", "HEAD"}:
            return self._words(
                NotFound("Previews can only be read.", code="method-not-allowed"),
                {"allow": "GET, HEAD"},
            )
        settings = self._site.settings
        host = self._headers.get("host", "")
        is_known = self._is_fallback or is_preview_host(
            host, settings.origin, has_artifact_hosts=settings.has_artifact_hosts
        )
        if not is_known:
            raise NotFound(
                "This site does not answer to that host name.",
                code="host-not-allowed",
            )
        path = self._path()
        if path == "/probe.gif":
            return self._send(_PROBE, "image/gif", words_headers(()))
        secret, slash, file = path.removeprefix("/p/").partition("/")
        if not path.startswith("/p/") or not slash:
            raise NotFound(
                "Nothing is here. Previews are shown by the workspace.",
            )
        return await self._serve_file(self._site.capabilities.find(secret), file)

    def _path(self) -> str:
        """Return the path below the prefix that this site is mounted at."""
        path: str = self._scope["path"]
        root: str = self._scope.get("root_path", "")
        if root and path.startswith(f"{root}/"):
            path = path[len(root) :]
        if self._is_fallback and path.startswith(
            f"{self._site.settings.fallback_prefix}/"
        ):
            path = path[len(self._site.settings.fallback_prefix) :]
        return path

    async def _serve_file(self, capability: Capability, path: str) -> Response:
        entry = capability.entry
        if any(segment.startswith(".") for segment in path.split("/")):
            raise _no_such_file()  # hidden files are listed nowhere either
        try:
            opened, info = await self._site.store.open_file(entry.project_id, path)
        except (NotFound, InvalidPath) as error:
            if error.code == "project-not-found":
                self._site.capabilities.close(capability.secret)
                raise expired() from error
            raise _no_such_file() from error
        if not self._is_document(info.path == entry.path, info):
            return self._raw(capability, opened, info)
        try:
            content = await opened.read(0, info.size)
        finally:
            opened.close()
        if info.size <= _SMALL_BYTES:
            return self._document(capability, content, info)
        return await asyncio.to_thread(self._document, capability, content, info)

    def _is_document(self, is_entry: bool, info: FileInfo) -> bool:  # noqa: FBT001 - private, one caller
        """Whether the request is for something to look at, not for bytes."""
        destination = self._headers.get("sec-fetch-dest")
        if is_entry:
            return destination is None or destination in _DOCUMENT_DESTINATIONS
        kind = kind_of(info.path, info.manifest)
        return destination in _DOCUMENT_DESTINATIONS and mode_of(kind) == "document"

    def _document(
        self, capability: Capability, content: bytes, info: FileInfo
    ) -> Response:
        text = _text(content)
        if text is None:
            return self._not_text(capability, info)
        entry = capability.entry
        is_entry = info.path == entry.path
        kind = entry.kind if is_entry else kind_of(info.path, info.manifest)
        options = PreviewOptions(
            title=info.path.rpartition("/")[2],
            # a document inside the artifact has the bridge, but nobody listens to it
            generation=capability.generation if is_entry else "",
            bridge=self._site.bridge,
        )
        document = preview_document(text, kind, options)
        has_scripts = mode_of(kind) == "document"
        headers = document_headers(self._policy(capability, has_scripts=has_scripts))
        return self._send(document.encode(), "text/html; charset=utf-8", headers)

    def _not_text(self, capability: Capability, info: FileInfo) -> Response:
        page = words_page(
            "This file is not text",
            f"{info.path} holds {info.size} bytes that are not UTF-8 text, so there "
            "is nothing to draw and no source to show. It can be downloaded from "
            "the workspace.",
        )
        headers = document_headers(self._policy(capability, has_scripts=False))
        return self._send(page.encode(), "text/html; charset=utf-8", headers)

    def _raw(
        self, capability: Capability, opened: OpenedFile, info: FileInfo
    ) -> Response:
        # without an entity tag: a preview is never cached
        method = self._scope["method"]
        return send_file(
            opened,
            info,
            decide(self._headers, method, size=info.size, digest=None),
            document_headers(self._policy(capability, has_scripts=True)),
            media_type=info.media_type,
            is_head=method == "HEAD",
        )

    def _policy(self, capability: Capability, *, has_scripts: bool) -> Policy:
        settings = self._site.settings
        origin = self._origin()
        prefix, ancestors = "", settings.app_origins
        if self._is_fallback:
            prefix = settings.fallback_prefix
            ancestors = tuple(dict.fromkeys((*settings.app_origins, origin)))
        return Policy(
            own=f"{origin}{prefix}/p/{capability.secret}/",
            frame_ancestors=ancestors,
            has_scripts=has_scripts,
        )

    def _origin(self) -> str:
        """Return the origin that the checked ``Host`` header means."""
        host = self._headers.get("host", "").lower()
        settings = self._site.settings
        if not self._is_fallback:
            return origin_for(host, settings.origin)
        # a proxy in front may have ended the encryption that people see
        public = (o for o in settings.app_origins if o.partition("://")[2] == host)
        return next(public, f"{self._scope['scheme']}://{host}")

    def _words(
        self, error: VitrailError, more: Mapping[str, str] | None = None
    ) -> Response:
        title = _TITLES.get(error.status, "There is nothing to show here")
        headers = words_headers(self._site.settings.app_origins) | dict(more or {})
        page = words_page(title, error.message)
        return self._send(
            page.encode(), "text/html; charset=utf-8", headers, status=error.status
        )

    def _send(
        self,
        content: bytes,
        media_type: str,
        headers: Mapping[str, str],
        *,
        status: int = 200,
    ) -> Response:
        is_head = self._scope["method"] == "HEAD"
        return Response(
            content=b"" if is_head else content,
            status_code=status,
            headers={
                **headers,
                "content-type": media_type,
                "content-length": str(len(content)),
            },
        )


_TITLES: Final = {
    405: "This cannot be done here",
    410: "This preview is closed",
    421: "Wrong address",
}


def _no_such_file() -> NotFound:
    return NotFound(
        "There is no such file in this project. A page can show files that are "
        "in its own project only.",
        code="file-not-found",
    )


def _text(content: bytes) -> str | None:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _address(secret: str, path: str) -> str:
    return f"/p/{secret}/{quote(path)}"
