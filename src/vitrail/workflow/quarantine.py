"""Drafts that are kept beside a good file: listed, taken by a person, or dropped.

Strategy: the record of a draft is forgotten in the same transaction that
writes the good file or lets the draft go, so a draft is decided once, however
many tabs and processes ask. The draft's own file goes with the decision, but
only where it is still what was decided about; its revisions stay for ever.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TypeVar

from vitrail.errors import Conflict, NotFound
from vitrail.ports import (
    AppendEvent,
    EventPlace,
    FileDelete,
    ResolveQuarantine,
    Store,
)
from vitrail.protocol.events import (
    Event,
    FileRemoved,
    QuarantineResolved,
)
from vitrail.protocol.http import WriteResult
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import FileInfo, QuarantineRecord
from vitrail.workflow.write import Entry, FileWriter, ManifestMaker

__all__ = ["Quarantine"]

_T = TypeVar("_T")

_MAX_ATTEMPTS: Final = 8
"""Looks at a draft's file that others keep writing to."""


class Quarantine:
    """The drafts of one store's projects that wait for a decision."""

    def __init__(self, store: Store, writer: FileWriter) -> None:
        self._store = store
        self._writer = writer

    async def drafts(self, project_id: str) -> tuple[QuarantineRecord, ...]:
        """Return what waits, the newest first; raise ``NotFound('project-not-found')``."""
        await self._store.project(project_id)
        return await self._store.quarantined(project_id)

    async def accept(
        self,
        project_id: str,
        quarantine_id: str,
        *,
        parent_digest: str | None,
        content: str | None = None,
    ) -> WriteResult:
        """Put a draft onto its good file, or the person's own resolution of it.

        ``parent_digest`` is that of the good file as the person saw it; None:
        it is gone. Raises ``NotFound('quarantine-not-found')``,
        ``Conflict('revision-conflict')`` and what the write entry does.
        """
        return await self._decided(
            project_id,
            quarantine_id,
            lambda record: self._accept(record, parent_digest, content),
        )

    async def drop(self, project_id: str, quarantine_id: str) -> tuple[Event, ...]:
        """Let a draft go; the good file is not touched, the draft's revisions stay.

        Of what another program wrote onto the good file itself, this brings the
        good content back. Raises ``NotFound('quarantine-not-found')``, and
        ``Conflict('revision-conflict')`` where that file was changed since.
        """
        return await self._decided(project_id, quarantine_id, self._drop)

    async def _decided(
        self,
        project_id: str,
        quarantine_id: str,
        deed: Callable[[QuarantineRecord], Awaitable[_T]],
    ) -> _T:
        """Carry a decision out; look again where only the draft's file has changed."""
        for _ in range(_MAX_ATTEMPTS):
            record = await self._record(project_id, quarantine_id)
            try:
                return await deed(record)
            except (Conflict, NotFound) as error:
                if not _is_about_draft(error, record):
                    raise
        raise Conflict(
            "The draft kept being changed by another program, so nothing was decided. "
            "Try again when that is done."
        )

    async def _accept(
        self, record: QuarantineRecord, parent_digest: str | None, content: str | None
    ) -> WriteResult:
        if content is None and _is_in_place(record):
            return await self._keep(record, parent_digest)
        if content is None:
            wanted = await self._store.read_object(record.digest)
        else:
            wanted = content.encode()
        info = await self._store.file(record.project_id, record.path)
        if info is not None and parent_digest is None:
            raise Conflict(
                f"There is a file {record.path} already; it was not touched. Read it "
                "first and send its digest to replace it.",
                code="file-exists",
                digest=info.digest,
            )
        resolved = QuarantineResolved(record.id, "accepted")
        place = EventPlace(project_id=record.project_id)
        return await self._writer.write_result(
            Entry(
                project_id=record.project_id,
                path=record.path,
                content=wanted,
                author=record.author if content is None else "person",
                replaces=parent_digest,
                manifest=_manifest_of(record),
                identifier=record.identifier,
                run_id=record.run_id if content is None else None,
                replace_reason="accepted by a person from a draft",
                changes=(
                    ResolveQuarantine(record.project_id, record.id),
                    AppendEvent(place, resolved),
                ),
                removes=await self._draft_file(record),
            )
        )

    async def _drop(self, record: QuarantineRecord) -> tuple[Event, ...]:
        if _is_in_place(record):
            return await self._bring_back(record)
        place = EventPlace(project_id=record.project_id)
        resolved = QuarantineResolved(record.id, "dropped")
        forgotten = ResolveQuarantine(record.project_id, record.id)
        removed = await self._draft_file(record)
        if removed is None:
            await self._store.apply([forgotten, AppendEvent(place, resolved)])
            return (resolved,)
        await self._store.delete_file(
            replace(
                removed,
                events=(AppendEvent(place, resolved), *removed.events),
                changes=(forgotten,),
            )
        )
        return resolved, FileRemoved(record.draft)

    async def _keep(
        self, record: QuarantineRecord, parent_digest: str | None
    ) -> WriteResult:
        """Keep what another program wrote: it is the file already, so nothing is written."""
        info = await self._store.file(record.project_id, record.path)
        if info is None or info.digest != parent_digest:
            raise _changed_since(record, parent_digest, info)
        head = await self._store.head(record.project_id, record.path)
        place = EventPlace(project_id=record.project_id)
        resolved = QuarantineResolved(record.id, "accepted")
        await self._store.apply(
            [
                ResolveQuarantine(record.project_id, record.id),
                AppendEvent(place, resolved),
            ]
        )
        revision = head or await self._store.revision(record.revision)
        return WriteResult(revision=revision, file=info)

    async def _bring_back(self, record: QuarantineRecord) -> tuple[Event, ...]:
        """Write the good content over what another program put in its place."""
        info = await self._store.file(record.project_id, record.path)
        if info is not None and info.digest != record.digest:
            raise _changed_since(record, record.digest, info)
        content = await self._store.read_object(record.good_digest or "")
        replaced = await self._store.revision(record.revision)
        kept = (
            await self._store.revision_manifest(replaced.parent)
            if replaced.parent is not None
            else None
        )
        resolved = QuarantineResolved(record.id, "dropped")
        place = EventPlace(project_id=record.project_id)
        entered = await self._writer.enter(
            Entry(
                project_id=record.project_id,
                path=record.path,
                content=content,
                author="restore",
                replaces=info.digest if info else None,
                manifest=self._writer.restored_manifest(kept),
                reason="brought back after another program had replaced it",
                is_gated=False,
                changes=(
                    ResolveQuarantine(record.project_id, record.id),
                    AppendEvent(place, resolved),
                ),
            )
        )
        return (resolved, *entered.events)

    async def _record(self, project_id: str, quarantine_id: str) -> QuarantineRecord:
        await self._store.project(project_id)
        record = await self._store.quarantine(quarantine_id)
        if record.project_id != project_id:
            raise NotFound(
                "This project has no such draft.", code="quarantine-not-found"
            )
        return record

    async def _draft_file(self, record: QuarantineRecord) -> FileDelete | None:
        """Return the removal of the draft's file, where it is still that draft."""
        if _is_in_place(record):
            return None  # the draft is the file itself
        info = await self._store.file(record.project_id, record.draft)
        if info is None or info.digest != record.digest:
            return None
        removed = FileRemoved(record.draft)
        place = EventPlace(project_id=record.project_id)
        return FileDelete(
            project_id=record.project_id,
            path=record.draft,
            working_digest=record.digest,
            events=(AppendEvent(place, removed),),
        )


def _is_in_place(record: QuarantineRecord) -> bool:
    """Return whether another program wrote it onto the good file, so no draft is beside it."""
    return record.draft == record.path


def _is_about_draft(error: Conflict | NotFound, record: QuarantineRecord) -> bool:
    """Return whether only the draft's own file is not as it was looked at."""
    if _is_in_place(record):
        return False
    if error.code == "file-not-found":
        return True
    return error.code == "revision-conflict" and (
        error.details.get("path") == record.draft
    )


def _changed_since(
    record: QuarantineRecord, expected: str | None, info: FileInfo | None
) -> Conflict:
    return Conflict(
        f"{record.path} was changed after this question about it came up. Nothing was "
        "done; read the file again and decide about what it is now.",
        path=record.path,
        expected_digest=expected,
        actual_digest=info.digest if info else None,
    )


def _manifest_of(record: QuarantineRecord) -> ManifestMaker:
    """Return what makes the good file's manifest: the draft's own, of these bytes."""

    def made(
        path: str, content: bytes, previous: ArtifactManifest | None
    ) -> ArtifactManifest | None:
        kept = record.manifest or previous
        if kept is None:
            return None
        metadata = dict(kept.metadata or {})
        metadata["digest"] = hashlib.sha256(content).hexdigest()
        created = previous.created_at if previous else kept.created_at
        return kept.model_copy(
            update={"entry": path, "metadata": metadata, "created_at": created}
        )

    return made
