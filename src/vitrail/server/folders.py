"""The folders of a served data folder's projects, watched while the server runs."""

from __future__ import annotations

from dataclasses import dataclass

from vitrail.adapters.watching import FolderWatch, WatchState
from vitrail.workflow.outside import OutsideChanges

__all__ = ["WatchedFolders"]


@dataclass(frozen=True, slots=True)
class WatchedFolders:
    """What watches, and what looks when it says so."""

    changes: OutsideChanges
    watch: FolderWatch

    def begin(self) -> None:
        """Begin to watch; every project is looked at once, in the background."""
        self.changes.follow(self.watch)

    async def close(self) -> None:
        """Stop watching."""
        await self.changes.close()

    @property
    def state(self) -> WatchState:
        """How folders are watched now."""
        return self.watch.state
