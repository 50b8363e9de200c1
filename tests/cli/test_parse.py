"""`vitrail parse`: events as JSON lines, as they become known."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import COMMAND, Run, environment

REPLY = (
    "Here it is: 数据 🧪\n"
    '<artifact identifier="a" type="text/html" title="x > y"><p>1</p></artifact>\n'
    "<think>hm</think>Bye"
)


def test_lines_are_the_documented_events(run: Run) -> None:
    done = run("parse", "-", "--join", stdin=REPLY)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["type"] for event in events] == [
        "text",
        "artifact:start",
        "artifact:chunk",
        "artifact:end",
        "text",
        "reasoning",
        "text",
    ]
    assert list(events[1]) == [
        "type",
        "artifact",
        "identifier",
        "artifactType",
        "title",
        "attributes",
        "recovered",
        "span",
    ]
    assert events[2] == {
        "type": "artifact:chunk",
        "artifact": 0,
        "identifier": "a",
        "delta": "<p>1</p>",
    }
    assert done.returncode == 0


@pytest.mark.parametrize("chunk", ["1", "2", "7", "1000"])
def test_any_chunking_prints_the_same_when_joined(run: Run, chunk: str) -> None:
    whole = run("parse", "--join", stdin=REPLY).stdout
    assert run("parse", "--join", "--chunk", chunk, stdin=REPLY).stdout == whole


def test_a_file_and_standard_input_give_the_same(run: Run, tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_text(REPLY)
    assert (
        run("parse", "reply.txt", "--join").stdout
        == run("parse", "--join", stdin=REPLY).stdout
    )


def test_an_event_is_printed_before_the_text_ends() -> None:
    process = subprocess.Popen(
        [*COMMAND, "parse"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"Hello ")
    process.stdin.flush()
    first = process.stdout.readline()
    assert json.loads(first) == {"type": "text", "delta": "Hello "}
    process.stdin.close()
    assert process.stdout.read() == b""
    process.stdout.close()
    assert process.wait(30) == 0


def test_a_character_cut_off_at_the_end_becomes_one_sign(run: Run) -> None:
    done = run("parse", "--join", stdin="é🧪".encode()[:-1])
    assert json.loads(done.stdout) == {"type": "text", "delta": "é\ufffd"}


@pytest.mark.parametrize("content", [b"\xff\xfeh\x00i\x00", b"a\x00b", b"caf\xe9!"])
def test_what_is_not_text_is_refused_in_words(run: Run, content: bytes) -> None:
    done = run("parse", stdin=content)
    assert done.returncode == 1
    assert done.stderr.endswith("(not-text)\n")
