"""Laws that hold for every text: borders mean nothing, nothing is lost, work is bounded.

The texts are the recordings that ship, generated ones, hostile ones, and what hypothesis makes
of the pieces that matter.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vitrail
from tests.support.parse_laws import (
    LOOKS_MORE,
    LOOKS_PER_CHAR,
    MOST_HELD,
    PIECES,
    TAG,
    Run,
    assert_bounded,
    assert_breaks_are_alike,
    assert_event_laws,
    assert_every_split,
    assert_invariant,
    assert_prefix_law,
    assert_rebuilds,
    bytes_cut,
)
from tests.support.texts import (
    generated_replies,
    generated_texts,
    hostile_dialect_texts,
    hostile_texts,
)
from vitrail.core.parse.dialects import DIALECTS
from vitrail.protocol.events import (
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
)

dialects = st.sampled_from(sorted(DIALECTS))
texts = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)
motifs = st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join)
heads = st.lists(st.sampled_from(PIECES), max_size=4).map("".join)


def _grow(head, motif, times, *, ramp):
    """Return a text of one motif; `ramp`: behind longer and longer runs of backticks."""
    ticks = range(1, times + 1) if ramp else [0] * times
    return head + "".join("`" * count + motif for count in ticks)


repeated = st.builds(_grow, heads, motifs, st.just(40), ramp=st.booleans())


def _recordings():
    folder = Path(vitrail.__file__).parent / "recordings"
    for path in sorted(folder.glob("*.jsonl")):
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        yield path.stem, "".join(line.get("text", "") for line in lines)


RECORDINGS = dict(_recordings())
HOSTILE = hostile_texts(3_000)
DIALECT_HOSTILE = hostile_dialect_texts(2_000)


# --- hypothesis ------------------------------------------------------------


@given(texts, dialects)
def test_borders_of_pieces_mean_nothing(text, dialect):
    assert_invariant(text, cuts=3, dialect=dialect)
    assert_every_split(text, dialect)


@given(texts, dialects)
def test_what_is_told_of_a_beginning_is_a_beginning_of_what_is_told_of_all(
    text, dialect
):
    assert_prefix_law(text, range(len(text) + 1), dialect)


@given(texts, dialects)
def test_nothing_is_lost_and_whatever_opens_closes(text, dialect):
    assert_event_laws(Run([text], dialect).joined, text, dialect)


@pytest.mark.parametrize(
    "text",
    [
        "`<!--<artifact -->[[reply_to_current]]<think>",
        "<artifact a\r\n \r\nb",
        ";`x<,<artifact ",
    ],
)
def test_borders_mean_nothing_where_they_once_did(text):
    assert_every_split(text, "auto")


@given(texts, dialects)
def test_lines_may_end_by_any_break(text, dialect):
    assert_breaks_are_alike(text, dialect)


@given(repeated, st.sampled_from([1, 7, 64, 10_000]), dialects)
def test_what_is_said_again_and_again_costs_no_more(text, size, dialect):
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    assert_bounded(Run(pieces, dialect), text)


@given(st.text(max_size=60), dialects)
def test_any_characters_at_all_keep_the_laws(text, dialect):
    assert_invariant(text, cuts=2, dialect=dialect)
    assert_rebuilds(Run([text], dialect).joined, text)


# --- corpora ---------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDINGS)
def test_recordings_keep_the_laws(name):
    text = RECORDINGS[name]
    assert_invariant(text, cuts=20)
    assert_event_laws(Run([text]).joined, text, "tag")
    assert_prefix_law(text, range(0, len(text), len(text) // 40))


@pytest.mark.parametrize("part", range(10))
def test_generated_texts_keep_the_laws(part):
    for text in generated_texts(50, seed=part):
        assert_invariant(text, cuts=10)
        assert_event_laws(Run([text]).joined, text, "tag")
        if len(text) < 500:
            assert_every_split(text)
            assert_prefix_law(text, range(0, len(text), 7))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_keep_the_laws(name):
    text = HOSTILE[name]
    assert_invariant(text, cuts=5)
    assert_event_laws(Run([text]).joined, text, "tag")
    assert_prefix_law(text, range(0, len(text), 250))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_held_no_longer_than_the_limit(name):
    text = hostile_texts(30_000)[name]
    for size in (64, len(text)):
        run = Run(text[at : at + size] for at in range(0, len(text), size))
        assert run.looked_at <= LOOKS_PER_CHAR["tag"] * len(text) + LOOKS_MORE
        if size == 64:
            assert run.most_held <= MOST_HELD["tag"]


@pytest.mark.parametrize("size", [30, 60, 80])
@pytest.mark.parametrize("between", ["", "\n"])
def test_text_is_held_once(size, between):
    """Every tag has an open code span in front of it, of a length of its own."""
    piece = f"{TAG}</artifact> "
    text = "".join("`" * ticks + between + piece for ticks in range(1, size))
    run = Run([text])
    assert run.joined == Run(text).joined
    assert_bounded(run, text)
    starts = sum(isinstance(event, ArtifactStart) for event in run.joined)
    undecided = [
        event
        for event in run.joined
        if isinstance(event, DiagnosticFound) and event.code == "undecided-open-tag"
    ]
    assert (starts, len(undecided)) == ((size - 1, 0) if between else (1, size - 2))


@pytest.mark.parametrize("name", DIALECT_HOSTILE)
def test_hostile_texts_of_a_dialect_keep_the_laws(name):
    dialect, text = DIALECT_HOSTILE[name]
    assert_invariant(text, cuts=3, dialect=dialect)
    assert_event_laws(Run([text], dialect).joined, text, dialect)
    assert_prefix_law(text, range(0, len(text), 250), dialect)
    long = hostile_dialect_texts(30_000)[name][1]
    assert_bounded(
        Run((long[at : at + 64] for at in range(0, len(long), 64)), dialect), long
    )


def test_openers_in_quotes_are_read_with_the_tag_around_them():
    for piece in ("<t", "<a", "<artifac", "<artifact ", '> <artifact "'):
        text = '> <artifact x="' + piece * (3000 // len(piece)) + '">'
        assert_bounded(Run([text]), text)


def test_generated_replies_have_the_artifacts_that_they_say():
    for text in generated_replies(50):
        events = Run([text]).joined
        ends = [event for event in events if isinstance(event, ArtifactEnd)]
        assert len(ends) == text.count("</artifact>")
        assert all(end.complete for end in ends)


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("part", range(50))
def test_every_split_of_generated_texts(part):
    for text in generated_texts(10, seed=f"soak-{part}"):
        assert_every_split(text)
        assert_invariant(text, cuts=50)
        for at in range(len(text.encode()) + 1):
            assert Run(bytes_cut(text, [at])).joined == Run([text]).joined


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", RECORDINGS)
def test_every_split_of_the_recordings(name):
    text = RECORDINGS[name]
    assert_every_split(text)
    assert_invariant(text, cuts=50)
