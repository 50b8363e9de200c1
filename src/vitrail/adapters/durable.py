"""Writing so that a power cut leaves all of it: bytes through an open handle, and folders."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["sync_folder", "write_durably"]


def write_durably(handle: int, content: bytes) -> None:
    """Write all bytes to an open file and have them on the disk when this returns.

    Raises ``OSError``; the file then has any part of them.
    """
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]
    os.fsync(handle)


def sync_folder(folder: Path) -> None:
    """Have the folder's names on the disk when this returns."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
