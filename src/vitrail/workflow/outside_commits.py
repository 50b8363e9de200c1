"""Revisions of what another program did to a project's folder.

Strategy: what was written is kept first, then renames with the references that
follow them, then removals. The bytes in the folder are the other program's and
are never exchanged: the gates are asked after the fact, and what they find is
told. A page that lost most of itself is recorded as one that waits for a
person's decision; the good content is its parent, one step back.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass

from vitrail.core.commit.noticing import FoundNow, KnownFile, too_large_outside
from vitrail.core.validate.gated import GatePolicy
from vitrail.core.validate.placeholders import Placeholder, project_placeholders
from vitrail.limits import MAX_OUTSIDE_BYTES
from vitrail.ports import (
    AppendEvent,
    Change,
    Clock,
    FileDelete,
    FileWrite,
    Ids,
    PutQuarantine,
    RecordedFile,
    ResolveQuarantine,
    Store,
)
from vitrail.protocol.events import (
    ArtifactQuarantined,
    ArtifactRefused,
    ArtifactSaved,
    Event,
    FileRemoved,
    QuarantineResolved,
)
from vitrail.protocol.manifest import ArtifactManifest, Kind
from vitrail.protocol.records import FileInfo, QuarantineRecord, Revision
from vitrail.workflow.long_texts import kind_of_content
from vitrail.workflow.outside_adopting import adopted
from vitrail.workflow.outside_gates import Asked, Found, ask_gates
from vitrail.workflow.outside_moves import OutsideMoves
from vitrail.workflow.outside_units import (
    Cause,
    Committer,
    Look,
    Noticed,
    Unit,
    changed,
    next_number,
)

__all__ = ["OutsideCommits"]


class OutsideCommits:
    """Commits what another program did to the files of one store's projects."""

    def __init__(
        self, store: Store, clock: Clock, ids: Ids, policy: GatePolicy
    ) -> None:
        self._store = store
        self._policy = policy
        self._committer = Committer(store, clock, ids)
        self._moves = OutsideMoves(store, self._committer)

    async def record(self, look: Look, cause: Cause) -> Noticed:
        """Commit the differences of a look; return what became of them.

        What another process committed meanwhile, or what changed again, is
        left out: the next look tells. Raises ``StorageError`` where the store
        cannot be read.
        """
        large = tuple(
            file for file in look.differences.written if file.size > MAX_OUTSIDE_BYTES
        )
        for file in large:
            await self._refuse(file, cause)
        renames = await self._moves.find(look)
        old = {rename.old for rename in renames}
        apart = {rename.new for rename in renames} | {file.path for file in large}
        written = [file for file in look.differences.written if file.path not in apart]
        gone = [file for file in look.differences.gone if file.path not in old]
        done = Noticed(left_alone=large)
        done = done.joined(
            await self._committer.commit(self._written(look, written, cause))
        )
        if renames:
            done = done.joined(await self._moves.move(look, renames, cause))
        return done.joined(await self._committer.commit(_removals(look, gone, cause)))

    async def _refuse(self, file: FoundNow, cause: Cause) -> None:
        told = ArtifactRefused(
            artifact=None,
            identifier=file.path,
            diagnostics=(too_large_outside(file.path, file.size, MAX_OUTSIDE_BYTES),),
        )
        await self._store.apply([AppendEvent(cause.place, told)])

    # --- what was written ---------------------------------------------------

    async def _written(
        self, look: Look, files: Sequence[FoundNow], cause: Cause
    ) -> AsyncIterator[Unit]:
        if not files:
            return
        held = {
            record.path: record
            for record in await self._store.quarantined(look.project_id)
            if record.draft == record.path
        }
        declared, _ = project_placeholders(
            await self._store.project_file(look.project_id)
        )
        for file in files:
            unit = await self._written_unit(
                look, file, cause, _Known(held.get(file.path), declared)
            )
            if unit is not None:
                yield unit

    async def _written_unit(
        self,
        look: Look,
        file: FoundNow,
        cause: Cause,
        known: _Known,
    ) -> Unit | None:
        read = await self._committer.read(look.project_id, file.path, file.digest)
        if read is None:
            return None
        content, info = read
        head = look.heads.get(file.path)
        revision = self._committer.revision(
            look.project_id, info, cause, parent=head, number=next_number(head)
        )
        manifest = await adopted(self._committer, look, read, cause)
        good = _good_digest(head, known.held)
        found = await self._judged(read, manifest, good, known.placeholders)
        record = None
        if found.is_held and good is not None:
            record = self._record(revision, manifest or info.manifest, found, good)
        changes, told = _decided(known.held, record)
        events = (
            *told,
            *_findings(revision, manifest or info.manifest, found, record),
            changed(revision),
        )
        step = FileWrite(
            revision=revision,
            content=content,
            manifest=manifest,
            events=tuple(AppendEvent(cause.place, event) for event in events),
            changes=changes,
            working_digest=revision.digest,
        )
        held_now = () if record is None else (record,)
        return Unit((step,), Noticed(revisions=(revision,), held=held_now))

    async def _judged(
        self,
        read: tuple[bytes, FileInfo],
        manifest: ArtifactManifest | None,
        good: str | None,
        placeholders: tuple[Placeholder, ...],
    ) -> Found:
        content, info = read
        if manifest is not None:
            kind: Kind | None = manifest.kind
        else:
            kind = await kind_of_content(info.path, content)
        if kind is None:
            return Found()
        previous = await self._committer.read_object(good) if good is not None else None
        asked = Asked(
            path=info.path,
            kind=kind,
            content=content,
            previous=previous,
            manifest=manifest,
            placeholders=placeholders,
        )
        return await ask_gates(asked, self._policy)

    def _record(
        self,
        revision: Revision,
        manifest: ArtifactManifest | None,
        found: Found,
        good: str,
    ) -> QuarantineRecord:
        return QuarantineRecord(
            id=self._committer.new_id(),
            project_id=revision.project_id,
            path=revision.path,
            draft=revision.path,
            revision=revision.id,
            digest=revision.digest,
            good_digest=good,
            reason="artifact-regression",
            author=revision.author,
            identifier=_identifier(manifest),
            run_id=revision.run_id,
            lost=found.lost,
            diagnostics=found.diagnostics,
            manifest=manifest,
            created_at=revision.created_at,
        )


@dataclass(frozen=True, slots=True)
class _Known:
    """What a page is judged by, beside itself."""

    held: QuarantineRecord | None
    """An open question about what another program put in its place before."""
    placeholders: tuple[Placeholder, ...]
    """Those that the project declares."""


async def _removals(
    look: Look, gone: Iterable[KnownFile], cause: Cause
) -> AsyncIterator[Unit]:
    for file in gone:
        told = AppendEvent(cause.place, FileRemoved(file.path))
        yield Unit(
            (FileDelete(look.project_id, file.path, None, events=(told,)),),
            Noticed(removed=(file.path,)),
        )


def _good_digest(
    head: RecordedFile | None, held: QuarantineRecord | None
) -> str | None:
    """Return the digest of what the new content is compared with; None: with nothing."""
    if held is not None and held.good_digest is not None:
        return held.good_digest  # several saves of one stub are compared with the page
    return None if head is None or head.is_gone else head.digest


def _decided(
    held: QuarantineRecord | None, record: QuarantineRecord | None
) -> tuple[tuple[Change, ...], tuple[Event, ...]]:
    """Return what becomes of an earlier question about the file, and of the new one."""
    changes: list[Change] = []
    events: list[Event] = []
    if held is not None:
        changes.append(ResolveQuarantine(held.project_id, held.id))
        events.append(QuarantineResolved(held.id, "replaced"))
    if record is not None:
        changes.append(PutQuarantine(record))
    return tuple(changes), tuple(events)


def _findings(
    revision: Revision,
    manifest: ArtifactManifest | None,
    found: Found,
    record: QuarantineRecord | None,
) -> tuple[Event, ...]:
    """Return the event that tells what the gates found, where they found anything."""
    if record is not None:
        return (
            ArtifactQuarantined(
                artifact=None,
                identifier=record.identifier,
                path=revision.path,
                revision=revision.id,
                diagnostics=found.diagnostics,
                reason=record.reason,
                lost=found.lost,
                draft_of=revision.path,
                quarantine=record.id,
            ),
        )
    if not found.diagnostics or manifest is None:
        return ()
    return (
        ArtifactSaved(
            artifact=None,
            identifier=_identifier(manifest),
            path=revision.path,
            kind=manifest.kind,
            digest=revision.digest,
            revision=revision.id,
            number=revision.number,
            status=manifest.status,
            diagnostics=found.diagnostics,
        ),
    )


def _identifier(manifest: ArtifactManifest | None) -> str:
    said = (manifest.metadata or {}).get("identifier") if manifest else None
    return said if isinstance(said, str) else ""
