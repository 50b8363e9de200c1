"""`Workspace`: a project folder for programs that are not async.

Strategy: the store lives on an event loop in a thread of its own, so that a
workspace works anywhere, inside another event loop (a notebook) too. What the
caller hands over is read in the caller's thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import (
    DataFolder,
    ProjectPlace,
    find_data_folder,
    locate_project,
    make_data_folder,
)
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import UuidIds
from vitrail.protocol.http import IngestResult
from vitrail.protocol.records import FileInfo, Project, Revision
from vitrail.workflow.folders import project_in
from vitrail.workflow.ingest import Ingest

__all__ = ["Workspace"]

_T = TypeVar("_T")


class Workspace:
    """A folder of real files that a model's texts are saved into.

    The folder is made if it is not there. Its history is kept in the nearest
    data folder above it, or in ``PATH/.vitrail`` where there is none. Raises
    ``InvalidPath`` for a path that cannot be a project, ``StorageError`` where
    it cannot be written to.

        with Workspace("site") as ws:
            result = ws.ingest(reply)
    """

    def __init__(self, path: str | Path, *, data: str | Path | None = None) -> None:
        """``data`` names another data folder than the nearest."""
        folder = Path(path)
        where = find_data_folder(folder, data=Path(data) if data else None)
        # refused before anything is made, the data folder too
        place = locate_project(DataFolder(where), folder)
        self._clock = SystemClock()
        self._ids = UuidIds()
        self._loop = _LoopThread()
        try:
            self._store, self._project = self._loop.run(self._open(where, place))
        except BaseException:
            self._loop.close()
            raise

    @property
    def project(self) -> Project:
        """The project that the folder is."""
        return self._project

    def ingest(
        self, text: str | Iterable[str], *, reason: str | None = None
    ) -> IngestResult:
        """Save the artifacts of a model's text, whole or in pieces cut anywhere.

        Each file is there as soon as its artifact has ended. Where the pieces
        break off with an error, what had come is saved, then the error goes on.
        ``reason`` is kept with the revisions.
        """
        pieces = (text,) if isinstance(text, str) else text
        going = Ingest(
            self._store, self._clock, self._ids, self._project.id, reason=reason
        )
        try:
            for piece in pieces:
                if going.read(piece):
                    self._loop.run(going.save(), to_the_end=True)
        except BaseException:
            self._loop.run(going.close("interrupted"), to_the_end=True)
            raise
        return self._loop.run(going.close())

    def files(self) -> tuple[FileInfo, ...]:
        """Return the project's files by path, as they are on disk now."""
        return self._loop.run(self._store.files(self._project.id))

    def read(self, path: str) -> bytes:
        """Return a file's bytes; raise ``NotFound('file-not-found')``."""
        content, _ = self._loop.run(self._store.read_file(self._project.id, path))
        return content

    def log(self, path: str) -> tuple[Revision, ...]:
        """Return a file's revisions, the newest first; may be empty."""
        return self._loop.run(self._store.revisions(self._project.id, path))

    def close(self) -> None:
        """Let go of the folder; may be called twice."""
        if self._loop.is_running:
            try:
                self._loop.run(self._store.close())
            finally:
                self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    async def _open(
        self, where: Path, place: ProjectPlace
    ) -> tuple[EmbeddedStore, Project]:
        data = await asyncio.to_thread(make_data_folder, where)
        store = await open_store(data, clock=self._clock, ids=self._ids)
        try:
            project = await project_in(
                store, self._clock, self._ids, root=place.root, folder_name=place.name
            )
        except BaseException:
            await store.close()
            raise
        return store, project


class _LoopThread:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="vitrail-workspace", daemon=True
        )
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether it can still run something."""
        return not self._loop.is_closed()

    def run(
        self, work: Coroutine[object, object, _T], *, to_the_end: bool = False
    ) -> _T:
        """Return what ``work`` gives; an interrupted wait cancels it.

        ``to_the_end`` lets it finish first; a second interruption does not wait.
        """
        if self._loop.is_closed():
            work.close()
            raise ValueError("expected an open workspace, got one that was closed")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            if to_the_end and not future.done():
                future.result()
            future.cancel()
            raise

    def close(self) -> None:
        """End the loop and its thread."""
        self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
