"""`Workspace`: a project folder for programs that are not async.

Strategy: the store lives on an event loop in a thread of its own, so that a
workspace works anywhere, inside another event loop (a notebook) too. What the
caller hands over is read in the caller's thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TypeVar

from vitrail.adapters.archives import FolderSource, ZipSource
from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import (
    DataFolder,
    ProjectPlace,
    find_data_folder,
    home_paths,
    locate_file,
    locate_project,
    make_data_folder,
)
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import UuidIds
from vitrail.adapters.outputs import open_input, write_output
from vitrail.adapters.secrets import SECRETS_NAME, KeyFile
from vitrail.adapters.zips import stream_zip
from vitrail.core.validate import GatePolicy
from vitrail.errors import NotFound
from vitrail.protocol.history import (
    FileBlame,
    FileDiff,
    GarbageReport,
    MoveResult,
    PageParts,
    RevisionPage,
)
from vitrail.protocol.http import IngestResult, WriteResult
from vitrail.protocol.imports import ImportResult
from vitrail.protocol.records import (
    Conversation,
    FileInfo,
    Project,
    QuarantineRecord,
    Revision,
)
from vitrail.protocol.transcript import ImportedTranscript
from vitrail.workflow.exchange import Exchange
from vitrail.workflow.folders import project_in
from vitrail.workflow.gating import GateKeeper
from vitrail.workflow.history import WORKING, History
from vitrail.workflow.ingest import Ingest
from vitrail.workflow.moves import Moves
from vitrail.workflow.page_parts import page_parts
from vitrail.workflow.quarantine import Quarantine
from vitrail.workflow.transcripts import (
    SavedTranscript,
    TranscriptChoice,
    Transcripts,
)
from vitrail.workflow.write import FileWriter

__all__ = ["Workspace", "collect_garbage"]

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

    def __init__(
        self,
        path: str | Path,
        *,
        data: str | Path | None = None,
        gates: GatePolicy | None = None,
    ) -> None:
        """``data`` names another data folder than the nearest.

        ``gates`` say how strict the stub guard is; none: as it is built in.
        """
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
        self._gates = GateKeeper(gates)
        self._writer = FileWriter(self._store, self._clock, self._ids, self._gates)
        self._history = History(self._store, self._writer)
        self._quarantine = Quarantine(self._store, self._writer)
        self._exchange = Exchange(
            self._store,
            self._clock,
            self._ids,
            writer=self._writer,
            open_archive=ZipSource,
            gates=self._gates,
        )
        keys = KeyFile(where / SECRETS_NAME)
        self._transcripts = Transcripts(
            self._store,
            self._store.transcripts(),
            self._clock,
            self._ids,
            homes=home_paths(),
            secrets=lambda: tuple(stored.key for stored in keys.read().values()),
        )

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
        ``reason`` says why files are replaced: it is kept with the revisions, and
        what would lose much of a file is put onto it all the same.
        """
        pieces = (text,) if isinstance(text, str) else text
        going = Ingest(
            self._store,
            self._clock,
            self._ids,
            self._project.id,
            reason=reason,
            gates=self._gates,
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

    def digest(self, path: str) -> str | None:
        """Return the digest of a file as it is now, or None where there is none."""
        info = self._loop.run(self._store.file(self._project.id, path))
        return info.digest if info else None

    def log(self, path: str) -> tuple[Revision, ...]:
        """Return a file's revisions, the newest first; may be empty."""
        return self._loop.run(self._store.revisions(self._project.id, path))

    def write(
        self,
        path: str,
        content: bytes,
        *,
        digest: str | None = None,
        reason: str | None = None,
    ) -> WriteResult:
        """Write a file over the one of that digest; None: there must be none.

        What would lose much of the file is kept beside it as a draft, unless
        ``reason`` says why it is meant. Raises ``Conflict`` where the file is
        another one by now, and ``InvalidInput`` for what may not be written.
        """
        return self._loop.run(
            self._writer.write(
                self._project.id,
                path,
                content,
                parent_digest=digest,
                replace_reason=reason,
            ),
            to_the_end=True,
        )

    def delete(
        self, path: str, *, digest: str, with_parts: bool = False
    ) -> tuple[str, ...]:
        """Remove the file of that digest and its manifest; its revisions stay.

        ``with_parts`` removes the files that only this page needs too
        (`parts`), all in one commit. Returns what was removed, the file first.
        """
        removed = self._loop.run(
            self._writer.delete(
                self._project.id, path, digest=digest, with_parts=with_parts
            ),
            to_the_end=True,
        )
        return tuple(one.path for one in removed)

    def move(
        self, source: str, target: str, *, digest: str, with_parts: bool = False
    ) -> MoveResult:
        """Rename the file of that digest; what points to it follows, in one commit.

        ``with_parts`` takes the files that only this page needs along, where the
        page goes to another folder and they lie in its own.
        """
        moves = Moves(self._store, self._clock, self._writer)
        return self._loop.run(
            moves.move(
                self._project.id, source, target, digest=digest, with_parts=with_parts
            ),
            to_the_end=True,
        )

    def parts(self, path: str) -> PageParts:
        """Return what a page consists of besides its file, and what of it others need too."""
        return self._loop.run(page_parts(self._store, self._project.id, path))

    def revision(self, path: str, named: str) -> Revision:
        """Return the revision that ``named`` means: ``7``, ``@``, ``@~1``, a digest's begin."""
        return self._loop.run(self._history.find(self._project.id, path, named))

    def revisions(
        self, path: str, *, before: int | None = None, limit: int = 100
    ) -> RevisionPage:
        """Return a page of a file's revisions, the newest first."""
        return self._loop.run(
            self._history.log(self._project.id, path, before=before, limit=limit)
        )

    def diff(
        self, path: str, *, old: str | None = None, new: str | None = None
    ) -> FileDiff:
        """Return what tells two texts of a file apart, by line and word.

        Each is named as `revision` takes it. Without ``new`` it is the file as
        it is now, without ``old`` what that was made from.
        """
        return self._loop.run(self._diff(path, old, new))

    def blame(self, path: str) -> FileBlame:
        """Return who wrote each range of a file."""
        return self._loop.run(self._history.blame(self._project.id, path))

    def restore(
        self,
        path: str,
        revision: str,
        *,
        digest: str | None = None,
        passages: Sequence[tuple[int, int]] | None = None,
    ) -> WriteResult:
        """Bring a revision back as a new one, over the file of that digest.

        None: the file is gone. ``revision`` is an id. With ``passages``, ranges
        of the revision in code points as `Lost.span` has them, only these are
        put back into the file as it is.
        """
        return self._loop.run(
            self._history.restore(
                self._project.id,
                path,
                revision,
                parent_digest=digest,
                passages=passages,
            ),
            to_the_end=True,
        )

    def drafts(self) -> tuple[QuarantineRecord, ...]:
        """Return what is kept beside good files until somebody decides, the newest first."""
        return self._loop.run(self._quarantine.drafts(self._project.id))

    def accept(
        self, draft: str, *, digest: str | None, content: str | None = None
    ) -> WriteResult:
        """Put a draft, or a text of one's own instead, onto the good file of that digest."""
        return self._loop.run(
            self._quarantine.accept(
                self._project.id, draft, parent_digest=digest, content=content
            ),
            to_the_end=True,
        )

    def drop(self, draft: str) -> None:
        """Let a draft go; the good file is not touched, the draft's revisions stay."""
        self._loop.run(self._quarantine.drop(self._project.id, draft), to_the_end=True)

    def conversations(self) -> tuple[Conversation, ...]:
        """Return the project's conversations, the last used first."""
        return self._loop.run(self._store.conversations(self._project.id))

    def tell_transcript(
        self,
        out: str | Path | None = None,
        *,
        conversation: str | None = None,
        redact: bool = False,
        summaries: bool = False,
    ) -> SavedTranscript:
        """Write the conversations as a transcript, all of them or the one of that id.

        Without ``out`` it is ``.transcript.jsonl`` in the project's folder. ``redact``
        takes out keys, tokens, e-mail addresses and paths of the home; ``summaries``
        tells an artifact that is on disk by one line. Raises ``NotFound`` and
        ``Conflict('transcript-locked')``.
        """
        choice = TranscriptChoice(redact=redact, summaries=summaries)
        if out is None:
            saving = self._transcripts.save(self._project.id, conversation, choice)
            return self._loop.run(saving, to_the_end=True)
        told = self._loop.run(
            self._transcripts.tell(self._project.id, conversation, choice)
        )
        try:
            return told.saved(str(out), write_output(Path(out), told.pieces()))
        finally:
            told.close()

    def read_transcript(self, source: str | Path | BinaryIO) -> ImportedTranscript:
        """Take the conversations of a transcript into the project: all of them or none.

        ``source`` is a file's path, or a file that is open for reading bytes. Raises
        ``InvalidInput``, which names the lines that are wrong.
        """
        if isinstance(source, str | Path):
            with open_input(Path(source)) as file:
                return self.read_transcript(file)
        reading = self._transcripts.read(self._project.id, source)
        return self._loop.run(reading, to_the_end=True)

    def bring_in(
        self, source: str | Path | BinaryIO, *, reason: str | None = None
    ) -> ImportResult:
        """Bring the files of a folder or a ZIP, or a bundle's history, into the project.

        ``source`` is a path, or a file that is open for reading bytes from any
        place. ``reason`` says why files that are there are replaced. What may not
        come in refuses all of it: ``InvalidInput('import-refused')``, whose
        ``details["refused"]`` is the list, and nothing is written.
        """
        project_id = self._project.id
        if isinstance(source, str | Path) and Path(source).is_dir():
            folder = FolderSource(Path(source))
            coming = self._exchange.bring_in_files(project_id, folder, replace=reason)
        else:
            # it is closed by whoever reads it
            file = (
                open_input(Path(source)) if isinstance(source, str | Path) else source
            )
            coming = self._exchange.bring_in(project_id, file, replace=reason)
        return self._loop.run(coming, to_the_end=True)

    def bundle(self, out: str | Path | BinaryIO) -> str:
        """Write the project's whole history as a bundle; return its seal.

        ``out`` is a path, or a file that is open for writing bytes. Equal
        histories give equal bytes and equal seals.
        """
        packed = self._loop.run(self._exchange.pack(self._project.id), to_the_end=True)
        self._write_out(out, packed.pieces)
        return packed.seal

    def zip(self, out: str | Path | BinaryIO, *, only: str | None = None) -> int:
        """Write the project's files as a ZIP; return how many there are.

        ``only`` is one file, which brings along what its manifest names as
        supporting. Raises ``NotFound('file-not-found')``.
        """
        files = self._loop.run(self._exchange.outgoing(self._project.id, only=only))
        self._write_out(out, stream_zip([(file.name, file.read) for file in files]))
        return len(files)

    def _write_out(
        self, out: str | Path | BinaryIO, coming: AsyncIterator[bytes]
    ) -> None:
        pieces = self._pieces(coming)
        if isinstance(out, str | Path):
            write_output(Path(out), pieces)
        else:
            out.writelines(pieces)

    def _pieces(self, coming: AsyncIterator[bytes]) -> Iterator[bytes]:
        async def following() -> bytes | None:
            return await anext(coming, None)

        while (piece := self._loop.run(following())) is not None:
            yield piece

    async def _diff(self, path: str, old: str | None, new: str | None) -> FileDiff:
        named = [
            None
            if one is None
            else (await self._history.find(self._project.id, path, one)).id
            for one in (old, new)
        ]
        return await self._history.diff(
            self._project.id, path, old=named[0], new=named[1] or WORKING
        )

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

    @classmethod
    def of_file(
        cls,
        file: str | Path,
        *,
        data: str | Path | None = None,
        gates: GatePolicy | None = None,
    ) -> tuple[Self, str]:
        """Return the workspace that a file belongs to, and the file's path in it.

        Nothing is made: raises ``NotFound('file-not-found')`` where the file
        belongs to no project of its data folder. The file may be gone.
        """
        folder, path = locate_file(Path(file), data=Path(data) if data else None)
        return cls(folder, data=data, gates=gates), path

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


def collect_garbage(
    folder: str | Path = ".", *, data: str | Path | None = None, dry_run: bool = True
) -> GarbageReport:
    """Return which stored content of a data folder no revision names; remove it.

    Nothing is removed in a ``dry_run``, and no revision ever is. Raises
    ``NotFound`` where there is no data folder.
    """
    where = DataFolder(
        find_data_folder(Path(folder), data=Path(data) if data else None)
    )
    if not where.database.is_file():
        raise NotFound(
            "There is no data folder here. Name a project's folder, or the data folder "
            "with --data.",
            code="not-found",
        )

    async def collected() -> GarbageReport:
        clock, ids = SystemClock(), UuidIds()
        made = await asyncio.to_thread(make_data_folder, where.path)
        store = await open_store(made, clock=clock, ids=ids)
        try:
            history = History(store, FileWriter(store, clock, ids))
            return await history.collect(dry_run=dry_run)
        finally:
            await store.close()

    loop = _LoopThread()
    try:
        return loop.run(collected())
    finally:
        loop.close()


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
