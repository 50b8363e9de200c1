"""The store of one data folder, and who writes which run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol

from vitrail.core.export.entries import IncomingEntry, JudgedEntries
from vitrail.ports.agents import PromptMessage
from vitrail.ports.changes import Change, StoredEvent
from vitrail.ports.files import (
    FileDelete,
    FileStep,
    FileWrite,
    ObjectsDropped,
    ObjectsFound,
    RecordedFile,
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

__all__ = [
    "ImportSource",
    "OpenedFile",
    "RunClaims",
    "Store",
]


class OpenedFile(Protocol):
    """A working file held open: every piece is of one state of it."""

    async def read(self, start: int, length: int) -> bytes:
        """Return ``length`` bytes from ``start``, fewer at the end of the file.

        Raises ``Conflict('revision-conflict')`` where another program wrote
        into the file since it was opened.
        """

    def close(self) -> None:
        """Let go of the file; may be called twice."""


class ImportSource(Protocol):
    """An archive or a folder whose files want to come into a project."""

    async def examine(self) -> JudgedEntries:
        """Return what may come in, what stays outside, and all that is wrong.

        Raises ``InvalidInput('archive-invalid')``.
        """

    async def read(self, entry: IncomingEntry) -> bytes:
        """Return the bytes of an entry that `examine` listed."""

    def close(self) -> None:
        """Let go of it."""


class RunClaims(Protocol):
    """Which process writes which run; a claim ends with its process, however it ends.

    A run is written by whoever has its claim, and by nobody else.
    """

    async def claim(self, run_id: str) -> bool:
        """Take the claim of a run; False where somebody has it, we too."""
        ...

    async def release(self, run_id: str) -> None:
        """Give a claim of ours back, and forget that anybody asked to stop."""
        ...

    async def ask_to_stop(self, run_id: str) -> None:
        """Ask whoever has the claim to stop the run."""
        ...

    async def asked_to_stop(self) -> frozenset[str]:
        """Return those of our own runs that somebody asked to stop."""
        ...


class Store(Protocol):
    """Records, events, objects and files of one data folder, behind one writer."""

    # one transaction
    async def apply(
        self, changes: Sequence[Change], *, durable: bool = True
    ) -> tuple[StoredEvent, ...]:
        """Apply all changes in one transaction; return the appended events, numbered.

        ``durable`` False may lose the last moments at a power cut (deltas),
        never consistency.
        """

    async def commit_file(self, write: FileWrite) -> tuple[StoredEvent, ...]:
        """Commit one file: object, then transaction, then entry and manifest renamed in."""

    async def commit_files(self, steps: Sequence[FileStep]) -> tuple[StoredEvent, ...]:
        """Commit files of one project in one transaction: all of them, or none.

        What is true of `commit_file` and `delete_file` is true of each step. No
        path may be named twice (``ValueError``).
        """

    async def delete_file(self, delete: FileDelete) -> tuple[StoredEvent, ...]:
        """Remove a working file and its manifest: transaction first, then the files.

        A later file of that path continues its history. Raises
        ``NotFound('file-not-found')`` or ``Conflict('revision-conflict')``.
        """

    # records
    async def projects(self) -> tuple[Project, ...]:
        """Return all projects, the last used first."""

    async def project(self, project_id: str) -> Project:
        """Return a project by id; raise ``NotFound('project-not-found')``."""

    async def project_named(self, name: str) -> Project | None:
        """Return the project with that folder name, if there is one."""

    async def project_at(self, root: str) -> Project | None:
        """Return the project whose record has that root (`PutProject.root`), or None."""

    async def conversations(self, project_id: str) -> tuple[Conversation, ...]:
        """Return a project's conversations, the last used first."""

    async def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation; raise ``NotFound('conversation-not-found')``."""

    async def messages(self, conversation_id: str) -> tuple[tuple[Message, ...], int]:
        """Return the messages in order, and the ``seq`` they are true as of (one read).

        A message whose run is still running has the parts that its stored
        events fold to.
        """

    async def run(self, run_id: str) -> Run:
        """Return a run; raise ``NotFound('run-not-found')``."""

    async def run_prompt(self, run_id: str) -> tuple[PromptMessage, ...]:
        """Return what the run's model was sent; may be empty."""

    async def runs(self, conversation_id: str) -> tuple[Run, ...]:
        """Return the runs of a conversation, the oldest first."""

    async def running(self) -> tuple[Run, ...]:
        """Return all runs whose state is ``running``."""

    async def run_events(self, run_id: str) -> tuple[StoredEvent, ...]:
        """Return a run's events in order."""

    # files
    async def files(self, project_id: str) -> tuple[FileInfo, ...]:
        """Return the project's files by path; no manifest, nothing reserved."""

    async def file(self, project_id: str, path: str) -> FileInfo | None:
        """Return one file as it is on disk now, or None."""

    async def read_file(self, project_id: str, path: str) -> tuple[bytes, FileInfo]:
        """Return a working file's bytes; raise ``NotFound('file-not-found')``."""

    async def open_file(
        self, project_id: str, path: str
    ) -> tuple[OpenedFile, FileInfo]:
        """Return a working file held open, for reading it in pieces.

        Whoever asked closes it. Raises ``NotFound('file-not-found')``.
        """

    async def put_object(self, content: bytes) -> str:
        """Store bytes for revisions that are about to be added; return their digest."""

    async def read_object(self, digest: str) -> bytes:
        """Return the bytes of a revision by their digest."""

    async def head(self, project_id: str, path: str) -> Revision | None:
        """Return the newest revision of a path, whether or not its file is there."""

    async def revisions(
        self,
        project_id: str,
        path: str,
        *,
        before: int | None = None,
        limit: int | None = None,
    ) -> tuple[Revision, ...]:
        """Return a path's revisions, the newest first; at most ``limit`` of them.

        ``before``: only those with a smaller number, for the next page.
        """

    async def revision(self, revision_id: str) -> Revision:
        """Return a revision by id; raise ``NotFound('revision-not-found')``."""

    async def revision_manifest(self, revision_id: str) -> ArtifactManifest | None:
        """Return the manifest that was beside a revision's file, None where none was.

        Where the revision left the manifest as it was, that is an earlier one's.
        Raises ``NotFound('revision-not-found')``.
        """

    async def revision_count(self, project_id: str, path: str) -> int:
        """Return how many revisions a path has."""

    async def recorded(self, project_id: str) -> tuple[RecordedFile, ...]:
        """Return the project's paths as the history has them; nothing of the folder."""

    async def manifest(self, project_id: str, path: str) -> ArtifactManifest | None:
        """Return the manifest beside a path, whether or not its entry is there."""

    async def project_file(self, project_id: str) -> bytes | None:
        """Return the bytes of ``.vitrail/project.json``, cut where it is too long."""

    async def history(self, project_id: str) -> tuple[FileHistory, ...]:
        """Return the project's paths that have revisions, by path."""

    async def quarantined(self, project_id: str) -> tuple[QuarantineRecord, ...]:
        """Return the drafts that wait for a decision, the newest first."""

    async def quarantine(self, quarantine_id: str) -> QuarantineRecord:
        """Return a draft that waits; raise ``NotFound('quarantine-not-found')``."""

    # objects that nothing needs
    async def unreferenced(self) -> ObjectsFound:
        """Return the objects that no revision names, and how many there are that one does."""

    async def drop_objects(self, digests: Sequence[str]) -> ObjectsDropped:
        """Remove those of the objects that are still unreferenced; the rest stay."""

    # settings
    async def settings(self) -> Mapping[str, str]:
        """Return the data folder's settings."""

    async def put_settings(self, values: Mapping[str, str | None]) -> None:
        """Set the settings; None removes one."""

    # events
    async def last_seq(self) -> int:
        """Return the number of the last event, 0 where there is none."""

    async def events_after(
        self, seq: int, *, limit: int = 1000
    ) -> tuple[StoredEvent, ...]:
        """Return events with a number greater than ``seq``, in order."""

    def changed(self) -> AsyncIterator[int]:
        """Yield the last event's number whenever it has grown, other processes' included.

        Within 250 ms of another process's commit, at once for this one's. The
        first number comes at once where the log has any event, so that nothing
        is missed between a read and the first wait.
        """

    async def close(self) -> None:
        """Finish what is being written, then let go of everything."""
