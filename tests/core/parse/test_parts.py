"""Folding events to parts, on the cases that the browser's reducer is run on too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vitrail.core.parse import PartFolder, StreamParser, fold_parts, join_events
from vitrail.protocol.events import DirectiveFound, Text, UnknownEvent, decode_event

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


def test_a_media_line_is_shown_as_what_it_names_and_not_as_text():
    parser = StreamParser()
    events = parser.feed("Here:\nMEDIA:/srv/a.png\nMEDIA:/etc/../x\nBye")
    parts = fold_parts(join_events(events + parser.close()))
    assert [
        (part.type, getattr(part, "text", getattr(part, "value", None)))
        for part in parts
        if part.type != "diagnostic"
    ] == [
        ("text", "Here:\n"),
        ("directive", "/srv/a.png"),
        ("text", "\n"),
        ("directive", None),
        ("text", "\nBye"),
    ]


def test_many_media_lines_are_cut_out_in_one_pass():
    folder = PartFolder()
    line = "MEDIA:/a\n"
    folder.add(Text(line * 50_000))
    for at in range(0, 50_000 * len(line), len(line)):
        folder.add(DirectiveFound("media", "/a", (at, at + 8)))
    parts = folder.parts()
    assert len(parts) == 100_000
    assert {part.text for part in parts if part.type == "text"} == {"\n"}
