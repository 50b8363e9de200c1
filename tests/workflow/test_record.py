"""Any run as a recording: it plays again to the same message, keys scrubbed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.turns import Desk, OneAgent, ScriptedAgent, Stop, open_desk
from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.errors import AgentError, Conflict, NotFound
from vitrail.ports import AgentEnd, AgentReasoning, AgentText, AgentUsage
from vitrail.protocol.recording import Recording, read_recording
from vitrail.protocol.records import Part
from vitrail.workflow.record import Recorder, recording_name

PAGE = "\n<!doctype html>\n<html lang=en><p>A page that is long enough to be saved.</p></html>\n"
KEY = "sk-0123456789abcdefghij"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data", OneAgent(None, KEY)) as opened:
        yield opened


def recorder(desk: Desk, *, agents: OneAgent | None = None) -> Recorder:
    shelf = RecordingShelf(desk.data / "recordings")
    return Recorder(desk.store, agents or desk.agents, shelf)


async def played(desk: Desk, recording: Recording) -> tuple[Part, ...]:
    """Return the parts of the message that the recording's chunks give."""
    steps = [
        AgentReasoning(line.reasoning) if line.reasoning else AgentText(line.text or "")
        for line in recording.lines
        if line.text or line.reasoning
    ]
    desk.agents.agent = ScriptedAgent(*steps, AgentEnd("done"))
    await desk.ask("Again")
    return await desk.parts()


def without_files(parts: tuple[Part, ...]) -> list[dict[str, object]]:
    """Return the parts without what differs by design: where the second one went."""
    return [part.model_dump(exclude={"saved"}) for part in parts]


@pytest.mark.parametrize(
    "reply",
    [
        f'Hi\n\n<artifact identifier="p" type="text/html" title="A &quot;b&quot; &amp; c">{PAGE}</artifact>\n\nDone.',
        f"<think>\nfirst\n</think>\n\n<artifact identifier='p' type='text/html' title='T' >{PAGE}</artifact >",
        f'```html\n<artifact identifier="p" type="text/html">{PAGE}</artifact>\n```\nText',
        f'```\n<artifact identifier="p" type="text/html">{PAGE}</artifact>\n',
        f'<artifact identifier="p" type="text/html">{PAGE[:70]}',
        "Only `code` and <b>words</b>",
    ],
)
async def test_a_recorded_run_plays_to_the_same_message(desk: Desk, reply: str) -> None:
    run = await desk.say(*reply)
    before = await desk.parts()
    recording = await recorder(desk).record(run.id)
    assert without_files(await played(desk, recording)) == without_files(before)


@pytest.mark.parametrize("name", ["landing-page", "two-artifacts", "protocol-lesson"])
async def test_a_run_of_a_recording_records_its_text_again(
    desk: Desk, name: str
) -> None:
    run = await desk.ask("Play it", recording=name)
    recording = await recorder(desk).record(run.id)
    assert recording.text == (await desk.agents.shelf.load(name)).text


async def test_channels_usage_and_reason_are_kept(desk: Desk) -> None:
    desk.agents.agent = ScriptedAgent(
        AgentReasoning("so"), "Text", AgentUsage(1, 2), AgentEnd("length")
    )
    run = await desk.ask("A page for\na bakery")
    recording = await recorder(desk).record(run.id)
    assert [(line.reasoning, line.text, line.end) for line in recording.lines] == [
        ("so", None, None),
        (None, "Text", None),
        (None, None, None),
        (None, None, "length"),
    ]
    head = recording.head
    assert (head.name, head.prompt) == ("a-page-for", "A page for\na bakery")


async def test_export_gives_a_file_that_can_be_read(desk: Desk) -> None:
    run = await desk.say("Hello")
    name, content = await recorder(desk).export(run.id)
    assert name == "make-a-page.jsonl"
    assert read_recording(content.decode()).text == "Hello"


async def test_a_saved_run_is_an_example(desk: Desk) -> None:
    run = await desk.say("Hello")
    example = await recorder(desk).save(run.id)
    assert (example.name, example.is_shipped) == ("make-a-page", False)
    assert example in await recorder(desk).examples()


async def test_a_run_that_failed_is_recorded_as_failed(desk: Desk) -> None:
    run = await desk.say("Half", AgentError("x", code="agent-interrupted"))
    assert (await recorder(desk).record(run.id)).lines[-1].end == "failed"


async def test_a_key_that_became_known_later_is_taken_out(tmp_path: Path) -> None:
    later = "key-that-was-entered-later"
    async with open_desk(tmp_path / "data") as desk:
        run = await desk.say(later[:5], later[5:], text=f"Is {later} good?")
        agents = OneAgent(None, later)
        _, content = await recorder(desk, agents=agents).export(run.id)
    assert later.encode() not in content
    assert content.count(b"[key removed]") >= 2


async def test_a_run_that_goes_on_is_not_recorded_yet(desk: Desk) -> None:
    stop = Stop()
    desk.agents.agent = ScriptedAgent("a", stop, AgentEnd("done"))
    started = await desk.start()
    with pytest.raises(Conflict):
        await recorder(desk).record(started.run.id)
    stop.go_on.set()
    with pytest.raises(NotFound):
        await recorder(desk).record("no-such-run")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("", "recording"),
        ("数据", "recording"),
        ("-- A  B --", "a-b"),
        ("x" * 99, "x" * 60),
    ],
)
def test_a_recording_is_named_after_its_title(title: str, name: str) -> None:
    assert recording_name(title) == name
