"""`vitrail parse --dialect`: whose stream the input is."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run
from tests.core.parse.inputs.streams import PAGE, STREAMS
from vitrail.cli.parse import DIALECTS
from vitrail.core.parse import dialects
from vitrail.core.parse.inputs import WIRE_DIALECTS


def test_the_option_takes_exactly_the_dialects_there_are() -> None:
    assert set(DIALECTS) == {*dialects.DIALECTS, *WIRE_DIALECTS}


def test_a_name_that_is_no_dialect_is_a_usage_error(run: Run) -> None:
    done = run("parse", "--dialect", "markdown", stdin="x")
    assert done.returncode == 2
    assert "'claude-code'" in done.stderr


@pytest.mark.parametrize("dialect", sorted(STREAMS))
def test_a_stream_prints_the_events_of_its_reply(run: Run, dialect: str) -> None:
    done = run("parse", "--dialect", dialect, "--join", stdin=STREAMS[dialect])
    assert done.returncode == 0
    assert done.stderr == ""
    events = [json.loads(line) for line in done.stdout.splitlines()]
    chunks = [event["delta"] for event in events if event["type"] == "artifact:chunk"]
    assert chunks == [PAGE, PAGE]


@pytest.mark.parametrize("chunk", ["1", "13"])
def test_any_chunking_of_a_stream_prints_the_same(run: Run, chunk: str) -> None:
    stream = STREAMS["anthropic"]
    whole = run("parse", "--dialect", "anthropic", "--join", stdin=stream)
    again = run(
        "parse", "--dialect", "anthropic", "--join", "--chunk", chunk, stdin=stream
    )
    assert again.stdout == whole.stdout


def test_input_of_another_format_is_printed_as_text_and_fails_with_its_line(
    run: Run,
) -> None:
    said = 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\nUpstream failed\n'
    done = run("parse", "--dialect", "openai-chat", "--join", stdin=said)
    assert done.returncode == 1
    assert done.stderr.startswith("error: Line 3 is no JSON")
    assert done.stderr.endswith("(input-invalid)\n")
    texts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["delta"] for event in texts if event["type"] == "text"] == [
        "Hi",
        "Upstream failed\n",
    ]


def test_a_byte_order_mark_in_front_of_a_text_is_no_part_of_it(run: Run) -> None:
    done = run("parse", "--join", stdin=b"\xef\xbb\xbfHi \xef\xbb\xbf")
    assert json.loads(done.stdout) == {"type": "text", "delta": "Hi \ufeff"}
