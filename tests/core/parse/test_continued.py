"""A cut artifact and its continuation are one artifact."""

from __future__ import annotations

import hashlib

import pytest

from vitrail.core.parse import StreamParser, join_events
from vitrail.core.parse.continued import ContinuedParser
from vitrail.core.parse.written_tags import write_open_tag
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    Text,
)

ATTRIBUTES = {"identifier": "page", "type": "text/html", "title": 'A "b"\n&c'}
BODY = "\n<!doctype html>\n<html><body>\n" + "".join(
    f"<p>Paragraph {n} of the page.</p>\n" for n in range(200)
)
WHOLE = f"{BODY}</body></html>\n"


def continued(cut, *pieces, reason="unclosed"):
    parser = ContinuedParser(ATTRIBUTES, cut)
    events = [event for piece in pieces for event in parser.feed(piece)]
    return join_events([*events, *parser.close(reason=reason)])


def end_of(events):
    (end,) = [event for event in events if isinstance(event, ArtifactEnd)]
    return end


def body_of(events):
    return "".join(e.delta for e in events if isinstance(e, ArtifactChunk))


def test_the_open_tag_has_the_same_attributes():
    parser = StreamParser()
    (start,) = parser.feed(write_open_tag(ATTRIBUTES))
    assert isinstance(start, ArtifactStart)
    assert start.attributes == ATTRIBUTES


@pytest.mark.parametrize("cut", [30, 500, 3_000, 3_001, len(BODY)])
@pytest.mark.parametrize("repeated", [20, 400, 2_000])
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_body_and_continuation_are_one(cut, repeated, size):
    repeated = min(repeated, cut)
    reply = f"{WHOLE[cut - repeated :]}</artifact>\nDone."
    pieces = [reply[at : at + size] for at in range(0, len(reply), size)]
    events = continued(WHOLE[:cut], *pieces)
    assert body_of(events) == WHOLE
    end = end_of(events)
    assert (end.complete, end.reason, end.length) == (True, "closed", len(WHOLE))
    assert end.sha256 == hashlib.sha256(WHOLE.encode()).hexdigest()
    assert events[-1] == Text("\nDone.")


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("```html\n", "\n```\n</artifact>"),
        ("```html\n", "</artifact>\n```"),
        ("~~~~\n", "</artifact>\n~~~~\n"),
        (f"```\n{write_open_tag(ATTRIBUTES)}\n", "\n</artifact>\n```\n"),
    ],
)
def test_a_fence_around_the_continuation_is_left_out(before, behind):
    reply = f"{before}{WHOLE[1_000 - 40 :].rstrip()}{behind}"
    events = continued(WHOLE[:1_000], *reply)
    assert body_of(events).rstrip() == WHOLE.rstrip()
    assert end_of(events).complete
    shown = "".join(e.delta for e in events if isinstance(e, Text))
    assert "```" not in shown
    assert "~~~" not in shown


def test_other_lines_of_marks_stay():
    cut = "# Notes\n\nSome words that are long enough.\n"
    reply = "```md\nSome words that are long enough.\n``\n`````x\n```\nEnd\n```\n"
    assert body_of(continued(cut, *reply)) == f"{cut}``\n`````x\nEnd\n```\n"


def test_a_continuation_that_repeats_nothing_ends_unjoined():
    events = continued(BODY, "</body></html></artifact>\nDone.")
    end = end_of(events)
    assert (end.complete, end.reason) == (False, "unjoined")
    assert body_of(events) == f"{BODY}</body></html>"
    (told,) = [e for e in events if isinstance(e, DiagnosticFound)]
    assert told.code == "continuation-without-overlap"


def test_a_remark_in_front_is_told():
    events = continued(BODY, f"Here is the rest:\n{WHOLE[len(BODY) - 30 :]}</artifact>")
    (told,) = [e for e in events if isinstance(e, DiagnosticFound)]
    assert told.code == "continuation-remark"
    assert told.message.endswith("Here is the rest:")


def test_a_continuation_may_be_cut_again():
    events = continued(WHOLE[:1_000], WHOLE[950:2_000])
    end = end_of(events)
    assert (end.complete, end.reason) == (False, "unclosed")
    assert body_of(events) == WHOLE[:2_000]


@pytest.mark.parametrize("said", ["", " \n\t"])
def test_a_continuation_of_nothing_tells_nothing(said):
    assert continued(BODY, said) == []
    assert continued(BODY, said, reason="failed") == []
