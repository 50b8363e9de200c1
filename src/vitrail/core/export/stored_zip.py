"""A ZIP without compression: the same bytes for the same entries, everywhere and always.

Strategy: only what a bundle needs (APPNOTE 6.3.10): stored entries with ASCII names,
dated 1980-01-01, sizes and checksums in front, ZIP64 records where there are too many
entries or bytes for the old ones. A library's archive would change with its version,
and compressed bytes with the compressor's; these can be compared byte by byte.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final
from zlib import crc32

__all__ = ["LOCAL_BYTES", "StoredEntry", "archive_end", "local_header", "stored_entry"]

_LOCAL: Final = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL: Final = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END: Final = struct.Struct("<4sHHHHIIH")
_END64: Final = struct.Struct("<4sQHHIIQQQQ")
_LOCATOR64: Final = struct.Struct("<4sIQI")
_OFFSET64: Final = struct.Struct("<HHQ")

LOCAL_BYTES: Final = _LOCAL.size
"""Of a local header without its name."""

_VERSION: Final = 20
_VERSION64: Final = 45
_MADE_BY: Final = 3 << 8 | _VERSION64
"""Unix, whose modes are in the external attributes."""
_FLAGS: Final = 0x0800
"""Names are UTF-8."""
_DATE: Final = 1 << 5 | 1
"""1980-01-01, the first day that a ZIP can name."""
_MODE: Final = 0o100644 << 16
_MAX16: Final = 0xFFFF
_MAX32: Final = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """One entry as the archive lists it."""

    name: str
    size: int
    """Bytes, below 4 GiB."""
    checksum: int
    """CRC-32 of the content."""
    offset: int
    """Of its local header."""

    @property
    def end(self) -> int:
        """Where the next entry begins."""
        return self.offset + LOCAL_BYTES + len(self.name) + self.size


def stored_entry(name: str, content: bytes, offset: int) -> StoredEntry:
    """Return the entry of a content whose local header is to be at ``offset``."""
    if not name.isascii() or len(content) > _MAX32 - 1:
        raise ValueError("expected an ASCII name and less than 4 GiB")
    return StoredEntry(name, len(content), crc32(content), offset)


def local_header(entry: StoredEntry) -> bytes:
    r"""Return what stands in front of an entry's content.

    >>> local_header(stored_entry("a", b"x", 0))[:4]
    b'PK\x03\x04'
    """
    fixed = _LOCAL.pack(
        b"PK\3\4",
        _VERSION,
        _FLAGS,
        0,
        0,
        _DATE,
        entry.checksum,
        entry.size,
        entry.size,
        len(entry.name),
        0,
    )
    return fixed + entry.name.encode("ascii")


def archive_end(entries: tuple[StoredEntry, ...]) -> bytes:
    """Return the directory and the end of an archive of these entries, in their order."""
    start = entries[-1].end if entries else 0
    directory = b"".join(map(_central, entries))
    return directory + _end(len(entries), len(directory), start)


def _central(entry: StoredEntry) -> bytes:
    is_far = entry.offset >= _MAX32
    extra = _OFFSET64.pack(1, 8, entry.offset) if is_far else b""
    fixed = _CENTRAL.pack(
        b"PK\1\2",
        _MADE_BY,
        _VERSION64 if is_far else _VERSION,
        _FLAGS,
        0,
        0,
        _DATE,
        entry.checksum,
        entry.size,
        entry.size,
        len(entry.name),
        len(extra),
        0,
        0,
        0,
        _MODE,
        min(entry.offset, _MAX32),
    )
    return fixed + entry.name.encode("ascii") + extra


def _end(count: int, size: int, start: int) -> bytes:
    far = b""
    if count >= _MAX16 or size >= _MAX32 or start >= _MAX32:
        far = _END64.pack(
            b"PK\6\6",
            _END64.size - 12,
            _MADE_BY,
            _VERSION64,
            0,
            0,
            count,
            count,
            size,
            start,
        ) + _LOCATOR64.pack(b"PK\6\7", 0, start + size, 1)
    short = min(count, _MAX16)
    return far + _END.pack(
        b"PK\5\6", 0, 0, short, short, min(size, _MAX32), min(start, _MAX32), 0
    )
