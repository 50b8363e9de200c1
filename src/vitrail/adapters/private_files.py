"""Files that only their owner may read, written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from vitrail.adapters.durable import write_durably
from vitrail.adapters.failures import storage_errors

__all__ = ["add_private_file", "replace_private_file"]


def replace_private_file(path: Path, content: bytes) -> None:
    """Write the file with mode 0600; a reader sees the old content or the new.

    Raises ``StorageError``; then the old content stands.
    """
    with storage_errors():
        aside = _write_aside(path, content)
        try:
            aside.rename(path)
        finally:
            aside.unlink(missing_ok=True)


def add_private_file(path: Path, content: bytes) -> bool:
    """Write a new file with mode 0600; return False where the name is taken.

    Raises ``StorageError``.
    """
    with storage_errors():
        aside = _write_aside(path, content)
        try:
            os.link(aside, path, follow_symlinks=False)
        except FileExistsError:
            return False
        finally:
            aside.unlink(missing_ok=True)
        return True


def _write_aside(path: Path, content: bytes) -> Path:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    handle = os.open(aside, flags, 0o600)
    try:
        write_durably(handle, content)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)
    return aside
