"""Event streams: the numbered log, sent to any number of readers.

Strategy: one shared log with a cursor per reader, never a queue per reader.
One task follows the store, encodes each event into its frame once, and keeps
the newest frames in memory (the tail). A reader is a number: the last event
that it was sent. What lies after that number and in the tail goes out in one
send, joined once for all readers at the same place; what is older is read
from the log on disk. A slow reader is held up by its own connection only; when
the tail has moved past it, it goes on from the disk. So nothing is lost, sent
twice or held in memory for anybody.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections.abc import AsyncIterator, Iterable
from typing import Final

import msgspec
import structlog
from starlette.responses import StreamingResponse

from vitrail.errors import InvalidInput, StorageError
from vitrail.limits import SSE_PING_S
from vitrail.ports import Store, StoredEvent
from vitrail.protocol.events import UnknownEvent, encode_event

__all__ = [
    "SEND_BYTES",
    "EventFeed",
    "EventStreamResponse",
    "encode_frame",
    "parse_last_event_id",
]

_RETRY_MS: Final = 1000
"""How long a browser waits before it connects again."""

_TAIL_BYTES: Final = 4 * 1024 * 1024
"""Frames kept in memory; a few seconds of the busiest log."""

SEND_BYTES: Final = 256 * 1024
"""The most that one send takes, so that a reader far behind shares the loop."""

_PAGE: Final = 1000
"""Events read from the store at a time."""
_RETRY_S: Final = 0.25
_MAX_SEQ: Final = 2**63 - 1
_PING: Final = b": ping\n\n"

_log = structlog.get_logger(__name__)


class _Envelope(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """`vitrail.protocol.http.Envelope`, in the form that is quick to encode."""

    seq: int
    at: str
    project_id: str | None
    conversation_id: str | None
    run_id: str | None
    message_id: str | None
    event: msgspec.Raw


_encode = msgspec.json.Encoder().encode


def encode_frame(stored: StoredEvent) -> bytes:
    """Return one event as a frame of an event stream; its ``id`` is its number."""
    raw = encode_event(stored.event)
    if isinstance(stored.event, UnknownEvent):
        # Carried as another version wrote it; a line break would end the frame.
        raw = msgspec.json.format(raw, indent=-1)
    place = stored.place
    data = _encode(
        _Envelope(
            stored.seq,
            stored.at,
            place.project_id,
            place.conversation_id,
            place.run_id,
            place.message_id,
            msgspec.Raw(raw),
        )
    )
    return b"id: %d\ndata: %b\n\n" % (stored.seq, data)


def parse_last_event_id(value: str | None) -> int | None:
    """Return the number in a ``Last-Event-ID``; None where there is none.

    Raises ``InvalidInput`` for anything that this server never sent.
    """
    if not value:
        return None
    if value.isascii() and value.isdecimal() and len(value) <= len(str(_MAX_SEQ)):
        number = int(value)
        if number <= _MAX_SEQ:
            return number
    raise InvalidInput("Last-Event-ID expected the number of an event.")


class _Tail:
    """The newest frames, in order."""

    def __init__(self, floor: int, *, max_bytes: int) -> None:
        self.floor = floor
        """Every event with a greater number, up to `last`, is here."""
        self.last = floor
        self._max_bytes = max_bytes
        self._seqs: list[int] = []
        self._frames: list[bytes] = []
        self._ends: list[int] = []
        """Bytes of all frames ever added, up to and including each."""
        self._added_bytes = 0
        self._joined = (0, 0, b"")
        """The last join: numbers before and at its end, and its bytes."""

    def extend(self, events: Iterable[StoredEvent]) -> None:
        for stored in events:
            frame = encode_frame(stored)
            self._added_bytes += len(frame)
            self._seqs.append(stored.seq)
            self._frames.append(frame)
            self._ends.append(self._added_bytes)
            self.last = stored.seq
        self._trim()

    def after(self, cursor: int) -> tuple[bytes, int]:
        """Return the next frames in one piece, and the number of the last of them."""
        start = bisect_right(self._seqs, cursor)
        if start == len(self._seqs):
            return b"", cursor
        before = self._ends[start] - len(self._frames[start])
        stop = bisect_left(self._ends, before + SEND_BYTES, start) + 1
        end = self._seqs[min(stop, len(self._seqs)) - 1]
        if self._joined[:2] != (self._seqs[start], end):
            joined = b"".join(self._frames[start:stop])
            self._joined = (self._seqs[start], end, joined)
        return self._joined[2], end

    def _trim(self) -> None:
        """Let go of the oldest, half of what is held at a time, so that it stays cheap."""
        if not self._ends:
            return
        held = self._ends[-1] - self._ends[0] + len(self._frames[0])
        if held <= 2 * self._max_bytes:
            return
        count = bisect_left(self._ends, self._ends[-1] - self._max_bytes) + 1
        self.floor = self._seqs[count - 1]
        del self._seqs[:count], self._frames[:count], self._ends[:count]


class EventFeed:
    """The store's log as something to subscribe to; one for each process."""

    def __init__(
        self,
        store: Store,
        *,
        ping_s: float = SSE_PING_S,
        tail_bytes: int = _TAIL_BYTES,
    ) -> None:
        self._store = store
        self._ping_s = ping_s
        self._tail_bytes = tail_bytes
        self._tail: _Tail | None = None
        self._reading = asyncio.Lock()
        self._pulse = asyncio.Event()
        self._ticks = 0
        self._closed = False
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to follow the log from where it is now."""
        self._tail = _Tail(await self._store.last_seq(), max_bytes=self._tail_bytes)
        self._tasks = [
            asyncio.create_task(self._follow(), name="event feed"),
            asyncio.create_task(self._tick(), name="event feed pings"),
        ]

    def end_streams(self) -> None:
        """Let every open stream end after what it is sending; further ones end at once."""
        self._closed = True
        self._wake()

    async def close(self) -> None:
        """End all streams and follow the log no longer."""
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    async def subscribe(self, after: int | None) -> AsyncIterator[bytes]:
        """Return the bytes of a stream: every event after that number, once, in order.

        None begins with what happens from now on. A number that the log has not
        reached comes from another log (a folder that was put back): such a
        reader is told ``reset`` with the number to go on from.
        """
        tail = await self._caught_up()
        cursor = tail.last if after is None else min(after, tail.last)
        head = b": vitrail\nretry: %d\nid: %d\n" % (_RETRY_MS, cursor)
        if after is not None and after > tail.last:
            head += b'event: reset\ndata: {"seq":%d}\n' % cursor
        return self._frames(tail, cursor, head + b"\n")

    async def _frames(
        self, tail: _Tail, cursor: int, head: bytes
    ) -> AsyncIterator[bytes]:
        yield head
        ticks = self._ticks
        while not self._closed:
            pulse = self._pulse
            pieces = await self._next(tail, cursor)
            for piece, end in pieces:
                if piece:
                    yield piece
                cursor = end
            if pieces:
                ticks = self._ticks
            elif ticks != self._ticks:
                ticks = self._ticks
                yield _PING
            else:
                await pulse.wait()

    async def _next(self, tail: _Tail, cursor: int) -> list[tuple[bytes, int]]:
        """Return what comes after ``cursor``, as pieces with the number each ends at."""
        if cursor >= tail.floor:
            piece, end = tail.after(cursor)
            return [(piece, end)] if piece else []
        page = await self._store.events_after(cursor, limit=_PAGE)
        pieces: list[tuple[bytes, int]] = []
        frames: list[bytes] = []
        size = 0
        for stored in page:
            frames.append(encode_frame(stored))
            size += len(frames[-1])
            if size >= SEND_BYTES or stored is page[-1]:
                pieces.append((b"".join(frames), stored.seq))
                frames, size = [], 0
        return pieces or [(b"", tail.floor)]

    async def _caught_up(self) -> _Tail:
        """Return the tail, up to everything committed before this call."""
        async with self._reading:
            if self._tail is None:
                raise RuntimeError("expected a started feed, got one that is not")
            while page := await self._store.events_after(self._tail.last, limit=_PAGE):
                self._tail.extend(page)
                self._wake()
                await asyncio.sleep(0)
            return self._tail

    async def _follow(self) -> None:
        while True:
            try:
                await self._caught_up()
                async for last in self._store.changed():
                    if self._tail is None or last > self._tail.last:
                        await self._caught_up()
            except StorageError as error:
                _log.warning("event log not readable", code=error.code)
            await asyncio.sleep(_RETRY_S)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self._ping_s)
            self._ticks += 1
            self._wake()

    def _wake(self) -> None:
        pulse, self._pulse = self._pulse, asyncio.Event()
        pulse.set()


class EventStreamResponse(StreamingResponse):
    """A response that no hop may hold back, change or compress (field bug 26)."""

    media_type = "text/event-stream"

    def __init__(self, frames: AsyncIterator[bytes]) -> None:
        super().__init__(
            frames,
            headers={
                "Cache-Control": "no-cache, no-transform",
                "X-Accel-Buffering": "no",
                "X-Content-Type-Options": "nosniff",
            },
        )
