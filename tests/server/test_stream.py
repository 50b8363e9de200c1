"""Event streams: each event once and in order, at once, whatever happens between."""

from __future__ import annotations

import asyncio
import gzip
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.served import FREE, Served, served
from tests.server.streams import EventStream, Frame
from vitrail.errors import InvalidInput
from vitrail.ports import AppendEvent, EventPlace, StoredEvent
from vitrail.protocol.events import Text, UnknownEvent
from vitrail.server.stream import (
    SEND_BYTES,
    EventFeed,
    _Tail,
    encode_frame,
    parse_last_event_id,
)


async def open_stream(server: Served, **options) -> EventStream:
    return await EventStream.open(server.runtime.settings.port, server.token, **options)


async def take(stream: EventStream, count: int) -> list[Frame]:
    frames: list[Frame] = []
    async with asyncio.timeout(20):
        async for frame in stream.frames():
            frames.append(frame)
            if len(frames) == count:
                break
    return frames


def deltas(frames: list[Frame]) -> list[int]:
    return [int(frame.data["event"]["delta"]) for frame in frames]


# --- what a reader gets --------------------------------------------------


async def test_the_first_bytes_come_before_anything_happens(server: Served) -> None:
    stream = await open_stream(server)
    async with asyncio.timeout(5):
        piece = await anext(stream._pieces)
    assert piece == b": vitrail\nretry: 1000\nid: 0\n\n"
    await stream.close()


async def test_no_hop_may_hold_back_or_change_a_stream(server: Served) -> None:
    stream = await open_stream(server, headers={"Accept-Encoding": "gzip, br"})
    head = stream.head.lower()
    assert b"content-type: text/event-stream" in head
    assert b"cache-control: no-cache, no-transform\r\n" in head
    assert b"x-accel-buffering: no\r\n" in head
    assert b"content-encoding" not in head
    assert b"content-length" not in head
    await stream.close()


async def test_an_envelope_says_what_the_event_belongs_to(server: Served) -> None:
    stream = await open_stream(server)
    place = EventPlace("p", "c", "r", "m")
    (stored,) = await server.store.apply([AppendEvent(place, Text("hi\n\ndata: x"))])
    (frame,) = await take(stream, 1)
    assert frame.id == stored.seq
    assert frame.event == "message"
    assert frame.data == {
        "seq": stored.seq,
        "at": stored.at,
        "projectId": "p",
        "conversationId": "c",
        "runId": "r",
        "messageId": "m",
        "event": {"type": "text", "delta": "hi\n\ndata: x"},
    }
    await stream.close()


def test_an_event_of_a_later_version_stays_one_frame() -> None:
    raw = b'{"type": "later",\n\n"x": "a b"}'
    frame = encode_frame(StoredEvent(1, "t", EventPlace(), UnknownEvent("later", raw)))
    assert frame.endswith(b'"event":{"type":"later","x":"a b"}}\n\n')
    assert frame.count(b"\n") == 3


async def test_without_a_number_a_stream_begins_now(server: Served) -> None:
    await server.emit(5)
    stream = await open_stream(server)
    await server.emit(2, first=5)
    assert deltas(await take(stream, 2)) == [5, 6]
    await stream.close()


async def test_last_event_id_comes_before_the_address(server: Served) -> None:
    await server.emit(10)
    stream = await open_stream(server, query="?after=0", last_id=7)
    assert deltas(await take(stream, 3)) == [7, 8, 9]
    await stream.close()


async def test_a_number_from_another_log_is_told_to_begin_anew(
    server: Served,
) -> None:
    await server.emit(3)
    stream = await open_stream(server, last_id=900)
    await server.emit(1, first=3)
    reset, later = await take(stream, 2)
    assert (reset.event, reset.data) == ("reset", {"seq": 3})
    assert deltas([later]) == [3]
    await stream.close()


@pytest.mark.parametrize("value", ["x", "-1", "1.5", "9" * 19, "9" * 99, "٣", "1 2"])
def test_a_number_that_was_never_sent_is_refused(value: str) -> None:
    with pytest.raises(InvalidInput):
        parse_last_event_id(value)


async def test_a_bad_number_answers_400_not_a_stream(server: Served) -> None:
    answer = await server.client.get("/api/events", headers={"Last-Event-ID": "x"})
    assert answer.status_code == 400
    for bad in ("-1", "x", str(2**63)):
        answer = await server.client.get(f"/api/events?after={bad}")
        assert answer.status_code == 422


async def test_eight_streams_of_one_browser_all_work(server: Served) -> None:
    cookie = server.runtime.access.set_cookie(is_secure=False).partition(";")[0]
    streams = [
        await EventStream.open(
            server.runtime.settings.port,
            "",
            query="?after=0",
            headers={"Cookie": cookie},
        )
        for _ in range(8)
    ]
    await server.emit(20)
    for stream in streams:
        assert deltas(await take(stream, 20)) == list(range(20))
        await stream.close()


async def test_two_servers_on_one_folder_see_each_others_events(
    tmp_path: Path,
) -> None:
    async with served(tmp_path / "data") as one, served(tmp_path / "data") as two:
        there = await open_stream(one, query="?after=0")
        await two.emit(5)
        await one.emit(5, first=5)
        assert deltas(await take(there, 10)) == list(range(10))
        here = await open_stream(two, query="?after=0")
        assert deltas(await take(here, 10)) == list(range(10))
        await there.close()
        await here.close()


async def test_an_idle_stream_carries_a_comment(tmp_path: Path) -> None:
    def quick(runtime):
        return replace(runtime, feed=EventFeed(runtime.store, ping_s=0.01))

    async with served(tmp_path / "data", FREE, change=quick) as server:
        stream = await open_stream(server)
        pieces = stream._pieces
        async with asyncio.timeout(5):
            await anext(pieces)
            assert await anext(pieces) == b": ping\n\n"
        await stream.close()


# --- proxies (field bug 26) ----------------------------------------------


class BufferingProxy:
    """A hop that holds back 4 KiB and compresses, unless it is told not to."""

    HELD_BYTES = 4096

    def __init__(self, port: int, *, drops: tuple[bytes, ...] = ()) -> None:
        self._port = port
        self._drops = drops

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        up, down = await asyncio.open_connection("127.0.0.1", self._port)
        down.write(request)
        head = await up.readuntil(b"\r\n\r\n")
        lowered = head.lower()
        is_passed = b"x-accel-buffering: no" in lowered
        is_compressed = b"no-transform" not in lowered
        for name in self._drops:
            lines = head.split(b"\r\n")
            head = b"\r\n".join(
                line for line in lines if not line.lower().startswith(name)
            )
        writer.write(head)
        held = b""
        try:
            while piece := await up.read(65536):
                held += gzip.compress(piece) if is_compressed else piece
                if is_passed or len(held) >= self.HELD_BYTES:
                    writer.write(held)
                    await writer.drain()
                    held = b""
        except ConnectionError:
            return
        finally:
            down.close()
            writer.close()


async def test_events_pass_a_buffering_and_compressing_proxy_at_once(
    server: Served,
) -> None:
    async with BufferingProxy(server.runtime.settings.port) as proxy:
        stream = await EventStream.open(
            proxy.port, server.token, headers={"Accept-Encoding": "gzip"}
        )
        for number in range(5):
            await server.emit(1, first=number)
            async with asyncio.timeout(5):
                assert deltas(await take(stream, 1)) == [number]
        await stream.close()


# --- exactly once ---------------------------------------------------------


_FRAME = re.compile(rb'id: (\d+)\ndata: [^\n]*"delta":"(\d+)"[^\n]*\n\n')


async def follow(
    port: int, token: str, total: int, seed: int, up: asyncio.Event
) -> list[int]:
    """Read all events, hanging up at random points and coming back with the last id."""
    dice = random.Random(seed)
    seen: list[int] = []
    last_id = 0
    while len(seen) < total:
        try:
            stream = await EventStream.open(port, token, last_id=last_id)
        except (ConnectionError, asyncio.IncompleteReadError):
            await up.wait()  # the server is starting again
            continue
        left = dice.choice([1, 7, 300, 2500, total])
        rest = b""
        async for piece in stream._pieces:
            whole, mark, rest = (rest + piece).rpartition(b"\n\n")
            found = _FRAME.findall(whole + mark)[:left]
            if found:
                last_id = int(found[-1][0])
                seen += [int(delta) for _, delta in found]
                left -= len(found)
            if not left or len(seen) == total:
                break
        await stream.close()
    return seen


@pytest.mark.parametrize(("total", "readers"), [(10_000, 100)])
async def test_every_reader_gets_every_event_once_through_a_restart(
    tmp_path: Path, total: int, readers: int
) -> None:
    """Done-when 5: reconnects at random points, and one restart of the server."""
    up = asyncio.Event()
    async with served(tmp_path / "data") as server:
        settings = server.runtime.settings
        following = [
            asyncio.create_task(follow(settings.port, server.token, total, seed, up))
            for seed in range(readers)
        ]
        await server.emit(total // 2)
    async with served(tmp_path / "data", settings) as server:
        up.set()
        await server.emit(total - total // 2, first=total // 2)
        async with asyncio.timeout(100):
            for seen in await asyncio.gather(*following):
                assert seen == list(range(total))


async def test_a_reader_that_stands_still_loses_nothing_and_costs_nothing(
    tmp_path: Path,
) -> None:
    def small(runtime):
        return replace(runtime, feed=EventFeed(runtime.store, tail_bytes=2000))

    async with served(tmp_path / "data", FREE, change=small) as server:
        slow = await open_stream(server, query="?after=0")
        quick = await open_stream(server, query="?after=0")
        await server.emit(3000)
        assert deltas(await take(quick, 3000)) == list(range(3000))
        tail = server.runtime.feed._tail
        assert tail is not None
        assert len(tail._frames) < 100
        assert deltas(await take(slow, 3000)) == list(range(3000))
        await slow.close()
        await quick.close()


async def test_open_streams_do_not_hold_up_the_end(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as server:
        streams = [await open_stream(server) for _ in range(20)]
        async with asyncio.timeout(5):
            for stream in streams:
                await anext(stream._pieces)
    # The server is down, and within its grace: every stream has ended by itself.
    for stream in streams:
        assert [piece async for piece in stream._pieces] == []
        await stream.close()


# --- the tail --------------------------------------------------------------


def stored(seq: int, size: int = 10) -> StoredEvent:
    return StoredEvent(seq, "t", EventPlace(), Text("x" * size))


@given(
    gaps=st.lists(st.tuples(st.integers(1, 5), st.integers(0, 400)), max_size=60),
    max_bytes=st.integers(200, 4000),
    data=st.data(),
)
def test_the_tail_gives_what_follows_any_number_it_covers(
    gaps: list[tuple[int, int]], max_bytes: int, data: st.DataObject
) -> None:
    tail = _Tail(0, max_bytes=max_bytes)
    events: list[StoredEvent] = []
    for gap, size in gaps:
        events.append(stored((events[-1].seq if events else 0) + gap, size))
        tail.extend([events[-1]])
    cursor = data.draw(st.integers(tail.floor, tail.last + 3))
    expected = b"".join(encode_frame(e) for e in events if e.seq > cursor)
    got = b""
    while True:
        piece, cursor = tail.after(cursor)
        if not piece:
            break
        got += piece
    assert got == expected
    assert sum(map(len, tail._frames)) <= 2 * max_bytes + 500


def test_readers_at_one_place_share_one_piece() -> None:
    tail = _Tail(0, max_bytes=10**9)
    tail.extend(stored(seq) for seq in range(1, 50))
    assert tail.after(0)[0] is tail.after(0)[0]


def test_one_send_is_bounded() -> None:
    tail = _Tail(0, max_bytes=10**9)
    tail.extend(stored(seq, 1000) for seq in range(1, 1000))
    piece, _ = tail.after(0)
    assert SEND_BYTES <= len(piece) < SEND_BYTES + 2000
