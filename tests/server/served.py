"""The real app on a real loopback port, with the parts that have tests of their own faked."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2

from vitrail.adapters.archives import ZipSource
from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import DataFolder, make_data_folder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import UuidIds
from vitrail.errors import NotFound
from vitrail.ports import AppendEvent, EventPlace
from vitrail.protocol.events import Text
from vitrail.protocol.http import (
    AgentInfo,
    AgentTest,
    AgentTestResult,
    ContinueRun,
    Example,
    LocalServers,
    ModelSettings,
    ModelSettingsView,
    NewRun,
    ProviderDefault,
    ProviderModels,
    ProviderSettings,
    ProvidersView,
    ProviderTry,
    ProviderVerdict,
    RunStarted,
)
from vitrail.protocol.records import FormAnswersPart, Run
from vitrail.server import opening
from vitrail.server.access import Access
from vitrail.server.places import places_of
from vitrail.server.preview import Capabilities, PreviewSettings, PreviewSite
from vitrail.server.runtime import Runtime
from vitrail.server.serving import Ready, serve
from vitrail.server.settings import Settings
from vitrail.server.sockets import listen
from vitrail.server.stream import EventFeed
from vitrail.workflow.exchange import Exchange
from vitrail.workflow.gating import GateKeeper
from vitrail.workflow.history import History
from vitrail.workflow.moves import Moves
from vitrail.workflow.projects import Projects
from vitrail.workflow.quarantine import Quarantine
from vitrail.workflow.transcripts import Transcripts
from vitrail.workflow.write import FileWriter

FREE = Settings(port=0, preview_port=0)
"""Settings that take any free port."""


class NoTurns:
    """No agent answers here."""

    async def start(
        self,
        project_id: str,
        conversation_id: str,
        request: NewRun,
        *,
        answers: FormAnswersPart | None = None,
    ) -> RunStarted:
        del project_id, conversation_id, request, answers
        raise NotFound("There is no agent here.", code="agent-not-found")

    async def go_on(self, run_id: str, request: ContinueRun) -> RunStarted:
        del run_id, request
        raise NotFound("There is no such run.", code="run-not-found")

    async def stop(self, run_id: str) -> Run:
        del run_id
        raise NotFound("There is no such run.", code="run-not-found")

    async def recover(self) -> tuple[Run, ...]:
        return ()

    def watch(self) -> None:
        return

    async def close(self) -> None:
        return


class FixedAgents:
    """One agent that is ready, and settings that can be read."""

    view_now = ModelSettingsView(
        agent="replay",
        base_url="http://127.0.0.1:11434/v1",
        model="small",
        key_hint="abcd",
        key_source="settings",
        command=(),
    )

    async def infos(self) -> tuple[AgentInfo, ...]:
        return (AgentInfo(name="replay", title="Examples", is_ready=True),)

    async def view(self) -> ModelSettingsView:
        return self.view_now

    async def update(self, settings: ModelSettings) -> ModelSettingsView:
        changes = settings.model_dump(exclude_none=True, exclude={"api_key"})
        return self.view_now.model_copy(update=changes)

    async def test(self, request: AgentTest) -> AgentTestResult:
        del request
        return AgentTestResult(
            ok=False, code="agent-unreachable", message="Nobody is there."
        )

    async def providers(self) -> ProvidersView:
        return ProvidersView(default="replay", default_is_chosen=False, providers=())

    async def update_provider(
        self, name: str, settings: ProviderSettings
    ) -> ProvidersView:
        del name, settings
        return await self.providers()

    async def forget_provider(self, name: str) -> ProvidersView:
        del name
        return await self.providers()

    async def update_default(self, chosen: ProviderDefault) -> ProvidersView:
        del chosen
        return await self.providers()

    async def provider_models(self, name: str, tried: ProviderTry) -> ProviderModels:
        del name, tried
        return ProviderModels(ok=False, message="Nobody is there.")

    async def try_provider(self, name: str, tried: ProviderTry) -> ProviderVerdict:
        del name, tried
        return ProviderVerdict(
            ok=False, verdict="unreachable", message="Nobody is there."
        )

    async def find_local_servers(self) -> LocalServers:
        return LocalServers(servers=())


class NoRecordings:
    """An empty shelf."""

    async def examples(self) -> tuple[Example, ...]:
        return ()

    async def export(self, run_id: str) -> tuple[str, bytes]:
        del run_id
        raise NotFound("There is no such run.", code="run-not-found")

    async def save(self, run_id: str) -> Example:
        del run_id
        raise NotFound("There is no such run.", code="run-not-found")


@dataclass
class Served:
    """A server that runs, and how to speak to it."""

    runtime: Runtime
    url: str
    link: str
    client: httpx2.AsyncClient
    """Carries the token."""
    anyone: httpx2.AsyncClient
    """Carries nothing."""
    token: str
    data: DataFolder

    @property
    def store(self) -> EmbeddedStore:
        store = self.runtime.store
        assert isinstance(store, EmbeddedStore)
        return store

    async def emit(self, count: int, *, first: int = 0, project: str = "p") -> None:
        """Append events that count up, a few to a transaction."""
        place = EventPlace(project_id=project)
        for start in range(first, first + count, 50):
            numbers = range(start, min(start + 50, first + count))
            await self.store.apply(
                [AppendEvent(place, Text(str(number))) for number in numbers],
                durable=False,
            )


async def open_runtime(data: DataFolder, settings: Settings) -> Runtime:
    """Put a runtime together, with fakes where another part has its own tests."""
    clock, ids = SystemClock(), UuidIds()
    store = await open_store(data, clock=clock, ids=ids)
    places = places_of(settings)
    writer = FileWriter(store, clock, ids, GateKeeper(settings.gates))
    return Runtime(
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
            gates=GateKeeper(settings.gates),
        ),
        transcripts=Transcripts(
            store, store.transcripts(), clock, ids, homes=("/home/ada",)
        ),
        turns=NoTurns(),
        agents=FixedAgents(),
        recorder=NoRecordings(),
        previews=PreviewSite(
            store,
            Capabilities(clock),
            PreviewSettings(places.preview_origin, (places.app_origin,)),
            bridge="",
        ),
    )


@contextlib.asynccontextmanager
async def served(
    folder: Path,
    settings: Settings = FREE,
    *,
    change: Any = None,
) -> AsyncIterator[Served]:
    """Serve a data folder until the block ends; ``change`` may exchange the runtime."""

    async def make(data: DataFolder, bound: Settings) -> Runtime:
        runtime = await open_runtime(data, bound)
        return runtime if change is None else change(runtime)

    async with _served(folder, settings, make) as running:
        yield running


@contextlib.asynccontextmanager
async def served_whole(folder: Path, settings: Settings) -> AsyncIterator[Served]:
    """Serve a data folder with everything that `vitrail serve` has."""
    async with _served(folder, settings, opening.open_runtime) as running:
        yield running


@contextlib.asynccontextmanager
async def _served(
    folder: Path,
    settings: Settings,
    make: Callable[[DataFolder, Settings], Awaitable[Runtime]],
) -> AsyncIterator[Served]:
    data = make_data_folder(folder)
    listeners = listen(settings)
    runtime = await make(data, listeners.ports(settings))
    ready: asyncio.Future[Ready] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    task = asyncio.create_task(
        serve(runtime, listeners, on_ready=ready.set_result, until=stop.wait())
    )
    task.add_done_callback(lambda _: ready.cancel())
    try:
        told = await ready
    except asyncio.CancelledError:
        await task
        raise
    url = f"http://127.0.0.1:{told.settings.port}"
    token = data.token()
    async with (
        httpx2.AsyncClient(
            base_url=url, headers={"Authorization": f"Bearer {token}"}
        ) as client,
        httpx2.AsyncClient(base_url=url) as anyone,
    ):
        yield Served(runtime, url, told.link, client, anyone, token, data)
    stop.set()
    await task


def replaced(**parts: Any) -> Any:
    """Return a change of a runtime for `served`."""
    return lambda runtime: replace(runtime, **parts)
