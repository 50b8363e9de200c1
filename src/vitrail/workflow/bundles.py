"""A project's history as a bundle, and a bundle as a project's history.

Strategy: going out, what another program left in working files becomes a
revision first, so the history has every byte that the folder has. Coming in,
every byte of the bundle is verified, then laid beside the history that is there:
a path's history either is the same as far as both go, or the import is refused
with the list. Then the objects are stored, one transaction adds the revisions,
and the newest of each file that is there is committed like any other write.
The history comes in as it was: the gates are for what is new.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Final

from vitrail.core.export.bundle import (
    Bundle,
    BundleArchive,
    manifest_of_records,
    read_bundle,
)
from vitrail.core.export.entries import clash, taken_names
from vitrail.core.export.history_records import (
    Place,
    history_records,
    place_of,
    revision_of,
)
from vitrail.core.validate import validate_manifest
from vitrail.errors import StorageError
from vitrail.ports import (
    AppendEvent,
    EventPlace,
    FileDelete,
    FileWrite,
    Ids,
    PutRevision,
    Store,
)
from vitrail.protocol.bundle import BundleFile, BundleRevision
from vitrail.protocol.events import FileChanged, FileRemoved
from vitrail.protocol.imports import (
    ImportedFile,
    ImportRefusal,
    ImportResult,
    LeftOut,
)
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import FileInfo, Revision
from vitrail.workflow.import_files import import_refused
from vitrail.workflow.write import FileWriter

__all__ = ["BundleBytes", "Bundles", "PackedBundle"]

_REVISIONS_AT_ONCE: Final = 1000
"""Of one transaction, so that other writers get their turn."""


@dataclass(frozen=True, slots=True)
class PackedBundle:
    """A bundle that is ready to be sent."""

    seal: str
    """The last hash of its chain."""
    pieces: AsyncIterator[bytes]


@dataclass(frozen=True, slots=True)
class BundleBytes:
    """A bundle somewhere, to be read from any place."""

    read_at: Callable[[int, int], bytes]
    """Returns that many bytes from an offset, fewer at the end; blocks."""
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class _Here:
    """What the project has already."""

    revisions: dict[str, tuple[Revision, ...]]
    """The oldest first."""
    files: dict[str, FileInfo]

    def known(self, path: str) -> int:
        """Return how many revisions of the path there are."""
        return len(self.revisions.get(path, ()))


class Bundles:
    """Bundles of one store's projects."""

    def __init__(self, store: Store, ids: Ids, writer: FileWriter) -> None:
        self._store = store
        self._ids = ids
        self._writer = writer

    # --- going out -------------------------------------------------------

    async def pack(self, project_id: str) -> PackedBundle:
        """Return a project's whole history as a bundle; equal histories, equal bytes.

        Raises ``NotFound('project-not-found')``.
        """
        project = await self._store.project(project_id)
        for info in await self._store.files(project_id):
            await self._writer.keep_as_it_is(project_id, info.path)
        here = await self._here(project_id)
        files = [
            BundleFile(
                path=path,
                present=path in here.files,
                manifest=here.files[path].manifest if path in here.files else None,
            )
            for path in here.revisions
        ]
        revisions = [one for listed in here.revisions.values() for one in listed]
        records = history_records(project, files, revisions)
        text, seal = await asyncio.to_thread(manifest_of_records, records)
        digests = sorted({one.digest for one in revisions})
        return PackedBundle(seal, self._pieces(text, digests))

    async def _pieces(self, text: bytes, digests: list[str]) -> AsyncIterator[bytes]:
        archive = BundleArchive()
        yield archive.manifest(text)
        for digest in digests:
            yield archive.object(digest, await self._store.read_object(digest))
        yield archive.end()

    # --- coming in -------------------------------------------------------

    async def bring_in(self, project_id: str, packed: BundleBytes) -> ImportResult:
        """Put a bundle's history into a project, and its files in place.

        Where the project has a part of the same history, the rest is added.
        Raises ``InvalidInput``: ``bundle-damaged``, ``bundle-too-new``, and
        ``import-refused``, whose ``refused`` is the whole list. Nothing is
        written then.
        """
        project = await self._store.project(project_id)
        bundle = await asyncio.to_thread(read_bundle, packed.read_at, packed.size)
        here = await self._here(project_id)
        refused = list(_differences(bundle, here))
        if refused:
            raise import_refused(refused)
        news = [one for one in bundle.revisions if one.number > here.known(one.path)]
        made = self._identified(project_id, bundle, here)
        for digest in sorted({one.digest for one in news}):
            await self._put_object(packed, bundle, digest)
        heads = _heads(bundle, news)
        await self._add(
            [made[place_of(one)] for one in news if place_of(one) not in heads]
        )
        done = [
            await self._settle(project_id, file, made, here, packed, bundle)
            for file in bundle.files
        ]
        return ImportResult(
            kind="bundle",
            project=project,
            files=tuple(one for one in done if one is not None),
            left_out=_left_out(bundle),
            revisions=len(news),
            seal=bundle.seal,
        )

    def _identified(
        self, project_id: str, bundle: Bundle, here: _Here
    ) -> dict[Place, Revision]:
        """Return every revision of the bundle as one of the project, by its place."""
        ids: dict[Place, str] = {}
        for one in bundle.revisions:
            path, number = place_of(one)
            is_here = number <= here.known(path)
            ids[path, number] = (
                here.revisions[path][number - 1].id if is_here else self._ids.new()
            )
        return {
            place_of(one): revision_of(one, project_id=project_id, ids=ids)
            for one in bundle.revisions
        }

    async def _put_object(
        self, packed: BundleBytes, bundle: Bundle, digest: str
    ) -> None:
        content = await self._object(packed, bundle, digest)
        if await self._store.put_object(content) != digest:
            raise StorageError("The bundle was changed while it was being imported.")

    async def _object(self, packed: BundleBytes, bundle: Bundle, digest: str) -> bytes:
        return await asyncio.to_thread(packed.read_at, *bundle.objects[digest])

    async def _add(self, revisions: list[Revision]) -> None:
        for start in range(0, len(revisions), _REVISIONS_AT_ONCE):
            some = revisions[start : start + _REVISIONS_AT_ONCE]
            await self._store.apply([PutRevision(revision) for revision in some])

    async def _settle(
        self,
        project_id: str,
        file: BundleFile,
        made: dict[Place, Revision],
        here: _Here,
        packed: BundleBytes,
        bundle: Bundle,
    ) -> ImportedFile | None:
        """Let the working file be as the bundle has it; None where there is none."""
        path, last = file.path, bundle.last[file.path]
        head, info, known = made[path, last], here.files.get(path), here.known(path)
        if known > last or (known == last and info is not None):
            return _told(here.revisions[path][-1], "unchanged") if info else None
        if not file.present:
            if info is not None:
                await self._remove(project_id, info)
            return None
        recorded = await self._store.head(project_id, path)
        if recorded is not None and recorded.id == head.id:
            head = _again(head, self._ids.new())
        content = await self._object(packed, bundle, head.digest)
        place = EventPlace(project_id=project_id)
        changed = FileChanged(path, head.digest, head.id, head.author)
        await self._store.commit_file(
            FileWrite(
                revision=head,
                content=content,
                manifest=_manifest(file, head),
                events=(AppendEvent(place, changed),),
                working_digest=info.digest if info else None,
            )
        )
        return _told(head, "accepted")

    async def _remove(self, project_id: str, info: FileInfo) -> None:
        place = EventPlace(project_id=project_id)
        await self._store.delete_file(
            FileDelete(
                project_id=project_id,
                path=info.path,
                working_digest=info.digest,
                events=(AppendEvent(place, FileRemoved(info.path)),),
            )
        )

    async def _here(self, project_id: str) -> _Here:
        files = await self._store.files(project_id)
        revisions = {
            one.path: tuple(reversed(await self._store.revisions(project_id, one.path)))
            for one in await self._store.history(project_id)
        }
        return _Here(revisions, {info.path: info for info in files})


def _differences(bundle: Bundle, here: _Here) -> Iterator[ImportRefusal]:
    """Yield where the project's own history or files stand in the way."""
    by_path: dict[str, list[BundleRevision]] = {}
    for one in bundle.revisions:
        by_path.setdefault(one.path, []).append(one)
    taken = taken_names(here.files)
    for file in bundle.files:
        mine = here.revisions.get(file.path, ())
        theirs = by_path[file.path]
        info = here.files.get(file.path)
        if not all(_same(*pair) for pair in zip(mine, theirs, strict=False)):
            yield ImportRefusal(
                name=file.path,
                code="history-differs",
                message="The project has another history of this file. Import the "
                "bundle into a project of its own.",
            )
        elif info is not None and (not mine or mine[-1].digest != info.digest):
            yield ImportRefusal(
                name=file.path,
                code="file-exists",
                message="There is a file of that name that is in no history. Import "
                "the bundle into a project of its own.",
            )
        elif file.present and (refusal := clash(file.path, taken)) is not None:
            yield refusal


def _same(mine: Revision, theirs: BundleRevision) -> bool:
    return (mine.digest, mine.author, mine.created_at, mine.reason) == (
        theirs.digest,
        theirs.author,
        theirs.created_at,
        theirs.reason,
    )


def _heads(bundle: Bundle, news: list[BundleRevision]) -> set[Place]:
    """Return where the new revisions are that are committed as files, one a path.

    Not one that another path's history goes on from: it has to be there first.
    """
    present = {file.path for file in bundle.files if file.present}
    parents = {
        (one.parent.path, one.parent.number)
        for one in news
        if one.parent and one.moved_from
    }
    last = {one.path: one for one in news}
    heads = {place_of(one) for path, one in last.items() if path in present}
    return heads - parents


def _again(head: Revision, new_id: str) -> Revision:
    """Return a revision that puts a file of these bytes into place once more."""
    return head.model_copy(
        update={
            "id": new_id,
            "number": head.number + 1,
            "parent": head.id,
            "author": "restore",
            "moved_from": None,
            "reason": "imported",
        }
    )


def _manifest(file: BundleFile, head: Revision) -> ArtifactManifest | None:
    """Return the manifest by white list; a bundle is no more believed than a model."""
    if file.manifest is None:
        return None
    said = file.manifest.model_dump(mode="json", by_alias=True, exclude_none=True)
    verdict = validate_manifest(
        {**said, "entry": file.path},
        file.path,
        now=head.created_at,
        preserve_updated_at=True,
    )
    return verdict.manifest


def _left_out(bundle: Bundle) -> tuple[LeftOut, ...]:
    kinds = dict.fromkeys(kind for kind, _ in bundle.more)
    return tuple(LeftOut(name=kind, reason="kind") for kind in kinds)


def _told(head: Revision, verdict: str) -> ImportedFile:
    return ImportedFile(
        path=head.path,
        digest=head.digest,
        revision=head.id,
        verdict="accepted" if verdict == "accepted" else "unchanged",
    )
