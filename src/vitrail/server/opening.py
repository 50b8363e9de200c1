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
from vitrail.adapters.datafolder import DataFolder, home_paths, locate_project
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import UuidIds
from vitrail.adapters.prompts import SYSTEM_PROMPT_NAME, SystemPrompt
from vitrail.adapters.secrets import SECRETS_NAME, KeyFile
from vitrail.adapters.watching import FolderWatch
from vitrail.ports import Clock, Ids, Store
from vitrail.protocol.records import Project
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
    # Browsers answer for names below localhost themselves; the workspace asks its own.
    places = places_of(settings, has_artifact_hosts=True)
    async with AsyncExitStack() as undo:
        store = await open_store(data, clock=clock, ids=ids)
        undo.push_async_callback(store.close)
        project = await _opened_project(store, clock, ids, data, folder)
        shelf = RecordingShelf(data.path / "recordings")
        agents = _registry(store, clock, data, settings, shelf)
        gates = GateKeeper(settings.gates)
        writer = FileWriter(store, clock, ids, gates)
        watch = FolderWatch(store)
        policy = settings.gates
        outside = OutsideChanges(store, clock, ids, folders=watch, policy=policy)
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
            exchange=_exchange(store, clock, ids, writer, gates),
            transcripts=_transcripts(store, clock, ids, agents),
            turns=Turns(
                store,
                clock,
                ids,
                agents,
                claims=LockedClaims(data.locks),
                system_prompt=SystemPrompt(data.path / SYSTEM_PROMPT_NAME),
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


async def _opened_project(
    store: Store, clock: Clock, ids: Ids, data: DataFolder, folder: Path | None
) -> Project | None:
    """Return the project of the folder that is served, if one is."""
    if folder is None:
        return None
    place = await asyncio.to_thread(locate_project, data, folder)
    return await project_in(store, clock, ids, root=place.root, folder_name=place.name)


def _registry(
    store: Store,
    clock: Clock,
    data: DataFolder,
    settings: Settings,
    shelf: RecordingShelf,
) -> AgentRegistry:
    return AgentRegistry(
        store,
        shelf=shelf,
        keys=KeyFile(data.path / SECRETS_NAME),
        clock=clock,
        environment=settings.model,
    )


def _exchange(
    store: Store, clock: Clock, ids: Ids, writer: FileWriter, gates: GateKeeper
) -> Exchange:
    return Exchange(
        store, clock, ids, writer=writer, open_archive=ZipSource, gates=gates
    )


def _transcripts(
    store: EmbeddedStore, clock: Clock, ids: Ids, agents: AgentRegistry
) -> Transcripts:
    files = store.transcripts()
    return Transcripts(
        store, files, clock, ids, homes=home_paths(), secrets=agents.secrets
    )


def _preview_site(
    store: Store, clock: Clock, places: Places, bridge: str
) -> PreviewSite:
    settings = PreviewSettings(
        places.preview_origin,
        (places.app_origin,),
        has_artifact_hosts=places.has_artifact_hosts,
    )
    return PreviewSite(store, Capabilities(clock), settings, bridge=bridge)
