"""The embedded store: SQLite for records and events, files on disk, one data folder.

Strategy: one writer thread (`sqlite.writer`), reading threads beside it
(`sqlite.readers`), and two threads for commits of files, which wait for disks
and locks. Nothing here blocks the event loop. Any number of processes may
have the same data folder open.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from vitrail.adapters.commits import CommitStep, FileCommits, plan_steps, utc_text
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.folder import ProjectFolder
from vitrail.adapters.listing import read_manifest
from vitrail.adapters.objects import Objects
from vitrail.adapters.reading import HeldFile
from vitrail.adapters.sqlite import events, records
from vitrail.adapters.sqlite import revisions as rows
from vitrail.adapters.sqlite.apply import apply_changes
from vitrail.adapters.sqlite.quarantine import get_quarantine, list_quarantine
from vitrail.adapters.sqlite.readers import Readers
from vitrail.adapters.sqlite.writer import Writer
from vitrail.adapters.sweeping import Sweeper
from vitrail.adapters.transcripts import EmbeddedTranscripts
from vitrail.adapters.wake import Wake
from vitrail.adapters.working_files import WorkingFiles
from vitrail.core.validate.manifest import persisted_manifest
from vitrail.errors import StorageError, VitrailError
from vitrail.ports import (
    Change,
    Clock,
    DeleteProject,
    FileDelete,
    FileStep,
    FileWrite,
    Ids,
    ObjectsDropped,
    ObjectsFound,
    OpenedFile,
    PromptMessage,
    PutProject,
    PutRevision,
    RecordedFile,
    StoredEvent,
)
from vitrail.protocol.history import FileHistory
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import (
    Conversation,
    FileInfo,
    Message,
    Project,
    QuarantineRecord,
    Revision,
    Run,
)

__all__ = ["EmbeddedStore", "open_store"]

_T = TypeVar("_T")

_COMMIT_THREADS: Final = 2
"""Commits of one project wait for each other anyway; they mostly wait for the disk."""


class EmbeddedStore:
    """`vitrail.ports.Store` on one data folder; made by `open_store`."""

    def __init__(
        self,
        data: DataFolder,
        *,
        writer: Writer,
        last_seq: int,
        clock: Clock,
        ids: Ids,
        on_step: Callable[[CommitStep], None] | None = None,
    ) -> None:
        """Take over an open ``writer``; needs a running event loop."""
        self._data = data
        self._clock = clock
        self._writer = writer
        self._readers = Readers(data.database)
        self._commit_pool = ThreadPoolExecutor(
            _COMMIT_THREADS, thread_name_prefix="vitrail-commit"
        )
        self._objects = Objects(data.objects)
        self._working = WorkingFiles(self._readers, clock)
        self._commits = FileCommits(
            locks=data.locks,
            objects=self._objects,
            writer=self._writer,
            readers=self._readers,
            apply=self._applied,
            clock=clock,
            ids=ids,
            on_step=on_step,
        )
        self._sweeper = Sweeper(
            locks=data.locks,
            objects=self._objects,
            writer=self._writer,
            readers=self._readers,
        )
        self._wake = Wake(self._readers, last_seq)
        self._is_closed = False

    # --- one transaction -------------------------------------------------

    async def apply(
        self, changes: Sequence[Change], *, durable: bool = True
    ) -> tuple[StoredEvent, ...]:
        """Apply all changes in one transaction; return the appended events."""
        steps = tuple(changes)
        emptied = [
            await self._folder(change.project_id)
            for change in steps
            if isinstance(change, DeleteProject) and change.with_empty_folder
        ]
        for change in steps:
            match change:
                case PutProject(project, root):
                    await self._make_folder(project, root)
                case DeleteProject(project_id):
                    self._working.forget(project_id)
        if any(isinstance(change, PutRevision) for change in steps):
            appended = await self._committing(partial(self._commits.adopt, steps))
        else:
            work = partial(self._applied, changes=steps)
            appended = await asyncio.wrap_future(
                self._writer.submit(work, durable=durable)
            )
        self._seen(appended)
        for folder in emptied:
            await self._blocking(folder.remove_empty)
        return appended

    async def commit_file(self, write: FileWrite) -> tuple[StoredEvent, ...]:
        """Commit one file: object, transaction, then entry and manifest renamed in."""
        return await self.commit_files((write,))

    async def delete_file(self, delete: FileDelete) -> tuple[StoredEvent, ...]:
        """Remove a working file and its manifest; its revisions are kept."""
        return await self.commit_files((delete,))

    async def commit_files(self, steps: Sequence[FileStep]) -> tuple[StoredEvent, ...]:
        """Commit files of one project in one transaction: all of them, or none."""
        planned = plan_steps(steps)
        if planned is None:
            return ()
        folder = await self._folder(planned.project_id)

        def work() -> tuple[StoredEvent, ...]:
            if folder.root.parent == self._data.projects:
                # one that was removed by hand; a folder elsewhere may be on a disk
                # that is not there at the moment, and is not made up
                folder.make()
            try:
                return self._commits.commit(folder, planned)
            finally:
                # events are committed even where the rename then failed
                self._wake.commit_seen(self._readers.read_here(events.last_seq))

        return await self._committing(work)

    # --- records ---------------------------------------------------------

    async def projects(self) -> tuple[Project, ...]:
        """Return all projects, the last used first."""
        return await self._readers.read(records.list_projects)

    async def project(self, project_id: str) -> Project:
        """Return a project by id; raise ``NotFound('project-not-found')``."""
        return await self._readers.read(lambda db: records.get_project(db, project_id))

    async def project_named(self, name: str) -> Project | None:
        """Return the project with that folder name, if there is one."""
        return await self._readers.read(lambda db: records.project_named(db, name))

    async def project_at(self, root: str) -> Project | None:
        """Return the project whose record has that root, if there is one."""
        return await self._readers.read(lambda db: records.project_at(db, root))

    async def conversations(self, project_id: str) -> tuple[Conversation, ...]:
        """Return a project's conversations, the last used first."""
        return await self._readers.read(
            lambda db: records.list_conversations(db, project_id)
        )

    async def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation; raise ``NotFound('conversation-not-found')``."""
        return await self._readers.read(
            lambda db: records.get_conversation(db, conversation_id)
        )

    async def messages(self, conversation_id: str) -> tuple[tuple[Message, ...], int]:
        """Return the messages in order, and the ``seq`` they are true as of.

        A message whose run is still running has the parts that its stored
        events fold to.
        """

        def work(db: sqlite3.Connection) -> tuple[tuple[Message, ...], int]:
            records.get_conversation(db, conversation_id)
            listed = records.list_messages(db, conversation_id)
            return (
                tuple(
                    events.folded(db, message) if is_running else message
                    for message, is_running in listed
                ),
                events.last_seq(db),
            )

        return await self._readers.read(work)

    async def run(self, run_id: str) -> Run:
        """Return a run; raise ``NotFound('run-not-found')``."""
        return await self._readers.read(lambda db: records.get_run(db, run_id))

    async def run_prompt(self, run_id: str) -> tuple[PromptMessage, ...]:
        """Return what the run's model was sent; may be empty."""
        return await self._readers.read(lambda db: records.get_prompt(db, run_id))

    async def runs(self, conversation_id: str) -> tuple[Run, ...]:
        """Return the runs of a conversation, the oldest first."""
        return await self._readers.read(
            lambda db: records.list_runs(db, conversation_id)
        )

    async def running(self) -> tuple[Run, ...]:
        """Return all runs whose state is ``running``."""
        return await self._readers.read(records.list_running)

    async def run_events(self, run_id: str) -> tuple[StoredEvent, ...]:
        """Return a run's events in order."""
        return await self._readers.read(lambda db: events.list_run_events(db, run_id))

    # --- files -----------------------------------------------------------

    async def files(self, project_id: str) -> tuple[FileInfo, ...]:
        """Return the project's files by path; no manifest, nothing reserved."""
        folder = await self._settled_folder(project_id)
        listed = await self._blocking(partial(self._working.list, project_id, folder))
        fresh = self._working.take_fresh(project_id)
        if fresh:
            await self._remember(project_id, fresh)
        return listed

    async def file(self, project_id: str, path: str) -> FileInfo | None:
        """Return one file as it is on disk now, or None."""
        folder = await self._settled_folder(project_id)
        return await self._blocking(
            partial(self._working.find, project_id, folder, path)
        )

    async def read_file(self, project_id: str, path: str) -> tuple[bytes, FileInfo]:
        """Return a working file's bytes; raise ``NotFound('file-not-found')``."""
        folder = await self._settled_folder(project_id)
        return await self._blocking(
            partial(self._working.read, project_id, folder, path)
        )

    async def open_file(
        self, project_id: str, path: str
    ) -> tuple[OpenedFile, FileInfo]:
        """Return a working file held open; raise ``NotFound('file-not-found')``."""
        folder = await self._settled_folder(project_id)
        descriptor, info = await self._blocking(
            partial(self._working.open, project_id, folder, path)
        )
        return HeldFile(descriptor, self._blocking), info

    async def manifest(self, project_id: str, path: str) -> ArtifactManifest | None:
        """Return the manifest beside ``path``, whether or not its entry is there."""
        folder = await self._settled_folder(project_id)
        return await self._blocking(partial(read_manifest, folder, path))

    async def project_file(self, project_id: str) -> bytes | None:
        """Return the bytes of ``.vitrail/project.json``, if there is one."""
        folder = await self._settled_folder(project_id)
        return await self._blocking(folder.read_project_file)

    async def folders(self) -> Mapping[str, ProjectFolder]:
        """Return the folder of each project, by the project's id."""
        roots = await self._readers.read(records.list_roots)
        return {project_id: self._folder_at(root) for project_id, root in roots.items()}

    async def put_object(self, content: bytes) -> str:
        """Store bytes for revisions that are about to be added; return their digest."""
        return await self._committing(partial(self._objects.put, content))

    async def read_object(self, digest: str) -> bytes:
        """Return the bytes of a revision by their digest."""
        return await self._blocking(partial(self._objects.read, digest))

    async def head(self, project_id: str, path: str) -> Revision | None:
        """Return the newest revision of a path, whether or not its file is there."""
        return await self._readers.read(
            lambda db: rows.newest_revision(db, project_id, path)
        )

    async def revisions(
        self,
        project_id: str,
        path: str,
        *,
        before: int | None = None,
        limit: int | None = None,
    ) -> tuple[Revision, ...]:
        """Return a path's revisions below number ``before``, the newest first."""
        return await self._readers.read(
            lambda db: rows.list_revisions(
                db, project_id, path, before=before, limit=limit
            )
        )

    async def revision(self, revision_id: str) -> Revision:
        """Return a revision by id; raise ``NotFound('revision-not-found')``."""
        return await self._readers.read(lambda db: rows.get_revision(db, revision_id))

    async def revision_manifest(self, revision_id: str) -> ArtifactManifest | None:
        """Return the manifest that was beside a revision's file, None where none was."""

        def work(db: sqlite3.Connection) -> tuple[str, str | None]:
            return rows.get_manifest(db, rows.get_revision(db, revision_id))

        path, raw = await self._readers.read(work)
        return None if raw is None else persisted_manifest(raw, path)

    async def revision_count(self, project_id: str, path: str) -> int:
        """Return how many revisions a path has: its last one's number."""
        head = await self._readers.read(lambda db: rows.head_of(db, project_id, path))
        return head.number if head else 0

    async def recorded(self, project_id: str) -> tuple[RecordedFile, ...]:
        """Return the project's paths as the history has them."""
        heads = await self._readers.read(lambda db: rows.heads_of(db, project_id))
        return tuple(
            RecordedFile(
                path, head.revision_id, head.number, head.digest, bool(head.gone)
            )
            for path, head in heads.items()
        )

    async def history(self, project_id: str) -> tuple[FileHistory, ...]:
        """Return the project's paths that have revisions, by path."""
        folder = await self._settled_folder(project_id)
        return await self._blocking(partial(self._working.history, project_id, folder))

    async def quarantined(self, project_id: str) -> tuple[QuarantineRecord, ...]:
        """Return the drafts that wait for a decision, the newest first."""
        return await self._readers.read(lambda db: list_quarantine(db, project_id))

    async def quarantine(self, quarantine_id: str) -> QuarantineRecord:
        """Return a draft that waits; raise ``NotFound('quarantine-not-found')``."""
        return await self._readers.read(lambda db: get_quarantine(db, quarantine_id))

    # --- objects that nothing needs --------------------------------------

    async def unreferenced(self) -> ObjectsFound:
        """Return the objects that no revision names, and how many one does."""
        return await self._blocking(self._sweeper.find)

    async def drop_objects(self, digests: Sequence[str]) -> ObjectsDropped:
        """Remove those of the objects that are still unreferenced; the rest stay."""
        return await self._committing(partial(self._sweeper.drop, tuple(digests)))

    # --- settings and events ---------------------------------------------

    async def settings(self) -> Mapping[str, str]:
        """Return the data folder's settings."""
        return await self._readers.read(records.get_settings)

    async def put_settings(self, values: Mapping[str, str | None]) -> None:
        """Set the settings; None removes one."""
        kept = dict(values)
        await asyncio.wrap_future(
            self._writer.submit(lambda db: records.put_settings(db, kept))
        )

    async def last_seq(self) -> int:
        """Return the number of the last event, 0 where there is none."""
        return await self._readers.read(events.last_seq)

    async def events_after(
        self, seq: int, *, limit: int = 1000
    ) -> tuple[StoredEvent, ...]:
        """Return events with a number greater than ``seq``, in order."""
        return await self._readers.read(
            lambda db: events.list_events_after(db, seq, limit)
        )

    def changed(self) -> AsyncIterator[int]:
        """Yield the last event's number now and whenever it has grown."""
        return self._wake.follow()

    async def close(self) -> None:
        """Finish what is being written, then let go of everything."""
        if self._is_closed:
            return
        self._is_closed = True
        self._wake.close()
        await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        self._commit_pool.shutdown(wait=True)
        self._readers.close()
        self._writer.close()

    async def recover(self) -> None:
        """Finish what a process that died had committed; `open_store` does it."""
        unfinished = set(await self._readers.read(rows.projects_with_placements))
        for project in await self.projects():
            folder = await self._folder(project.id)
            try:
                if project.id in unfinished or await self._blocking(folder.has_staged):
                    await self._committing(
                        partial(self._commits.roll_forward, folder, project.id)
                    )
            except VitrailError:
                # one project's folder may be gone or on a full disk: it is finished
                # when it can be, and the others are there all the same
                continue
        await self._blocking(partial(self._objects.sweep, self._clock.now()))

    def transcripts(self) -> EmbeddedTranscripts:
        """Return what transcripts need of this store."""
        return EmbeddedTranscripts(
            self._data,
            readers=self._readers,
            writer=self._writer,
            folder=self._folder,
            seen=self._seen,
            clock=self._clock,
        )

    # --- inside ----------------------------------------------------------

    def _applied(
        self, db: sqlite3.Connection, changes: Sequence[Change]
    ) -> tuple[StoredEvent, ...]:
        return apply_changes(db, changes, utc_text(self._clock))

    def _seen(self, appended: tuple[StoredEvent, ...]) -> None:
        if appended:
            self._wake.grow(appended[-1].seq)

    async def _remember(
        self, project_id: str, fresh: tuple[tuple[str, rows.Digested], ...]
    ) -> None:
        try:
            await asyncio.wrap_future(
                self._writer.submit(
                    lambda db: rows.put_digests(db, project_id, fresh), durable=False
                )
            )
        except StorageError:
            return  # a cache only: a folder that cannot be written to can be listed

    async def _make_folder(self, project: Project, root: str | None) -> None:
        """Make a new project's folder before its record says that there is one."""
        if root is None:
            known = await self._readers.read(
                lambda db: records.find_root(db, project.id)
            )
            root = known or f"projects/{project.name}"
        await self._blocking(self._folder_at(root).make)

    def _folder_at(self, root: str) -> ProjectFolder:
        # the data folder's own path has no link left in it; its parent neither
        stored = Path(root)
        if stored.is_absolute():
            return ProjectFolder(stored)
        if root == "..":
            return ProjectFolder(self._data.path.parent)
        return ProjectFolder(self._data.path / stored)

    async def _folder(self, project_id: str) -> ProjectFolder:
        root = await self._readers.read(lambda db: records.root_of(db, project_id))
        return self._folder_at(root)

    async def _settled_folder(self, project_id: str) -> ProjectFolder:
        """Return the folder once nothing committed is left to be placed in it."""
        root, is_settled = await self._readers.read(
            lambda db: (
                records.root_of(db, project_id),
                not rows.list_placements(db, project_id),
            )
        )
        folder = self._folder_at(root)
        if not is_settled:
            try:
                await self._committing(
                    partial(self._commits.roll_forward, folder, project_id)
                )
            except VitrailError:
                return folder  # busy or full: what is on disk is shown
        return folder

    async def _blocking(self, work: Callable[[], _T]) -> _T:
        return await self._readers.run(work)

    async def _committing(self, work: Callable[[], _T]) -> _T:
        if self._is_closed:
            raise StorageError("The store is closed.")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._commit_pool, work)


async def open_store(
    data: DataFolder,
    *,
    clock: Clock,
    ids: Ids,
    on_step: Callable[[CommitStep], None] | None = None,
) -> EmbeddedStore:
    """Open the store of a data folder and finish what a dead process left.

    Raises ``StorageError``: ``storage-too-new`` for a folder of a later
    version. ``on_step`` is told each step of a commit; for tests of crashes.
    """
    writer = await asyncio.to_thread(Writer, data.database)
    last_seq = await asyncio.wrap_future(writer.submit(events.last_seq, durable=False))
    store = EmbeddedStore(
        data, writer=writer, last_seq=last_seq, clock=clock, ids=ids, on_step=on_step
    )
    try:
        await store.recover()
    except BaseException:
        await store.close()
        raise
    return store
