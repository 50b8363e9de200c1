"""Moves: a file gets another name, and what points to it follows.

Strategy: one transaction takes the file's new name with its manifest, the
pages, styles, scripts and documents whose relative references point to it, and
the manifests that name it; so no moment is seen in which a page has lost its
picture. The bytes of the file itself stay what they were, unless its own
references have to follow it to another folder. The parts of a page that only
it needs may go along: each keeps its place beside the page, so what they say
of each other stays as it is. Parts that lie outside of the page's folder have
no such place, and stay.
"""

from __future__ import annotations

import asyncio
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal
from urllib.parse import quote

from vitrail.core.commit import Listing, row_of_path
from vitrail.core.commit.references import rewrite_references
from vitrail.core.names import name_key, valid_path
from vitrail.errors import Conflict, InvalidInput, NotFound
from vitrail.ports import (
    AppendEvent,
    Change,
    Clock,
    EventPlace,
    FileMove,
    FileStep,
    FileWrite,
    PutQuarantine,
    Store,
)
from vitrail.protocol.events import Event, FileMoved
from vitrail.protocol.history import MovedPart, MoveResult, RewrittenFile
from vitrail.protocol.manifest import ArtifactManifest, Kind
from vitrail.protocol.records import FileInfo, Revision
from vitrail.protocol.times import timestamp
from vitrail.workflow.lineage import text_of
from vitrail.workflow.page_parts import find_own_parts
from vitrail.workflow.write import FileWriter, changed

__all__ = ["Moves"]

_MAX_READ_BYTES: Final = 4 * 1024 * 1024
"""Longer texts are data, not pages that point to others."""

_POINTING: Final = frozenset({"html", "deck", "svg", "markdown-document", "mini-app"})
"""Kinds whose text has addresses of other files in it."""


@dataclass(frozen=True, slots=True)
class _Asked:
    project_id: str
    source: FileInfo
    target: str
    files: Sequence[FileInfo]
    moved: Mapping[str, str]
    """Where each file that moves goes, the one that was named first."""


class Moves:
    """Renames files of one store's projects."""

    def __init__(self, store: Store, clock: Clock, writer: FileWriter) -> None:
        self._store = store
        self._clock = clock
        self._writer = writer

    async def move(
        self,
        project_id: str,
        source: str,
        target: str,
        *,
        digest: str | None,
        with_parts: bool = False,
    ) -> MoveResult:
        """Give the file of that digest another name.

        ``with_parts`` takes what only this page needs to its new folder. Raises
        ``NotFound('file-not-found')``, ``Conflict``: ``file-exists`` where there
        is a file or a folder of one of the names in any spelling,
        ``revision-conflict`` where the file is another one by now; and
        ``InvalidInput`` where the new name says another kind of file.
        """
        asked = await self._asked(project_id, source, target, digest)
        if with_parts:
            asked = await self._with_parts(asked)
        there = {file.path: file for file in asked.files}
        moves = [await self._moving(asked, there[path]) for path in asked.moved]
        followers = [
            step
            for file in asked.files
            if file.path not in asked.moved
            and (step := await self._following(asked, file)) is not None
        ]
        steps: list[FileStep] = [*moves, *followers]
        await self._store.commit_files(steps)
        moved = await self._store.file(project_id, asked.target)
        if moved is None:
            raise Conflict(
                f"{asked.target} was removed by another program in the meantime."
            )
        return MoveResult(
            moved=moved,
            revision=moves[0].revision,
            parts=tuple(
                MovedPart(
                    source=move.path,
                    target=move.revision.path,
                    revision=move.revision.id,
                    digest=move.revision.digest,
                )
                for move in moves[1:]
            ),
            rewritten=tuple(_rewritten(step) for step in followers),
        )

    async def _with_parts(self, asked: _Asked) -> _Asked:
        """Return the move with the parts that go along; raise ``Conflict('file-exists')``."""
        before = posixpath.dirname(asked.source.path)
        after = posixpath.dirname(asked.target)
        if before == after:
            return asked
        found = await find_own_parts(
            self._store, asked.project_id, asked.source.path, asked.files
        )
        folder = f"{before}/" if before else ""
        moved = dict(asked.moved)
        listing = Listing(asked.files)
        for part in found.own:
            if not part.startswith(folder):
                continue
            to = valid_path(posixpath.join(after, part.removeprefix(folder)))
            _refuse_taken(listing, part, to)
            moved[part] = to
        return replace(asked, moved=moved)

    async def _moving(self, asked: _Asked, file: FileInfo) -> FileMove:
        """Return the step that gives one file its new name."""
        project_id, path = asked.project_id, file.path
        target = asked.moved[path]
        head = await self._writer.keep_as_it_is(project_id, path)
        if head is None:
            raise NotFound(f"There is no file {path}.", code="file-not-found")
        last = await self._store.head(project_id, target)
        own = await self._relocated(asked, file)
        content = own
        if content is None:
            content, _ = await self._store.read_file(project_id, path)
        reason = f"renamed from {path}"
        if path != asked.source.path:
            reason += f", with {asked.source.path}"
        revision = self._writer.revision(
            project_id, target, content, author="person", parent=head
        ).model_copy(
            update={
                "number": last.number + 1 if last else 1,
                "moved_from": path,
                "reason": reason,
            }
        )
        told: list[Event] = [
            FileMoved(source=path, target=target, revision=revision.id)
        ]
        if own is not None:
            # the name alone does not say that the bytes are others now
            told.append(changed(revision))
        return FileMove(
            path=path,
            revision=revision,
            manifest=_of_bytes(self._moved_manifest(asked, file), revision),
            content=own,
            working_digest=file.digest,
            events=tuple(
                AppendEvent(EventPlace(project_id=project_id), one) for one in told
            ),
            changes=await self._held_drafts(asked, path),
        )

    async def _asked(
        self, project_id: str, source: str, target: str, digest: str | None
    ) -> _Asked:
        source, target = valid_path(source), valid_path(target)
        if digest is None:
            raise Conflict(
                "A file is renamed as it was read: send If-Match with its ETag.",
                code="precondition-required",
            )
        files = await self._store.files(project_id)
        file = next((file for file in files if file.path == source), None)
        if file is None:
            raise NotFound(
                "There is no such file in the project.", code="file-not-found"
            )
        if file.digest != digest:
            raise Conflict(
                f"{source} is not what it was when it was read. Nothing was renamed; "
                "read it again.",
                path=source,
                expected_digest=digest,
                actual_digest=file.digest,
            )
        if source == target:
            raise InvalidInput(f"{source} has that name already.")
        _refuse_taken(Listing(files), source, target)
        _refuse_other_kind(file, target)
        return _Asked(project_id, file, target, files, {source: target})

    async def _following(self, asked: _Asked, file: FileInfo) -> FileWrite | None:
        """Return the write that brings one file's references up to date, if it has any."""
        content = await self._relocated(asked, file)
        manifest = self._renamed_in(asked, file.manifest)
        if content is None and manifest is None:
            return None
        head = await self._writer.keep_as_it_is(asked.project_id, file.path)
        if content is None:
            content, _ = await self._store.read_file(asked.project_id, file.path)
        revision = self._writer.revision(
            asked.project_id,
            file.path,
            content,
            author="person",
            parent=head,
            reason=f"references follow {asked.source.path} to {asked.target}",
        )
        place = EventPlace(project_id=asked.project_id)
        return FileWrite(
            revision=revision,
            content=content,
            manifest=_of_bytes(manifest or file.manifest, revision),
            events=(AppendEvent(place, changed(revision)),),
            working_digest=file.digest,
        )

    async def _relocated(self, asked: _Asked, file: FileInfo) -> bytes | None:
        """Return a file with its references to the moved one right; None where they are."""
        kind = _pointing_kind(file)
        if kind is None or file.size > _MAX_READ_BYTES:
            return None
        content, info = await self._store.read_file(asked.project_id, file.path)
        text = text_of(content)
        if text is None or info.digest != file.digest:
            return None
        at = asked.moved.get(file.path, file.path)
        if at == file.path and not any(_may_name(text, one) for one in asked.moved):
            return None
        new = await asyncio.to_thread(
            rewrite_references,
            text,
            kind,
            asked.moved,
            at=at,
            was=file.path,
        )
        return new.text.encode() if new.edits else None

    def _moved_manifest(self, asked: _Asked, file: FileInfo) -> ArtifactManifest | None:
        manifest = file.manifest
        if manifest is None:
            return None
        renamed = self._renamed_in(asked, manifest) or manifest
        return renamed.model_copy(update={"entry": asked.moved[file.path]})

    def _renamed_in(
        self, asked: _Asked, manifest: ArtifactManifest | None
    ) -> ArtifactManifest | None:
        """Return the manifest with the new names; None where it has none of the old."""
        if manifest is None:
            return None
        moved = asked.moved
        metadata = manifest.metadata or {}
        changes: dict[str, object] = {}
        if manifest.entry in moved:
            changes["entry"] = moved[manifest.entry]
        if isinstance(manifest.primary, str) and manifest.primary in moved:
            changes["primary"] = moved[manifest.primary]
        listed = manifest.supporting_files or ()
        if not moved.keys().isdisjoint(listed):
            changes["supporting_files"] = tuple(moved.get(one, one) for one in listed)
        draft_of = metadata.get("draftOf")
        if isinstance(draft_of, str) and draft_of in moved:
            changes["metadata"] = {**metadata, "draftOf": moved[draft_of]}
        if not changes:
            return None
        changes["updated_at"] = timestamp(self._clock.now())
        return manifest.model_copy(update=changes)

    async def _held_drafts(self, asked: _Asked, path: str) -> tuple[Change, ...]:
        """Return the records of drafts that know a file, with its new name."""
        changes: list[Change] = []
        for record in await self._store.quarantined(asked.project_id):
            if path not in {record.path, record.draft}:
                continue
            # A record that two of the files are in is written twice, the same.
            named = {
                name: asked.moved[before]
                for name in ("path", "draft")
                if (before := getattr(record, name)) in asked.moved
            }
            changes.append(PutQuarantine(record.model_copy(update=named)))
        return tuple(changes)


def _refuse_taken(listing: Listing, source: str, target: str) -> None:
    there = listing.at(target)
    if there is not None and there.path != source:
        taken = there.path
    elif there is None and not listing.is_free(target):
        taken = target
    elif (above := listing.file_above(target)) is not None:
        taken = above
    else:
        return
    raise Conflict(
        f"The name {taken} is taken, and names that differ only in letter case are one "
        "name on many disks. Choose another name.",
        code="file-exists",
        path=taken,
    )


def _refuse_other_kind(file: FileInfo, target: str) -> None:
    """Refuse a name that says another kind than the file's manifest."""
    if file.manifest is None or name_key(file.path) == name_key(target):
        return
    before = posixpath.splitext(file.path)[1]
    after = posixpath.splitext(target)[1]
    if before.lower() == after.lower():
        return
    row = row_of_path(target)
    kinds = {file.manifest.kind, row.kind if row else None}
    if len(kinds) > 1 and kinds != {"html", "deck"}:
        raise InvalidInput(
            f"{file.path} is of the kind {file.manifest.kind}, and a name that ends in "
            f"{after or 'no extension'} says another one. Keep {before}.",
            code="artifact-manifest-invalid",
        )


def _pointing_kind(file: FileInfo) -> Kind | Literal["css"] | None:
    """Return how a file writes its references; None where it has none."""
    if file.path.lower().endswith(".css"):
        return "css"
    if file.manifest is not None:
        kind = file.manifest.kind
    else:
        row = row_of_path(file.path)
        if row is None:
            return None
        kind = row.kind
    return kind if kind in _POINTING else None


def _may_name(text: str, path: str) -> bool:
    """Return whether a text can point to a path at all; most cannot."""
    name = posixpath.basename(path)
    return name in text or "%" in text or "&" in text or quote(name) in text


def _of_bytes(
    manifest: ArtifactManifest | None, revision: Revision
) -> ArtifactManifest | None:
    if manifest is None:
        return None
    metadata = {**(manifest.metadata or {}), "digest": revision.digest}
    return manifest.model_copy(
        update={"metadata": metadata, "updated_at": revision.created_at}
    )


def _rewritten(step: FileWrite) -> RewrittenFile:
    revision = step.revision
    return RewrittenFile(
        path=revision.path, revision=revision.id, digest=revision.digest
    )
