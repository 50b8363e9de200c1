"""docs/events.md: its examples are events, and every type has one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from vitrail.protocol.events import (
    PARSE_EVENTS,
    RUN_EVENTS,
    UnknownEvent,
    decode_event,
    encode_event,
)

PAGE = Path(__file__).parents[2].joinpath("docs/events.md").read_text(encoding="utf-8")
LINES = [
    line
    for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]


@pytest.mark.parametrize(
    "line", LINES, ids=[json.loads(line)["type"] for line in LINES]
)
def test_example_is_an_event_that_is_written_the_same(line):
    event = decode_event(line.encode())
    assert not isinstance(event, UnknownEvent)
    again = json.loads(encode_event(event))
    said = json.loads(line)
    assert {name: again[name] for name in said if name != "diagnostics"} == {
        name: value for name, value in said.items() if name != "diagnostics"
    }


def test_every_type_has_an_example():
    types = {cls.__struct_config__.tag for cls in (*PARSE_EVENTS, *RUN_EVENTS)}
    assert {json.loads(line)["type"] for line in LINES} == types
