"""Files below an open folder: what one look at each of them tells.

Strategy: every folder is opened relative to the one above it and closed when
it has been walked; no link is followed. What is hidden, reserved or cannot be
named in a project is not there.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from vitrail.adapters.durable import FOLDER_FLAGS
from vitrail.adapters.spelling import composed
from vitrail.core.names import check_name
from vitrail.protocol.manifest import MANIFEST_SUFFIX

__all__ = [
    "Beside",
    "FoundFile",
    "files_below",
    "folders_below",
    "found_file",
    "manifest_beside",
]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A regular file of the folder."""

    path: str
    size: int
    """Bytes."""
    modified_ns: int
    changed_ns: int
    """When the file system last wrote the inode; cannot be set by a program."""
    signature: str
    """Equal signatures, equal bytes (short of a change within one clock tick)."""
    manifest: Beside | None
    """The manifest beside it, if there is one."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A manifest that lies beside a file, unread."""

    signature: str
    changed_ns: int


def files_below(folder: int, prefix: str) -> Iterator[FoundFile]:
    """Yield the files below an open folder, which is closed at the end, by path."""
    try:
        with os.scandir(folder) as entries:
            by_name = {entry.name: entry for entry in entries}
        for name, entry in sorted(by_name.items()):
            path = prefix + composed(name)
            # of two spellings the composed one is the file that both reach
            is_other = path != prefix + name and composed(name) in by_name
            if name.startswith(".") or is_other or not _may_be_listed(path):
                continue
            # what is gone, or became a link, between two looks is not there
            with suppress(OSError):
                if entry.is_file(follow_symlinks=False):
                    beside = by_name.get(name + MANIFEST_SUFFIX)
                    yield found_file(
                        path,
                        entry.stat(follow_symlinks=False),
                        _beside_of(beside.stat(follow_symlinks=False))
                        if beside
                        else None,
                    )
                elif entry.is_dir(follow_symlinks=False):
                    inner = os.open(name, FOLDER_FLAGS, dir_fd=folder)
                    yield from files_below(inner, path + "/")
    finally:
        os.close(folder)


def folders_below(folder: int, path: str) -> Iterator[str]:
    """Yield an open folder, which is closed at the end, and those below it, by path."""
    try:
        yield path
        with os.scandir(folder) as entries:
            names = sorted(
                entry.name for entry in entries if entry.is_dir(follow_symlinks=False)
            )
        for name in names:
            inner_path = f"{path}/{composed(name)}" if path else composed(name)
            if name.startswith(".") or not _may_be_listed(inner_path):
                continue
            # what is gone, or became a link, between two looks is not there
            with suppress(OSError):
                yield from folders_below(
                    os.open(name, FOLDER_FLAGS, dir_fd=folder), inner_path
                )
    finally:
        os.close(folder)


@lru_cache(maxsize=16_384)
def _may_be_listed(path: str) -> bool:
    return check_name(path).ok


def found_file(path: str, found: os.stat_result, manifest: Beside | None) -> FoundFile:
    """Return what a look at a regular file told."""
    return FoundFile(
        path=path,
        size=found.st_size,
        modified_ns=found.st_mtime_ns,
        changed_ns=found.st_ctime_ns,
        signature=_signature(found),
        manifest=manifest,
    )


def _signature(found: os.stat_result) -> str:
    return f"{found.st_size}.{found.st_mtime_ns}.{found.st_ctime_ns}.{found.st_ino}"


def manifest_beside(folder: int, name: str) -> Beside | None:
    """Return the manifest that lies beside a file of an open folder, if one does."""
    try:
        found = os.stat(name + MANIFEST_SUFFIX, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return _beside_of(found)


def _beside_of(found: os.stat_result) -> Beside | None:
    if not stat.S_ISREG(found.st_mode):
        return None
    return Beside(_signature(found), found.st_ctime_ns)
