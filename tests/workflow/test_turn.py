"""Turns: runs are begun, written, ended and kept, whatever the agent does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from tests.support.turns import Desk, OneAgent, ScriptedAgent, Stop, open_desk, pieces
from vitrail.core.parse import StreamParser, fold_parts
from vitrail.errors import AgentError, Conflict, InvalidInput, NotFound, StorageError
from vitrail.limits import MAX_EVENT_BYTES, MAX_MESSAGE_CHARS
from vitrail.ports import AgentEnd, AgentReasoning, AgentUsage
from vitrail.protocol.events import (
    ArtifactEnd,
    ArtifactSaved,
    ArtifactStart,
    ErrorRaised,
    Event,
    MessageAdded,
    RunEnd,
    RunStart,
    Text,
    UnknownEvent,
    Usage,
    encode_event,
)
from vitrail.protocol.http import NewRun
from vitrail.protocol.records import ErrorPart, ReasoningPart, TextPart
from vitrail.workflow.save import ArtifactSaver
from vitrail.workflow.turn import Pace

PAGE = (
    "\n<!doctype html>\n<html lang=en><title>T</title>"
    "<p>A page that is long enough to be saved.</p></html>\n"
)
OPEN = '<artifact identifier="page" type="text/html" title="Page">'
REPLY = f"Here:\n\n{OPEN}{PAGE}</artifact>\n\nDone."


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data") as opened:
        yield opened


def types(events: list[Event | UnknownEvent]) -> list[str]:
    return [json.loads(encode_event(event))["type"] for event in events]


# --- a whole turn -------------------------------------------------------


async def test_a_reply_becomes_events_parts_and_a_file(desk: Desk) -> None:
    run = await desk.say(*pieces(REPLY, 7))
    assert (run.state, run.reason, run.ended_at) == (
        "done",
        "done",
        "2026-01-01T00:00:00.000Z",
    )
    assert desk.files() == {"page.html": PAGE.encode()}
    before, artifact, after = await desk.parts()
    assert isinstance(before, TextPart)
    assert before.text == "Here:\n\n"
    assert isinstance(after, TextPart)
    assert after.text == "\n\nDone."
    (artifact,) = await desk.artifacts()
    assert (artifact.text, artifact.state) == (PAGE, "complete")
    assert artifact.saved is not None
    assert (artifact.saved.path, artifact.saved.number) == ("page.html", 1)


async def test_events_tell_the_run_in_its_order(desk: Desk) -> None:
    run = await desk.say(REPLY)
    assert types(await desk.events(run)) == [
        "run:start",
        "text",
        "artifact:start",
        "artifact:chunk",
        "artifact:end",
        "artifact:saved",
        "file:changed",
        "text",
        "run:end",
    ]


async def test_message_and_run_are_one_transaction_with_their_events(
    desk: Desk,
) -> None:
    stop = Stop()
    desk.agents.agent = ScriptedAgent(stop, AgentEnd("done"))
    started = await desk.start("Make a page\nwith a picture")
    await stop.reached.wait()
    user, assistant = await desk.messages()
    assert (user.id, user.role) == (started.user_message_id, "user")
    assert user.parts == (TextPart(text="Make a page\nwith a picture"),)
    assert (assistant.id, assistant.run_id) == (
        started.run.message_id,
        started.run.id,
    )
    told = await desk.store.events_after(0)
    added = [item for item in told if isinstance(item.event, MessageAdded)]
    begun = [item for item in told if isinstance(item.event, RunStart)]
    assert added[0].seq < begun[0].seq == started.seq
    conversation = await desk.store.conversation(desk.conversation_id)
    assert conversation.title == "Make a page"
    stop.go_on.set()


async def test_a_conversation_keeps_the_name_it_has(desk: Desk) -> None:
    await desk.say("One.", text="First words")
    await desk.say("Two.", text="Other words")
    conversation = await desk.store.conversation(desk.conversation_id)
    assert conversation.title == "First words"


async def test_any_chunking_gives_the_same_parts(tmp_path: Path) -> None:
    seen = []
    for size in (1, 5, len(REPLY)):
        async with open_desk(tmp_path / str(size)) as desk:
            await desk.say(*pieces(REPLY, size))
            seen.append(await desk.parts())
    assert seen[0] == seen[1] == seen[2]


async def test_what_is_stored_folds_to_the_parts_that_are_stored(desk: Desk) -> None:
    run = await desk.say("<think>\nso\n</think>\n", *pieces(REPLY, 3))
    assert fold_parts(await desk.events(run)) == await desk.parts()


async def test_words_show_while_the_agent_still_speaks(desk: Desk) -> None:
    stop = Stop()
    desk.agents.agent = ScriptedAgent("Hello", stop, AgentEnd("done"))
    await desk.start()
    changed = desk.store.changed()
    while await desk.text() != "Hello":
        await anext(changed)
    stop.go_on.set()


async def test_a_fast_agent_costs_few_transactions(desk: Desk) -> None:
    run = await desk.say(*["word "] * 5_000)
    events = [e for e in await desk.events(run) if isinstance(e, Text)]
    assert "".join(event.delta for event in events) == "word " * 5_000
    assert len(events) < 100


async def test_no_event_is_larger_than_the_limit(desk: Desk) -> None:
    long = "\N{BELL}" * (MAX_EVENT_BYTES + 17)
    run = await desk.say(long, AgentReasoning(long), f"\n\n{OPEN}\n{long}</artifact>")
    events = await desk.events(run)
    assert max(len(encode_event(event)) for event in events) <= MAX_EVENT_BYTES
    assert await desk.text() == f"{long}\n\n"
    (artifact,) = await desk.artifacts()
    assert artifact.text == f"\n{long}"


async def test_a_reply_without_an_end_is_ended(tmp_path: Path) -> None:
    pace = Pace(batch_s=0, reply_chars=1000)
    async with open_desk(tmp_path, pace=pace) as desk:
        run = await desk.say(*["0123456789"] * 1000)
        assert (run.state, run.reason) == ("failed", "failed")
        *_, error = await desk.parts()
        assert isinstance(error, ErrorPart)
        assert error.code == "agent-failed"
        assert 1000 < len(await desk.text()) < 2000


async def test_reasoning_of_its_own_channel_is_folded_and_no_artifact(
    desk: Desk,
) -> None:
    await desk.say(AgentReasoning(f"I could write\n{OPEN}"), "No.")
    assert await desk.parts() == (
        ReasoningPart(text=f"I could write\n{OPEN}"),
        TextPart(text="No."),
    )


async def test_usage_and_a_reached_limit_are_kept(desk: Desk) -> None:
    desk.agents.agent = ScriptedAgent("Half", AgentUsage(10, 20), AgentEnd("length"))
    run = await desk.ask()
    assert (run.state, run.reason) == ("done", "length")
    events = await desk.events(run)
    assert Usage(10, 20) in events
    assert events[-1] == RunEnd("length")


async def test_halves_of_a_character_in_two_chunks_are_one(desk: Desk) -> None:
    await desk.say("a\ud83e", "\uddea b", " \ud83e")
    assert await desk.text() == "a🧪 b �"


# --- the second turn ----------------------------------------------------


async def test_the_same_identifier_changes_its_file_in_place(desk: Desk) -> None:
    await desk.say(REPLY)
    changed = PAGE.replace("A page", "Another page")
    await desk.say(f"{OPEN}{changed}</artifact>")
    assert desk.files() == {"page.html": changed.encode()}
    (artifact,) = await desk.artifacts()
    assert artifact.saved is not None
    assert artifact.saved.number == 2
    first, _ = await desk.store.revisions(desk.project_id, "page.html")
    assert first.run_id is not None


async def test_an_edit_on_disk_is_what_the_next_turn_is_shown(desk: Desk) -> None:
    await desk.say(REPLY)
    edited = PAGE.replace("A page", "New heading")
    (desk.folder / "page.html").write_text(edited)
    agent = ScriptedAgent("Fine.", AgentEnd("done"))
    desk.agents.agent = agent
    run = await desk.ask("Change the paragraph")
    system = agent.prompts[0].messages[0].content
    assert "New heading" in system
    assert "A page" not in system
    assert [(file.path, file.shown) for file in run.shown] == [("page.html", "text")]
    assert (desk.folder / "page.html").read_text() == edited


async def test_a_file_that_changed_since_it_was_shown_is_not_replaced(
    desk: Desk,
) -> None:
    await desk.say(REPLY)
    stop = Stop()
    desk.agents.agent = ScriptedAgent(
        stop, f"{OPEN}{PAGE.replace('A page', 'Later')}</artifact>", AgentEnd("done")
    )
    started = await desk.start("Change it")
    await stop.reached.wait()
    edited = PAGE.replace("A page", "Meanwhile")
    (desk.folder / "page.html").write_text(edited)
    stop.go_on.set()
    await desk.turns.wait(started.run.id)
    assert desk.files()["page.html"] == edited.encode()
    (artifact,) = await desk.artifacts()
    assert artifact.quarantined


# --- one run at a time --------------------------------------------------


async def test_a_conversation_has_one_active_run(desk: Desk) -> None:
    stop = Stop()
    desk.agents.agent = ScriptedAgent(stop, AgentEnd("done"))
    started = await desk.start()
    with pytest.raises(Conflict, match="Stop it") as refused:
        await desk.start("Again")
    assert refused.value.code == "run-active"
    assert len(await desk.messages()) == 2
    stop.go_on.set()
    await desk.turns.wait(started.run.id)
    await desk.say("Now.")


async def test_of_two_starts_at_once_one_is_refused(desk: Desk) -> None:
    stop = Stop()
    desk.agents.agent = ScriptedAgent(stop, AgentEnd("done"))
    both = await asyncio.gather(
        desk.start("One"), desk.start("Two"), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in both) == ["Conflict", "RunStarted"]
    stop.go_on.set()


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (NewRun(text="  \n "), InvalidInput),
        (NewRun(text="x" * (MAX_MESSAGE_CHARS + 1)), InvalidInput),
        (NewRun(text="x", recording="no-such"), NotFound),
    ],
)
async def test_what_cannot_be_started_leaves_nothing(
    desk: Desk, request_: NewRun, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await desk.turns.start(desk.project_id, desk.conversation_id, request_)
    assert await desk.messages() == ()
    assert await desk.store.running() == ()


async def test_a_conversation_of_another_project_is_not_there(desk: Desk) -> None:
    with pytest.raises(NotFound) as missing:
        await desk.turns.start("other", desk.conversation_id, NewRun(text="x"))
    assert missing.value.code == "conversation-not-found"


# --- ends that come early -----------------------------------------------


async def test_stop_ends_the_run_and_closes_what_is_open(desk: Desk) -> None:
    stop = Stop()
    agent = ScriptedAgent(f"Here:\n\n{OPEN}{PAGE[:60]}", stop)
    desk.agents.agent = agent
    started = await desk.start()
    await stop.reached.wait()
    run = await desk.turns.stop(started.run.id)
    assert (run.state, run.reason) == ("stopped", "stopped")
    assert agent.was_closed
    events = await desk.events(run)
    (end,) = [event for event in events if isinstance(event, ArtifactEnd)]
    assert (end.complete, end.reason, end.length) == (False, "stopped", 60)
    assert events[-1] == RunEnd("stopped")
    (artifact,) = await desk.artifacts()
    assert (artifact.state, artifact.text) == ("cut", PAGE[:60])
    assert artifact.saved is not None
    assert artifact.saved.status == "error"


async def test_stop_does_not_overwrite_the_good_file_with_half_of_another(
    desk: Desk,
) -> None:
    await desk.say(REPLY)
    stop = Stop()
    desk.agents.agent = ScriptedAgent(f"{OPEN}{PAGE[:90]}", stop)
    started = await desk.start()
    await stop.reached.wait()
    await desk.turns.stop(started.run.id)
    assert desk.files()["page.html"] == PAGE.encode()


async def test_stopping_twice_or_late_returns_the_run_as_it_ended(desk: Desk) -> None:
    stop = Stop()
    desk.agents.agent = ScriptedAgent("Half", stop)
    started = await desk.start()
    await stop.reached.wait()
    first, second = await asyncio.gather(
        desk.turns.stop(started.run.id), desk.turns.stop(started.run.id)
    )
    assert first == second == await desk.turns.stop(started.run.id)
    ends = [e for e in await desk.events(first) if isinstance(e, RunEnd)]
    assert len(ends) == 1
    with pytest.raises(NotFound):
        await desk.turns.stop("00000000-0000-7000-8000-00000000ffff")


async def test_stop_before_the_first_step_ends_the_run(desk: Desk) -> None:
    desk.agents.agent = ScriptedAgent("never", AgentEnd("done"))
    started = await desk.start()
    run = await desk.turns.stop(started.run.id)
    assert run.state == "stopped"
    assert types(await desk.events(run)) == ["run:start", "run:end"]


async def test_an_agent_that_fails_leaves_what_it_said(desk: Desk) -> None:
    run = await desk.say(
        f"Here:\n\n{OPEN}{PAGE[:70]}",
        AgentError("The connection broke.", code="agent-interrupted"),
    )
    assert (run.state, run.reason) == ("failed", "failed")
    (artifact,) = await desk.artifacts()
    assert (artifact.text, artifact.reason) == (PAGE[:70], "failed")
    assert (await desk.parts())[-1] == ErrorPart(
        code="agent-interrupted", message="The connection broke.", retryable=True
    )
    assert types(await desk.events(run))[-2:] == ["error", "run:end"]


async def test_an_agent_that_ends_without_a_word_about_it_is_an_error(
    desk: Desk,
) -> None:
    desk.agents.agent = ScriptedAgent("Half a sen")
    run = await desk.ask()
    assert run.state == "failed"
    assert await desk.text() == "Half a sen"


async def test_a_fault_of_an_agent_is_told_without_its_insides(desk: Desk) -> None:
    run = await desk.say("Text", RuntimeError("secret insides"))
    assert run.state == "failed"
    (error,) = [e for e in await desk.events(run) if isinstance(e, ErrorRaised)]
    assert error.code == "internal-error"
    assert "insides" not in error.message


async def test_a_parser_that_throws_loses_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = StreamParser.feed

    def fails(self: StreamParser, text: str) -> list[Event]:
        if "BOOM" in text:
            raise ZeroDivisionError
        return feed(self, text)

    monkeypatch.setattr(StreamParser, "feed", fails)
    one_by_one = Pace(batch_s=0, inbox_chars=1)
    async with open_desk(tmp_path / "data", pace=one_by_one) as desk:
        run = await desk.say(f"Hi\n\n{OPEN}<p>", "x</arti", "BOOM", " and more")
        assert run.state == "failed"
        events = await desk.events(run)
        (start,) = [e for e in events if isinstance(e, ArtifactStart)]
        (end,) = [e for e in events if isinstance(e, ArtifactEnd)]
        assert (start.artifact, end.artifact, end.complete) == (0, 0, False)
        assert (await desk.text()).startswith("Hi\n\n</artiBOOM")


async def test_a_disk_that_refuses_a_file_fails_the_run_and_keeps_its_text(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(_: ArtifactSaver, events: Sequence[Event]) -> list[Event]:
        if any(isinstance(event, ArtifactEnd) for event in events):
            raise StorageError("The disk is full.", code="storage-full")
        return []

    monkeypatch.setattr(ArtifactSaver, "feed", full)
    run = await desk.say(REPLY)
    assert run.state == "failed"
    assert await desk.text() == "Here:\n\n\n\nDone."
    (artifact,) = await desk.artifacts()
    assert (artifact.text, artifact.saved) == (PAGE, None)
    assert (await desk.parts())[-1] == ErrorPart(
        code="storage-full", message="The disk is full.", retryable=True
    )


async def test_closing_interrupts_and_writes_down_what_runs(tmp_path: Path) -> None:
    stop = Stop()
    async with open_desk(tmp_path / "data") as desk:
        desk.agents.agent = ScriptedAgent(f"{OPEN}{PAGE[:50]}", stop)
        started = await desk.start()
        await stop.reached.wait()
        await desk.turns.close()
        run = await desk.store.run(started.run.id)
        assert (run.state, run.reason) == ("interrupted", "interrupted")
        with pytest.raises(Conflict):
            await desk.start()


# --- keys ---------------------------------------------------------------

KEY = "sk-0123456789abcdefghij"


async def test_a_key_is_on_no_disk_wherever_it_was_said(tmp_path: Path) -> None:
    cut = [f"The key is {KEY[:9]}", f"{KEY[9:]}.\n\n{OPEN}{PAGE}", KEY, "</artifact>"]
    agent = ScriptedAgent(
        *cut,
        AgentReasoning(KEY[:5]),
        AgentReasoning(KEY[5:]),
        AgentError(f"Incorrect key {KEY}", code="agent-key-refused"),
    )
    async with open_desk(tmp_path / "data", OneAgent(agent, KEY)) as desk:
        await desk.ask(f"My key is {KEY}, is it good?")
        assert KEY not in str(agent.prompts)
        assert KEY not in str(await desk.parts())
        assert "[key removed]" in await desk.text()
    for path in (tmp_path / "data").rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path
            assert KEY[9:].encode() not in path.read_bytes(), path


# --- recordings through the whole turn ----------------------------------


async def test_every_recording_saves_its_bodies_byte_for_byte(desk: Desk) -> None:
    shelf = desk.agents.shelf
    for example in await shelf.examples():
        await desk.ask(example.prompt, recording=example.name)
        recording = await shelf.load(example.name)
        for artifact in await desk.artifacts():
            assert artifact.text in recording.text
            assert artifact.saved is not None
            assert artifact.saved.status == "complete"
            saved = desk.files()[artifact.saved.path]
            assert saved == artifact.text.encode()
    assert sorted(desk.files()) == [
        "anemone-deck.html",
        "anemone-mark.svg",
        "herb-cards.html",
        "herbs.css",
        "landing.html",
        "postcard.html",
        "resize-queue-report.md",
        "week-dashboard.html",
    ]


async def test_the_recorded_second_turn_changes_the_first_one_s_page(
    desk: Desk,
) -> None:
    await desk.ask(recording="landing-page")
    first = desk.files()["landing.html"]
    run = await desk.ask(recording="landing-page-second-turn")
    assert list(desk.files()) == ["landing.html"]
    assert desk.files()["landing.html"] != first
    (saved,) = [e for e in await desk.events(run) if isinstance(e, ArtifactSaved)]
    assert (saved.path, saved.number, saved.kind) == ("landing.html", 2, "html")
