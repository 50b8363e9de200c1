"""What a project exchanges with the world: archives and bundles come in and go out."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from typing import BinaryIO, Final

from vitrail.core.export.bundle import is_bundle, read_bundle
from vitrail.errors import InvalidInput
from vitrail.limits import MAX_TITLE_CHARS
from vitrail.ports import Clock, Ids, ImportSource, Store
from vitrail.protocol.imports import ImportResult
from vitrail.workflow.bundles import BundleBytes, Bundles, PackedBundle
from vitrail.workflow.exports import OutgoingFile, outgoing_files
from vitrail.workflow.gating import GateKeeper
from vitrail.workflow.import_files import FileImports, import_refused, refused_alone
from vitrail.workflow.projects import Projects
from vitrail.workflow.write import FileWriter

__all__ = ["Exchange", "examine", "examine_archive"]

_NO_TITLE: Final = "Imported"
"""Of a project whose archive tells none."""

_HEAD_BYTES: Final = 60
"""What tells a bundle from any other archive."""


class Exchange:
    """Imports and exports of one store's projects."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        *,
        writer: FileWriter,
        open_archive: Callable[[BinaryIO], ImportSource],
        gates: GateKeeper | None = None,
    ) -> None:
        """``open_archive`` reads ZIPs; ``gates`` are those of ``writer``."""
        self._store = store
        self._open_archive = open_archive
        self._gates = gates or GateKeeper()
        self._projects = Projects(store, clock, ids)
        self._files = FileImports(store, clock, writer, self._gates)
        self._bundles = Bundles(store, ids, writer)

    async def bring_in(
        self, project_id: str, file: BinaryIO, *, replace: str | None = None
    ) -> ImportResult:
        """Bring an archive's files, or a bundle's history, into a project.

        The file is closed at the end. What is refused is refused whole, and
        nothing is written: ``InvalidInput`` with ``import-refused``,
        ``archive-invalid``, ``bundle-damaged`` or ``bundle-too-new``.
        """
        try:
            head = await asyncio.to_thread(_read_at, file, 0, _HEAD_BYTES)
            if is_bundle(head):
                if replace is not None:
                    raise InvalidInput(
                        "A bundle replaces nothing, so it takes no reason to replace: "
                        "its history comes in as it is, or is refused."
                    )
                return await self._bundles.bring_in(project_id, await _packed(file))
            source = self._open_archive(file)
            return await self.bring_in_files(project_id, source, replace=replace)
        finally:
            file.close()

    async def bring_in_files(
        self, project_id: str, source: ImportSource, *, replace: str | None = None
    ) -> ImportResult:
        """Bring the files of an archive or a folder into a project, as `bring_in` does."""
        try:
            return await self._files.bring_in(project_id, source, replace=replace)
        finally:
            source.close()

    async def make(self, title: str | None, file: BinaryIO) -> ImportResult:
        """Make a project of an archive or a bundle; none where it is refused.

        Without a title it has the one that its bundle tells.
        """
        try:
            # so that what is refused by itself leaves no folder behind
            told = await examine_archive(file, self._open_archive, self._gates)
        except BaseException:
            file.close()
            raise
        told = (told or "").strip()[:MAX_TITLE_CHARS]
        project = await self._projects.create(title or told or _NO_TITLE)
        try:
            return await self.bring_in(project.id, file)
        except BaseException:
            # also where it is not waited for any more: it must leave no project
            await asyncio.shield(
                self._projects.delete(project.id, with_empty_folder=True)
            )
            raise

    async def pack(self, project_id: str) -> PackedBundle:
        """Return a project's whole history as a bundle."""
        return await self._bundles.pack(project_id)

    async def outgoing(
        self, project_id: str, *, only: str | None = None
    ) -> tuple[OutgoingFile, ...]:
        """Return a project's files as they go into an archive."""
        return await outgoing_files(self._store, project_id, only=only)


async def examine(source: ImportSource, gates: GateKeeper | None = None) -> None:
    """Raise whatever an import would refuse by itself, whichever project it is for.

    With ``gates``, also what they refuse of its files in a new project.
    """
    judged = await source.examine()
    refused = list(judged.refused)
    if gates is not None and not refused:
        refused = list(await refused_alone(judged, source, gates))
    if refused:
        raise import_refused(refused)


async def examine_archive(
    file: BinaryIO,
    open_archive: Callable[[BinaryIO], ImportSource],
    gates: GateKeeper | None = None,
) -> str | None:
    """Do the same for an archive or a bundle; the file stays open.

    Returns the title of the project that a bundle is of, None for an archive.
    """
    if is_bundle(await asyncio.to_thread(_read_at, file, 0, _HEAD_BYTES)):
        packed = await _packed(file)
        bundle = await asyncio.to_thread(read_bundle, packed.read_at, packed.size)
        return bundle.head.title
    await examine(open_archive(file), gates)
    return None


async def _packed(file: BinaryIO) -> BundleBytes:
    size = await asyncio.to_thread(file.seek, 0, io.SEEK_END)
    return BundleBytes(lambda start, length: _read_at(file, start, length), size)


def _read_at(file: BinaryIO, start: int, length: int) -> bytes:
    file.seek(start)
    return file.read(length)
