"""One reply in memory: few events, none lost, every start with its end."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tests.support.turns import pieces
from vitrail.core.parse import CloseReason, join_events
from vitrail.limits import MAX_EVENT_BYTES
from vitrail.ports import AgentReasoning, AgentText
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    ErrorRaised,
    Event,
    Reasoning,
    RunEndReason,
    Text,
    encode_event,
)
from vitrail.workflow.reply import MAX_DELTA_CHARS, ReplyReader, coalesce

REPLY = (
    'Hi\n\n<artifact identifier="a" type="text/html">\n<p>Body</p></artifact>\n\nBye'
)


def read(*texts: str, reason: RunEndReason = "done") -> list[Event]:
    reader = ReplyReader()
    events = [event for text in texts for event in reader.feed([AgentText(text)])]
    return [*events, *reader.close(reason)]


def test_pieces_read_at_once_give_the_same_events() -> None:
    reader = ReplyReader()
    events = reader.feed(AgentText(text) for text in REPLY)
    events += reader.close("done")
    assert join_events(events) == join_events(read(*REPLY))


def test_coalesced_events_are_the_same_events() -> None:
    events = read(*REPLY)
    assert join_events(coalesce(events)) == join_events(events)
    assert len(coalesce(events)) < len(events)


def test_reasoning_is_joined_with_its_span_and_only_where_it_goes_on() -> None:
    a, b, c = Reasoning("a", (0, 1)), Reasoning("b", (1, 2)), Reasoning("c", (5, 6))
    assert coalesce([a, b, c]) == [Reasoning("ab", (0, 2)), c]


def test_chunks_of_two_artifacts_are_not_joined() -> None:
    chunks = [ArtifactChunk(0, "a", "x"), ArtifactChunk(1, "b", "y")]
    assert coalesce(chunks) == chunks


def test_a_long_delta_is_split_below_the_limit_with_its_span_divided() -> None:
    text = "\x00" * (2 * MAX_DELTA_CHARS + 1)
    for event in (Text(text), Reasoning(text, (3, 3 + len(text) + 15))):
        parts = coalesce([event])
        assert (
            "".join(p.delta for p in parts if isinstance(p, Text | Reasoning)) == text
        )
        assert max(len(encode_event(part)) for part in parts) <= MAX_EVENT_BYTES
    spans = [part.span for part in parts if isinstance(part, Reasoning)]
    assert (spans[0][0], spans[-1][1]) == (3, 3 + len(text) + 15)
    assert all(a[1] == b[0] for a, b in itertools.pairwise(spans))


def test_reasoning_beside_the_text_does_not_disturb_an_artifact() -> None:
    reader = ReplyReader()
    first, second = REPLY[:40], REPLY[40:]
    events = reader.feed([AgentText(first), AgentReasoning("hm"), AgentText(second)])
    events += reader.close("done")
    kept = [event for event in events if not isinstance(event, Reasoning)]
    assert join_events(kept) == join_events(read(REPLY))


class Fails:
    """A parser that passes text on, holds some of it back, and throws at a place."""

    def __init__(self, at: int, hold: int) -> None:
        self._at = at
        self._hold = hold
        self._seen = ""
        self._told = 0

    def feed(self, text: str) -> Sequence[Event]:
        before = len(self._seen)
        self._seen += text
        if before <= self._at < len(self._seen):
            raise ZeroDivisionError
        events: list[Event] = []
        if before == 0:
            events.append(ArtifactStart(0, "a", "html", "", {}, None, (0, 0)))
        to = max(self._told, len(self._seen) - self._hold)
        delta, self._told = self._seen[self._told : to], to
        return [*events, ArtifactChunk(0, "a", delta)] if delta else events

    def close(self, *, reason: CloseReason = "unclosed") -> Sequence[Event]:
        raise ZeroDivisionError(reason)


@given(
    text=st.text(min_size=1, max_size=300),
    size=st.integers(1, 50),
    at=st.integers(0, 400),
    hold=st.integers(0, 60),
)
def test_a_parser_that_throws_anywhere_loses_nothing(
    text: str, size: int, at: int, hold: int
) -> None:
    text = text.encode("utf-8", "replace").decode()
    reader = ReplyReader(parser=lambda: Fails(at, hold))
    events = [
        e for piece in pieces(text, size) for e in reader.feed([AgentText(piece)])
    ]
    events += reader.close("done")
    told = "".join(e.delta for e in events if isinstance(e, Text | ArtifactChunk))
    assert told == text
    starts = [e for e in events if isinstance(e, ArtifactStart)]
    ends = [e for e in events if isinstance(e, ArtifactEnd)]
    assert len(starts) == len(ends)
    assert len([e for e in events if isinstance(e, ErrorRaised)]) == 1
    assert isinstance(reader.broken, ZeroDivisionError)
