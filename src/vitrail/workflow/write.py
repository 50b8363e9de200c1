"""The one write entry: every change of a working file goes through here.

Strategy: look at the file, keep what another program did to it as a revision
of its own, then commit on top of that. Nothing is ever replaced that is not
in the history first. The store checks once more, under its lock, that the
file is still what was looked at; if not, this is a conflict and nothing has
changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from vitrail.core.commit import manifest_for_person
from vitrail.core.names import valid_path
from vitrail.errors import Conflict, VitrailError
from vitrail.ports import AppendEvent, Clock, EventPlace, FileWrite, Ids, Store
from vitrail.protocol.events import Event, FileChanged
from vitrail.protocol.http import WriteResult
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import Author, FileInfo, Revision
from vitrail.protocol.times import timestamp

__all__ = ["FileChange", "FileWriter", "Written"]


@dataclass(frozen=True, slots=True)
class FileChange:
    """One change of one file."""

    project_id: str
    path: str
    content: bytes
    author: Author
    replaces: str | None
    """Digest the working file must have; None: there must be no file."""
    manifest: ArtifactManifest | None = None
    """Written beside it; None leaves the one that is there."""
    place: EventPlace | None = None
    """What the events belong to; none: the project alone."""
    run_id: str | None = None
    reason: str | None = None
    announce: Callable[[Revision], tuple[Event, ...]] | None = None
    """More events for the same transaction, in front of the file's own."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a change became."""

    revision: Revision
    events: tuple[Event, ...]
    """Already in the log."""


class FileWriter:
    """Writes working files of one store's projects."""

    def __init__(self, store: Store, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def carry_out(self, change: FileChange) -> Written:
        """Commit a change; raise ``Conflict('revision-conflict')`` or ``InvalidPath``.

        What another program left in the working file becomes an ``outside``
        revision first, and the change its child.
        """
        path = valid_path(change.path)
        info = await self._store.file(change.project_id, path)
        now = info.digest if info else None
        if now != change.replaces:
            raise _moved_on(path, now, change.replaces)
        head = await self._store.head(change.project_id, path)
        place = change.place or EventPlace(project_id=change.project_id)
        if info is not None and (head is None or head.digest != info.digest):
            head = await self._keep_outside(change.project_id, info, head)
        revision = self._revision(
            change.project_id,
            path,
            change.content,
            author=change.author,
            parent=head,
            run_id=change.run_id,
            reason=change.reason,
        )
        told = change.announce(revision) if change.announce else ()
        events = (*told, _changed(revision))
        await self._store.commit_file(
            FileWrite(
                revision=revision,
                content=change.content,
                manifest=change.manifest,
                events=tuple(AppendEvent(place, event) for event in events),
                working_digest=change.replaces,
            )
        )
        return Written(revision, events)

    async def write(
        self, project_id: str, path: str, content: bytes, *, parent_digest: str | None
    ) -> WriteResult:
        """Write what a person wrote, over the file of that digest; None makes a file.

        An artifact's manifest goes along; a new page, drawing or document gets
        one. Raises ``Conflict``: ``revision-conflict`` where the file is
        another one by now, ``file-exists`` where there is one already.
        """
        path = valid_path(path)
        info = await self._store.file(project_id, path)
        if info is not None and parent_digest is None:
            raise Conflict(
                f"There is a file {path} already; it was not touched. Read it first "
                "and send its digest to replace it.",
                code="file-exists",
                digest=info.digest,
            )
        written = await self.carry_out(
            FileChange(
                project_id=project_id,
                path=path,
                content=content,
                author="person",
                replaces=parent_digest,
                manifest=manifest_for_person(
                    path,
                    content,
                    previous=info.manifest if info else None,
                    is_new=info is None,
                    now=timestamp(self._clock.now()),
                ),
            )
        )
        after = await self._store.file(project_id, path)
        if after is None:
            raise Conflict(f"{path} was removed by another program in the meantime.")
        return WriteResult(revision=written.revision, file=after)

    async def _keep_outside(
        self, project_id: str, info: FileInfo, head: Revision | None
    ) -> Revision:
        content, read = await self._store.read_file(project_id, info.path)
        if read.digest != info.digest:
            raise _moved_on(info.path, read.digest, info.digest)
        revision = self._revision(
            project_id,
            info.path,
            content,
            author="outside",
            parent=head,
            reason="found in the folder",
        )
        await self._store.commit_file(
            FileWrite(
                revision=revision,
                content=content,
                manifest=None,
                events=(
                    AppendEvent(EventPlace(project_id=project_id), _changed(revision)),
                ),
                working_digest=info.digest,
            )
        )
        return revision

    def _revision(  # noqa: PLR0913 - the fields of a revision
        self,
        project_id: str,
        path: str,
        content: bytes,
        *,
        author: Author,
        parent: Revision | None,
        run_id: str | None = None,
        reason: str | None = None,
    ) -> Revision:
        return Revision(
            id=self._ids.new(),
            project_id=project_id,
            path=path,
            number=parent.number + 1 if parent else 1,
            parent=parent.id if parent else None,
            author=author,
            digest=hashlib.sha256(content).hexdigest(),
            size=len(content),
            run_id=run_id,
            reason=reason,
            created_at=timestamp(self._clock.now()),
        )


def _changed(revision: Revision) -> FileChanged:
    return FileChanged(revision.path, revision.digest, revision.id, revision.author)


def _moved_on(path: str, now: str | None, expected: str | None) -> VitrailError:
    return Conflict(
        f"{path} is not what it was when it was read. Nothing was overwritten; read "
        "it again and repeat the change.",
        path=path,
        expected_digest=expected,
        actual_digest=now,
    )
