"""Objects that no revision names: finding them, and removing those that were asked for.

Strategy: a commit holds the objects' lock shared from before it stores its
bytes until its transaction is over; removing holds it alone and looks at the
database again. So an object that a commit found there already cannot go from
under it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from vitrail.adapters.locks import hold_lock
from vitrail.adapters.objects import Objects
from vitrail.adapters.sqlite import references
from vitrail.adapters.sqlite.readers import Readers
from vitrail.adapters.sqlite.writer import Writer
from vitrail.ports import ObjectsDropped, ObjectsFound, UnreferencedObject

__all__ = ["OBJECTS_LOCK", "Sweeper"]

OBJECTS_LOCK: Final = "objects.lock"
"""Held shared by commits, alone by a clean-up."""

_LOCK_TIMEOUT_S: Final = 30.0


class Sweeper:
    """Finds and removes unreferenced objects of one data folder; its methods block."""

    def __init__(
        self, *, locks: Path, objects: Objects, writer: Writer, readers: Readers
    ) -> None:
        self._locks = locks
        self._objects = objects
        self._writer = writer
        self._readers = readers

    def find(self) -> ObjectsFound:
        """Return what no revision names, and how much there is that one does."""
        # listed first: what a commit adds meanwhile is not among them
        there = tuple(self._objects.list())
        named, released = self._readers.read_here(
            lambda db: (
                references.referenced_digests(db),
                references.released_digests(db),
            )
        )
        return ObjectsFound(
            unreferenced=tuple(
                UnreferencedObject(
                    digest,
                    size,
                    "project-deleted" if digest in released else "never-committed",
                    released.get(digest),
                )
                for digest, size in there
                if digest not in named
            ),
            kept=sum(digest in named for digest, _ in there),
            kept_size=sum(size for digest, size in there if digest in named),
        )

    def drop(self, digests: tuple[str, ...]) -> ObjectsDropped:
        """Remove those that are still unreferenced; durable when this returns."""
        with hold_lock(self._locks / OBJECTS_LOCK, timeout_s=_LOCK_TIMEOUT_S):
            named = self._readers.read_here(references.referenced_digests)
            going = tuple(dict.fromkeys(item for item in digests if item not in named))
            sizes = [self._objects.remove(digest) for digest in going]
        self._writer.submit(lambda db: references.forget_released(db, going)).result()
        removed = [size for size in sizes if size is not None]
        return ObjectsDropped(len(removed), sum(removed))
