"""Renaming that never replaces: two names exchanged, or a name that must be free.

Strategy: ``renameat2`` of Linux does both in one step, so that whatever was at
a name at that very moment is kept under the other. Where the system or the disk
has no such call, the old file is linked aside before the rename; between the
two somebody else's rename may still come, which is as near as such a disk lets
one get.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable
from typing import Final

__all__ = ["ASIDE_SUFFIX", "exchange_names", "rename_to_free_name"]

ASIDE_SUFFIX: Final = ".old"
"""Of the name the old file has for a moment, where names cannot be exchanged."""

_NOREPLACE: Final = 1
_EXCHANGE: Final = 2
_UNABLE: Final = {errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.EOPNOTSUPP}
"""What a kernel, a disk or a sandbox says that has no such call."""

_NO_LINKS: Final = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


def exchange_names(from_folder: int, source: str, to_folder: int, target: str) -> None:
    """Exchange two files, each named relative to an open folder.

    Afterwards ``source`` is what ``target`` was at that moment. Raises
    ``FileNotFoundError`` where one of them is missing.
    """
    if _renamed(from_folder, source, to_folder, target, _EXCHANGE):
        return
    aside = source + ASIDE_SUFFIX
    try:
        os.link(
            target,
            aside,
            src_dir_fd=to_folder,
            dst_dir_fd=from_folder,
            follow_symlinks=False,
        )
    except OSError as cause:
        if cause.errno not in _NO_LINKS:
            raise
        os.rename(target, aside, src_dir_fd=to_folder, dst_dir_fd=from_folder)
    os.rename(source, target, src_dir_fd=from_folder, dst_dir_fd=to_folder)
    os.rename(aside, source, src_dir_fd=from_folder, dst_dir_fd=from_folder)


def rename_to_free_name(
    from_folder: int, source: str, to_folder: int, target: str
) -> None:
    """Rename a file to a name that nothing has; raise ``FileExistsError``."""
    if _renamed(from_folder, source, to_folder, target, _NOREPLACE):
        return
    try:
        os.link(
            source,
            target,
            src_dir_fd=from_folder,
            dst_dir_fd=to_folder,
            follow_symlinks=False,
        )
    except OSError as cause:
        if cause.errno not in _NO_LINKS:
            raise
        _refuse_taken(to_folder, target)
        os.rename(source, target, src_dir_fd=from_folder, dst_dir_fd=to_folder)
    else:
        os.unlink(source, dir_fd=from_folder)


def _refuse_taken(folder: int, name: str) -> None:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def _renamed(
    from_folder: int, source: str, to_folder: int, target: str, flags: int
) -> bool:
    """Return True where the one call did it, False where there is none."""
    if _RENAMEAT2 is None:
        return False
    if _RENAMEAT2(
        from_folder, os.fsencode(source), to_folder, os.fsencode(target), flags
    ):
        number = ctypes.get_errno()
        if number in _UNABLE:
            return False
        raise OSError(number, os.strerror(number))
    return True


def _find_renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    try:
        found = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):
        return None
    found.argtypes = (
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_uint,
    )
    found.restype = ctypes.c_int

    def rename(a: int, b: bytes, c: int, d: bytes, e: int) -> int:
        return int(found(a, b, c, d, e))

    return rename


_RENAMEAT2: Final = _find_renameat2()
