"""`vitrail replay`: recordings on standard output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.protocol.recording import (
    Recording,
    RecordingHead,
    RecordingLine,
    write_recording,
)

RECORDING = Recording(
    RecordingHead(
        name="tea",
        title="Tea",
        prompt="Tea?",
        agent="command",
        recorded_at="2026-01-01T00:00:00.000Z",
    ),
    (
        RecordingLine(t=0.0, reasoning="hm"),
        RecordingLine(t=0.01, text="Hi 🧪\n"),
        RecordingLine(t=0.02, text="there"),
        RecordingLine(t=0.03, end="done"),
    ),
)


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    path = tmp_path / "tea.jsonl"
    path.write_text(write_recording(RECORDING))
    return path


@pytest.mark.parametrize(
    "option", [(), ("--speed", "8"), ("--speed", "0"), ("--instant",)]
)
def test_the_text_is_printed_exactly(
    run: Run, tea: Path, option: tuple[str, ...]
) -> None:
    done = run("replay", tea.name, *option)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Hi 🧪\nthere", "")


def test_standard_input_is_played(run: Run, tea: Path) -> None:
    assert run("replay", "-", stdin=tea.read_bytes()).stdout == "Hi 🧪\nthere"


def test_json_is_the_recording_s_lines(run: Run, tea: Path) -> None:
    done = run("replay", tea.name, "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[1] == {"t": 0.01, "text": "Hi 🧪\n"}
    assert lines[-1] == {"t": 0.03, "end": "done"}


async def test_a_recording_that_ships_is_played_by_its_name(run: Run) -> None:
    done = run("replay", "svg-mark", "--instant")
    assert done.stdout == (await RecordingShelf().load("svg-mark")).text


def test_an_early_end_is_told_beside_the_text(run: Run, tea: Path) -> None:
    tea.write_text(tea.read_text().replace('"done"', '"stopped"'))
    done = run("replay", tea.name)
    assert (done.returncode, done.stdout) == (0, "Hi 🧪\nthere")
    assert done.stderr == "note: the recorded run ended early: stopped\n"


def test_the_list_names_what_there_is(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "recordings"
    folder.mkdir(parents=True)
    (folder / "tea.jsonl").write_text(write_recording(RECORDING))
    done = run("replay", "--list", "--data", "data")
    names = [line.split()[0] for line in done.stdout.splitlines()]
    assert names[0] == "landing-page"
    assert names[-1] == "tea"
    done = run("replay", "--list", "--json", "--data", "data")
    last = json.loads(done.stdout.splitlines()[-1])
    assert (last["name"], last["isShipped"]) == ("tea", False)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("no-such", "recording-not-found"),
        ("gone.jsonl", "recording-not-found"),
        ("../gone", "recording-not-found"),
        ("notes.txt", "recording-invalid"),
        ("binary", "recording-invalid"),
    ],
)
def test_what_cannot_be_played_is_told(
    run: Run, tmp_path: Path, name: str, code: str
) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    done = run("replay", name)
    assert done.returncode == 1
    assert done.stderr.endswith(f"({code})\n")
    assert done.stdout == ""


@pytest.mark.parametrize("args", [(), ("svg-mark", "--speed", "-1")])
def test_a_wrong_call_is_a_usage_error(run: Run, args: tuple[str, ...]) -> None:
    done = run("replay", *args)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
