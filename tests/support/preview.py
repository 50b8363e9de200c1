"""A preview site, a host page and a listener, for tests of what a page can do.

Strategy: three servers on the test's own event loop. The app stands under
127.0.0.1 with the policy of the real one and a host page that does what the
workspace does; the preview site is the real one, under localhost; the listener
is the rest of the world: it writes down every connection and every packet.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import uvicorn
from playwright.async_api import Frame, Page
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from tests.support.chromium import free_port
from vitrail.adapters.media import media_type_of
from vitrail.errors import InvalidPath, NotFound
from vitrail.protocol.http import PreviewInfo
from vitrail.protocol.records import FileInfo
from vitrail.server.pages import AppPolicy
from vitrail.server.places import Places
from vitrail.server.preview import (
    Capabilities,
    PreviewSettings,
    PreviewSite,
    load_bridge,
)

__all__ = [
    "Listener",
    "MemoryFiles",
    "PreviewRig",
    "SetClock",
    "listener",
    "rig",
]


@dataclass
class SetClock:
    """A clock that stands until it is moved."""

    time: datetime = datetime(2026, 11, 30, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def move(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@dataclass
class MemoryFiles:
    """Files of projects, in memory."""

    projects: dict[str, dict[str, bytes]] = field(default_factory=dict)
    opened: list[MemoryFile] = field(default_factory=list)

    def put(self, path: str, content: str | bytes, *, project: str = "p") -> None:
        data = content if isinstance(content, bytes) else content.encode()
        self.projects.setdefault(project, {})[path] = data

    async def read_file(self, project_id: str, path: str) -> tuple[bytes, FileInfo]:
        if project_id not in self.projects:
            raise NotFound("There is no such project.", code="project-not-found")
        if {"", ".", ".."} & set(path.split("/")):
            raise InvalidPath("That is no path of a project.")
        content = self.projects[project_id].get(path)
        if content is None:
            raise NotFound("There is no such file.", code="file-not-found")
        info = FileInfo(
            path=path,
            size=len(content),
            digest=hashlib.sha256(content).hexdigest(),
            revision=None,
            media_type=media_type_of(path, content[:512]),
            modified_at="2026-11-30T00:00:00.000Z",
        )
        return content, info

    async def open_file(
        self, project_id: str, path: str
    ) -> tuple[MemoryFile, FileInfo]:
        content, info = await self.read_file(project_id, path)
        opened = MemoryFile(content)
        self.opened.append(opened)
        return opened, info


@dataclass
class MemoryFile:
    """A file of `MemoryFiles` held open."""

    content: bytes
    is_closed: bool = False

    async def read(self, start: int, length: int) -> bytes:
        return self.content[start : start + length]

    def close(self) -> None:
        self.is_closed = True


@dataclass
class Listener:
    """Another machine, as far as a page knows: it writes down whatever reaches it."""

    port: int
    udp_port: int
    connections: int = 0
    requests: list[str] = field(default_factory=list)
    packets: int = 0
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def hears_something(self, within_s: float = 5.0) -> bool:
        """Return whether anything arrives within that time."""
        try:
            await asyncio.wait_for(self.arrived.wait(), within_s)
        except TimeoutError:
            return False
        return True

    async def stays_quiet(
        self, for_s: float = 0.4, *, until_connected: bool = True
    ) -> None:
        """Listen for that long; by default no longer than until something arrives."""
        if await self.hears_something(for_s) and not until_connected:
            self.arrived.clear()
            await self.hears_something(for_s)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def heard(self) -> list[str]:
        """Everything that arrived, for a message that tells."""
        silent = self.connections - len(self.requests)
        return [
            *self.requests,
            *(["a connection without a request"] * silent),
            *(["a packet"] * self.packets),
        ]

    async def on_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        self.arrived.set()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n")
            self.requests.append(head.decode("latin-1").strip())
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n"
                b"access-control-allow-origin: *\r\ncontent-length: 2\r\n\r\nhi"
            )
            await writer.drain()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


class _Packets(asyncio.DatagramProtocol):
    def __init__(self, listener: Listener) -> None:
        self._listener = listener

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        del data, addr
        self._listener.packets += 1
        self._listener.arrived.set()


@contextlib.asynccontextmanager
async def listener() -> AsyncIterator[Listener]:
    """Run a listener on a free port, TCP and UDP."""
    heard = Listener(0, 0)
    server = await asyncio.start_server(heard.on_connection, "127.0.0.1", 0)
    heard.port = server.sockets[0].getsockname()[1]
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: _Packets(heard), local_addr=("127.0.0.1", 0)
    )
    heard.udp_port = transport.get_extra_info("sockname")[1]
    try:
        yield heard
    finally:
        transport.close()
        server.close()
        await server.wait_closed()


_HOST = Path(__file__).parent / "preview_host"


@dataclass
class PreviewRig:
    """The app, its preview site and their files."""

    files: MemoryFiles
    clock: SetClock
    capabilities: Capabilities
    site: PreviewSite
    app_origin: str
    api_calls: list[dict[str, str]]
    unguarded: list[str]
    """Pages that are served without a policy; the last one counts."""

    async def open(self, path: str, content: str | bytes | None = None) -> PreviewInfo:
        """Open a preview of a file, written first if it is given."""
        if content is not None:
            self.files.put(path, content)
        return await self.site.open("p", path)

    async def show(
        self, page: Page, path: str, content: str | bytes | None = None
    ) -> Frame:
        """Show a file in the host page's frame, and return the frame once it loaded."""
        preview = await self.open(path, content)
        await page.goto(self.app_origin)
        address = preview.own_host_url or preview.url  # as the workspace chooses
        await page.evaluate("([u, g]) => show(u, g)", [address, preview.generation])
        return frame_of(page)

    async def control(self, page: Page, content: str) -> None:
        """Open a page on the app's own site, without any policy and sandbox."""
        self.unguarded.append(content)
        await page.goto(f"{self.app_origin}/unguarded", wait_until="commit")

    async def said(self, page: Page, **wanted: object) -> list[dict[str, Any]]:
        """Return what the frame has said on its port, of the messages that fit."""
        messages: list[dict[str, Any]] = await page.evaluate("said()")
        return [m for m in messages if wanted.items() <= m.items()]

    async def wait_for(self, page: Page, **wanted: object) -> dict[str, Any]:
        """Wait until the frame has said a message that fits, and return it."""
        await page.wait_for_function(
            """(wanted) => said().some((message) => Object.entries(wanted)
                .every(([name, value]) => message[name] === value))""",
            arg=wanted,
        )
        return (await self.said(page, **wanted))[0]


def frame_of(page: Page) -> Frame:
    """Return the preview's frame of a host page."""
    return page.main_frame.child_frames[0]


def _host_app(
    rig_calls: list[dict[str, str]], unguarded: list[str], policy: AppPolicy
) -> list[Route]:
    def index(request: Request) -> Response:
        headers = policy.headers(request.scope)
        response = FileResponse(_HOST / "host.html", headers=headers)
        response.set_cookie("vitrail_app", "secret", httponly=False, samesite="strict")
        return response

    def script(request: Request) -> Response:
        del request
        return FileResponse(_HOST / "host.js")

    def api(request: Request) -> Response:
        rig_calls.append(dict(request.headers))
        return JSONResponse({"projects": ["secret"]})

    def unguarded_page(request: Request) -> Response:
        del request
        return HTMLResponse(unguarded[-1])

    return [
        Route("/", index),
        Route("/unguarded", unguarded_page),
        Route("/host.js", script),
        Route("/api/projects", api, methods=["GET", "POST"]),
    ]


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((host, port))
    return bound


def _preview_sockets(port: int) -> Iterator[socket.socket]:
    yield _bound("127.0.0.1", port)
    with contextlib.suppress(OSError):  # a machine without IPv6
        yield _bound("::1", port)


@contextlib.asynccontextmanager
async def _serving(app: ASGIApp, sockets: list[socket.socket]) -> AsyncIterator[None]:
    config = uvicorn.Config(
        app, log_config=None, lifespan="off", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]  # pytest's own handlers stay
    task = asyncio.create_task(server.serve(sockets=sockets))
    while not server.started:  # noqa: ASYNC110 - the server tells nobody else
        await asyncio.sleep(0)
    try:
        yield
    finally:
        server.should_exit = True
        await task


@contextlib.asynccontextmanager
async def rig(*, has_artifact_hosts: bool = True) -> AsyncIterator[PreviewRig]:
    """Run the app and its preview site."""
    app_port, preview_port = free_port(), free_port()
    app_origin = f"http://127.0.0.1:{app_port}"
    preview_origin = f"http://localhost:{preview_port}"
    clock, files, calls = SetClock(), MemoryFiles(), list[dict[str, str]]()
    unguarded: list[str] = []
    capabilities = Capabilities(clock)
    settings = PreviewSettings(
        origin=preview_origin,
        app_origins=(app_origin,),
        has_artifact_hosts=has_artifact_hosts,
    )
    site = PreviewSite(files, capabilities, settings, load_bridge())
    places = Places(app_origin, preview_origin, "separate", has_artifact_hosts)
    policy = AppPolicy(places, embed_origins=())
    app = Starlette(
        routes=[
            *_host_app(calls, unguarded, policy),
            Mount("/preview", app=site.fallback_app),
        ]
    )
    async with (
        _serving(app, [_bound("127.0.0.1", app_port)]),
        _serving(site.app, list(_preview_sockets(preview_port))),
    ):
        yield PreviewRig(files, clock, capabilities, site, app_origin, calls, unguarded)


def as_script(value: object) -> str:
    """Return a value as a JavaScript literal."""
    return json.dumps(value)
