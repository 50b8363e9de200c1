"""Moves: a file gets another name, and what points to it follows.

Strategy: one transaction takes the file's new name with its manifest, the
pages, styles, scripts and documents whose relative references point to it, and
the manifests that name it; so no moment is seen in which a page has lost its
picture. The bytes of the file itself stay what they were, unless its own
references have to follow it to another folder.
"""

from __future__ import annotations

import asyncio
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
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
from vitrail.protocol.events import FileMoved
from vitrail.protocol.history import MoveResult, RewrittenFile
from vitrail.protocol.manifest import ArtifactManifest, Kind
from vitrail.protocol.records import FileInfo, Revision
from vitrail.protocol.times import timestamp
from vitrail.workflow.lineage import text_of
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


class Moves:
    """Renames files of one store's projects."""

    def __init__(self, store: Store, clock: Clock, writer: FileWriter) -> None:
        self._store = store
        self._clock = clock
        self._writer = writer

    async def move(
        self, project_id: str, source: str, target: str, *, digest: str | None
    ) -> MoveResult:
        """Give the file of that digest another name.

        Raises ``NotFound('file-not-found')``, ``Conflict``: ``file-exists``
        where there is a file or a folder of that name in any spelling,
        ``revision-conflict`` where the file is another one by now; and
        ``InvalidInput`` where the new name says another kind of file.
        """
        asked = await self._asked(project_id, source, target, digest)
        path = asked.source.path
        head = await self._writer.keep_as_it_is(project_id, path)
        if head is None:
            raise NotFound(f"There is no file {path}.", code="file-not-found")
        last = await self._store.head(project_id, asked.target)
        own = await self._relocated(asked, asked.source)
        content = own
        if content is None:
            content, _ = await self._store.read_file(project_id, path)
        revision = self._writer.revision(
            project_id, asked.target, content, author="person", parent=head
        ).model_copy(
            update={
                "number": last.number + 1 if last else 1,
                "moved_from": path,
                "reason": f"renamed from {path}",
            }
        )
        followers = [
            step
            for file in asked.files
            if file.path != path
            and (step := await self._following(asked, file)) is not None
        ]
        told = FileMoved(source=path, target=asked.target, revision=revision.id)
        move = FileMove(
            path=path,
            revision=revision,
            manifest=_of_bytes(self._moved_manifest(asked), revision),
            content=own,
            working_digest=asked.source.digest,
            events=(AppendEvent(EventPlace(project_id=project_id), told),),
            changes=await self._held_drafts(asked),
        )
        steps: list[FileStep] = [move, *followers]
        await self._store.commit_files(steps)
        moved = await self._store.file(project_id, asked.target)
        if moved is None:
            raise Conflict(
                f"{asked.target} was removed by another program in the meantime."
            )
        return MoveResult(
            moved=moved,
            revision=revision,
            rewritten=tuple(_rewritten(step) for step in followers),
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
        return _Asked(project_id, file, target, files)

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
        is_own = file.path == asked.source.path
        if not is_own and not _may_name(text, asked.source.path):
            return None
        new = await asyncio.to_thread(
            rewrite_references,
            text,
            kind,
            {asked.source.path: asked.target},
            at=asked.target if is_own else file.path,
            was=file.path,
        )
        return new.text.encode() if new.edits else None

    def _moved_manifest(self, asked: _Asked) -> ArtifactManifest | None:
        manifest = asked.source.manifest
        if manifest is None:
            return None
        renamed = self._renamed_in(asked, manifest) or manifest
        return renamed.model_copy(update={"entry": asked.target})

    def _renamed_in(
        self, asked: _Asked, manifest: ArtifactManifest | None
    ) -> ArtifactManifest | None:
        """Return the manifest with the new name; None where it does not name the file."""
        if manifest is None:
            return None
        old, new = asked.source.path, asked.target
        metadata = manifest.metadata or {}
        changes: dict[str, object] = {}
        if manifest.entry == old:
            changes["entry"] = new
        if manifest.primary == old:
            changes["primary"] = new
        if old in (manifest.supporting_files or ()):
            changes["supporting_files"] = tuple(
                new if path == old else path for path in manifest.supporting_files or ()
            )
        if metadata.get("draftOf") == old:
            changes["metadata"] = {**metadata, "draftOf": new}
        if not changes:
            return None
        changes["updated_at"] = timestamp(self._clock.now())
        return manifest.model_copy(update=changes)

    async def _held_drafts(self, asked: _Asked) -> tuple[Change, ...]:
        """Return the records of drafts that know the file, with its new name."""
        changes: list[Change] = []
        for record in await self._store.quarantined(asked.project_id):
            named = {
                name: asked.target
                for name in ("path", "draft")
                if getattr(record, name) == asked.source.path
            }
            if named:
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
