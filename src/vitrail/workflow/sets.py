"""The files of one text as a set: each of its pages lists the others that it needs.

Strategy: a page is saved when it ends, which is before its styles and scripts
come. Its own tags name most of them at once; what only the others tell (a
picture of a style, a module of a module, a script that no tag names) is added
when the text has ended. The page's bytes and history stay as they are: only
its manifest grows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from vitrail.core.commit import parts_of_set
from vitrail.core.commit.parts import PartFile
from vitrail.errors import Conflict, InvalidPath, NotFound
from vitrail.limits import MAX_SUPPORTING_FILES
from vitrail.ports import Clock, FileManifest, Store
from vitrail.protocol.events import ArtifactSaved
from vitrail.protocol.manifest import KINDS, Kind
from vitrail.protocol.records import FileInfo
from vitrail.protocol.times import timestamp

__all__ = ["FileSet"]

_PAGES: Final[frozenset[str]] = frozenset({"html", "deck"})

_MAX_ATTEMPTS: Final = 3
"""Looks at a page that others keep writing to; its list then stays as it is."""

_MAX_SET_BYTES: Final = 32 * 1024 * 1024
"""Of all texts of a set that are read together."""


@dataclass(frozen=True, slots=True)
class _Saved:
    kind: Kind
    digest: str


class FileSet:
    """The files that one text made in a project; of one caller at a time."""

    def __init__(self, store: Store, clock: Clock, project_id: str) -> None:
        self._store = store
        self._clock = clock
        self._project_id = project_id
        self._saved: dict[str, _Saved] = {}

    def add(self, event: ArtifactSaved) -> None:
        """Take a file that was saved; of one that was saved twice, the last counts."""
        if event.status == "complete" and event.kind in KINDS:
            self._saved[event.path] = _Saved(cast("Kind", event.kind), event.digest)

    async def list_parts(self) -> None:
        """Add to each page's manifest the files that it needs; raise ``StorageError``.

        A file that is another one by now is no part of the set, and a page that
        others keep writing to keeps the list that it has.
        """
        if all(one.kind not in _PAGES for one in self._saved.values()):
            return
        files = await self._store.files(self._project_id)
        there = {file.path: file for file in files}
        texts = await self._texts(there)
        parts = await asyncio.to_thread(parts_of_set, texts, tuple(there))
        for path, needed in parts.items():
            await self._list(path, needed)

    async def _texts(self, there: Mapping[str, FileInfo]) -> list[PartFile]:
        texts: list[PartFile] = []
        left = _MAX_SET_BYTES
        for path, saved in self._saved.items():
            info = there.get(path)
            if info is None or info.digest != saved.digest or info.size > left:
                continue
            left -= info.size
            content = await self._store.read_object(saved.digest)
            text = content.decode(errors="replace")
            texts.append(PartFile(path, saved.kind, text))
        return texts

    async def _list(self, path: str, needed: Sequence[str]) -> None:
        for _ in range(_MAX_ATTEMPTS):
            info = await self._store.file(self._project_id, path)
            step = None if info is None else self._step(info, needed)
            if step is None:
                return
            try:
                await self._store.commit_files((step,))
            except (Conflict, NotFound):
                continue
            except InvalidPath:
                return  # a link has taken its place since
            return

    def _step(self, info: FileInfo, needed: Sequence[str]) -> FileManifest | None:
        manifest = info.manifest
        if manifest is None:
            return None
        before = manifest.supporting_files or ()
        listed = tuple(dict.fromkeys((*before, *needed)))[:MAX_SUPPORTING_FILES]
        if listed == before:
            return None
        grown = manifest.model_copy(
            update={
                "supporting_files": listed,
                "updated_at": timestamp(self._clock.now()),
            }
        )
        return FileManifest(self._project_id, info.path, info.digest, grown)
