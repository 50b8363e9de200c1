"""Several servers on one data folder: each run has one writer and one end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NoReturn

import pytest

from tests.support.turns import Desk, OneAgent, ScriptedAgent, Stop, open_desk
from tests.workflow.test_recover import (
    ONE_BY_ONE,
    STEPS,
    Crash,
    check_events_are_whole,
    crash_at_call,
)
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.adapters.ids import CountingIds
from vitrail.errors import Conflict, NotFound, StorageError
from vitrail.ports import (
    AgentChoice,
    AgentEnd,
    DeleteConversation,
    DeleteProject,
)
from vitrail.protocol.http import NewRun
from vitrail.workflow import recover
from vitrail.workflow.projects import Projects


@pytest.fixture
async def desks(tmp_path: Path) -> AsyncIterator[tuple[Desk, Desk]]:
    """Two servers, as far as a data folder can tell."""
    ids = CountingIds()
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(
            open_desk(tmp_path, OneAgent(), pace=ONE_BY_ONE, ids=ids)
        )
        second = await stack.enter_async_context(
            open_desk(tmp_path, OneAgent(), pace=ONE_BY_ONE, ids=ids)
        )
        yield first, second


def pausing() -> tuple[Stop, ScriptedAgent]:
    """Return an agent that waits in the middle of its first artifact."""
    pause = Stop()
    return pause, ScriptedAgent(*STEPS[:3], pause, *STEPS[3:], AgentEnd("done"))


async def test_a_run_that_another_server_writes_is_left_alone(
    desks: tuple[Desk, Desk],
) -> None:
    first, second = desks
    pause, first.agents.agent = pausing()
    started = await first.start()
    await pause.reached.wait()
    assert await second.turns.recover() == ()
    with pytest.raises(Conflict) as refused:
        await second.start("Me too")
    assert refused.value.code == "run-active"
    pause.go_on.set()
    run = await first.turns.wait(started.run.id)
    assert run.state == "done"
    check_events_are_whole(await first.events(run))


async def test_a_stop_reaches_the_server_that_writes_the_run(
    desks: tuple[Desk, Desk],
) -> None:
    first, second = desks
    pause, first.agents.agent = pausing()
    started = await first.start()
    await pause.reached.wait()
    first.turns.watch()
    run = await second.turns.stop(started.run.id)
    assert (run.state, run.reason) == ("stopped", "stopped")
    assert first.agents.agent.was_closed
    events = await second.events(run)
    check_events_are_whole(events)
    assert await second.turns.stop(run.id) == run
    assert await first.events(run) == events


async def test_a_server_that_does_not_stop_its_run_is_named(
    desks: tuple[Desk, Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = desks
    monkeypatch.setattr(recover, "_STOP_WAIT_S", 0.2)
    pause, first.agents.agent = pausing()
    started = await first.start()  # and does not look whether it is asked
    await pause.reached.wait()
    with pytest.raises(Conflict) as refused:
        await second.turns.stop(started.run.id)
    assert refused.value.code == "run-active"


async def test_a_run_whose_server_died_is_closed_by_one_that_lives(
    desks: tuple[Desk, Desk],
) -> None:
    first, second = desks
    first.agents.agent = ScriptedAgent(*STEPS, AgentEnd("done"))
    crash_at_call(first, 6)
    started = await first.start()
    with pytest.raises(Crash):
        await first.turns.wait(started.run.id)
    (run,) = await second.turns.recover()
    assert (run.id, run.state) == (started.run.id, "interrupted")
    check_events_are_whole(await second.events(run))


async def test_a_conversation_whose_server_died_takes_the_next_message_at_once(
    desks: tuple[Desk, Desk],
) -> None:
    first, second = desks
    first.agents.agent = ScriptedAgent(*STEPS, AgentEnd("done"))
    crash_at_call(first, 6)
    started = await first.start()
    with pytest.raises(Crash):
        await first.turns.wait(started.run.id)
    run = await second.say("Here I am.")
    assert run.state == "done"
    assert (await second.store.run(started.run.id)).state == "interrupted"


async def test_a_run_that_the_disk_refused_to_end_is_closed_when_it_takes_writes_again(
    desks: tuple[Desk, Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, _ = desks
    pause, desk.agents.agent = pausing()
    started = await desk.start()
    await pause.reached.wait()

    async def refuse(*_: object, **__: object) -> NoReturn:
        raise StorageError("The disk is full.", code="storage-full")

    with monkeypatch.context() as full:
        full.setattr(EmbeddedStore, "apply", refuse)
        pause.go_on.set()
        assert (await desk.turns.wait(started.run.id)).state == "running"
    (run,) = await desk.turns.recover()
    assert run.state == "interrupted"
    check_events_are_whole(await desk.events(run))


async def test_of_all_servers_that_start_at_once_one_does(
    desks: tuple[Desk, Desk],
) -> None:
    for desk in desks:
        _, desk.agents.agent = pausing()
    results = await asyncio.gather(
        *(desk.start() for desk in desks * 4), return_exceptions=True
    )
    refused = [result for result in results if isinstance(result, Conflict)]
    assert len(refused) == len(results) - 1
    assert {error.code for error in refused} == {"run-active"}
    assert len(await desks[0].store.runs(desks[0].conversation_id)) == 1
    assert len(await desks[0].messages()) == 2


async def test_what_runs_is_not_deleted_whoever_asks(
    desks: tuple[Desk, Desk],
) -> None:
    first, second = desks
    pause, first.agents.agent = pausing()
    started = await first.start()
    await pause.reached.wait()
    for change in (
        DeleteProject(first.project_id),
        DeleteConversation(first.conversation_id),
    ):
        with pytest.raises(Conflict) as refused:
            await second.store.apply([change])
        assert refused.value.code == "run-active"
    pause.go_on.set()
    await first.turns.wait(started.run.id)
    await second.store.apply([DeleteProject(first.project_id)])


class LateAgents(OneAgent):
    """Chooses an agent after something else has happened."""

    def __init__(self, happens: Callable[[], Awaitable[object]]) -> None:
        super().__init__(ScriptedAgent("Hello", AgentEnd("done")))
        self._happens = happens

    async def choose(self, request: NewRun) -> AgentChoice:
        await self._happens()
        return await super().choose(request)


async def test_a_project_renamed_while_a_run_starts_keeps_its_new_name(
    tmp_path: Path,
) -> None:
    async def rename() -> None:
        await Projects(desk.store, FixedClock(), CountingIds()).rename(
            desk.project_id, "New name"
        )

    async with open_desk(tmp_path, LateAgents(rename)) as desk:
        await desk.ask()
        assert (await desk.store.project(desk.project_id)).title == "New name"


async def test_a_deleted_project_is_not_made_again_by_a_run_that_starts(
    tmp_path: Path,
) -> None:
    async def delete() -> None:
        await desk.store.apply([DeleteProject(desk.project_id)])

    async with open_desk(tmp_path, LateAgents(delete)) as desk:
        with pytest.raises(NotFound):
            await desk.ask()
        assert await desk.store.projects() == ()
        assert list((desk.data / "locks").glob("run-*")) == []
