"""Recordings: what ships is current and whole, and plays with its timing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scripts.make_recordings import made
from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.adapters.agents.replay import ReplayAgent
from vitrail.core.parse import StreamParser
from vitrail.errors import AgentError, InvalidInput, NotFound
from vitrail.ports import AgentEnd, AgentPrompt, AgentReasoning, AgentText, AgentUsage
from vitrail.protocol.events import (
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    QuestionForm,
)
from vitrail.protocol.recording import (
    Recording,
    RecordingHead,
    RecordingLine,
    RecordingUsage,
    read_recording,
    write_recording,
)

HEAD = RecordingHead(
    name="a-run",
    title="A run",
    prompt="Go",
    agent="openai",
    recorded_at="2026-01-01T00:00:00.000Z",
)
LINES = (
    RecordingLine(t=0.5, reasoning="hm"),
    RecordingLine(t=1.0, text="Hi 🧪\u2028"),
    RecordingLine(t=1.0, usage=RecordingUsage(output_tokens=3)),
    RecordingLine(t=3.0, end="length"),
)
SHIPPED = [
    "landing-page",
    "landing-page-second-turn",
    "six-slide-deck",
    "chart-dashboard",
    "markdown-report",
    "svg-mark",
    "two-artifacts",
    "protocol-lesson",
    "question-form",
]


# --- the format ---------------------------------------------------------


def test_what_is_written_is_read_again() -> None:
    text = write_recording(Recording(HEAD, LINES))
    assert read_recording(text) == Recording(HEAD, LINES)
    assert text.count("\n") == len(LINES) + 1


def line(**values: object) -> str:
    return json.dumps(values)


GOOD = write_recording(Recording(HEAD, ())) + line(t=0, end="done")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 1),
        ("nonsense", 1),
        (line(vitrail="recording"), 1),
        (write_recording(Recording(HEAD, ())), 1),
        (GOOD.replace('"version":1', '"version":2'), 1),
        (GOOD.replace("a-run", "../a"), 1),
        (GOOD.replace('"end"', '"text"'), 2),
        (GOOD.replace('"end": "done"', '"text": "a", "end": "done"'), 2),
        (GOOD.replace('"end": "done"', '"end": "soon"'), 2),
        (GOOD.replace('"t": 0', '"t": -1'), 2),
        (GOOD.replace('"t": 0', '"t": 1e999'), 2),
        (f"{GOOD}\n\n{line(t=1, end='done')}", 4),
        (GOOD + "\n" + line(t=1, text="after"), 3),
        (GOOD.replace('"t": 0', '"t": 3').replace('"end"', '"text"') + line(), 2),
    ],
)
def test_a_file_that_is_no_recording_is_refused_by_its_line(
    text: str, number: int
) -> None:
    with pytest.raises(InvalidInput, match=f"Line {number} ") as refused:
        read_recording(text)
    assert refused.value.code == "recording-invalid"


# --- what ships ---------------------------------------------------------


def test_shipped_recordings_are_made_from_their_sources() -> None:
    folder = Path(__file__).parents[2] / "src" / "vitrail" / "recordings"
    assert {p.name: p.read_text("utf-8") for p in folder.iterdir()} == made()


async def test_the_examples_ship_the_landing_page_first() -> None:
    examples = await RecordingShelf().examples()
    assert [example.name for example in examples] == SHIPPED
    assert all(example.is_shipped for example in examples)
    follows = {example.name: example.follows for example in examples}
    assert follows["landing-page-second-turn"] == "landing-page"


@pytest.mark.parametrize("name", SHIPPED)
async def test_a_shipped_reply_is_as_long_as_a_real_one_and_whole(name: str) -> None:
    recording = await RecordingShelf().load(name)
    assert 9 <= recording.duration_s <= 25
    parser = StreamParser()
    events = [*parser.feed(recording.text), *parser.close()]
    starts = [e for e in events if isinstance(e, ArtifactStart)]
    forms = [e for e in events if isinstance(e, QuestionForm) and e.complete]
    assert starts or forms
    assert all(e.recovered is None for e in starts)
    assert all(e.complete for e in events if isinstance(e, ArtifactEnd))
    assert not [e for e in events if isinstance(e, DiagnosticFound)]


@pytest.mark.parametrize("name", SHIPPED)
async def test_a_shipped_reply_loads_nothing_from_outside(name: str) -> None:
    text = (await RecordingShelf().load(name)).text
    addresses = set(re.findall(r"(?:https?:)?//[a-z][^\s\"'<)]*", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}


# --- the shelf ----------------------------------------------------------


async def test_saved_recordings_stand_beside_those_that_ship(tmp_path: Path) -> None:
    shelf = RecordingShelf(tmp_path / "recordings")
    recording = Recording(HEAD, LINES)
    assert await shelf.save(recording) == "a-run"
    assert await shelf.save(recording) == "a-run-2"
    shipped = HEAD.model_copy(update={"name": "svg-mark"})
    assert await shelf.save(Recording(shipped, LINES)) == "svg-mark-2"
    assert (await shelf.load("a-run")).lines == LINES
    examples = await shelf.examples()
    assert [e.name for e in examples] == [*SHIPPED, "a-run", "a-run-2", "svg-mark-2"]
    assert [e.is_shipped for e in examples][-4:] == [True, False, False, False]


async def test_foreign_files_in_the_folder_are_left_out_of_the_list(
    tmp_path: Path,
) -> None:
    (tmp_path / "broken.jsonl").write_text("nonsense")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe")
    (tmp_path / "notes.txt").write_text("x")
    shelf = RecordingShelf(tmp_path)
    assert len(await shelf.examples()) == len(SHIPPED)
    for name in ("broken", "binary"):
        with pytest.raises(InvalidInput):
            await shelf.load(name)


@pytest.mark.parametrize(
    "name", ["", "no-such", "../secrets", "a/b", "A", "svg-mark\n", "x" * 300]
)
async def test_a_name_that_is_none_is_not_found(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotFound) as missing:
        await RecordingShelf(tmp_path).load(name)
    assert missing.value.code == "recording-not-found"


# --- playing ------------------------------------------------------------


@pytest.mark.parametrize(
    ("speed", "pauses"), [(1.0, [0.5, 0.5, 2.0]), (2.0, [0.25, 0.25, 1.0])]
)
async def test_it_plays_with_its_timing_and_a_speed(
    tmp_path: Path, speed: float, pauses: list[float]
) -> None:
    shelf = RecordingShelf(tmp_path)
    await shelf.save(Recording(HEAD, LINES))
    slept = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    agent = ReplayAgent(shelf, sleep=sleep)
    prompt = AgentPrompt((), recording="a-run", speed=speed)
    assert [chunk async for chunk in agent.stream(prompt)] == [
        AgentReasoning("hm"),
        AgentText("Hi 🧪\u2028"),
        AgentUsage(None, 3),
        AgentEnd("length"),
    ]
    assert slept == pauses


async def test_pauses_too_short_to_sleep_add_up(tmp_path: Path) -> None:
    shelf = RecordingShelf(tmp_path)
    lines = [RecordingLine(t=i / 1000, text="x") for i in range(100)]
    await shelf.save(Recording(HEAD, (*lines, RecordingLine(t=0.1, end="done"))))
    slept = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    agent = ReplayAgent(shelf, sleep=sleep)
    async for _ in agent.stream(AgentPrompt((), recording="a-run")):
        pass
    assert sum(slept) == pytest.approx(0.1)
    assert min(slept) >= 0.002


async def test_without_a_recording_nothing_is_played() -> None:
    agent = ReplayAgent(RecordingShelf())
    with pytest.raises(AgentError):
        await anext(agent.stream(AgentPrompt(())))
    with pytest.raises(ValueError, match="above 0"):
        await anext(agent.stream(AgentPrompt((), recording="svg-mark", speed=0)))
