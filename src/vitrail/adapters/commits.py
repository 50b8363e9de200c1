"""Commits of files: object, then transaction, then renamed into place; rolled forward.

Strategy: under the project's lock (one across processes), the object is
written, entry and manifest are staged on the folder's own disk, then one
transaction takes the revision, the events and a *placement*; then both are
renamed in and the placement is cleared. A process that dies in between leaves
the placement behind, and whoever takes the lock next finishes it: unless the
working file is neither what it was nor what it is to be, for then somebody
else wrote it, and it becomes an ``outside`` revision on top.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from filelock import FileLock

from vitrail.adapters.failures import storage_errors
from vitrail.adapters.folder import ProjectFolder, Staged
from vitrail.adapters.listing import manifest_bytes
from vitrail.adapters.objects import Objects, digest_of
from vitrail.adapters.sqlite import revisions as rows
from vitrail.adapters.sqlite.writer import Writer
from vitrail.errors import Conflict, NotFound
from vitrail.ports import (
    AppendEvent,
    Change,
    Clock,
    EventPlace,
    FileDelete,
    FileWrite,
    Ids,
    StoredEvent,
)
from vitrail.protocol.events import FileChanged
from vitrail.protocol.manifest import MANIFEST_SUFFIX
from vitrail.protocol.records import Revision

__all__ = ["CommitStep", "FileCommits", "utc_text"]

CommitStep: TypeAlias = Literal[
    "locked",
    "object-written",
    "staged",
    "in-transaction",
    "committed",
    "entry-placed",
    "manifest-placed",
    "cleared",
]
"""Where a commit is; tests end the process at each of them."""

_LOCK_TIMEOUT_S: Final = 30.0
"""How long a commit waits for another process's; one takes milliseconds."""

_LOCK_POLL_S: Final = 0.005

_Appender: TypeAlias = Callable[
    [sqlite3.Connection, tuple[Change, ...]], tuple[StoredEvent, ...]
]


@dataclass(frozen=True, slots=True)
class _Ready:
    """What lies staged for one commit."""

    entry: Staged | None
    """None: the working file has these bytes already."""
    manifest: Staged | None


class FileCommits:
    """Commits files of all projects of one data folder; its methods block."""

    def __init__(  # noqa: PLR0913 - a composition root's parts, each once
        self,
        *,
        locks: Path,
        objects: Objects,
        writer: Writer,
        apply: _Appender,
        clock: Clock,
        ids: Ids,
        on_step: Callable[[CommitStep], None] | None = None,
    ) -> None:
        """``apply`` applies changes in a transaction; ``on_step`` is told each step."""
        self._locks = locks
        self._objects = objects
        self._writer = writer
        self._apply = apply
        self._clock = clock
        self._ids = ids
        self._on_step = on_step or _ignore
        self._guard = threading.Lock()
        self._in_process: dict[str, threading.Lock] = {}

    def commit(
        self, folder: ProjectFolder, write: FileWrite
    ) -> tuple[StoredEvent, ...]:
        """Commit one file; raise ``Conflict`` where it is not as the write expects."""
        revision = write.revision
        if digest_of(write.content) != revision.digest:
            raise ValueError("expected the revision's digest to be that of the content")
        with self._locked(revision.project_id):
            self._on_step("locked")
            self._finish(folder, revision.project_id)
            self._expect(folder, revision.path, write.working_digest)
            folder.check_place(revision.path)
            self._objects.put(write.content)
            self._on_step("object-written")
            ready = self._stage(folder, write)
            try:
                self._on_step("staged")
                events = self._record(write)
            except BaseException:
                self._discard(folder, ready)
                raise
            self._on_step("committed")
            self._place(folder, revision, ready)
        return events

    def delete(
        self, folder: ProjectFolder, delete: FileDelete
    ) -> tuple[StoredEvent, ...]:
        """Remove a working file and its manifest; its revisions stay."""
        with self._locked(delete.project_id):
            self._finish(folder, delete.project_id)
            if folder.find(delete.path) is None:
                raise NotFound(
                    "There is no such file in the project.", code="file-not-found"
                )
            self._expect(folder, delete.path, delete.working_digest)
            placement = rows.Placement(
                delete.path, None, delete.working_digest, None, None
            )

            def transact(db: sqlite3.Connection) -> tuple[StoredEvent, ...]:
                rows.put_placement(db, delete.project_id, placement)
                return self._apply(db, delete.events)

            events = self._writer.submit(transact).result()
            self._on_step("committed")
            self._remove(folder, delete.path)
            self._clear(delete.project_id, delete.path)
        return events

    def roll_forward(self, folder: ProjectFolder, project_id: str) -> None:
        """Finish what a process that died had committed, and sweep what it staged."""
        with self._locked(project_id):
            self._finish(folder, project_id)

    # --- one commit ------------------------------------------------------

    def _expect(self, folder: ProjectFolder, path: str, digest: str | None) -> None:
        found = folder.find(path)
        now = None if found is None else folder.digest(path)[0]
        if now != digest:
            raise Conflict(
                f"{path} was changed by another program in the meantime. "
                "Nothing was overwritten; read it again and repeat the change.",
                path=path,
                expected_digest=digest,
                actual_digest=now,
            )

    def _stage(self, folder: ProjectFolder, write: FileWrite) -> _Ready:
        path = write.revision.path
        is_there = write.working_digest == write.revision.digest
        entry = None if is_there else folder.stage(path, write.content)
        manifest: Staged | None = None
        if write.manifest is not None:
            try:
                folder.check_place(path + MANIFEST_SUFFIX)
                manifest = folder.stage(
                    path + MANIFEST_SUFFIX, manifest_bytes(write.manifest)
                )
            except BaseException:
                self._discard(folder, _Ready(entry, None))
                raise
        return _Ready(entry, manifest)

    def _record(self, write: FileWrite) -> tuple[StoredEvent, ...]:
        revision = write.revision
        manifest = manifest_bytes(write.manifest).decode() if write.manifest else None
        placement = rows.Placement(
            revision.path, revision.digest, write.working_digest, revision.id, manifest
        )

        def transact(db: sqlite3.Connection) -> tuple[StoredEvent, ...]:
            rows.add_revision(db, revision, manifest)
            rows.put_placement(db, revision.project_id, placement)
            events = self._apply(db, (*write.changes, *write.events))
            self._on_step("in-transaction")
            return events

        return self._writer.submit(transact).result()

    def _place(self, folder: ProjectFolder, revision: Revision, ready: _Ready) -> None:
        if ready.entry is not None:
            folder.place(ready.entry, revision.path)
        self._on_step("entry-placed")
        if ready.manifest is not None:
            folder.place(ready.manifest, revision.path + MANIFEST_SUFFIX)
        self._on_step("manifest-placed")
        self._clear(revision.project_id, revision.path)
        self._on_step("cleared")

    def _discard(self, folder: ProjectFolder, ready: _Ready) -> None:
        for staged in (ready.entry, ready.manifest):
            if staged is not None:
                folder.discard(staged)

    def _clear(self, project_id: str, path: str) -> None:
        # not durable: after a power cut the next start finds it done, and clears it
        self._writer.submit(
            lambda db: rows.clear_placement(db, project_id, path), durable=False
        ).result()

    def _remove(self, folder: ProjectFolder, path: str) -> None:
        folder.remove(path)
        folder.remove(path + MANIFEST_SUFFIX)

    # --- rolling forward -------------------------------------------------

    def _finish(self, folder: ProjectFolder, project_id: str) -> None:
        placements = self._writer.submit(
            lambda db: rows.list_placements(db, project_id), durable=False
        ).result()
        for placement in placements:
            self._finish_one(folder, project_id, placement)
        # whoever holds the lock is the only one who stages: what lies there is left over
        folder.clear_staging()

    def _finish_one(
        self, folder: ProjectFolder, project_id: str, placement: rows.Placement
    ) -> None:
        path = placement.path
        found = folder.find(path)
        now = None if found is None else folder.digest(path)[0]
        if placement.digest is None:
            if now == placement.before:
                self._remove(folder, path)
            self._clear(project_id, path)
            return
        if now in (placement.digest, placement.before):
            if now != placement.digest:
                content = self._objects.read(placement.digest)
                folder.place(folder.stage(path, content), path)
            if placement.manifest is not None:
                beside = path + MANIFEST_SUFFIX
                folder.place(folder.stage(beside, placement.manifest.encode()), beside)
        elif now is not None:
            self._keep_outside(folder, project_id, path)
        # else somebody removed the file since: it stays so, its history has it
        self._clear(project_id, path)

    def _keep_outside(self, folder: ProjectFolder, project_id: str, path: str) -> None:
        content, _ = folder.read(path)
        digest = self._objects.put(content)

        def transact(db: sqlite3.Connection) -> None:
            head = rows.head_of(db, project_id, path)
            revision = Revision(
                id=self._ids.new(),
                project_id=project_id,
                path=path,
                number=head.number + 1 if head else 1,
                parent=head.revision_id if head else None,
                author="outside",
                digest=digest,
                size=len(content),
                reason="changed by another program while a commit was interrupted",
                created_at=utc_text(self._clock),
            )
            rows.add_revision(db, revision, None)
            changed = FileChanged(path, digest, revision.id, "outside")
            self._apply(db, (AppendEvent(EventPlace(project_id), changed),))

        self._writer.submit(transact).result()

    # --- the lock --------------------------------------------------------

    @contextmanager
    def _locked(self, project_id: str) -> Iterator[None]:
        with self._guard:
            in_process = self._in_process.setdefault(project_id, threading.Lock())
        lock = FileLock(
            self._locks / f"{project_id}.lock",
            timeout=_LOCK_TIMEOUT_S,
            mode=0o600,
            thread_local=False,
            poll_interval=_LOCK_POLL_S,
            fallback_to_soft=False,
            preserve_lock_file=True,
        )
        with in_process:
            with storage_errors():
                lock.acquire()
            try:
                yield
            finally:
                lock.release()


def utc_text(clock: Clock) -> str:
    """Return the time as records carry it: UTC, milliseconds, ``Z``."""
    text = clock.now().isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def _ignore(_: CommitStep) -> None:
    return
