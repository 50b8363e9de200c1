"""The runtime: everything one served data folder needs, put together once."""

from __future__ import annotations

from dataclasses import dataclass

from vitrail.ports import Store
from vitrail.protocol.records import Project
from vitrail.server.access import Access
from vitrail.server.folders import WatchedFolders
from vitrail.server.places import Places
from vitrail.server.preview import PreviewSite
from vitrail.server.services import (
    AgentDesk,
    DraftDesk,
    ExchangeDesk,
    FileDesk,
    HistoryDesk,
    MoveDesk,
    ProjectDesk,
    Recorder,
    TranscriptDesk,
    TurnService,
)
from vitrail.server.settings import Settings
from vitrail.server.stream import EventFeed

__all__ = ["Runtime"]


@dataclass(frozen=True, slots=True)
class Runtime:
    """What the routes reach; ``settings`` hold the ports that are really bound."""

    settings: Settings
    places: Places
    access: Access
    store: Store
    feed: EventFeed
    projects: ProjectDesk
    files: FileDesk
    history: HistoryDesk
    drafts: DraftDesk
    moves: MoveDesk
    transcripts: TranscriptDesk
    exchange: ExchangeDesk
    turns: TurnService
    agents: AgentDesk
    recorder: Recorder
    previews: PreviewSite
    opened: Project | None = None
    """The project of the folder that `vitrail serve` was given."""
    folders: WatchedFolders | None = None
    """What notices other programs' changes; None: nobody does."""

    async def start(self) -> None:
        """Begin to follow the log, and close what an earlier process left open.

        Runs that are going on in another process on the same data folder are
        not touched; once it has died, they are closed too.
        """
        await self.feed.start()
        await self.turns.recover()
        self.turns.watch()
        if self.folders is not None:
            self.folders.begin()

    async def stop(self) -> None:
        """End the streams, interrupt the runs, and let go of the store."""
        self.feed.end_streams()
        await self.turns.close()
        if self.folders is not None:
            await self.folders.close()
        await self.feed.close()
        await self.store.close()
