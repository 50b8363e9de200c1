"""Opening: a data folder and settings become a runtime; adapters are chosen here."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.adapters.agents.registry import AgentRegistry
from vitrail.adapters.archives import ZipSource
from vitrail.adapters.claims import LockedClaims
from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import DataFolder, locate_project
from vitrail.adapters.embedded import open_store
from vitrail.adapters.ids import UuidIds
from vitrail.adapters.prompts import SYSTEM_PROMPT_NAME, SystemPrompt
from vitrail.adapters.secrets import SECRETS_NAME, KeyFile
from vitrail.adapters.transcripts import home_paths
from vitrail.adapters.watching import FolderWatch
from vitrail.ports import Clock, Store
from vitrail.server.access import Access
from vitrail.server.folders import WatchedFolders
from vitrail.server.places import Places, places_of
from vitrail.server.preview import (
    Capabilities,
    PreviewSettings,
    PreviewSite,
    load_bridge,
)
from vitrail.server.runtime import Runtime
from vitrail.server.settings import Settings
from vitrail.server.stream import EventFeed
from vitrail.workflow.exchange import Exchange
from vitrail.workflow.folders import project_in
from vitrail.workflow.gating import GateKeeper
from vitrail.workflow.history import History
from vitrail.workflow.moves import Moves
from vitrail.workflow.outside import OutsideChanges
from vitrail.workflow.projects import Projects
from vitrail.workflow.quarantine import Quarantine
from vitrail.workflow.record import Recorder
from vitrail.workflow.transcripts import Transcripts
from vitrail.workflow.turn import Turns
from vitrail.workflow.write import FileWriter

__all__ = ["open_runtime"]


async def open_runtime(
    data: DataFolder, settings: Settings, *, folder: Path | None = None
) -> Runtime:
    """Return the runtime of a data folder; ``settings`` hold the bound ports.

    ``folder`` is opened as a project. Raises ``StorageError``, ``SetupError``
    and ``InvalidPath``; nothing stays open then.
    """
    clock, ids = SystemClock(), UuidIds()
    bridge = load_bridge()
    # Browsers answer for names below localhost themselves, whatever this machine's
    # resolver says; the workspace asks the browser it runs in.
    places = places_of(settings, has_artifact_hosts=True)
    async with AsyncExitStack() as undo:
        store = await open_store(data, clock=clock, ids=ids)
        undo.push_async_callback(store.close)
        project = None
        if folder is not None:
            place = await asyncio.to_thread(locate_project, data, folder)
            project = await project_in(
                store, clock, ids, root=place.root, folder_name=place.name
            )
        shelf = RecordingShelf(data.path / "recordings")
        agents = AgentRegistry(
            store,
            shelf=shelf,
            keys=KeyFile(data.path / SECRETS_NAME),
            clock=clock,
            environment=settings.model,
        )
        prompt = SystemPrompt(data.path / SYSTEM_PROMPT_NAME)
        gates = GateKeeper(settings.gates)
        writer = FileWriter(store, clock, ids, gates)
        watch = FolderWatch(store)
        outside = OutsideChanges(
            store, clock, ids, folders=watch, policy=settings.gates
        )
        runtime = Runtime(
            settings=settings,
            places=places,
            access=Access(data.token(), port=settings.port),
            store=store,
            feed=EventFeed(store),
            projects=Projects(store, clock, ids),
            files=writer,
            history=History(store, writer),
            drafts=Quarantine(store, writer),
            moves=Moves(store, clock, writer),
            exchange=Exchange(
                store,
                clock,
                ids,
                writer=writer,
                open_archive=ZipSource,
                gates=gates,
            ),
            transcripts=Transcripts(
                store,
                store.transcripts(),
                clock,
                ids,
                homes=home_paths(),
                secrets=agents.secrets,
            ),
            turns=Turns(
                store,
                clock,
                ids,
                agents,
                claims=LockedClaims(data.locks),
                system_prompt=prompt,
                continues=settings.continues,
                gates=gates,
                outside=outside,
            ),
            agents=agents,
            recorder=Recorder(store, agents, shelf),
            previews=_preview_site(store, clock, places, bridge),
            opened=project,
            folders=WatchedFolders(outside, watch),
        )
        undo.pop_all()
    return runtime


def _preview_site(
    store: Store, clock: Clock, places: Places, bridge: str
) -> PreviewSite:
    settings = PreviewSettings(
        places.preview_origin,
        (places.app_origin,),
        has_artifact_hosts=places.has_artifact_hosts,
    )
    return PreviewSite(store, Capabilities(clock), settings, bridge=bridge)
