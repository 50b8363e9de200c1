"""Writing so that a power cut leaves all of it: bytes through an open handle, and folders."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

__all__ = [
    "FOLDER_FLAGS",
    "NEW_FILE_FLAGS",
    "sync_folder",
    "write_durably",
    "write_pieces_durably",
]

FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""How a folder is opened: no link to one, and for no child process."""
NEW_FILE_FLAGS: Final = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
)
"""How a file is made: never over one that is there."""


def write_durably(handle: int, content: bytes) -> None:
    """Write all bytes to an open file and have them on the disk when this returns.

    Raises ``OSError``; the file then has any part of them.
    """
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]
    os.fsync(handle)


def write_pieces_durably(handle: int, pieces: Iterable[bytes]) -> int:
    """Write pieces to an open file, have them on the disk, and return their size in bytes.

    Raises ``OSError`` and what the pieces raise; the file then has any part of them.
    The caller closes the handle.
    """
    size = 0
    with os.fdopen(handle, "wb", closefd=False) as file:
        for piece in pieces:
            size += file.write(piece)
        file.flush()
        os.fsync(handle)
    return size


def sync_folder(folder: Path) -> None:
    """Have the folder's names on the disk when this returns."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
