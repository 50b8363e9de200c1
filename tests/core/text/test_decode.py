"""Bytes to text, cut anywhere; halves of characters; nothing broken goes on."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.text import SurrogateJoiner, Utf8Decoder, clean_surrogates

SAMPLE = "数据 🧪 👩🏽‍🚀 é\ufeff\r\n\0"


def _decode(*pieces):
    decoder = Utf8Decoder()
    return "".join([*map(decoder.feed, pieces), decoder.close()])


@pytest.mark.parametrize("at", range(len(SAMPLE.encode()) + 1))
def test_a_cut_between_any_two_bytes_changes_nothing(at):
    data = SAMPLE.encode()
    assert _decode(data[:at], data[at:]) == SAMPLE


@given(st.binary(max_size=40), st.lists(st.integers(0, 40), max_size=5))
def test_any_bytes_give_the_same_text_however_they_are_cut(data, cuts):
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    pieces = [data[a:b] for a, b in pairwise(places)]
    text = data.decode("utf-8", "replace")
    assert _decode(*pieces) == text.removeprefix("\ufeff")


def test_a_character_cut_at_the_end_is_one_replacement_sign():
    assert _decode("a🧪".encode()[:-1]) == "a\ufffd"


@pytest.mark.parametrize("at", range(5))
def test_a_byte_order_mark_is_taken_away_where_it_begins_the_bytes(at):
    data = b"\xef\xbb\xbfa"
    assert _decode(data[:at], data[at:]) == "a"


def test_any_later_byte_order_mark_is_a_character():
    mark = b"\xef\xbb\xbf"
    assert _decode(mark, mark, b"a", mark) == "\ufeffa\ufeff"


@pytest.mark.parametrize("cut", [False, True])
def test_it_is_told_whether_anything_was_not_utf_8(cut):
    decoder = Utf8Decoder()
    decoder.feed("é\ufffd".encode())
    assert not decoder.is_broken
    if cut:
        decoder.feed(b"\xc3")
        assert not decoder.is_broken
        decoder.close()
    else:
        decoder.feed(b"\xff")
    assert decoder.is_broken


def test_what_is_whole_stays_whole_beside_what_is_broken():
    assert _decode("数".encode()[:2], "据🧪".encode()) == "\ufffd据🧪"


def test_encoded_surrogates_never_pass():
    assert "\ud83e" not in _decode(b"\xed\xa0\xbe\xed\xb7\xaa")


def test_bytes_after_the_end_are_refused_with_words():
    decoder = Utf8Decoder()
    decoder.close()
    with pytest.raises(ValueError, match="expected no bytes after close"):
        decoder.feed(b"a")


def test_clean_text_comes_back_itself():
    text = "plain 🧪"
    assert clean_surrogates(text) is text


@given(st.text(st.characters(categories=["Cs", "Lu"]), max_size=8))
def test_cleaned_text_can_be_written(text):
    cleaned = clean_surrogates(text)
    assert cleaned.encode().decode() == cleaned


@given(
    st.text(st.sampled_from("a\ud83e\uddea🧪"), max_size=8),
    st.lists(st.integers(0, 8), max_size=4),
)
def test_halves_are_joined_however_they_are_cut(text, cuts):
    joiner = SurrogateJoiner()
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    pieces = [text[a:b] for a, b in pairwise(places)]
    joined = "".join([*map(joiner.feed, pieces), joiner.close()])
    assert joined == clean_surrogates(text)
