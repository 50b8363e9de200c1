"""Which servers are up on a data folder: a lock that each holds while it lives.

Strategy: the operating system's lock on one file, shared by all who serve the
folder, so that it ends with the process however that ends. Whoever gets it
alone knows that no run in the log can be going on any more.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

from vitrail.adapters.failures import storage_errors

__all__ = ["Presence"]

_NAME: Final = "serving.lock"


class Presence:
    """This process's sign that it serves a data folder."""

    def __init__(self, handle: int, *, is_alone: bool) -> None:
        self._handle = handle
        self.is_alone = is_alone
        """Whether no other process served the folder at the moment of `claim`."""

    @classmethod
    def claim(cls, locks: Path) -> Presence:
        """Put up the sign in the folder ``locks``; raise ``StorageError``.

        May wait for another process that is just cleaning up.
        """
        with storage_errors():
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            handle = os.open(locks / _NAME, flags, 0o600)
            try:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    fcntl.flock(handle, fcntl.LOCK_SH)
                    return cls(handle, is_alone=False)
            except BaseException:
                os.close(handle)
                raise
        return cls(handle, is_alone=True)

    def share(self) -> None:
        """Let others serve the folder too; called when what was left is cleaned up."""
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    def withdraw(self) -> None:
        """Take the sign down."""
        os.close(self._handle)
