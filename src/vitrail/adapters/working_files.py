"""The working files of projects as they are on disk now, with what is known of them.

Strategy: the folder is looked at each time; digests and manifests are kept by
what the file system says of a file, so that an unchanged one is not read again.
Everything here blocks, and runs in a reading thread.
"""

from __future__ import annotations

import os
from typing import Final

from vitrail.adapters.folder import ProjectFolder
from vitrail.adapters.found_files import FoundFile
from vitrail.adapters.listing import DigestCache, ManifestCache, describe
from vitrail.adapters.sqlite import revisions as rows
from vitrail.adapters.sqlite.readers import Readers
from vitrail.errors import StorageError
from vitrail.ports import Clock
from vitrail.protocol.history import FileHistory
from vitrail.protocol.records import FileInfo

__all__ = ["WorkingFiles"]

_LOOKS: Final = 5
"""How often a file that changes under our eyes is looked at again."""


class WorkingFiles:
    """Looks at the working files of one store's projects."""

    def __init__(self, readers: Readers, clock: Clock) -> None:
        self._readers = readers
        self._digests = DigestCache(clock, self._known_digests)
        self._manifests = ManifestCache(clock)

    def list(self, project_id: str, folder: ProjectFolder) -> tuple[FileInfo, ...]:
        """Return the project's files by path."""
        heads = self._readers.read_here(lambda db: rows.heads_of(db, project_id))
        listed: list[FileInfo] = []
        for found in folder.list():
            digested = self._digests.digested(project_id, folder, found)
            if digested is not None:
                manifest = self._manifests.manifest(project_id, folder, found)
                listed.append(
                    describe(found, digested, heads.get(found.path), manifest)
                )
        return tuple(sorted(listed, key=lambda info: info.path))

    def find(
        self, project_id: str, folder: ProjectFolder, path: str
    ) -> FileInfo | None:
        """Return one file, or None."""
        found = folder.find(path)
        return None if found is None else self._described(project_id, folder, found)

    def read(
        self, project_id: str, folder: ProjectFolder, path: str
    ) -> tuple[bytes, FileInfo]:
        """Return a file's bytes; raise ``NotFound('file-not-found')``."""
        content, found = folder.read(path)
        digested = self._digests.keep(project_id, found, content)
        head = self._readers.read_here(
            lambda db: rows.head_of(db, project_id, found.path)
        )
        manifest = self._manifests.manifest(project_id, folder, found)
        return content, describe(found, digested, head, manifest)

    def open(
        self, project_id: str, folder: ProjectFolder, path: str
    ) -> tuple[int, FileInfo]:
        """Return an open descriptor of a file that holds still.

        Raises ``NotFound('file-not-found')``, ``StorageError('storage-busy')``.
        """
        for _ in range(_LOOKS):
            descriptor, found = folder.open(path)
            info = self._described(project_id, folder, found)
            after = folder.find(path)
            if info is not None and after and after.signature == found.signature:
                return descriptor, info
            os.close(descriptor)
        raise StorageError(
            "The file is being changed all the time; try again.",
            code="storage-busy",
        )

    def history(
        self, project_id: str, folder: ProjectFolder
    ) -> tuple[FileHistory, ...]:
        """Return the paths that have revisions, and whether their files are there."""
        heads = self._readers.read_here(lambda db: rows.list_heads(db, project_id))
        there = {found.path for found in folder.list()}
        return tuple(
            FileHistory(
                path=head.path,
                head=head,
                present=head.path in there,
                revisions=head.number,
            )
            for head in heads
        )

    def take_fresh(self, project_id: str) -> tuple[tuple[str, rows.Digested], ...]:
        """Return the digests that were found out since the last call."""
        return self._digests.take_fresh(project_id)

    def forget(self, project_id: str) -> None:
        """Forget what is known of a project that is deleted."""
        self._digests.forget(project_id)

    def _described(
        self, project_id: str, folder: ProjectFolder, found: FoundFile
    ) -> FileInfo | None:
        digested = self._digests.digested(project_id, folder, found)
        if digested is None:
            return None
        head = self._readers.read_here(
            lambda db: rows.head_of(db, project_id, found.path)
        )
        manifest = self._manifests.manifest(project_id, folder, found)
        return describe(found, digested, head, manifest)

    def _known_digests(self, project_id: str) -> dict[str, rows.Digested]:
        return self._readers.read_here(lambda db: rows.get_digests(db, project_id))
