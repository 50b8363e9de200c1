"""Files that a person names: read as they are, written whole or left as they were."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from vitrail.adapters.durable import NEW_FILE_FLAGS, sync_folder, write_pieces_durably
from vitrail.adapters.failures import storage_errors
from vitrail.errors import InvalidInput, InvalidPath, NotFound

__all__ = ["open_input", "write_output"]

_MAX_SHOWN_CHARS: Final = 200


def open_input(path: Path) -> BinaryIO:
    """Return a file that a person named, open for reading; the caller closes it.

    Raises ``NotFound('file-not-found')``, ``InvalidInput`` for a folder and
    ``StorageError``.
    """
    with storage_errors():
        try:
            return path.open("rb")
        except FileNotFoundError as cause:
            raise NotFound(
                f"There is no file {_shown(path)}.", code="file-not-found"
            ) from cause
        except IsADirectoryError as cause:
            raise InvalidInput(f"{_shown(path)} is a folder; name a file.") from cause
        except ValueError as cause:
            raise InvalidPath("The name of a file cannot hold a NUL.") from cause


def write_output(path: Path, pieces: Iterable[bytes]) -> int:
    """Write the file that a person named; return its size in bytes.

    It is there once it is whole; a failure leaves what was there before. Where a
    link leads, the file behind it is written; into what is no file (a pipe, a
    device) the bytes go as they come. Raises ``InvalidPath`` for a folder or a
    name in a folder that is not there, ``StorageError`` where the disk refuses.
    """
    with storage_errors():
        try:
            target = Path(os.path.realpath(path))
            there = target.stat()
        except FileNotFoundError:
            there = None
        except ValueError as cause:
            raise InvalidPath("The name of a file cannot hold a NUL.") from cause
        if there is not None and stat.S_ISDIR(there.st_mode):
            raise InvalidPath(f"{_shown(path)} is a folder; name a file in it.")
        if there is not None and not stat.S_ISREG(there.st_mode):
            with target.open("wb") as file:
                return sum(file.write(piece) for piece in pieces)
        if not target.parent.is_dir():
            raise InvalidPath(
                f"There is no folder for {_shown(path)}. Make it first, or name another "
                "file."
            )
        return _replaced(target, there, pieces)


def _replaced(
    target: Path, there: os.stat_result | None, pieces: Iterable[bytes]
) -> int:
    fresh = target.with_name(f".vitrail.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    handle = os.open(fresh, NEW_FILE_FLAGS, 0o666)
    try:
        try:
            if there is not None:
                os.fchmod(handle, stat.S_IMODE(there.st_mode) & 0o777)
            size = write_pieces_durably(handle, pieces)
        finally:
            os.close(handle)
        fresh.replace(target)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise
    sync_folder(target.parent)
    return size


def _shown(path: Path) -> str:
    name = str(path)
    cut = name[:_MAX_SHOWN_CHARS] + "…" if len(name) > _MAX_SHOWN_CHARS else name
    return cut if cut.isprintable() else repr(cut)
