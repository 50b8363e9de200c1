"""Laws that hold for every text: borders mean nothing, nothing is lost, work is bounded.

The texts are the recordings that ship, generated ones, hostile ones, and what hypothesis makes
of the pieces that matter.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vitrail
from tests.support.texts import generated_replies, generated_texts, hostile_texts
from vitrail.core.parse import StreamParser, join_events
from vitrail.core.parse.dialects import DIALECTS
from vitrail.core.text import Utf8Decoder
from vitrail.limits import MAX_HELD_CHARS, MAX_OPEN_TAG_CHARS, MAX_SUPPRESSED_CHARS
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    DirectiveFound,
    QuestionForm,
    Reasoning,
    Text,
)

LOOKS_PER_CHAR = dict.fromkeys(DIALECTS, 4) | {"tag": 3}
MOST_HELD = dict.fromkeys(
    DIALECTS, MAX_SUPPRESSED_CHARS + MAX_HELD_CHARS + MAX_OPEN_TAG_CHARS
) | {"tag": MAX_HELD_CHARS + MAX_OPEN_TAG_CHARS}
LOOKS_MORE = 16
"""What a text of no length may cost: what is looked for at its very end."""

CLOSE_TAG = re.compile(r"</\s*artifact\s*>", re.IGNORECASE)

TAG = '<artifact identifier="a" type="text/html">'
PIECES = (
    *(TAG, TAG, "</artifact>", "</artifact >", "</ARTIFACT\n>", "</arti", "<artifact "),
    *(
        "<artifact identifier='x' type='text/css'>",
        '<artifact\ttitle="a > b">',
        "<artifact>",
    ),
    *(
        "<think>",
        "</think>",
        "<thinking>",
        "</thinking>",
        "<th",
        "`",
        "``",
        "```",
        "~~~\n",
    ),
    *(
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "    ",
        "\t",
        "- ",
        "> ",
        "1. ",
        "# ",
        "---\n",
    ),
    *(
        "<",
        ">",
        "</",
        "<!--",
        "-->",
        "<a b='",
        '"',
        "'",
        "\\",
        "<p>",
        "<div>\n",
        "[a]: /b\n",
    ),
    *(
        "<question-form id='a'>",
        "<ask-question>",
        "</question-form>",
        "</ASK-QUESTION>",
    ),
    *('{"questions":[', '{"id":"q","label":"L"}', "]}", "<tool_call>", "</tool_call>"),
    *("<edit>", "</edit>", "< | DSML artifact x>", "</artifact>", "<|/DSML|>"),
    *("[[reply_to_current]]", "[[reply_to: 7]]", "[[", "]]", "[embed ref='a' /]"),
    *("[embed url='/a'] b ", "[/embed]", "MEDIA:/tmp/a.png\n", "MEDIA: ", "NO_REPLY"),
    *(
        ":::artifact{identifier='a'}\n",
        ":::\n",
        ":::",
        "```html\n",
        "<!doctype html>\n",
    ),
    *('<boltArtifact id="p">', '<boltAction type="file" filePath="a.ts">'),
    *("</boltAction>", "</boltArtifact>", '<antArtifact identifier="n">'),
    *("</antArtifact>", "<antThinking>", "</antThinking>"),
    *("words", "数据", "😀", "\ufeff", "\u00a0", "\0", "\u2028", "İ"),
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


class Run:
    """One parser, fed with pieces."""

    def __init__(self, pieces, dialect="tag"):
        parser = StreamParser(dialect=dialect)
        self.dialect = dialect
        self.fed = []
        self.most_held = 0
        for piece in pieces:
            self.fed += parser.feed(piece)
            self.most_held = max(self.most_held, parser.held)
        self.told = join_events(self.fed)
        self.joined = join_events(self.fed + parser.close())
        self.looked_at = parser.looked_at


def _cut(text, places):
    places = sorted({0, len(text), *(place for place in places if place <= len(text))})
    return [text[a:b] for a, b in pairwise(places)]


def _random_cuts(text, count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        yield _cut(
            text, [rng.randrange(len(text) + 1) for _ in range(rng.randrange(1, 9))]
        )


def _bytes_cut(text, places):
    decoder = Utf8Decoder()
    # The mark that the decoder takes away is put in front: a text keeps its own.
    data = text.encode("utf-8-sig")
    return [*map(decoder.feed, _cut(data, places)), decoder.close()]


def _assert_bounded(run, text):
    assert run.looked_at <= LOOKS_PER_CHAR[run.dialect] * len(text) + LOOKS_MORE
    assert run.most_held <= MOST_HELD[run.dialect]


def _assert_invariant(text, *, cuts, dialect="tag"):
    whole, single = Run([text], dialect), Run(text, dialect)
    assert single.joined == whole.joined
    assert single.told == whole.told
    _assert_bounded(whole, text)
    _assert_bounded(single, text)
    for pieces in _random_cuts(text, cuts, seed=len(text)):
        run = Run(pieces, dialect)
        assert run.joined == whole.joined, pieces
        _assert_bounded(run, text)
    rng = random.Random(len(text))
    size = len(text.encode())
    for _ in range(cuts):
        places = [rng.randrange(size + 1) for _ in range(rng.randrange(1, 9))]
        assert Run(_bytes_cut(text, places), dialect).joined == whole.joined, places


def _assert_every_split(text, dialect="tag"):
    whole = Run([text], dialect).joined
    for at in range(len(text) + 1):
        run = Run([text[:at], text[at:]], dialect)
        assert run.joined == whole, at
        _assert_bounded(run, text)


def _assert_rebuilds(text, dialect="tag"):
    """What was shown and what was taken out, in order, is the input; spans are exact."""
    place, recovered = 0, set()
    for event in Run([text], dialect).joined:
        match event:
            case ArtifactStart(artifact=artifact) if event.recovered is not None:
                recovered.add(artifact)
            case ArtifactChunk() | ArtifactEnd() if event.artifact in recovered:
                pass
            case DiagnosticFound():
                assert 0 <= event.span[0] <= event.span[1] <= len(text)
            case DirectiveFound(name="media"):
                assert event.span[0] < event.span[1] <= place
            case Text() | ArtifactChunk():
                assert text.startswith(event.delta, place)
                place += len(event.delta)
            case _:
                assert event.span[0] == place
                place = event.span[1]
    assert place == len(text)


def _assert_opens_and_closes(text, dialect="tag"):
    """Each start has one end, which tells the body between the tags to the last character."""
    open_bodies, bodies = {}, {}
    for event in Run([text], dialect).joined:
        match event:
            case ArtifactStart():
                assert event.artifact not in bodies
                raw = text[slice(*event.span)]
                assert dialect != "tag" or raw.startswith("<artifact")
                assert dialect != "tag" or raw.endswith(">")
                open_bodies[event.artifact] = event
                bodies[event.artifact] = ""
            case ArtifactChunk():
                assert event.artifact in open_bodies
                bodies[event.artifact] += event.delta
            case ArtifactEnd():
                start = open_bodies.pop(event.artifact)
                body = bodies[event.artifact]
                assert body == text[start.span[1] : event.span[0]]
                assert event.length == len(body)
                assert event.sha256 == hashlib.sha256(body.encode()).hexdigest()
                assert event.complete is (event.reason == "closed")
                if event.complete and dialect == "tag":
                    assert CLOSE_TAG.fullmatch(text[slice(*event.span)])
                elif not event.complete:
                    assert event.span[0] == event.span[1]
    assert open_bodies == {}


def _flat(events):
    """Return the events as one list of characters and of events that are not deltas."""
    flat: list[object] = []
    for event in events:
        match event:
            case Text():
                flat += list(event.delta)
            case ArtifactChunk():
                flat += [(event.artifact, ch) for ch in event.delta]
            case Reasoning():
                flat += [("reasoning", ch) for ch in event.delta]
            case QuestionForm():
                pass  # it grows
            case _:
                flat.append(event)
    return flat


def _assert_prefix_law(text, places, dialect="tag"):
    whole = _flat(Run([text], dialect).fed)
    for place in places:
        part = _flat(Run([text[:place]], dialect).fed)
        assert whole[: len(part)] == part, place


# --- hypothesis ------------------------------------------------------------


@given(texts)
def test_borders_of_pieces_mean_nothing(text):
    _assert_invariant(text, cuts=3)
    _assert_every_split(text)


@given(texts)
def test_what_is_told_of_a_beginning_is_a_beginning_of_what_is_told_of_all(text):
    _assert_prefix_law(text, range(len(text) + 1))


@given(texts)
def test_nothing_is_lost_and_whatever_opens_closes(text):
    _assert_rebuilds(text)
    _assert_opens_and_closes(text)


@given(repeated, st.sampled_from([1, 7, 64, 10_000]))
def test_what_is_said_again_and_again_costs_no_more(text, size):
    _assert_bounded(Run(text[at : at + size] for at in range(0, len(text), size)), text)


@given(st.text(max_size=60))
def test_any_characters_at_all_keep_the_laws(text):
    _assert_invariant(text, cuts=2)
    _assert_rebuilds(text)


# --- corpora ---------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDINGS)
def test_recordings_keep_the_laws(name):
    text = RECORDINGS[name]
    _assert_invariant(text, cuts=20)
    _assert_rebuilds(text)
    _assert_opens_and_closes(text)
    _assert_prefix_law(text, range(0, len(text), len(text) // 40))


@pytest.mark.parametrize("part", range(10))
def test_generated_texts_keep_the_laws(part):
    for text in generated_texts(50, seed=part):
        _assert_invariant(text, cuts=10)
        _assert_rebuilds(text)
        _assert_opens_and_closes(text)
        if len(text) < 500:
            _assert_every_split(text)
            _assert_prefix_law(text, range(0, len(text), 7))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_keep_the_laws(name):
    text = HOSTILE[name]
    _assert_invariant(text, cuts=5)
    _assert_rebuilds(text)
    _assert_opens_and_closes(text)
    _assert_prefix_law(text, range(0, len(text), 250))


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
    _assert_bounded(run, text)
    starts = sum(isinstance(event, ArtifactStart) for event in run.joined)
    undecided = [
        event
        for event in run.joined
        if isinstance(event, DiagnosticFound) and event.code == "undecided-open-tag"
    ]
    assert (starts, len(undecided)) == ((size - 1, 0) if between else (1, size - 2))


def test_openers_in_quotes_are_read_with_the_tag_around_them():
    for piece in ("<t", "<a", "<artifac", "<artifact ", '> <artifact "'):
        text = '> <artifact x="' + piece * (3000 // len(piece)) + '">'
        _assert_bounded(Run([text]), text)


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
        _assert_every_split(text)
        _assert_invariant(text, cuts=50)
        for at in range(len(text.encode()) + 1):
            assert Run(_bytes_cut(text, [at])).joined == Run([text]).joined


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", RECORDINGS)
def test_every_split_of_the_recordings(name):
    text = RECORDINGS[name]
    _assert_every_split(text)
    _assert_invariant(text, cuts=50)
