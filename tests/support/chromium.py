"""Chromium for tests, and the real server behind it.

Strategy: the asynchronous Playwright API, one browser for each xdist worker on
one event loop that lives as long as the session, a fresh context for each test.
(The synchronous API leaves its own event loop running in the main thread, and
every later ``async def`` test of the same process then fails to start its own.)
Tests that carry the ``browser`` mark run on that loop; see `on_one_loop`.

The browser knows loopback only: a name that is not `localhost` has no address,
and WebRTC may use no address that a proxy would not.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import shutil
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    async_playwright,
    expect,
)

from tests.support.server_forks import ForkedServer, ServerForks

__all__ = [
    "CHROMIUM_ARGS",
    "OneChromium",
    "RunningServer",
    "browser",
    "chromium_path",
    "context",
    "find_chromium",
    "free_port",
    "on_one_loop",
    "one_chromium",
    "page",
    "serve",
    "server",
    "server_forks",
    "workspace",
]

_KNOWN_HOSTS = (
    "MAP * ~NOTFOUND",
    "EXCLUDE localhost",
    "EXCLUDE *.localhost",
    "EXCLUDE 127.0.0.1",
    "EXCLUDE [::1]",
)
CHROMIUM_NAMES = ("chromium", "google-chrome", "chromium-browser")
CHROMIUM_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # what every desktop Chromium does, said aloud: a site, a process
    "--site-per-process",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    f"--host-resolver-rules={' , '.join(_KNOWN_HOSTS)}",
)
_START_S = 30.0
_END_S = 15.0
_PATIENCE_MS = 15_000
"""How long a step may take; a machine that builds and tests at once is slow."""
expect.set_options(timeout=_PATIENCE_MS)
_LINK = re.compile(r"http://127\.0\.0\.1:\d+/\S+")


def find_chromium() -> str | None:
    """Return the path of a Chromium, the one that VITRAIL_CHROMIUM names first."""
    named = os.environ.get("VITRAIL_CHROMIUM")
    if named:
        return named
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def on_one_loop(items: list[pytest.Item]) -> None:
    """Put every async test that is marked ``browser`` on the browser's event loop."""
    for item in items:
        function = getattr(item, "function", None)
        is_browser = item.get_closest_marker("browser") is not None
        if is_browser and inspect.iscoroutinefunction(function):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


_GIVEN_PORTS: set[int] = set()


def free_port() -> int:
    """Return a port that was free a moment ago, and never the same one twice.

    The system may well offer a port again that nobody has bound since it was asked.
    """
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        if port not in _GIVEN_PORTS:
            _GIVEN_PORTS.add(port)
            return port


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return where Chromium is; skip the test without one, fail on CI."""
    path = find_chromium()
    if path is not None:
        return path
    reason = (
        "no Chromium: set VITRAIL_CHROMIUM, or install one of "
        + ", ".join(CHROMIUM_NAMES)
        + " (Debian: apt-get install chromium)"
    )
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


class OneChromium:
    """The worker's one Chromium, and another one once it has ended."""

    def __init__(self, playwright: Playwright, path: str) -> None:
        self._playwright = playwright
        self._path = path
        self._chromium: Browser | None = None

    async def running(self) -> Browser:
        """Return the one that runs, started anew where there is none."""
        if self._chromium is None or not self._chromium.is_connected():
            self._chromium = await self._playwright.chromium.launch(
                executable_path=self._path, headless=True, args=list(CHROMIUM_ARGS)
            )
        return self._chromium

    async def close(self) -> None:
        """End it, if it runs."""
        if self._chromium is not None:
            await self._chromium.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def one_chromium(chromium_path: str) -> AsyncIterator[OneChromium]:
    """Give what starts Chromium where none runs."""
    async with async_playwright() as playwright:
        one = OneChromium(playwright, chromium_path)
        yield one
        await one.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(one_chromium: OneChromium) -> Browser:
    """Give the worker's one Chromium; a crash of it fails no other test."""
    return await one_chromium.running()


@pytest_asyncio.fixture(loop_scope="session")
async def context(browser: Browser) -> AsyncIterator[BrowserContext]:
    """Give a fresh browser context: no cookie, no storage, no cache."""
    fresh = await browser.new_context(
        viewport={"width": 1280, "height": 800}, accept_downloads=True
    )
    fresh.set_default_timeout(_PATIENCE_MS)
    yield fresh
    await fresh.close()


@pytest_asyncio.fixture(loop_scope="session")
async def page(context: BrowserContext) -> Page:
    """Give a page of the fresh context."""
    return await context.new_page()


@dataclass
class RunningServer:
    """A real ``vitrail serve`` in a data folder of its own."""

    data: Path
    port: int
    preview_port: int
    log: Path
    forks: ServerForks
    process: ForkedServer | None = None
    env: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """The app's origin."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def preview_origin(self) -> str:
        """The preview site's origin."""
        return f"http://localhost:{self.preview_port}"

    @property
    def link(self) -> str:
        """The last link that the server printed, with its one-time token."""
        link: str = _LINK.findall(self.output)[-1]
        return link

    @property
    def token(self) -> str:
        """The token for programs."""
        return (self.data / "token").read_text("ascii").strip()

    @property
    def output(self) -> str:
        """Everything that the server has printed."""
        return self.log.read_text("utf-8", errors="replace")

    def start(self) -> None:
        """Start the server on the same folder and ports."""
        argv = [
            "serve",
            *("--port", str(self.port), "--preview-port", str(self.preview_port)),
            *("--data", str(self.data)),
        ]
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("VITRAIL_") and not name.lower().endswith("_proxy")
        }
        environment |= {"PYTHONUNBUFFERED": "1", **self.env}
        self.log.touch()
        self.process = self.forks.start(argv, env=environment, log=self.log)

    async def ready(self) -> None:
        """Wait until the server answers and a link is printed after ``start``."""
        async with asyncio.timeout(_START_S):
            while not (await _answers(self.port) and self._has_new_link()):
                if self.process is None or not self.process.is_running():
                    pytest.fail(f"vitrail serve ended:\n{self.output}")
                await asyncio.sleep(0.02)

    def _has_new_link(self) -> bool:
        printed = len(_LINK.findall(self.output))
        return printed > self._links_before

    _links_before: int = 0

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server, by default as a person does; SIGKILL for a crash."""
        if self.process is None:
            return
        self._links_before = len(_LINK.findall(self.output))
        process, self.process = self.process, None
        process.send(how)
        if not process.wait(_END_S):
            process.send(signal.SIGKILL)
            process.wait(_END_S)
            pytest.fail(f"vitrail serve did not end within 15 s:\n{self.output}")

    async def restart(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server and start it again on the same folder and ports."""
        self.stop(how)
        self.start()
        await self.ready()


async def _answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


@pytest.fixture(scope="session")
def server_forks() -> Iterator[ServerForks]:
    """Give the worker's maker of servers."""
    forks = ServerForks()
    yield forks
    forks.close()


@pytest.fixture
def serve(
    tmp_path: Path, server_forks: ServerForks
) -> Iterator[Callable[..., RunningServer]]:
    """Give a maker of servers, not started yet; what it made ends with the test."""
    made: list[RunningServer] = []

    def make(**env: str) -> RunningServer:
        folder = tmp_path / f"server-{len(made)}"
        folder.mkdir()
        server = RunningServer(
            data=folder / "data",
            port=free_port(),
            preview_port=free_port(),
            log=folder / "output.log",
            forks=server_forks,
            env=env,
        )
        made.append(server)
        return server

    yield make
    for server in made:
        server.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def server(serve: Callable[..., RunningServer]) -> RunningServer:
    """Give a started server in an empty data folder."""
    running = serve()
    running.start()
    await running.ready()
    return running


@pytest_asyncio.fixture(loop_scope="session")
async def workspace(page: Page, server: RunningServer) -> Page:
    """Give a page of the workspace that has opened the printed link, and is drawn."""
    await page.goto(server.link)
    await expect(page.get_by_role("button", name="New project")).to_be_visible()
    return page
