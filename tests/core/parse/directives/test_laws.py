"""Laws of the readers of directives: borders mean nothing, each character is looked at once.

The readers are driven as the parser drives them: a reader that says *text* is followed by the
next place where one may begin.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.parse.directives import (
    BlockCloses,
    BracketTag,
    MediaLine,
    SilenceToken,
)
from vitrail.core.parse.directives.layout import lay_out
from vitrail.core.parse.directives.reply import (
    delivery_text,
    display_text,
    parse_reply,
    parsed_text,
    reply_events,
)
from vitrail.core.parse.directives.whitespace import mend
from vitrail.limits import MAX_HELD_CHARS
from vitrail.protocol.events import DirectiveFound, EmbedFound, Suppressed, Text

PIECES = [
    *("[[", "]]", "[", "]", "reply_to", "reply_to_current", "audio_as_voice", "react"),
    *(":", " ", "\n", "\r\n", "\t", "abc", "\u00a0", "İ", "🧪", "\x00"),
    *("[embed ", "[EMBED\n", "[/embed]", "[/emb", "ref=", "url=", '"', "'", "/]", "/"),
    *('ref="a"', "title='b'", 'height="300"', "target=", "javascript:", "]b"),
    *("MEDIA:", "media", "https://example.com/a.png", "/srv/a.png", "../", ".png", "`"),
    *("NO_REPLY", "NO_", "```\n", "    ", "words "),
]
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
cuts = st.lists(st.integers(0, 200), max_size=8)
MAKERS = [BracketTag, MediaLine, SilenceToken]


def _drive(reader, text, places):
    """Return what came of a text whose buffer loses what was read before each piece."""
    bounds = sorted({0, len(text), *(place for place in places if place < len(text))})
    at = base = 0
    for start, end in pairwise(bounds if len(bounds) > 1 else [0, 0]):
        base = start // 2 * 2  # what the caller has cut off meanwhile
        at = base + reader.read(
            text[base:end], at - base, end - base, final=end == len(text)
        )
        if reader.verdict is not None:
            break
    end = base + reader.end if reader.verdict == "tag" else None
    return reader.verdict, end, at, reader.found(), reader.diagnostics, reader.looked


@pytest.mark.parametrize("make", MAKERS)
@given(text=texts, places=cuts)
def test_borders_mean_nothing(make, text, places):
    whole = _drive(make(), text, [])
    assert _drive(make(), text, places) == whole
    assert _drive(make(), text, range(len(text))) == whole


@pytest.mark.parametrize("make", MAKERS)
@given(text=texts, more=texts)
def test_a_verdict_needs_nothing_of_what_follows_it(make, text, more):
    reader = make()
    to = reader.read(text, 0, len(text), final=False)
    if reader.verdict is not None:
        again = make()
        assert again.read(text + more, 0, len(text + more), final=True) == to
        assert (again.verdict, again.found()) == (reader.verdict, reader.found())


@pytest.mark.parametrize("make", MAKERS)
@given(text=texts)
def test_each_character_is_looked_at_twice_at_most(make, text):
    reader = make()
    to = reader.read(text, 0, len(text), final=True)
    assert reader.looked <= 2 * to + 1
    assert make is MediaLine or reader.looked <= to + 1


def _read_all(text):
    """Return the looks that all candidates of a text cost together, and the tags."""
    closes = BlockCloses()
    looked = tags = at = 0
    while (at := text.find("[", at)) >= 0:
        tag = BracketTag(place=at, closes=closes)
        tag.read(text, at, len(text), final=True)
        looked += tag.looked
        if tag.verdict == "tag":
            tags += 1
            at = tag.end
        else:
            at += 1
    return looked, tags


@given(motif=st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join))
def test_all_candidates_of_a_text_cost_two_looks_a_character(motif):
    text = (motif * 4_000)[:20_000]
    looked, _ = _read_all(text)
    assert looked <= 3 * len(text) + 16


HOSTILE = {
    "brackets": "[",
    "embeds": "[embed ",
    "open-quotes": '[embed a="',
    "two-quotes": "[embed a=\"[embed b='",
    "swapped-quotes": '[embed a="[embed a=" b="',
    "open-blocks": '[embed ref="a"]',
    "open-blocks-and-half-closes": '[embed ref="a"][/embed',
    "unclosed-ids": "[[reply_to: ",
    "long-id": "[[reply_to: a",
    "blanks": "[[   \n ",
    "names": "[[reply_to_current",
    "media": "MEDIA:",
    "media-lines": "MEDIA:/srv/a\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_costs_three_looks_a_character(name):
    text = HOSTILE[name] * (100_000 // len(HOSTILE[name]))
    looked, tags = _read_all(text)
    assert looked <= 3 * len(text)
    assert tags == 0


@pytest.mark.parametrize(
    ("make", "head", "fill"),
    [
        (BracketTag, '[embed a="', "x"),
        (BracketTag, '[embed ref="a"]', "x"),
        (BracketTag, "[[reply_to: ", "x"),
        (BracketTag, "[[", " "),
        (MediaLine, "MEDIA:", "x"),
        (MediaLine, "", " "),
        (SilenceToken, "NO_REPLY", " "),
    ],
)
def test_an_endless_value_is_held_up_to_a_limit(make, head, fill):
    reader = make()
    text = head + fill * 100_000
    to = reader.read(text, 0, len(text), final=False)
    assert reader.verdict == "text"
    assert to <= max(10_240, MAX_HELD_CHARS) + len(head) + 1


@given(text=texts)
def test_display_and_spans_rebuild_the_text(text):
    events = reply_events(text)
    place, rebuilt = 0, []
    for event in events:
        match event:
            case Text():
                rebuilt.append(event.delta)
                place += len(event.delta)
            case DirectiveFound(name="media"):
                pass  # its line was told as text
            case DirectiveFound() | EmbedFound() | Suppressed():
                assert event.span[0] == place
                rebuilt.append(text[slice(*event.span)])
                place = event.span[1]
    assert "".join(rebuilt) == text


@given(text=texts)
def test_no_view_changes_a_word(text):
    layout = lay_out(reply_events(text))
    words = layout.text.split()
    assert display_text(layout) == layout.text
    assert parsed_text(layout).split() == words or "\u00a0" in text
    assert len("".join(delivery_text(layout).split())) <= len("".join(words))


@given(text=texts)
def test_segments_hold_what_the_reply_says(text):
    reply = parse_reply(text)
    said = [segment for segment in reply.segments if hasattr(segment, "text")]
    assert "".join("".join(s.text.split()) for s in said) == "".join(reply.text.split())
    assert [s.url for s in reply.segments if hasattr(s, "url")] == [*reply.media_urls]
    placed = [s.embed for s in reply.segments if hasattr(s, "embed")]
    assert placed == [*reply.embeds]
    assert all(0 <= embed.at <= len(reply.text) for embed in placed)


blanks = st.lists(st.sampled_from(["a", " ", "\n", "\r\n", "\r", "\t", "    b"])).map(
    "".join
)


@given(text=blanks, places=st.lists(st.integers(0, 40), max_size=5))
def test_mending_touches_white_space_beside_seams_alone(text, places):
    seams = sorted(place for place in places if place <= len(text))
    mended = mend(text, seams)
    assert mended.text.split() == text.split() or not seams
    assert len(mended.text) <= len(text)
    moved = [mended.move(index) for index in range(len(text) + 1)]
    assert moved == sorted(moved)
    for index, ch in enumerate(text):
        if not ch.isspace():
            assert mended.text[moved[index]] == ch
