"""Runs that a dead process left: closed, kept, and no obstacle to the next one."""

from __future__ import annotations

import asyncio
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.turns import Desk, OneAgent, ScriptedAgent, Stop, open_desk
from vitrail.adapters.ids import CountingIds
from vitrail.core.parse import fold_parts
from vitrail.ports import AgentEnd
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactQuarantined,
    ArtifactRefused,
    ArtifactSaved,
    ArtifactStart,
    RunEnd,
    Text,
)
from vitrail.protocol.records import Run
from vitrail.workflow.turn import Pace

PAGE = (
    "\n<!doctype html>\n<html lang=en><title>T</title>"
    "<p>A page that is long enough to be saved.</p></html>\n"
)
SECOND = PAGE.replace("A page", "Second page")
STEPS = (
    "One:\n\n",
    '<artifact identifier="one" type="text/html" title="One">',
    PAGE[:36],
    PAGE[36:],
    "</artifact>\n\nTwo:\n\n",
    '<artifact identifier="two" type="text/html" title="Two">',
    SECOND[:50],
    SECOND[50:],
    "</artifact>\n\nDone.",
)


class Crash(BaseException):
    """The process is gone: nothing catches this, nothing is written any more."""


def crash_at_call(desk: Desk, number: int) -> None:
    """Let the store's ``number``-th write, and every later one, never happen."""
    done = 0
    for name in ("apply", "commit_file"):
        original = getattr(desk.store, name)

        async def write(*args: Any, _original: Any = original, **kwargs: Any) -> Any:
            nonlocal done
            if done >= number:
                raise Crash
            done += 1
            return await _original(*args, **kwargs)

        object.__setattr__(desk.store, name, write)


async def recovered(desk: Desk) -> tuple[Run, ...]:
    return await desk.turns.recover()


def check_events_are_whole(events: Sequence[object]) -> None:
    starts = [e.artifact for e in events if isinstance(e, ArtifactStart)]
    ends = [e for e in events if isinstance(e, ArtifactEnd)]
    assert starts == [end.artifact for end in ends]
    for end in ends:
        body = "".join(
            e.delta
            for e in events
            if isinstance(e, ArtifactChunk) and e.artifact == end.artifact
        )
        assert end.length == len(body)
    outcomes = [
        e.artifact
        for e in events
        if isinstance(e, ArtifactSaved | ArtifactRefused | ArtifactQuarantined)
    ]
    assert sorted(outcomes, key=str) == starts
    assert [type(e) for e in events].count(RunEnd) == 1
    assert isinstance(events[-1], RunEnd)


WRITES = 15
"""Of one whole run, pieces written one by one: the last test of them says so."""

ONE_BY_ONE = Pace(batch_s=0, inbox_chars=1)


@pytest.mark.parametrize("number", range(1, WRITES))
async def test_a_crash_at_any_write_leaves_a_usable_conversation(
    tmp_path: Path, number: int
) -> None:
    ids = CountingIds()
    agent = ScriptedAgent(*STEPS, AgentEnd("done"))
    async with open_desk(tmp_path, OneAgent(agent), pace=ONE_BY_ONE, ids=ids) as desk:
        crash_at_call(desk, number)
        started = await desk.start()
        with pytest.raises(Crash):
            await desk.turns.wait(started.run.id)
    async with open_desk(tmp_path, ids=ids) as desk:
        (run,) = await recovered(desk)
        assert (run.id, run.state, run.reason) == (
            started.run.id,
            "interrupted",
            "interrupted",
        )
        events = await desk.events(run)
        check_events_are_whole(events)
        assert fold_parts(events) == await desk.parts()
        for artifact in await desk.artifacts():
            is_whole = artifact.text in (PAGE, SECOND) and artifact.state == "complete"
            if artifact.saved:
                assert artifact.saved.status == ("complete" if is_whole else "error")
                assert desk.files()[artifact.saved.path] == artifact.text.encode()
        assert await recovered(desk) == ()
        again = await desk.say("Go on.")
        assert again.state == "done"


async def test_the_crashes_tried_are_all_there_are(tmp_path: Path) -> None:
    agent = ScriptedAgent(*STEPS, AgentEnd("done"))
    async with open_desk(tmp_path, OneAgent(agent), pace=ONE_BY_ONE) as desk:
        crash_at_call(desk, WRITES)
        run = await desk.ask()
        assert run.state == "done"
        crash_at_call(desk, 0)
        with pytest.raises(Crash):
            await desk.start()


async def test_a_killed_process_loses_no_stored_word(tmp_path: Path) -> None:
    script = f"""
        import asyncio, os, sys
        from pathlib import Path
        from tests.support.turns import OneAgent, ScriptedAgent, Stop, open_desk

        async def main():
            stop = Stop()
            agent = ScriptedAgent({STEPS[0]!r}, {STEPS[1]!r}, {STEPS[2]!r}, stop)
            async with open_desk(Path({str(tmp_path)!r}), OneAgent(agent)) as desk:
                started = await desk.start()
                changed = desk.store.changed()
                while [a.text for a in await desk.artifacts()] != [{STEPS[2]!r}]:
                    await anext(changed)
                print(started.run.id, flush=True)
                os._exit(9)

        asyncio.run(main())
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        textwrap.dedent(script),
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert process.returncode == 9
    async with open_desk(tmp_path, ids=_later_ids()) as desk:
        (run,) = await recovered(desk)
        assert run.id == output.decode().strip()
        events = await desk.events(run)
        assert Text(STEPS[0]) in events
        check_events_are_whole(events)
        (artifact,) = await desk.artifacts()
        assert (artifact.state, artifact.text) == ("cut", STEPS[2])


def _later_ids() -> CountingIds:
    """Return ids that do not meet those of the process before."""
    ids = CountingIds()
    for _ in range(1000):
        ids.new()
    return ids


async def test_recovery_leaves_runs_of_this_process_alone(tmp_path: Path) -> None:
    stop = Stop()
    async with open_desk(tmp_path) as desk:
        desk.agents.agent = ScriptedAgent(stop, AgentEnd("done"))
        started = await desk.start()
        await stop.reached.wait()
        assert await recovered(desk) == ()
        stop.go_on.set()
        assert (await desk.turns.wait(started.run.id)).state == "done"


async def test_a_run_that_nobody_writes_can_be_stopped(tmp_path: Path) -> None:
    ids = CountingIds()
    agent = ScriptedAgent(*STEPS, AgentEnd("done"))
    async with open_desk(tmp_path, OneAgent(agent), ids=ids) as desk:
        crash_at_call(desk, 3)
        started = await desk.start()
        with pytest.raises(Crash):
            await desk.turns.wait(started.run.id)
    async with open_desk(tmp_path, ids=ids) as desk:
        run = await desk.turns.stop(started.run.id)
        assert (run.state, run.reason) == ("stopped", "stopped")
        check_events_are_whole(await desk.events(run))
