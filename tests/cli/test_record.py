"""`vitrail record`: streams and stored runs as recordings, without keys."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import COMMAND, Run, environment
from tests.support.turns import open_desk
from vitrail.protocol.recording import read_recording

KEY = "sk-0123456789abcdefghij"


def test_a_text_on_standard_input_is_recorded(run: Run) -> None:
    done = run("record", "-", "--prompt", "Tea?\nNow", stdin="Hi 数据 🧪")
    assert (done.returncode, done.stderr) == (0, "")
    recording = read_recording(done.stdout)
    assert recording.text == "Hi 数据 🧪"
    assert (recording.head.name, recording.head.prompt) == ("tea", "Tea?\nNow")


def test_time_is_taken_from_the_stream(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "record", "-o", "out.jsonl"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(HOME=str(tmp_path)),
        cwd=tmp_path,
    )
    assert process.stdin is not None
    for piece in (b"One \xf0\x9f", b"\xa7\xaa two"):
        process.stdin.write(piece)
        process.stdin.flush()
    _, error = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"Saved out.jsonl" in error
    recording = read_recording((tmp_path / "out.jsonl").read_text())
    assert recording.text == "One 🧪 two"
    times = [line.t for line in recording.lines]
    assert times == sorted(times)


def test_a_file_gets_a_model_s_pace(run: Run, tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_text("x" * 100)
    done = run("record", "reply.txt", "--pace", "10")
    recording = read_recording(done.stdout)
    assert len(recording.lines) == 6
    assert recording.duration_s == 9.6


def test_keys_of_environment_and_data_folder_are_taken_out(
    run: Run, tmp_path: Path
) -> None:
    stored = "stored-key-0123456789"
    folder = tmp_path / ".local" / "share" / "vitrail"
    folder.mkdir(parents=True)
    entry = {"key": stored, "origin": "https://x:443"}
    (folder / "secrets.json").write_text(json.dumps({"keys": {"openai": entry}}))
    done = run(
        "record",
        "--title",
        f"About {KEY}",
        stdin=f"{KEY} and {stored}",
        OPENAI_API_KEY=KEY,
    )
    assert done.returncode == 0
    assert KEY not in done.stdout
    assert stored not in done.stdout


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("gone.txt",), "file-not-found"),
        ((".",), "path-invalid"),
        (("--run", "x", "--data", "none"), "run-not-found"),
        (("-o", "no/such/folder.jsonl"), "storage-failed"),
    ],
)
def test_what_cannot_be_recorded_is_told(
    run: Run, args: tuple[str, ...], code: str
) -> None:
    done = run("record", *args, stdin="x")
    assert done.returncode == 1
    assert done.stderr.endswith(f"({code})\n")
    assert "Traceback" not in done.stderr


def test_bytes_that_are_no_text_are_refused(run: Run) -> None:
    for content in (b"\xff\xfe", b"cut \xf0\x9f"):
        done = run("record", stdin=content)
        assert done.returncode == 1
        assert "(not-text)" in done.stderr


def test_a_stored_run_is_recorded(run: Run, tmp_path: Path) -> None:
    async def make() -> str:
        async with open_desk(tmp_path / "data") as desk:
            return (await desk.say("Hello", text="Greet me")).id

    run_id = asyncio.run(make())
    done = run("record", "--run", run_id, "--data", "data")
    assert done.returncode == 0, done.stderr
    recording = read_recording(done.stdout)
    assert (recording.text, recording.head.title) == ("Hello", "Greet me")
    missing = run("record", "--run", "no-such", "--data", "data")
    assert missing.stderr.endswith("(run-not-found)\n")
