"""Objects: immutable bytes by their SHA-256, in ``objects/ab/cdef…``.

Strategy: write aside in ``objects/tmp``, fsync, link into place, fsync the
folder. A digest that is there already only ever appeared by an atomic rename,
whole; it is read once more all the same, for disks rot.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from vitrail.adapters.durable import sync_folder, write_durably
from vitrail.adapters.failures import storage_errors
from vitrail.errors import NotFound, StorageError

__all__ = ["DamagedObject", "Objects", "digest_of"]

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def digest_of(content: bytes) -> str:
    """Return the 64 lower-case hex digits of the SHA-256 of the bytes."""
    return hashlib.sha256(content).hexdigest()


_FOLDER_CHARS: Final = 2
"""Of a digest, that name the folder its object lies in."""

_LEFT_OVER_AFTER_S: Final = 3600.0
"""No write of one object takes an hour."""


class DamagedObject(StorageError):
    """The stored bytes are not those that the digest names."""


class Objects:
    """A folder of objects; safe for any number of threads and processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, content: bytes) -> str:
        """Store the bytes and return their digest; durable when this returns."""
        (digest,) = self.put_all((content,))
        return digest

    def put_all(self, contents: Iterable[bytes]) -> tuple[str, ...]:
        """Store all of them and return their digests; each folder is fsynced once."""
        digests: list[str] = []
        made: set[Path] = set()
        with storage_errors():
            for content in contents:
                digests.append(digest_of(content))
                self._put(digests[-1], content, made)
            # also where it was there: another process may just have renamed it in
            for folder in {self._path(digest).parent for digest in digests} | made:
                sync_folder(folder)
        return tuple(digests)

    def _put(self, digest: str, content: bytes, made: set[Path]) -> None:
        """Store one; ``made`` gets the folders in which another one was made."""
        target = self._path(digest)
        if _is_whole(target, content):
            return
        made |= _make_folder(target.parent)
        staged = self._folder / "tmp" / f"{digest}.{secrets.token_hex(8)}"
        made |= _make_folder(staged.parent)
        try:
            _write_new(staged, content)
            staged.rename(target)
        finally:
            staged.unlink(missing_ok=True)

    def read(self, digest: str) -> bytes:
        """Return the bytes; raise ``NotFound`` or, where they rotted, ``StorageError``."""
        if not _DIGEST.fullmatch(digest):
            raise NotFound("There is no object of that name.")
        with storage_errors():
            try:
                content = self._path(digest).read_bytes()
            except FileNotFoundError as cause:
                raise NotFound("There is no object of that digest.") from cause
        if digest_of(content) != digest:
            raise DamagedObject(
                f"The stored content {digest[:12]}… is damaged on disk; "
                "restore it from a backup."
            )
        return content

    def has(self, digest: str) -> bool:
        """Return whether there is an object of that digest."""
        with storage_errors():
            return bool(_DIGEST.fullmatch(digest)) and self._path(digest).is_file()

    def list(self) -> Iterator[tuple[str, int]]:
        """Yield the digest and size in bytes of every object, in any order."""
        with storage_errors():
            for folder in _entries(self._folder):
                if len(folder.name) != _FOLDER_CHARS:
                    continue
                for entry in _entries(Path(folder.path)):
                    digest = folder.name + entry.name
                    # what is gone between two looks is not there
                    with suppress(FileNotFoundError):
                        if _DIGEST.fullmatch(digest):
                            size = entry.stat(follow_symlinks=False).st_size
                            yield digest, size

    def remove(self, digest: str) -> int | None:
        """Remove an object and return its size in bytes; None where there is none.

        The caller holds the objects' lock alone.
        """
        if not _DIGEST.fullmatch(digest):
            return None
        path = self._path(digest)
        with storage_errors():
            try:
                size = path.lstat().st_size
                path.unlink()
            except FileNotFoundError:
                return None
        return size

    def sweep(self, now: datetime) -> None:
        """Remove what writers that died left behind more than an hour ago."""
        oldest = now.timestamp() - _LEFT_OVER_AFTER_S
        with suppress(OSError):
            for staged in (self._folder / "tmp").iterdir():
                if staged.stat().st_mtime < oldest:
                    staged.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest[2:]


def _entries(folder: Path) -> tuple[os.DirEntry[str], ...]:
    try:
        with os.scandir(folder) as entries:
            return tuple(entries)
    except (FileNotFoundError, NotADirectoryError):
        return ()


def _is_whole(target: Path, content: bytes) -> bool:
    """Return whether the object is there; one that a disk let rot is written anew."""
    try:
        return target.stat().st_size == len(content) and target.read_bytes() == content
    except FileNotFoundError:
        return False


def _make_folder(folder: Path) -> frozenset[Path]:
    """Make a folder where there is none; return those that have to be fsynced for it."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return frozenset()
    except FileNotFoundError:
        # somebody removed the folder of objects under a store that is open
        folder.parent.mkdir(mode=0o700, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    return frozenset({folder.parent})


def _write_new(path: Path, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    handle = os.open(path, flags, 0o600)
    try:
        write_durably(handle, content)
    finally:
        os.close(handle)
