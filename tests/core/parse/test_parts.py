"""Folding events to parts, on the cases that the browser's reducer is run on too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vitrail.core.parse import PartFolder, StreamParser, fold_parts, join_events
from vitrail.protocol.events import UnknownEvent, decode_event

CASES = sorted((Path(__file__).parents[2] / "cases" / "parts").glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_events_fold_to_the_parts_of_the_shared_case(path):
    case = json.loads(path.read_text(encoding="utf-8"))
    events = [decode_event(json.dumps(event).encode()) for event in case["events"]]
    parts = [part.model_dump(mode="json", by_alias=True) for part in fold_parts(events)]
    assert parts == case["parts"], case["rule"]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_folding_may_be_looked_at_after_every_event(path):
    case = json.loads(path.read_text(encoding="utf-8"))
    events = [decode_event(json.dumps(event).encode()) for event in case["events"]]
    folder = PartFolder()
    for at, event in enumerate(events):
        folder.add(event)
        assert folder.parts() == fold_parts(events[: at + 1])


def test_an_event_of_an_unknown_type_is_passed_over():
    assert fold_parts([UnknownEvent("later", b'{"type":"later"}')]) == ()


def test_a_recovered_artifact_leaves_its_fence_and_what_followed_as_text():
    tag = '<artifact identifier="a" type="text/html">'
    parser = StreamParser()
    events = parser.feed(f"See:\n```yaml\n{tag}<p>1</p></artifact>\nBye")
    parts = fold_parts(join_events(events + parser.close()))
    assert [(part.type, getattr(part, "text", None)) for part in parts] == [
        ("text", "See:\n```yaml\n"),
        ("artifact", "<p>1</p>"),
        ("text", "\nBye"),
    ]
