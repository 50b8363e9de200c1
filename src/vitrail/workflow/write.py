"""The one write entry: every change of a working file goes through here.

Strategy: look at the file, let the gates judge the new content, then make one
commit. What passes goes onto the file; what the gates hold back goes beside
it, as a draft whose record waits for a person; what they refuse goes nowhere.
What another program left in the working file is made a revision first, so
nothing is ever replaced that is not in the history. The store checks once
more, under its lock, that the file is still what was looked at; if not, this
is a conflict and nothing has changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Final

from vitrail.core.commit import (
    Listing,
    manifest_for_person,
    manifest_for_restore,
)
from vitrail.core.commit.naming import draft_place
from vitrail.core.names import valid_path
from vitrail.core.validate.reasons import stated_reason
from vitrail.errors import Conflict, InvalidInput, VitrailError
from vitrail.ports import (
    AppendEvent,
    Change,
    Clock,
    EventPlace,
    FileDelete,
    FileWrite,
    Ids,
    PutQuarantine,
    ResolveQuarantine,
    Store,
)
from vitrail.protocol.events import (
    FileRemoved,
    QuarantineResolved,
)
from vitrail.protocol.http import WriteResult
from vitrail.protocol.manifest import ArtifactManifest, Kind
from vitrail.protocol.records import (
    Author,
    FileInfo,
    QuarantineRecord,
    Revision,
)
from vitrail.protocol.times import timestamp
from vitrail.workflow.entries import (
    Entered,
    Entry,
    Hold,
    ManifestMaker,
    changed,
    draft_manifest,
    held_event,
    made_manifest,
)
from vitrail.workflow.gating import GateKeeper, Judged, Question
from vitrail.workflow.long_texts import kind_of_content
from vitrail.workflow.page_parts import find_own_parts
from vitrail.workflow.prepared import Batch, Prepared, prepared_of

__all__ = [
    "Entered",
    "Entry",
    "FileWriter",
    "Hold",
    "ManifestMaker",
    "changed",
    "held_event",
]

_MAX_LOOKS: Final = 3
"""At a file whose history grows while it stays what it was."""


class FileWriter:
    """Writes working files of one store's projects."""

    def __init__(
        self, store: Store, clock: Clock, ids: Ids, gates: GateKeeper | None = None
    ) -> None:
        """``gates`` judge what is written; none: with the built-in policy."""
        self._store = store
        self._clock = clock
        self._ids = ids
        self._gates = gates or GateKeeper()

    async def enter(self, entry: Entry) -> Entered:
        """Commit what wants to become a revision, or keep it beside the file.

        Raises ``Conflict('revision-conflict')``, ``InvalidPath``, and
        ``InvalidInput`` with the gates' code and their ``diagnostics`` for
        what goes nowhere. Where only the history grew meanwhile (a watcher kept
        the very bytes that the entry replaces), the file is looked at again.
        """
        for _ in range(_MAX_LOOKS):
            try:
                return await self._enter(entry)
            except Conflict as conflict:
                if not await self._is_as_expected(entry, conflict):
                    raise
        return await self._enter(entry)

    async def _is_as_expected(self, entry: Entry, conflict: Conflict) -> bool:
        """Return whether nothing was committed and the file is still the one to replace."""
        if entry.replaces is None or "is_committed" in conflict.details:
            return False
        info = await self._store.file(entry.project_id, valid_path(entry.path))
        return info is not None and info.digest == entry.replaces

    async def enter_all(self, entries: AsyncIterator[Entry]) -> tuple[Entered, ...]:
        """Commit many entries of one project; new files go in one commit, many at a time.

        An entry is prepared while those before it may not be in the folder yet, so
        no two may be of one path. What cannot be committed together is entered one
        by one. Raises what `enter` does; what was committed before stays.
        """
        done: list[Entered] = []
        batch = Batch()
        async for entry in entries:
            if batch.is_full:
                done += await self._entered_batch(batch)
                batch = Batch()
            prepared = await self._prepared_new(entry)
            if prepared is None:
                done += await self._entered_batch(batch)
                batch = Batch()
                done.append(await self.enter(entry))
            else:
                batch.add(entry, prepared)
        done += await self._entered_batch(batch)
        return tuple(done)

    async def _prepared_new(self, entry: Entry) -> Prepared | None:
        """Return how a new file is committed; None for any other entry."""
        path = valid_path(entry.path)
        if entry.replaces is not None or entry.hold or entry.removes:
            return None
        if await self._store.file(entry.project_id, path) is not None:
            return None
        entry = replace(entry, path=path)
        judged = await self._judged(entry, None)
        if judged.outcome == "refused":
            raise _refused(judged)
        return await self._prepared(entry, judged, None)

    async def _entered_batch(self, batch: Batch) -> tuple[Entered, ...]:
        if not batch.prepared:
            return ()
        try:
            await self._store.commit_files([one.write for one in batch.prepared])
        except Conflict as conflict:
            if "is_committed" in conflict.details:
                raise
            return tuple([await self.enter(entry) for entry in batch.entries])
        return tuple(replace(one.entered, events=one.events) for one in batch.prepared)

    async def _enter(self, entry: Entry) -> Entered:
        path = valid_path(entry.path)
        info = await self._store.file(entry.project_id, path)
        now = info.digest if info else None
        if now != entry.replaces:
            raise _moved_on(path, now, entry.replaces)
        entry = replace(entry, path=path)
        judged = await self._judged(entry, info)
        if judged.outcome == "refused":
            raise _refused(judged)
        hold = entry.hold
        if hold is None and judged.outcome == "quarantined":
            hold = Hold("artifact-regression", lost=judged.lost)
        if hold is not None and info is not None:
            return await self._put_beside(entry, judged, hold, info)
        return await self._put_on(entry, judged, info)

    async def write(
        self,
        project_id: str,
        path: str,
        content: bytes,
        *,
        parent_digest: str | None,
        replace_reason: str | None = None,
    ) -> WriteResult:
        """Write what a person wrote, over the file of that digest; None makes a file.

        An artifact's manifest goes along; a new page, drawing or document gets
        one. Raises what `enter` does, and ``Conflict('file-exists')`` where
        there is a file already.
        """
        path = valid_path(path)
        replace_reason = stated_reason(replace_reason)
        info = await self._store.file(project_id, path)
        if info is not None and parent_digest is None:
            raise Conflict(
                f"There is a file {path} already; it was not touched. Read it first "
                "and send its digest to replace it.",
                code="file-exists",
                digest=info.digest,
            )
        return await self.write_result(
            Entry(
                project_id=project_id,
                path=path,
                content=content,
                author="person",
                replaces=parent_digest,
                manifest=self.persons_manifest(is_new=info is None),
                identifier=_identifier_of(info),
                replace_reason=replace_reason,
            )
        )

    async def write_result(self, entry: Entry) -> WriteResult:
        """Enter a change and return what a client is told of it."""
        entered = await self.enter(entry)
        path = entry.path if entered.record is None else entered.record.path
        after = await self._store.file(entry.project_id, valid_path(path))
        if after is None:
            raise Conflict(f"{path} was removed by another program in the meantime.")
        record = entered.record
        return WriteResult(
            revision=entered.revision,
            file=after,
            verdict=entered.outcome,
            diagnostics=entered.diagnostics,
            lost=entered.lost,
            draft=record.draft if record else None,
            quarantine=record.id if record else None,
        )

    async def delete(
        self,
        project_id: str,
        path: str,
        *,
        digest: str | None,
        with_parts: bool = False,
    ) -> tuple[FileRemoved, ...]:
        """Remove the file of that digest, and its manifest; its revisions stay.

        ``with_parts`` removes what only this page needs in the same commit.
        Raises ``NotFound('file-not-found')``, ``Conflict``, and what
        `find_own_parts` does.
        """
        path = valid_path(path)
        if digest is None:
            raise Conflict(
                "A file is removed as it was read: send If-Match with its ETag.",
                code="precondition-required",
            )
        going = {path: digest}
        if with_parts:
            files = await self._store.files(project_id)
            found = await find_own_parts(self._store, project_id, path, files)
            digests = {file.path: file.digest for file in files}
            going |= {part: digests[part] for part in found.own}
        removed = tuple(FileRemoved(name) for name in going)
        for name in going:
            await self.keep_as_it_is(project_id, name)
        place = EventPlace(project_id=project_id)
        await self._store.commit_files(
            [
                FileDelete(
                    project_id=project_id,
                    path=event.path,
                    working_digest=going[event.path],
                    events=(AppendEvent(place, event),),
                )
                for event in removed
            ]
        )
        return removed

    def persons_manifest(self, *, is_new: bool) -> ManifestMaker:
        """Return what makes the manifest of a file that a person or a restore writes."""
        now = timestamp(self._clock.now())

        def made(
            path: str, content: bytes, previous: ArtifactManifest | None
        ) -> ArtifactManifest | None:
            return manifest_for_person(
                path, content, previous=previous, is_new=is_new, now=now
            )

        return made

    def restored_manifest(self, kept: ArtifactManifest | None) -> ManifestMaker:
        """Return what makes the manifest of a version that comes back.

        ``kept`` is the one that was beside it (`Store.revision_manifest`).
        """
        now = timestamp(self._clock.now())

        def made(
            path: str, content: bytes, previous: ArtifactManifest | None
        ) -> ArtifactManifest | None:
            return manifest_for_restore(
                path, content, kept=kept, previous=previous, now=now
            )

        return made

    async def keep_as_it_is(self, project_id: str, path: str) -> Revision | None:
        """Return the head of a path, made of the working file where that is another one.

        What another program left there becomes an ``outside`` revision. None:
        the path has no history and no file.
        """
        info = await self._store.file(project_id, path)
        head = await self._store.head(project_id, path)
        if info is None or (head is not None and head.digest == info.digest):
            return head
        content, read = await self._store.read_file(project_id, info.path)
        if read.digest != info.digest:
            raise _moved_on(info.path, read.digest, info.digest)
        revision = self.revision(
            project_id,
            info.path,
            content,
            author="outside",
            parent=head,
            reason="found in the folder",
        )
        place = EventPlace(project_id=project_id)
        await self._store.commit_file(
            FileWrite(
                revision=revision,
                content=content,
                manifest=None,
                events=(AppendEvent(place, changed(revision)),),
                working_digest=info.digest,
            )
        )
        return revision

    def revision(  # noqa: PLR0913 - the fields of a revision
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
        """Return the next revision of a path, on top of ``parent``."""
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

    # --- inside ----------------------------------------------------------

    async def _judged(self, entry: Entry, info: FileInfo | None) -> Judged:
        if not entry.is_gated:
            return Judged("accepted", entry.content)
        return await self._gates.judge(
            self._store,
            Question(
                project_id=entry.project_id,
                path=entry.path,
                kind=entry.kind or await _kind_of(entry, info),
                content=entry.content,
                file=info,
                identifier=entry.identifier,
                replace_reason=entry.replace_reason,
                priors=entry.priors,
            ),
        )

    async def _put_on(
        self, entry: Entry, judged: Judged, info: FileInfo | None
    ) -> Entered:
        """Commit onto the file itself."""
        prepared = await self._prepared(entry, judged, info)
        if entry.removes is None:
            await self._store.commit_file(prepared.write)
        else:
            await self._store.commit_files((prepared.write, entry.removes))
        return replace(prepared.entered, events=prepared.events)

    async def _prepared(
        self, entry: Entry, judged: Judged, info: FileInfo | None
    ) -> Prepared:
        """Return what is to be committed onto the file itself."""
        parent = await self.keep_as_it_is(entry.project_id, entry.path)
        revision = self.revision(
            entry.project_id,
            entry.path,
            judged.content,
            author=entry.author,
            parent=parent,
            run_id=entry.run_id,
            reason=entry.replace_reason or entry.reason,
        )
        entered = Entered(
            "fixed" if judged.outcome == "fixed" else "accepted",
            revision,
            judged.diagnostics,
            judged.lost,
        )
        manifest = await made_manifest(entry, judged.content, info)
        answered = await self._answered_questions(entry)
        entry = replace(entry, changes=(*entry.changes, *_forgotten(answered)))
        return prepared_of(
            entry,
            entered,
            manifest,
            judged.content,
            working_digest=entry.replaces,
            more=tuple(QuarantineResolved(one.id, "replaced") for one in answered),
        )

    async def _answered_questions(self, entry: Entry) -> tuple[QuarantineRecord, ...]:
        """Return the open questions about what another program put in the file's place.

        Whoever writes the file now has answered them.
        """
        resolved = {
            change.quarantine_id
            for change in entry.changes
            if isinstance(change, ResolveQuarantine)
        }
        held = await self._store.quarantined(entry.project_id)
        return tuple(
            one
            for one in held
            if one.draft == one.path == entry.path and one.id not in resolved
        )

    async def _put_beside(
        self, entry: Entry, judged: Judged, hold: Hold, good: FileInfo
    ) -> Entered:
        """Commit a draft beside the good file, and the record that waits for a person."""
        files = await self._store.files(entry.project_id)
        place = draft_place(entry.path, Listing(files))
        parent = await self.keep_as_it_is(entry.project_id, place.path)
        revision = self.revision(
            entry.project_id,
            place.path,
            judged.content,
            author=entry.author,
            parent=parent,
            run_id=entry.run_id,
            reason=entry.reason,
        )
        record = await self._held(entry, judged, hold, good, revision)
        entered = Entered(
            "quarantined", revision, record.diagnostics, hold.lost, record
        )
        earlier = await self._earlier_drafts(record)
        entry = replace(
            entry,
            changes=(*entry.changes, *_forgotten(earlier), PutQuarantine(record)),
        )
        prepared = prepared_of(
            entry,
            entered,
            draft_manifest(record),
            judged.content,
            working_digest=place.existing.digest if place.existing else None,
            more=tuple(QuarantineResolved(one.id, "replaced") for one in earlier),
        )
        await self._store.commit_file(prepared.write)
        return replace(entered, events=prepared.events)

    async def _held(
        self,
        entry: Entry,
        judged: Judged,
        hold: Hold,
        good: FileInfo,
        draft: Revision,
    ) -> QuarantineRecord:
        return QuarantineRecord(
            id=self._ids.new(),
            project_id=entry.project_id,
            path=entry.path,
            draft=draft.path,
            revision=draft.id,
            digest=draft.digest,
            good_digest=good.digest,
            reason=hold.reason,
            author=entry.author,
            identifier=entry.identifier,
            run_id=entry.run_id,
            lost=hold.lost,
            conflicts=hold.conflicts,
            base_digest=hold.base_digest,
            diagnostics=(*judged.diagnostics, *hold.diagnostics),
            manifest=await made_manifest(entry, judged.content, good),
            created_at=draft.created_at,
        )

    async def _earlier_drafts(
        self, record: QuarantineRecord
    ) -> tuple[QuarantineRecord, ...]:
        """Return the open records whose draft this one is written over."""
        held = await self._store.quarantined(record.project_id)
        return tuple(one for one in held if one.draft == record.draft)


def _forgotten(records: tuple[QuarantineRecord, ...]) -> tuple[Change, ...]:
    return tuple(ResolveQuarantine(one.project_id, one.id) for one in records)


def _identifier_of(info: FileInfo | None) -> str:
    metadata = (info.manifest.metadata or {}) if info and info.manifest else {}
    identifier = metadata.get("identifier")
    return identifier if isinstance(identifier, str) else ""


async def _kind_of(entry: Entry, info: FileInfo | None) -> Kind | None:
    if info is not None and info.manifest is not None:
        return info.manifest.kind
    return await kind_of_content(entry.path, entry.content)


def _refused(judged: Judged) -> InvalidInput:
    words = " ".join(
        found.message for found in judged.diagnostics if found.severity == "error"
    )
    return InvalidInput(
        words or "The content was refused, so nothing was written.",
        code=judged.code or "artifact-regression",
        diagnostics=judged.diagnostics,
        **judged.details,
    )


def _moved_on(path: str, now: str | None, expected: str | None) -> VitrailError:
    return Conflict(
        f"{path} is not what it was when it was read. Nothing was overwritten; read "
        "it again and repeat the change.",
        path=path,
        expected_digest=expected,
        actual_digest=now,
    )
