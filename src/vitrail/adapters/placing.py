"""Putting what was committed into the folder, now or after a process died.

Strategy: a *placement* of the database says "this path is to have these bytes,
it had those". The staged file and the working file are exchanged, so that what
was replaced is still there to be looked at: bytes that were not expected are
another program's. They become an ``outside`` revision on top of the committed
one and go back to their place. A process that dies in between leaves the
placement and the staged file behind, and whoever takes the lock next does the
rest by the same rule.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from vitrail.adapters.folder import ProjectFolder, Staged
from vitrail.adapters.objects import DamagedObject, Objects
from vitrail.adapters.sqlite import revisions as rows
from vitrail.adapters.sqlite.readers import Readers
from vitrail.adapters.sqlite.writer import Writer
from vitrail.errors import InvalidPath, NotFound, StorageError
from vitrail.ports import AppendEvent, Change, Clock, EventPlace, Ids, StoredEvent
from vitrail.protocol.events import FileChanged
from vitrail.protocol.manifest import MANIFEST_SUFFIX
from vitrail.protocol.records import Revision
from vitrail.protocol.times import timestamp

__all__ = ["Appender", "CommitStep", "Placer", "Ready"]

CommitStep: TypeAlias = Literal[
    "locked",
    "object-written",
    "staged",
    "in-transaction",
    "committed",
    "entry-placed",
    "manifest-placed",
    "cleared",
]
"""Where a commit is; tests end the process at each of them."""

Appender: TypeAlias = Callable[
    [sqlite3.Connection, tuple[Change, ...]], tuple[StoredEvent, ...]
]
"""Applies changes inside a transaction."""

_MAX_GIVEN_BACK: Final = 4
"""How often another program may write in the very moment its bytes are put back."""


@dataclass(frozen=True, slots=True)
class Ready:
    """One committed file with what lies staged for it."""

    placement: rows.Placement
    manifest: Staged | None
    """None: the one beside the file stays as it is."""


class Placer:
    """Places committed files; its methods block, and want the project's lock held."""

    def __init__(  # noqa: PLR0913 - a composition root's parts, each once
        self,
        *,
        objects: Objects,
        writer: Writer,
        readers: Readers,
        apply: Appender,
        clock: Clock,
        ids: Ids,
        on_step: Callable[[CommitStep], None],
    ) -> None:
        self._objects = objects
        self._writer = writer
        self._readers = readers
        self._apply = apply
        self._clock = clock
        self._ids = ids
        self._on_step = on_step

    # --- at once ---------------------------------------------------------

    def place(
        self, folder: ProjectFolder, project_id: str, ready: Iterable[Ready]
    ) -> tuple[str, ...]:
        """Put committed files into the folder; durable when this returns.

        Returns the paths that another program wrote in that very moment: its
        bytes are on top, in the history and in the folder.
        """
        items = sorted(ready, key=lambda item: item.placement.digest is None)
        for item in items:
            self._put(folder, item)
        folder.sync(item.placement.path for item in items)
        paths = [item.placement.path for item in items]
        taken = [
            item.placement.path
            for item in items
            if self._give_back(folder, project_id, item.placement)
        ]
        # everything is in place; what is not cleared now, the next writer clears
        with suppress(StorageError, InvalidPath):
            self._clear(project_id, paths)
            self._on_step("cleared")
            for item in items:
                for staged in (_staged(item.placement), item.manifest):
                    if staged is not None:
                        folder.discard(staged)
        return tuple(taken)

    def _put(self, folder: ProjectFolder, item: Ready) -> None:
        """Rename one file's parts into place; those that have no place any more stay."""
        placement, path = item.placement, item.placement.path
        staged = _staged(placement)
        if placement.digest is None:
            if staged is not None:
                folder.take(path, staged)
            self._on_step("entry-placed")
            folder.remove(path + MANIFEST_SUFFIX)
            self._on_step("manifest-placed")
            return
        is_placed = staged is None or _swap(folder, placement, staged)
        self._on_step("entry-placed")
        if is_placed and item.manifest is not None:
            folder.place(item.manifest, path + MANIFEST_SUFFIX)
        self._on_step("manifest-placed")

    # --- what another program wrote --------------------------------------

    def keep_outside(
        self, folder: ProjectFolder, project_id: str, path: str, *, reason: str
    ) -> bool:
        """Make the working file's bytes a revision, unless they are the head's already.

        Returns whether there was something to keep.
        """
        try:
            content, _ = folder.read(path)
        except NotFound:
            return False
        return self._keep(project_id, path, content, reason)

    def _give_back(
        self, folder: ProjectFolder, project_id: str, placement: rows.Placement
    ) -> bool:
        """Keep what was replaced by surprise, and put it back; return whether it was."""
        staged = _staged(placement)
        if staged is None:
            return False
        path, is_foreign, in_place = placement.path, False, placement.digest
        known = {None, placement.before, placement.digest}
        for _ in range(_MAX_GIVEN_BACK):
            digest = folder.staged_digest(staged)
            if digest in known:
                break
            is_foreign = True
            content = folder.read_staged(staged)
            if content is not None:
                self._keep(
                    project_id,
                    path,
                    content,
                    "changed by another program during a write",
                )
            if not _put_back(folder, path, staged, in_place):
                break
            folder.sync((path,))
            known.add(digest)
            in_place = digest
        return is_foreign or self._is_taken(folder, project_id, placement)

    def _is_taken(
        self, folder: ProjectFolder, project_id: str, placement: rows.Placement
    ) -> bool:
        """Keep a file that appeared where there was to be none; the committed one waits."""
        staged = _staged(placement)
        if staged is None or placement.digest is None or placement.before is not None:
            return False
        if folder.staged_digest(staged) is None:
            return False  # it was renamed in
        return self.keep_outside(
            folder,
            project_id,
            placement.path,
            reason="made by another program during a write",
        )

    def _keep(self, project_id: str, path: str, content: bytes, reason: str) -> bool:
        digest = self._objects.put(content)

        def transact(db: sqlite3.Connection) -> bool:
            head = rows.head_of(db, project_id, path)
            if head is not None and head.digest == digest:
                return False
            revision = Revision(
                id=self._ids.new(),
                project_id=project_id,
                path=path,
                number=head.number + 1 if head else 1,
                parent=head.revision_id if head else None,
                author="outside",
                digest=digest,
                size=len(content),
                reason=reason,
                created_at=timestamp(self._clock.now()),
            )
            rows.add_revision(db, revision, None)
            changed = FileChanged(path, digest, revision.id, "outside")
            self._apply(db, (AppendEvent(EventPlace(project_id), changed),))
            return True

        return self._writer.submit(transact).result()

    # --- after a process died --------------------------------------------

    def finish(self, folder: ProjectFolder, project_id: str) -> None:
        """Finish what a process that died had committed, and sweep what it staged."""
        placements = self._readers.read_here(
            lambda db: rows.list_placements(db, project_id)
        )
        # removals last, as at once: of a file that moves one of the two is always there
        for placement in sorted(placements, key=lambda item: item.digest is None):
            # a link or a folder in the way was put there since, and an object that is
            # gone comes back by no waiting; neither may hold up all other files
            with suppress(InvalidPath, NotFound, DamagedObject):
                self._finish_one(folder, project_id, placement)
            self._clear(project_id, [placement.path])
        # whoever holds the lock is the only one who stages: what lies there is left over
        folder.clear_staging()

    def _finish_one(
        self, folder: ProjectFolder, project_id: str, placement: rows.Placement
    ) -> None:
        path, staged = placement.path, _staged(placement)
        if staged is not None:
            folder.mend(staged, path)
        self._give_back(folder, project_id, placement)
        now = _digest(folder, path)
        if placement.digest is None:
            self._finish_removal(folder, project_id, placement, now)
            return
        if now == placement.before and now != placement.digest:
            staged = self._restage(folder, placement)
            _swap(folder, placement, staged)
            folder.sync((path,))
            self._give_back(folder, project_id, replace(placement, staged=staged.name))
            now = _digest(folder, path)
        if now == placement.digest:
            self._finish_manifest(folder, placement)
        elif now is not None:
            self.keep_outside(
                folder,
                project_id,
                path,
                reason="changed by another program while a commit was interrupted",
            )
        # else somebody removed the file since: it stays so, its history has it

    def _finish_removal(
        self,
        folder: ProjectFolder,
        project_id: str,
        placement: rows.Placement,
        now: str | None,
    ) -> None:
        path = placement.path
        if now is not None and now == placement.before:
            staged = _staged(placement) or Staged(_REMOVED_NAME)
            folder.take(path, staged)
            folder.sync((path,))
            self._give_back(folder, project_id, replace(placement, staged=staged.name))
            now = _digest(folder, path)
        if now is None:
            folder.remove(path + MANIFEST_SUFFIX)
            folder.sync((path,))
        else:
            self.keep_outside(
                folder,
                project_id,
                path,
                reason="made by another program while a removal was interrupted",
            )

    def _finish_manifest(
        self, folder: ProjectFolder, placement: rows.Placement
    ) -> None:
        if placement.manifest is not None:
            beside = placement.path + MANIFEST_SUFFIX
            folder.place(folder.stage(beside, placement.manifest.encode()), beside)
            folder.sync((beside,))

    def _restage(self, folder: ProjectFolder, placement: rows.Placement) -> Staged:
        """Return the committed bytes staged, by the name that the placement knows."""
        staged = _staged(placement)
        if staged is not None and folder.staged_digest(staged) == placement.digest:
            return staged
        content = self._objects.read(placement.digest or "")
        if staged is not None:
            folder.discard(staged)
        return folder.stage(
            placement.path, content, name=staged.name if staged else None
        )

    def _clear(self, project_id: str, paths: Iterable[str]) -> None:
        def transact(db: sqlite3.Connection) -> None:
            for path in paths:
                rows.clear_placement(db, project_id, path)

        # not durable: after a power cut the next start finds it done, and clears it
        self._writer.submit(transact, durable=False).result()


_REMOVED_NAME: Final = "removed"
"""Of a removed file in staging, where the placement is of an older version."""


def _swap(folder: ProjectFolder, placement: rows.Placement, staged: Staged) -> bool:
    """Put the staged file in; False where the place is not what it was."""
    if placement.before is None:
        return folder.add(staged, placement.path)
    return folder.exchange(staged, placement.path)


def _put_back(
    folder: ProjectFolder, path: str, staged: Staged, in_place: str | None
) -> bool:
    """Put another program's bytes back; True: something came out that is to be looked at.

    ``in_place`` is what we left there; anything else is newer, and stays.
    """
    if in_place is None:
        folder.add(staged, path)
        return False
    return _digest(folder, path) == in_place and folder.exchange(staged, path)


def _digest(folder: ProjectFolder, path: str) -> str | None:
    try:
        return folder.digest(path)[0]
    except NotFound:
        return None


def _staged(placement: rows.Placement) -> Staged | None:
    return Staged(placement.staged) if placement.staged else None
