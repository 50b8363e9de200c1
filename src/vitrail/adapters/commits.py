"""Commits of files: objects, then one transaction, then placed; rolled forward.

Strategy: under the project's lock (one across processes), the files are looked
at, objects are written, entries and manifests are staged on the folder's own
disk, then one transaction takes the revisions, the events and a *placement* of
each file; then `placing` exchanges them with the old ones and clears the
placements. A process that dies in between leaves the placements behind, and
whoever takes the lock next finishes them.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, assert_never

from vitrail.adapters.clashes import note_new, refuse_clash
from vitrail.adapters.folder import ProjectFolder, Staged
from vitrail.adapters.listing import manifest_bytes
from vitrail.adapters.locks import hold_lock
from vitrail.adapters.objects import Objects, digest_of
from vitrail.adapters.placing import Appender, CommitStep, Placer, Ready
from vitrail.adapters.spelling import NamesInFolders
from vitrail.adapters.sqlite import revisions as rows
from vitrail.adapters.sqlite.readers import Readers
from vitrail.adapters.sqlite.writer import Writer
from vitrail.adapters.sweeping import OBJECTS_LOCK
from vitrail.errors import Conflict, InvalidPath, NotFound, StorageError
from vitrail.limits import MAX_PATH_SEGMENT_BYTES
from vitrail.ports import (
    Change,
    Clock,
    FileDelete,
    FileManifest,
    FileMove,
    FileStep,
    FileWrite,
    Ids,
    PutRevision,
    StoredEvent,
)
from vitrail.protocol.manifest import MANIFEST_SUFFIX, ArtifactManifest
from vitrail.protocol.records import Revision
from vitrail.protocol.times import timestamp

__all__ = ["CommitStep", "FileCommits", "Plan", "plan_steps", "utc_text"]

_LOCK_TIMEOUT_S: Final = 30.0
"""How long a commit waits for another process's; one takes milliseconds."""


@dataclass(frozen=True, slots=True)
class _File:
    """What one path is to become."""

    path: str
    before: str | None
    """Digest the working file must have now; None: there must be none."""
    digest: str | None
    """None: it is to be gone."""
    revision: Revision | None
    content: bytes | None
    """None, and a digest: the bytes are an object already."""
    manifest: bytes | None
    like: str | None = None
    """Path of the file whose mode a new one gets."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What one transaction is to do to files of one project."""

    project_id: str
    files: tuple[_File, ...]
    """No path twice."""
    changes: tuple[Change, ...]


def plan_steps(steps: Sequence[FileStep]) -> Plan | None:
    """Return what the steps come to; None where there are none.

    Raises ``ValueError`` for steps of several projects, a path that is named
    twice, and a digest that is not that of its content.
    """
    if not steps:
        return None
    projects = {_project_of(step) for step in steps}
    files = tuple(file for step in steps for file in _files_of(step))
    if len(projects) > 1 or len({file.path for file in files}) < len(files):
        msg = "expected steps of one project, each path once"
        raise ValueError(msg)
    changes = (change for step in steps for change in (*step.changes, *step.events))
    return Plan(projects.pop(), files, tuple(changes))


def _project_of(step: FileStep) -> str:
    match step:
        case FileDelete() | FileManifest():
            return step.project_id
        case _:
            return step.revision.project_id


def _files_of(step: FileStep) -> tuple[_File, ...]:
    match step:
        case FileWrite(revision, content, manifest):
            _expect_digest(revision, digest_of(content))
            file = _written(revision, content, manifest, before=step.working_digest)
            return (file,)
        case FileDelete():
            return (_File(step.path, step.working_digest, None, None, None, None),)
        case FileManifest(_, path, digest, manifest):
            beside = _beside(path, manifest)
            return (_File(path, digest, digest, None, None, beside),)
        case FileMove(path, working_digest, revision, manifest, content):
            is_same = content is None
            _expect_digest(
                revision, working_digest if is_same else digest_of(content or b"")
            )
            if revision.moved_from != path:
                msg = f"expected a revision that was moved from {path!r}"
                raise ValueError(msg)
            return (
                _written(revision, content, manifest, before=None, like=path),
                _File(path, working_digest, None, None, None, None),
            )
        case _:
            assert_never(step)


def _written(
    revision: Revision,
    content: bytes | None,
    manifest: ArtifactManifest | None,
    *,
    before: str | None,
    like: str | None = None,
) -> _File:
    beside = _beside(revision.path, manifest)
    return _File(
        revision.path, before, revision.digest, revision, content, beside, like
    )


def _beside(path: str, manifest: ArtifactManifest | None) -> bytes | None:
    # a name as long as disks take leaves no room for one beside it: then the file's
    # kind is told by its name, as that of any file without a manifest
    size = len(path.rpartition("/")[2].encode()) + len(MANIFEST_SUFFIX)
    has_room = size <= MAX_PATH_SEGMENT_BYTES
    return manifest_bytes(manifest) if manifest is not None and has_room else None


def _expect_digest(revision: Revision, digest: str) -> None:
    if revision.digest != digest:
        raise ValueError("expected the revision's digest to be that of the content")


class FileCommits:
    """Commits files of all projects of one data folder; its methods block."""

    def __init__(  # noqa: PLR0913 - a composition root's parts, each once
        self,
        *,
        locks: Path,
        objects: Objects,
        writer: Writer,
        readers: Readers,
        apply: Appender,
        clock: Clock,
        ids: Ids,
        on_step: Callable[[CommitStep], None] | None = None,
    ) -> None:
        """``apply`` applies changes in a transaction; ``on_step`` is told each step."""
        self._locks = locks
        self._objects = objects
        self._writer = writer
        self._readers = readers
        self._apply = apply
        self._on_step = on_step or _ignore
        self._placer = Placer(
            objects=objects,
            writer=writer,
            readers=readers,
            apply=apply,
            clock=clock,
            ids=ids,
            on_step=self._on_step,
        )
        self._names = NamesInFolders()
        self._guard = threading.Lock()
        self._in_process: dict[str, threading.Lock] = {}

    def commit(self, folder: ProjectFolder, plan: Plan) -> tuple[StoredEvent, ...]:
        """Commit the files; raise ``Conflict`` where one is not as it was expected."""
        with self._locked(plan.project_id), self._objects_kept():
            self._on_step("locked")
            self._placer.finish(folder, plan.project_id)
            leaving = {file.path for file in plan.files if file.digest is None}
            for file in plan.files:
                self._expect(folder, plan.project_id, file)
                if file.before is None and file.digest is not None:
                    refuse_clash(folder, file.path, self._names, leaving=leaving)
            for file in plan.files:
                _check_place(folder, file)
            self._objects.put_all(
                file.content for file in plan.files if file.content is not None
            )
            self._on_step("object-written")
            ready = self._stage_all(folder, plan)
            try:
                self._on_step("staged")
                events = self._record(plan, ready)
            except BaseException:
                _discard(folder, ready)
                raise
            self._on_step("committed")
            taken = self._place(folder, plan, ready)
            for file in plan.files:
                if file.before is None and file.digest is not None:
                    note_new(folder, file.path, self._names)
        if taken:
            raise _taken(folder, plan, taken)
        return events

    def roll_forward(self, folder: ProjectFolder, project_id: str) -> None:
        """Finish what a process that died had committed, and sweep what it staged."""
        with self._locked(project_id), self._objects_kept():
            self._placer.finish(folder, project_id)

    def adopt(self, changes: tuple[Change, ...]) -> tuple[StoredEvent, ...]:
        """Apply changes with revisions whose objects were stored before.

        Raises ``StorageError('storage-busy')`` where a clean-up came between.
        """
        with self._objects_kept():
            for change in changes:
                if isinstance(change, PutRevision) and not self._objects.has(
                    change.revision.digest
                ):
                    raise StorageError(
                        "Objects were cleaned up while they were being taken in, so "
                        "nothing was added. Do it again.",
                        code="storage-busy",
                    )
            return self._writer.submit(lambda db: self._apply(db, changes)).result()

    # --- one commit ------------------------------------------------------

    def _expect(self, folder: ProjectFolder, project_id: str, file: _File) -> None:
        """Raise unless the file is as expected, and its bytes are in the history."""
        now = _digest_now(folder, file.path)
        if now is None and file.digest is None and file.before is not None:
            raise _not_there(file.path)
        is_kept = (
            now is None
            or now == file.digest
            or self._readers.read_here(
                lambda db: rows.is_in_history(db, project_id, file.path, now)
            )
        )
        if not is_kept:
            self._placer.keep_outside(
                folder, project_id, file.path, reason="found in the folder at a write"
            )
        if now != file.before or not is_kept:
            raise Conflict(
                f"{file.path} was changed by another program in the meantime. "
                "Nothing was overwritten; read it again and repeat the change.",
                path=file.path,
                expected_digest=file.before,
                actual_digest=now,
            )

    def _stage_all(self, folder: ProjectFolder, plan: Plan) -> tuple[Ready, ...]:
        ready: list[Ready] = []
        try:
            for file in plan.files:
                ready.append(Ready(self._stage_entry(folder, file), None))
                if file.manifest is not None:
                    beside = file.path + MANIFEST_SUFFIX
                    like = file.like and file.like + MANIFEST_SUFFIX
                    staged = folder.stage(beside, file.manifest, like=like)
                    ready[-1] = Ready(ready[-1].placement, staged)
        except BaseException:
            _discard(folder, ready)
            raise
        return tuple(ready)

    def _stage_entry(self, folder: ProjectFolder, file: _File) -> rows.Placement:
        staged: str | None = None
        if file.digest is None:
            # where the old file goes; of one that another program removed nothing is
            # moved, since what has its name now is that program's
            staged = None if file.before is None else secrets.token_hex(16)
        elif file.digest != file.before:
            content = file.content
            if content is None:
                content = self._objects.read(file.digest)
            staged = folder.stage(file.path, content, like=file.like).name
        return rows.Placement(
            path=file.path,
            digest=file.digest,
            before=file.before,
            revision_id=file.revision.id if file.revision else None,
            manifest=None if file.manifest is None else file.manifest.decode(),
            staged=staged,
        )

    def _record(self, plan: Plan, ready: Sequence[Ready]) -> tuple[StoredEvent, ...]:
        def transact(db: sqlite3.Connection) -> tuple[StoredEvent, ...]:
            for file, item in zip(plan.files, ready, strict=True):
                if file.revision is not None:
                    rows.add_revision(db, file.revision, item.placement.manifest)
                elif file.digest is not None:
                    _remember_manifest(db, plan.project_id, item.placement)
                elif (
                    not rows.mark_gone(db, plan.project_id, file.path)
                    and file.before is None
                ):
                    raise _not_there(file.path)  # somebody recorded it before
                rows.put_placement(db, plan.project_id, item.placement)
            events = self._apply(db, plan.changes)
            self._on_step("in-transaction")
            return events

        return self._writer.submit(transact).result()

    def _place(
        self, folder: ProjectFolder, plan: Plan, ready: Sequence[Ready]
    ) -> tuple[str, ...]:
        try:
            return self._placer.place(folder, plan.project_id, ready)
        except (StorageError, InvalidPath) as cause:
            paths = ", ".join(file.path for file in plan.files)
            raise StorageError(
                f"The change of {paths} is in the history, but the folder does not show "
                f"it yet: {cause.message} Vitrail tries again when the project is "
                "opened or written to.",
                code=cause.code if isinstance(cause, StorageError) else None,
                is_committed=True,
            ) from cause

    # --- the locks -------------------------------------------------------

    @contextmanager
    def _locked(self, project_id: str) -> Iterator[None]:
        with self._guard:
            in_process = self._in_process.setdefault(project_id, threading.Lock())
        path = self._locks / f"{project_id}.lock"
        with in_process, hold_lock(path, timeout_s=_LOCK_TIMEOUT_S):
            yield

    @contextmanager
    def _objects_kept(self) -> Iterator[None]:
        """Keep clean-ups from removing objects that are about to be named."""
        path = self._locks / OBJECTS_LOCK
        with hold_lock(path, timeout_s=_LOCK_TIMEOUT_S, shared=True):
            yield


def utc_text(clock: Clock) -> str:
    """Return the time as records carry it: UTC, milliseconds, ``Z``."""
    return timestamp(clock.now())


def _remember_manifest(
    db: sqlite3.Connection, project_id: str, placement: rows.Placement
) -> None:
    if placement.manifest is not None:
        rows.put_manifest(db, project_id, placement.path, placement.manifest)


def _discard(folder: ProjectFolder, ready: Sequence[Ready]) -> None:
    """Remove what was staged; what cannot be is swept by the next writer."""
    for item in ready:
        names = [item.placement.staged, item.manifest.name if item.manifest else None]
        for name in filter(None, names):
            with suppress(StorageError, InvalidPath):
                folder.discard(Staged(name))


def _check_place(folder: ProjectFolder, file: _File) -> None:
    """Raise ``InvalidPath`` where the file or its manifest could not be placed or taken."""
    if file.digest is None and file.before is None:
        return  # another program removed it: what has its name now is not touched
    folder.check_place(file.path, make=file.digest is not None)
    if file.manifest is not None:
        folder.check_place(file.path + MANIFEST_SUFFIX)


def _digest_now(folder: ProjectFolder, path: str) -> str | None:
    return None if folder.find(path) is None else folder.digest(path)[0]


def _taken(folder: ProjectFolder, plan: Plan, paths: Sequence[str]) -> Conflict:
    file = next(file for file in plan.files if file.path == paths[0])
    return Conflict(
        f"{', '.join(paths)} was written by another program in the same moment. Its "
        "text is in the folder and yours is in the history, just below it; nothing is "
        "lost. Compare the two and repeat the change.",
        path=file.path,
        expected_digest=file.before,
        actual_digest=_digest_now(folder, file.path),
        is_committed=True,
    )


def _not_there(path: str) -> NotFound:
    return NotFound(
        f"There is no file {path} in the project; somebody has removed it.",
        code="file-not-found",
    )


def _ignore(_: CommitStep) -> None:
    return
