"""Serving: both sites in one process, on one event loop, until a signal comes.

Strategy: sockets are bound first, then the store is opened, then the two
servers take the sockets over. The end runs the other way: event streams end,
both servers finish what they are answering, runs are interrupted and written
down, the store is closed.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

import uvicorn
from starlette.types import ASGIApp

from vitrail.server.app import create_app
from vitrail.server.runtime import Runtime
from vitrail.server.settings import Settings
from vitrail.server.sockets import Listeners

__all__ = ["Ready", "run", "serve"]

_GRACE_S: Final = 5
"""How long an answer may take when the server is told to stop."""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class Ready:
    """What there is to tell when both sites answer."""

    url: str
    link: str
    """Lets one browser in."""
    settings: Settings


class _Server(uvicorn.Server):
    """A server that leaves the process's signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


def run(main: Callable[[], Awaitable[None]]) -> None:
    """Run ``main`` on the event loop that serves fastest on this machine."""
    factory = uvicorn.Config(app="", log_config=None).get_loop_factory()

    async def entered() -> None:
        await main()

    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(entered())


async def serve(
    runtime: Runtime,
    listeners: Listeners,
    *,
    on_ready: Callable[[Ready], None],
    until: Awaitable[object] | None = None,
) -> None:
    """Serve both sites until a signal comes; close the runtime at the end.

    The signals are SIGINT and SIGTERM, a second one waits for nothing any
    more; with ``until``, that ends it instead and signals are not touched.
    """
    servers = (_server(create_app(runtime)), _server(runtime.previews.app))

    def stop() -> None:
        runtime.feed.end_streams()
        for server in servers:
            server.force_exit = server.should_exit
            server.should_exit = True

    try:
        await runtime.start()
        async with _stopped_by(stop, until):
            tasks = [
                asyncio.create_task(servers[0].serve(list(listeners.app))),
                asyncio.create_task(servers[1].serve(list(listeners.preview))),
            ]
            await _started(servers, tasks)
            on_ready(_ready(runtime))
            try:
                await asyncio.gather(*tasks)
            finally:
                stop()
                await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        listeners.close()
        await runtime.stop()


def _server(app: ASGIApp) -> _Server:
    return _Server(
        uvicorn.Config(
            app,
            lifespan="off",  # ours, so that a failing start is told in words
            log_config=None,
            access_log=False,  # addresses of previews and links are secrets
            server_header=False,
            proxy_headers=False,  # the app decides, by VITRAIL_TRUSTED_PROXIES
            ws="none",
            timeout_graceful_shutdown=_GRACE_S,
        )
    )


async def _started(
    servers: tuple[_Server, ...], tasks: list[asyncio.Task[None]]
) -> None:
    """Wait until both accept connections, or one of them ends."""
    while not all(server.started for server in servers):
        done, _ = await asyncio.wait(tasks, timeout=0.01)
        for task in done:
            task.result()
        if done:
            return


def _ready(runtime: Runtime) -> Ready:
    url = runtime.places.app_origin
    link = f"{url}/enter?code={runtime.access.new_code()}"
    if runtime.opened is not None:
        link += f"&project={quote(runtime.opened.name, safe='')}"
    return Ready(url, link, runtime.settings)


@asynccontextmanager
async def _stopped_by(
    stop: Callable[[], None], until: Awaitable[object] | None
) -> AsyncIterator[None]:
    if until is None:
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, stop)
        try:
            yield
        finally:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)
    else:
        waiting = asyncio.ensure_future(until)
        waiting.add_done_callback(lambda _: stop())
        try:
            yield
        finally:
            waiting.cancel()
