"""What is noticed of another program's changes, and how it is committed.

Strategy: several files share a transaction; where the store refuses it, each is
tried by itself, so that one file that changed meanwhile holds up no other. A
refused one is left out: the next look at the folder tells what it is then.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from vitrail.core.commit.matching import Rename
from vitrail.core.commit.noticing import Differences, FoundNow
from vitrail.core.commit.plan import Origin
from vitrail.errors import Conflict, NotFound, VitrailError
from vitrail.ports import (
    Clock,
    EventPlace,
    FileDelete,
    FileManifest,
    FileStep,
    FileWrite,
    Ids,
    RecordedFile,
    Store,
)
from vitrail.protocol.events import FileChanged
from vitrail.protocol.records import Author, FileInfo, QuarantineRecord, Revision
from vitrail.protocol.times import timestamp

__all__ = ["Cause", "Committer", "Look", "Noticed", "Unit", "changed", "next_number"]

_CHUNK_FILES: Final = 64
_CHUNK_BYTES: Final = 16 * 1024 * 1024
"""What one transaction takes; a write of a person's waits no longer than for this."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Who changed the folder, as far as that is known."""

    author: Author
    place: EventPlace
    run_id: str | None = None
    origin: Origin = field(default_factory=Origin)


@dataclass(frozen=True)
class Look:
    """A folder beside its history, and where they differ."""

    project_id: str
    files: tuple[FileInfo, ...]
    recorded: tuple[RecordedFile, ...]
    differences: Differences

    @cached_property
    def heads(self) -> dict[str, RecordedFile]:
        """What the history has, by path."""
        return {file.path: file for file in self.recorded}

    @cached_property
    def paths(self) -> frozenset[str]:
        """Paths of the files that are there."""
        return frozenset(file.path for file in self.files)

    def narrowed(self, to: Differences) -> Look:
        """Return the same look with only these differences."""
        return replace(self, differences=to)


@dataclass(frozen=True, slots=True)
class Noticed:
    """What another program did, as it is in the history now."""

    revisions: tuple[Revision, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[Rename, ...] = ()
    held: tuple[QuarantineRecord, ...] = ()
    """Suspicious replacements that wait for a decision."""
    left_alone: tuple[FoundNow, ...] = ()
    """Files that are too large to be kept."""
    blocked: frozenset[str] = frozenset()
    """Paths of which disk or database refused to take what changed."""
    is_settled: bool = True
    """False while something is still being written."""

    def joined(self, later: Noticed) -> Noticed:
        """Return both together."""
        return Noticed(
            (*self.revisions, *later.revisions),
            (*self.removed, *later.removed),
            (*self.moved, *later.moved),
            (*self.held, *later.held),
            (*self.left_alone, *later.left_alone),
            self.blocked | later.blocked,
            self.is_settled and later.is_settled,
        )

    def unsettled(self) -> Noticed:
        """Return the same, with something left that is still being written."""
        return replace(self, is_settled=False)


@dataclass(frozen=True, slots=True)
class Unit:
    """What belongs together of one transaction, and what it comes to."""

    steps: tuple[FileStep, ...]
    noticed: Noticed

    @property
    def size(self) -> int:
        """Bytes of what is written."""
        return sum(
            len(step.content) for step in self.steps if isinstance(step, FileWrite)
        )

    @property
    def paths(self) -> frozenset[str]:
        """Paths that it changes."""
        return frozenset(
            step.path
            if isinstance(step, FileDelete | FileManifest)
            else step.revision.path
            for step in self.steps
        )


class Committer:
    """Reads and commits for those who make units; of one store."""

    def __init__(self, store: Store, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    def now(self) -> str:
        """Return the time as records carry it."""
        return timestamp(self._clock.now())

    def new_id(self) -> str:
        """Return a new name."""
        return self._ids.new()

    async def commit(self, units: AsyncIterator[Unit]) -> Noticed:
        """Commit the units, several at once; a refused one is left out."""
        done = Noticed()
        chunk: list[Unit] = []
        async for unit in units:
            chunk.append(unit)
            size = sum(item.size for item in chunk)
            if len(chunk) >= _CHUNK_FILES or size >= _CHUNK_BYTES:
                done = done.joined(await self._commit_chunk(chunk))
                chunk = []
        return done.joined(await self._commit_chunk(chunk))

    async def _commit_chunk(self, units: Sequence[Unit]) -> Noticed:
        if not units:
            return Noticed()
        try:
            await self._store.commit_files(
                [step for unit in units for step in unit.steps]
            )
        except VitrailError as error:
            if len(units) == 1:
                is_late = isinstance(error, Conflict | NotFound)
                return Noticed(blocked=frozenset() if is_late else units[0].paths)
            done = Noticed()
            for unit in units:
                done = done.joined(await self._commit_chunk((unit,)))
            return done
        done = Noticed()
        for unit in units:
            done = done.joined(unit.noticed)
        return done

    async def read(
        self, project_id: str, path: str, digest: str | None
    ) -> tuple[bytes, FileInfo] | None:
        """Return a file, unless it is another one by now than that of the digest."""
        try:
            content, info = await self._store.read_file(project_id, path)
        except NotFound:
            return None
        return None if digest not in (None, info.digest) else (content, info)

    async def read_object(self, digest: str) -> bytes | None:
        """Return the bytes of a digest; None where they are damaged or were swept away."""
        try:
            return await self._store.read_object(digest)
        except VitrailError:
            return None

    def revision(
        self,
        project_id: str,
        info: FileInfo,
        cause: Cause,
        *,
        parent: RecordedFile | None,
        number: int,
    ) -> Revision:
        """Return the revision that a working file becomes."""
        return Revision(
            id=self._ids.new(),
            project_id=project_id,
            path=info.path,
            number=number,
            parent=parent.revision if parent else None,
            author=cause.author,
            digest=info.digest,
            size=info.size,
            run_id=cause.run_id,
            reason="found in the folder",
            created_at=timestamp(self._clock.now()),
        )


def next_number(head: RecordedFile | None) -> int:
    """Return the number of a path's next revision."""
    return head.number + 1 if head else 1


def changed(revision: Revision) -> FileChanged:
    """Return the event that tells of a file's new head."""
    return FileChanged(revision.path, revision.digest, revision.id, revision.author)
