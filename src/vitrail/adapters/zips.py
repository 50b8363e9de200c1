"""A project as a ZIP: sent while it is made, and the same bytes for the same files.

Strategy: entries are sorted, dated 1980-01-01 and carry no system's
attributes, so equal projects give equal archives. One file at a time is read
and deflated, on a thread; what comes out is sent at once.
"""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Final

from vitrail.errors import NotFound

__all__ = ["ZipEntry", "stream_zip"]

ZipEntry = tuple[str, Callable[[], Awaitable[bytes]]]
"""Name inside the archive, and what reads its bytes."""

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The first moment that a ZIP can name."""

_MODE: Final = 0o100644 << 16
_UNIX: Final = 3
_LEVEL: Final = 6


class _Outlet(io.RawIOBase):
    """A file that can only be written, and emptied by whoever sends it on."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(memoryview(data))  # type: ignore[arg-type]  # any buffer
        self._pieces.append(piece)
        return len(piece)

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


async def stream_zip(entries: Iterable[ZipEntry]) -> AsyncIterator[bytes]:
    """Yield an archive of the entries, by name.

    A file that is gone by the time it is its turn is left out.
    """
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, read in sorted(entries, key=lambda entry: entry[0]):
            try:
                content = await read()
            except NotFound:
                continue
            await asyncio.to_thread(_add, archive, name, content)
            yield outlet.take()
    yield outlet.take()


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = _UNIX
    info.external_attr = _MODE
    archive.writestr(info, content, compresslevel=_LEVEL)
