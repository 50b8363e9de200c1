"""Locks across processes: the operating system's where it has them, lock files elsewhere.

Strategy: ``flock`` on a file that stays; the system lets go of it when the
process ends, however it ends. While it is held the file says who holds it
(pid and when that process started), for people. Where the disk has no such
locks (some network disks), a second file, ``NAME.held``, is the lock: it
appears whole, by a link, and says the same. It is judged stale when no process
of that pid and start time is there any more on this machine, and only the very
file that was judged is removed: it is renamed aside, looked at once more, and
put back if it is another one.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from vitrail.adapters.durable import NEW_FILE_FLAGS
from vitrail.adapters.failures import storage_errors
from vitrail.errors import StorageError

__all__ = [
    "HeldLock",
    "Owner",
    "hold_lock",
    "read_owner",
    "take_lock_file",
    "try_lock",
]

_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_LOCKS: Final = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS}
"""What a disk says that has no locks."""

_MAX_OWNER_BYTES: Final = 1024
"""Of what a lock file says; anything longer is not one of ours."""

_FIRST_PAUSE_S: Final = 0.000_2
_LONGEST_PAUSE_S: Final = 0.005
"""Between two tries; a commit takes milliseconds."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process that holds a lock."""

    pid: int
    started: str
    """When it started, as this system counts it; empty where it does not tell."""
    host: str


@dataclass(slots=True)
class HeldLock:
    """A lock that this process has; let go of it with `release`."""

    path: Path
    _handle: int
    _held: Path | None = None
    """The lock file, where the operating system's lock would not do."""

    def release(self, *, forget: bool = False) -> None:
        """Let go; ``forget`` removes the file, for a lock that nobody takes again.

        It is removed while it is held: who opened it before gets the lock of a
        file that is gone, sees that, and takes the new one.
        """
        try:
            for file in (self._held, self.path if forget else None):
                if file is not None:
                    with suppress(OSError):
                        file.unlink()
        finally:
            os.close(self._handle)


def try_lock(path: Path, *, shared: bool = False) -> HeldLock | None:
    """Return the lock, or None where another holder has it, of this process too.

    ``shared`` ones exclude only those that are not. Raises ``StorageError``
    where the folder refuses.
    """
    with storage_errors():
        while True:
            handle = os.open(path, _FLAGS, 0o600)
            try:
                held = _locked(handle, path, shared=shared)
            except BaseException:
                os.close(handle)
                raise
            if held is None:
                os.close(handle)
                return None
            if os.fstat(handle).st_nlink > 0:
                return held
            held.release()


@contextmanager
def hold_lock(path: Path, *, timeout_s: float, shared: bool = False) -> Iterator[None]:
    """Hold the lock; raise ``StorageError('storage-busy')`` after ``timeout_s``."""
    waited_s, pause_s = 0.0, _FIRST_PAUSE_S
    while (held := try_lock(path, shared=shared)) is None:
        if waited_s >= timeout_s:
            raise _busy(path)
        time.sleep(pause_s)
        waited_s += pause_s
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
    try:
        yield
    finally:
        held.release()


def read_owner(path: Path) -> Owner | None:
    """Return who a lock file says holds it, or held it last; None: it says nothing."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return _said(os.read(handle, _MAX_OWNER_BYTES))
    finally:
        os.close(handle)


def take_lock_file(path: Path) -> bool:
    """Make a lock file that other programs know; False: one is there and not stale.

    It appears whole and says who holds it. A file that says nothing of a process
    is somebody else's, and not stale. Whoever gets it removes it in the end.
    """
    return _appear(path)


def _locked(handle: int, path: Path, *, shared: bool) -> HeldLock | None:
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return None
    except OSError as cause:
        if cause.errno not in _NO_LOCKS:
            raise
        held = path.with_name(path.name + ".held")
        return HeldLock(path, handle, held) if _appear(held) else None
    if not shared:
        _say(handle)
    return HeldLock(path, handle)


def _say(handle: int) -> None:
    """Write who holds the lock; a disk that is full keeps nobody from holding it."""
    with suppress(OSError):
        said = _statement()
        if os.pread(handle, _MAX_OWNER_BYTES, 0) != said:
            os.pwrite(handle, said, 0)
            os.ftruncate(handle, len(said))


def _statement() -> bytes:
    return _statement_of(os.getpid())


@lru_cache(maxsize=1)
def _statement_of(pid: int) -> bytes:
    owner = {"pid": pid, "started": _started(pid) or "", "host": socket.gethostname()}
    return (json.dumps(owner) + "\n").encode()


def _said(raw: bytes) -> Owner | None:
    try:
        said = json.loads(raw)
        pid, started, host = said["pid"], said["started"], said["host"]
    except (ValueError, KeyError, TypeError):
        return None
    is_owner = isinstance(pid, int) and isinstance(started, str)
    return Owner(pid, started, host) if is_owner and isinstance(host, str) else None


def _started(pid: int) -> str | None:
    """Return when a process started, in the system's ticks since it was booted."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return fields[19].decode()
    except (OSError, IndexError):
        return None


def _is_alive(owner: Owner) -> bool:
    """Return whether the process may still be there; another machine's may."""
    if owner.host != socket.gethostname():
        return True
    try:
        os.kill(owner.pid, 0)
    except (ProcessLookupError, OverflowError, ValueError):
        return False
    except PermissionError:
        pass  # somebody else's, so it is there
    started = _started(owner.pid)
    return not owner.started or started is None or started == owner.started


# --- lock files, where the disk has no locks ----------------------------------


def _appear(held: Path) -> bool:
    """Make the lock file, whole; a stale one goes first. False: it is held."""
    aside = _aside(held)
    handle = os.open(aside, NEW_FILE_FLAGS, 0o600)
    try:
        os.write(handle, _statement())
        os.close(handle)
        for _ in range(2):
            try:
                os.link(aside, held, follow_symlinks=False)
            except FileExistsError:
                if not _remove_stale(held):
                    return False
            else:
                return True
        return False
    finally:
        aside.unlink(missing_ok=True)


def _remove_stale(held: Path) -> bool:
    """Remove the lock file if its process is gone; that very file, and no other."""
    try:
        handle = os.open(held, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    try:
        owner = _said(os.read(handle, _MAX_OWNER_BYTES))
        if owner is None or _is_alive(owner):
            return False
        aside = _aside(held)
        try:
            held.rename(aside)
        except FileNotFoundError:
            return True
        judged, taken = os.fstat(handle), aside.lstat()
        if (judged.st_dev, judged.st_ino) != (taken.st_dev, taken.st_ino):
            # somebody removed the stale one first, and this is the lock of a live process
            with suppress(FileExistsError):
                os.link(aside, held, follow_symlinks=False)
            aside.unlink()
            return False
        aside.unlink()
        return True
    finally:
        os.close(handle)


def _aside(held: Path) -> Path:
    return held.with_name(f"{held.name}.{os.getpid()}.{secrets.token_hex(4)}")


def _busy(path: Path) -> StorageError:
    owner = read_owner(path)
    who = f" (process {owner.pid} on {owner.host})" if owner else ""
    return StorageError(
        f"Another program{who} is holding the data folder, so this was not saved. "
        "Try again when it is done.",
        code="storage-busy",
    )
