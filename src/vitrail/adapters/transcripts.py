"""Transcripts on disk: nameless files on the way, and the one in a project's folder.

Strategy: whoever writes ``.transcript.jsonl`` holds the operating system's lock
of that project's transcript, which keeps out every Vitrail on this data folder,
and a lock file beside it, which other programs know. That one names its process
and when that started; one whose process is gone is removed, that very file and
no other, with what its process left half written. The bytes go to a file of
their own, are fsynced, and take the name by a rename: a reader sees the old
transcript or the new one.
"""

from __future__ import annotations

import asyncio
import io
import os
import secrets
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from vitrail.adapters.commits import utc_text
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.durable import (
    FOLDER_FLAGS,
    NEW_FILE_FLAGS,
    write_pieces_durably,
)
from vitrail.adapters.failures import storage_errors
from vitrail.adapters.folder import ProjectFolder
from vitrail.adapters.locks import HeldLock, read_owner, take_lock_file, try_lock
from vitrail.adapters.sqlite.readers import Readers
from vitrail.adapters.sqlite.transcripts import ConversationReader, insert_told
from vitrail.adapters.sqlite.writer import Writer
from vitrail.core.export.transcript import LOCK_NAME, TRANSCRIPT_NAME
from vitrail.errors import Conflict
from vitrail.ports import Clock, StoredEvent
from vitrail.protocol.transcript import ToldConversation, ToldMessage

__all__ = ["EmbeddedTranscripts", "SpoolFile"]

_T = TypeVar("_T")

_FRESH_PREFIX: Final = f"{TRANSCRIPT_NAME}.tmp."


class SpoolFile(io.FileIO):
    """A file that tells a failure of the disk as ``StorageError``."""

    def write(self, data: object) -> int:
        """Write what fits."""
        with storage_errors():
            return super().write(data)  # type: ignore[arg-type]  # any buffer

    def readinto(self, buffer: object) -> int:
        """Read what there is."""
        with storage_errors():
            return super().readinto(buffer)  # type: ignore[arg-type]  # any buffer


class EmbeddedTranscripts:
    """`vitrail.workflow.transcripts.TranscriptStore` of an embedded store."""

    def __init__(
        self,
        data: DataFolder,
        *,
        readers: Readers,
        writer: Writer,
        folder: Callable[[str], Awaitable[ProjectFolder]],
        seen: Callable[[tuple[StoredEvent, ...]], None],
        clock: Clock,
    ) -> None:
        """``folder`` gives a project's folder, ``seen`` is told of new events."""
        self._data = data
        self._readers = readers
        self._writer = writer
        self._folder = folder
        self._seen = seen
        self._clock = clock

    def spool(self) -> BinaryIO:
        """Return a file without a name, on the disk of the data folder.

        Writing to it and reading from it raise ``StorageError``.
        """
        with (
            storage_errors(),
            tempfile.TemporaryFile(dir=self._data.path, buffering=0) as file,
        ):
            return io.BufferedRandom(SpoolFile(os.dup(file.fileno()), "r+"))

    async def tell(
        self,
        project_id: str,
        conversation_id: str | None,
        work: Callable[[ConversationReader], _T],
    ) -> _T:
        """Return what ``work`` makes of one moment's conversations.

        It has a connection of its own: a long transcript takes no reader from
        the others.
        """

        def read() -> _T:
            with storage_errors():
                connection = self._readers.open()
                try:
                    connection.execute("BEGIN")
                    return work(
                        ConversationReader(connection, project_id, conversation_id)
                    )
                finally:
                    connection.close()

        return await asyncio.to_thread(read)

    async def insert(
        self, project_id: str, told: Iterable[ToldConversation | ToldMessage]
    ) -> tuple[StoredEvent, ...]:
        """Insert conversations in one transaction."""
        at = utc_text(self._clock)
        appended = await asyncio.wrap_future(
            self._writer.submit(lambda db: insert_told(db, project_id, told, at))
        )
        self._seen(appended)
        return appended

    @asynccontextmanager
    async def placing(
        self, project_id: str
    ) -> AsyncIterator[Callable[[Iterable[bytes]], Awaitable[int]]]:
        """Hold the locks of the project's transcript; what is got writes the file."""
        folder = await self._folder(project_id)
        lock = self._data.locks / f"transcript-{project_id}.lock"
        held = await asyncio.to_thread(_taken, lock, folder)

        async def place(pieces: Iterable[bytes]) -> int:
            return await asyncio.to_thread(_place, folder.root, pieces)

        try:
            yield place
        finally:
            await asyncio.to_thread(held.release)


@dataclass(frozen=True, slots=True)
class _Held:
    """Both locks of a transcript."""

    ours: HeldLock
    file: Path
    handle: int
    """Of the lock file. While it is open no other file can have its identity."""

    def release(self) -> None:
        """Let go of both; a lock file that is not ours any more stays."""
        try:
            with suppress(OSError):
                if os.path.samestat(self.file.lstat(), os.fstat(self.handle)):
                    self.file.unlink()
        finally:
            os.close(self.handle)
            self.ours.release(forget=True)


def _taken(lock: Path, folder: ProjectFolder) -> _Held:
    """Take both locks; raise ``Conflict('transcript-locked')``, nothing left behind."""
    ours = try_lock(lock)
    if ours is None:
        raise _locked("")
    try:
        folder.make()
        return _taken_file(ours, folder.root / LOCK_NAME)
    except BaseException:
        ours.release(forget=True)
        raise


def _taken_file(ours: HeldLock, file: Path) -> _Held:
    with storage_errors():
        left_by = read_owner(file)
        is_taken = take_lock_file(file)
    if not is_taken:
        raise _locked(_whose(file))
    with storage_errors():
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    held = _Held(ours, file, handle)
    if left_by is not None:
        _remove_fresh(file.parent, left_by.pid)
    return held


def _whose(file: Path) -> str:
    owner = read_owner(file)
    if owner is None:
        return (
            f" If no program is writing it, remove {LOCK_NAME} from the project's "
            "folder."
        )
    return (
        f" Process {owner.pid} on {owner.host!r} holds it; if that is gone, remove "
        f"{LOCK_NAME} from the project's folder."
    )


def _locked(more: str) -> Conflict:
    return Conflict(
        "Another program is writing this project's transcript. Try again when it is "
        f"done.{more}",
        code="transcript-locked",
    )


def _remove_fresh(root: Path, pid: int) -> None:
    """Remove what a process that died in the middle left half written."""
    for left in root.glob(f"{_FRESH_PREFIX}{pid}.*"):
        with suppress(OSError):
            left.unlink()


def _place(root: Path, pieces: Iterable[bytes]) -> int:
    """Write the transcript of a folder; return its size in bytes."""
    with storage_errors():
        folder = os.open(root, FOLDER_FLAGS)
        try:
            name = f"{_FRESH_PREFIX}{os.getpid()}.{secrets.token_hex(4)}"
            handle = os.open(name, NEW_FILE_FLAGS, 0o600, dir_fd=folder)
            try:
                try:
                    size = write_pieces_durably(handle, pieces)
                finally:
                    os.close(handle)
                os.rename(name, TRANSCRIPT_NAME, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)
                raise
            os.fsync(folder)
        finally:
            os.close(folder)
    return size
