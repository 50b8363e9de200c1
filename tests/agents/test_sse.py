"""The event stream decoder: bytes cut anywhere give the same events."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.adapters.agents import sse
from vitrail.adapters.agents.sse import SseDecoder, SseEvent, SseTooLong


def decode(*pieces: bytes) -> list[SseEvent]:
    decoder = SseDecoder()
    events = [event for piece in pieces for event in decoder.feed(piece)]
    return events + decoder.flush()


STREAM = (
    "\ufeffdata: 数据 🧪\n\n"
    ": a comment\n"
    "event: error\r\n"
    "data: one\r\n"
    "data:two\r\n"
    "data\r\n"
    "\r\n"
    "retry: 3\rid: 7\rdata:  kept space\r\r"
    "ignored\n\n"
    "data: last, without its end"
).encode()

EVENTS = [
    SseEvent("数据 🧪"),
    SseEvent("one\ntwo\n", "error"),
    SseEvent(" kept space"),
    SseEvent("last, without its end"),
]


def test_lines_end_by_any_of_the_three_ways() -> None:
    assert decode(STREAM) == EVENTS


@pytest.mark.parametrize("at", range(len(STREAM) + 1))
def test_every_cut_gives_the_same_events(at: int) -> None:
    assert decode(STREAM[:at], STREAM[at:]) == EVENTS


def test_byte_by_byte_gives_the_same_events() -> None:
    assert decode(*(STREAM[at : at + 1] for at in range(len(STREAM)))) == EVENTS


@given(
    st.lists(
        st.sampled_from([b"data: x", b"data", b"event: e", b":", b"\r", b"\n", b"\r\n"])
    ).map(b"".join),
    st.lists(st.integers(0, 60)),
)
def test_any_stream_cut_anywhere_gives_the_same_events(
    stream: bytes, cuts: list[int]
) -> None:
    borders = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    pieces = [stream[a:b] for a, b in itertools.pairwise(borders)]
    assert decode(*pieces) == decode(stream)


def test_an_empty_piece_between_cr_and_lf_changes_nothing() -> None:
    assert decode(b"data: a\r", b"", b"\n\r\n") == [SseEvent("a")]


def test_a_line_without_an_end_is_refused_at_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sse, "MAX_LINE_BYTES", 100)
    with pytest.raises(SseTooLong):
        decode(*[b"data: aaaa"] * 20)


def test_an_event_of_many_lines_is_refused_at_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sse, "MAX_LINE_BYTES", 100)
    with pytest.raises(SseTooLong):
        decode(*[b"data: aaaaaaaa\n"] * 20)
