"""A reader of event streams, as a browser does it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Frame:
    """One dispatched event."""

    id: int | None
    event: str
    data: Any


class EventStream:
    """One connection to ``/api/events``; bytes in, frames out."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._reader = reader
        self._writer = writer
        self.head = b""
        self.last_id: int | None = None
        self.comments: list[bytes] = []
        self._whole: deque[bytes] = deque()
        self._rest = b""
        self._pieces = self.pieces()

    @classmethod
    async def open(
        cls,
        port: int,
        token: str,
        *,
        last_id: int | None = None,
        query: str = "",
        headers: dict[str, str] | None = None,
    ) -> EventStream:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        lines = [
            f"GET /api/events{query} HTTP/1.1",
            "Host: 127.0.0.1",
            *([f"Authorization: Bearer {token}"] if token else []),
            *(f"{name}: {value}" for name, value in (headers or {}).items()),
        ]
        if last_id is not None:
            lines.append(f"Last-Event-ID: {last_id}")
        writer.write("\r\n".join([*lines, "", ""]).encode())
        await writer.drain()
        stream = cls(reader, writer)
        stream.head = await reader.readuntil(b"\r\n\r\n")
        return stream

    @property
    def status(self) -> int:
        return int(self.head.split()[1])

    async def pieces(self) -> AsyncGenerator[bytes]:
        """Yield the body's chunks as they come."""
        while True:
            try:
                size = int(await self._reader.readuntil(b"\r\n"), 16)
                piece = await self._reader.readexactly(size + 2)
            except (asyncio.IncompleteReadError, ConnectionError):
                return
            if not size:
                return
            yield piece[:-2]

    async def blocks(self) -> AsyncIterator[bytes]:
        """Yield whole blocks; what a piece held beyond the last one taken is kept."""
        while True:
            while self._whole:
                yield self._whole.popleft()
            piece = await anext(self._pieces, None)
            if piece is None:
                return
            *whole, self._rest = (self._rest + piece).split(b"\n\n")
            self._whole.extend(whole)

    async def frames(self) -> AsyncIterator[Frame]:
        """Yield what a browser would dispatch, by the rules of the HTML standard."""
        async for block in self.blocks():
            frame = self._read(block)
            if frame is not None:
                yield frame

    def _read(self, block: bytes) -> Frame | None:
        name, data = "message", b""
        for line in block.split(b"\n"):
            field, _, value = line.partition(b": ")
            if line.startswith(b":"):
                self.comments.append(line)
            elif field == b"id":
                self.last_id = int(value)
            elif field == b"event":
                name = value.decode()
            elif field == b"data":
                data += value
        if not data:
            return None
        return Frame(self.last_id, name, json.loads(data))

    async def close(self) -> None:
        self._writer.close()
        await self._pieces.aclose()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()
