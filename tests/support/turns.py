"""Turns on a real data folder, with agents whose every step a test decides."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.adapters.agents.replay import ReplayAgent
from vitrail.adapters.claims import LockedClaims
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.datafolder import make_data_folder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import CountingIds
from vitrail.ports import (
    AgentChoice,
    AgentChunk,
    AgentEnd,
    AgentPrompt,
    AgentText,
    StoredEvent,
)
from vitrail.protocol.events import Event, UnknownEvent
from vitrail.protocol.http import NewRun, RunStarted
from vitrail.protocol.records import ArtifactPart, Message, Part, Run, TextPart
from vitrail.workflow.projects import Projects
from vitrail.workflow.turn import Pace, Turns


@dataclass(frozen=True, slots=True)
class Stop:
    """A place in a reply where the agent waits for the test."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)


Step: TypeAlias = str | AgentChunk | Exception | Stop


class ScriptedAgent:
    """Says what the test wrote: text, chunks, failures, pauses."""

    name = "command"

    def __init__(self, *steps: Step) -> None:
        self._steps = steps
        self.prompts: list[AgentPrompt] = []
        self.was_closed = False

    async def stream(self, prompt: AgentPrompt) -> AsyncGenerator[AgentChunk, None]:
        self.prompts.append(prompt)
        try:
            for step in self._steps:
                match step:
                    case str():
                        yield AgentText(step)
                    case Exception():
                        raise step
                    case Stop():
                        step.reached.set()
                        await step.go_on.wait()
                    case _:
                        yield step
        finally:
            self.was_closed = True


class OneAgent:
    """`vitrail.ports.Agents` with a scripted agent, or with the recordings that ship."""

    def __init__(self, agent: ScriptedAgent | None = None, *keys: str) -> None:
        self.agent = agent
        self.keys = keys
        self.shelf = RecordingShelf()

    async def choose(self, request: NewRun) -> AgentChoice:
        if request.recording is not None:
            await self.shelf.load(request.recording)
            return AgentChoice(ReplayAgent(self.shelf, sleep=_at_once), None)
        assert self.agent is not None
        return AgentChoice(self.agent, request.model)

    def secrets(self) -> tuple[str, ...]:
        return self.keys


async def _at_once(_: float) -> None:
    """Let others run, but wait for nothing."""
    await asyncio.sleep(0)


async def short_system_prompt() -> str:
    return "Instructions."


@dataclass(slots=True)
class Desk:
    """One data folder with a project, a conversation and turns."""

    data: Path
    store: EmbeddedStore
    agents: OneAgent
    turns: Turns
    project_id: str
    conversation_id: str
    folder: Path

    async def start(
        self,
        text: str = "Make a page",
        *,
        recording: str | None = None,
        open_path: str | None = None,
    ) -> RunStarted:
        request = NewRun(text=text, recording=recording, open_path=open_path)
        return await self.turns.start(self.project_id, self.conversation_id, request)

    async def ask(
        self,
        text: str = "Make a page",
        *,
        recording: str | None = None,
        open_path: str | None = None,
    ) -> Run:
        """Start a run and wait for its end."""
        started = await self.start(text, recording=recording, open_path=open_path)
        return await self.turns.wait(started.run.id)

    async def say(self, *steps: Step, text: str = "Make a page") -> Run:
        """Let the agent answer with these steps, and then say that it is done."""
        self.agents.agent = ScriptedAgent(*steps, AgentEnd("done"))
        return await self.ask(text)

    async def events(self, run: Run | str) -> list[Event | UnknownEvent]:
        return [stored.event for stored in await self.stored(run)]

    async def stored(self, run: Run | str) -> tuple[StoredEvent, ...]:
        return await self.store.run_events(run if isinstance(run, str) else run.id)

    async def messages(self) -> tuple[Message, ...]:
        messages, _ = await self.store.messages(self.conversation_id)
        return messages

    async def parts(self) -> tuple[Part, ...]:
        """Return the last message's parts."""
        return (await self.messages())[-1].parts

    async def artifacts(self) -> list[ArtifactPart]:
        return [part for part in await self.parts() if isinstance(part, ArtifactPart)]

    async def text(self) -> str:
        parts = await self.parts()
        return "".join(part.text for part in parts if isinstance(part, TextPart))

    def files(self) -> dict[str, bytes]:
        """Return the project's files as they are on disk, manifests left out."""
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and not path.name.endswith(".artifact.json")
        }


@asynccontextmanager
async def open_desk(
    data: Path,
    agents: OneAgent | None = None,
    *,
    pace: Pace | None = None,
    ids: CountingIds | None = None,
) -> AsyncIterator[Desk]:
    """Open a data folder with one project and conversation; the second time, again."""
    clock = FixedClock()
    ids = ids or CountingIds()
    folder = make_data_folder(data)
    store = await open_store(folder, clock=clock, ids=ids)
    agents = agents or OneAgent()
    turns = Turns(
        store,
        clock,
        ids,
        agents,
        claims=LockedClaims(folder.locks),
        system_prompt=short_system_prompt,
        pace=pace or Pace(batch_s=0),
    )
    try:
        known = await store.projects()
        projects = Projects(store, clock, ids)
        project = known[0] if known else await projects.create("Site")
        conversations = await store.conversations(project.id)
        conversation = (
            conversations[0]
            if conversations
            else await projects.begin_conversation(project.id, "")
        )
        yield Desk(
            data=folder.path,
            store=store,
            agents=agents,
            turns=turns,
            project_id=project.id,
            conversation_id=conversation.id,
            folder=folder.projects / project.name,
        )
    finally:
        await turns.close()
        await store.close()


def pieces(text: str, size: int) -> Sequence[str]:
    """Cut a text into pieces of one size."""
    return [text[start : start + size] for start in range(0, len(text), size)]
