"""What sending the event log to many readers costs, against a bare ASGI stream.

Strategy: both run on the same server, in one process, over real loopback
sockets, with readers that only count bytes. The bare stream sends the same
frames, encoded beforehand, one send each, to readers that are all there. The
feed follows a log that grows a few events at a time, encodes each event once,
and wakes its readers. They take turns, in pairs, in processor time; the figure
is the median of the pairs' ratios. Exits 1 when the budget is broken.

    python -m bench.fanout [--quick]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

if not __package__:  # run by path
    sys.path.insert(0, str(Path(__file__).parents[1]))

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from vitrail.ports import EventPlace, Store, StoredEvent
from vitrail.protocol.events import ArtifactChunk
from vitrail.server.serving import _Server
from vitrail.server.settings import Settings
from vitrail.server.sockets import listen
from vitrail.server.stream import EventFeed, EventStreamResponse, encode_frame

__all__ = ["main"]

READERS = 100
EVENTS = 4000
PAIRS = 5
BUDGETS = {8: 0.6, 1: 2.0}
"""Ratio by events of one transaction: 8 is what a fast model says in two frames
of a screen, so joining has to pay for encoding and waking; 1 is what a slow one
says, where there is nothing to join."""

PLACE = EventPlace("p", "c", "r", "m")


class GrowingLog:
    """A log in memory; the part of a store that a feed needs."""

    def __init__(self) -> None:
        self.events: list[StoredEvent] = []
        self._grown = asyncio.Event()

    def append(self, events: Sequence[StoredEvent]) -> None:
        self.events += events
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()

    async def last_seq(self) -> int:
        return len(self.events)

    async def events_after(
        self, seq: int, *, limit: int = 1000
    ) -> tuple[StoredEvent, ...]:
        return tuple(self.events[seq : seq + limit])

    async def changed(self) -> AsyncIterator[int]:
        while True:
            grown = self._grown
            yield len(self.events)
            await grown.wait()


def an_event(number: int) -> StoredEvent:
    chunk = ArtifactChunk(0, "landing", f"<p class='x'>word {number}</p>")
    return StoredEvent(number, "2026-01-01T00:00:00.000Z", PLACE, chunk)


class Counter(asyncio.Protocol):
    """A reader that counts what comes until it has seen the last event."""

    def __init__(self, mark: bytes, opened: Callable[[], None]) -> None:
        self._mark = mark
        self._tail = b""
        self._opened = opened
        self._is_open = False
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        if not self._is_open:
            self._is_open = True
            self._opened()
        self._tail = (self._tail + data)[-4096:]
        if not self.done.done() and self._mark in self._tail:
            self.done.set_result(None)


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncIterator[int]:
    listeners = listen(Settings(port=0, preview_port=0))
    config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False)
    server = _Server(config)
    task = asyncio.create_task(server.serve(list(listeners.app)))
    while not server.started:  # noqa: ASYNC110 - it has no event for it
        await asyncio.sleep(0.01)
    yield listeners.app[0].getsockname()[1]
    server.should_exit = True
    server.force_exit = True
    await task
    listeners.close()


async def measured(
    app: ASGIApp, readers: int, events: int, begin: Callable[[], Awaitable[None]]
) -> float:
    """Return the processor seconds from the first event to the last reader's last."""
    loop = asyncio.get_running_loop()
    async with serving(app) as port:
        left = readers
        all_open = loop.create_future()

        def opened() -> None:
            nonlocal left
            left -= 1
            if not left:
                all_open.set_result(None)

        mark = b"word %d<" % events
        counters = [
            (
                await loop.create_connection(
                    lambda: Counter(mark, opened), "127.0.0.1", port
                )
            )[1]
            for _ in range(readers)
        ]
        await all_open
        started = time.process_time()
        await begin()
        await asyncio.gather(*(counter.done for counter in counters))
        taken = time.process_time() - started
        for counter in counters:
            counter.transport.close()
    return taken


async def bare(readers: int, events: int, at_a_time: int) -> float:
    frames = [encode_frame(an_event(number)) for number in range(1, events + 1)]
    go = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        headers = [(b"content-type", b"text/event-stream")]
        start: dict[str, Any] = {
            "type": "http.response.start",
            "status": 200,
            "headers": headers,
        }
        await send(start)
        body: dict[str, Any] = {"type": "http.response.body", "more_body": True}
        await send({**body, "body": b": hi\n\n"})
        await go.wait()
        for number, frame in enumerate(frames):
            await send({**body, "body": frame})
            if number % at_a_time == 0:
                await asyncio.sleep(0)  # a stream is not written in one go
        await send({"type": "http.response.body"})

    async def begin() -> None:
        go.set()

    return await measured(app, readers, events, begin)


async def feed(readers: int, events: int, at_a_time: int) -> float:
    log = GrowingLog()
    following = EventFeed(cast("Store", log))  # the part of it that a feed needs
    await following.start()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = EventStreamResponse(await following.subscribe(None))
        await response(scope, receive, send)

    async def begin() -> None:
        for start in range(1, events + 1, at_a_time):
            stop = min(start + at_a_time, events + 1)
            log.append([an_event(number) for number in range(start, stop)])
            await asyncio.sleep(0)

    taken = await measured(app, readers, events, begin)
    await following.close()
    return taken


async def compare(pairs: int, readers: int, events: int, at_a_time: int) -> float:
    ratios: list[float] = []
    for number in range(pairs):
        floor = await bare(readers, events, at_a_time)
        ours = await feed(readers, events, at_a_time)
        ratios.append(ours / floor)
        rate = readers * events / ours / 1000
        print(
            f"  pair {number + 1}: bare {floor:6.3f} s, feed {ours:6.3f} s "
            f"({rate:,.0f} thousand events/s), ratio {ours / floor:.2f}"
        )
    return statistics.median(ratios)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small run")
    quick: bool = parser.parse_args(arguments).quick
    readers, events, pairs = (20, 800, 3) if quick else (READERS, EVENTS, PAIRS)
    is_within = True
    for at_a_time, budget in BUDGETS.items():
        count = events * (1 + at_a_time) // 9
        print(f"{count} events to {readers} readers, {at_a_time} at a time")
        ratio = asyncio.run(compare(pairs, readers, count, at_a_time))
        verdict = "within" if ratio <= budget else "OVER"
        print(f"  median ratio {ratio:.2f}, {verdict} the budget of {budget:.2f}")
        is_within = is_within and ratio <= budget
    return 0 if is_within else 1


if __name__ == "__main__":
    sys.exit(main())
