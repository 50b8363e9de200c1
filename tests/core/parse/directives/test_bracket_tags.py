"""Directives in double brackets, spec/openclaw-zeus-investment §1.1: what is one, and how soon."""

from __future__ import annotations

import pytest

from tests.core.parse.directives.reading import read_both_ways, read_in
from vitrail.core.parse.directives import BracketTag
from vitrail.core.parse.directives.bracket_tags import clean_value
from vitrail.limits import MAX_DIRECTIVE_CHARS, MAX_DIRECTIVE_VALUE_CHARS

SET = {
    "[[audio_as_voice]]": ("audio_as_voice", None),
    "[[ audio_as_voice ]]": ("audio_as_voice", None),
    "[[\n\taudio_as_voice \r\n]]": ("audio_as_voice", None),
    "[[AUDIO_AS_VOICE]]": ("audio_as_voice", None),
    "[[reply_to_current]]": ("reply_to_current", None),
    "[[ Reply_To_Current\n]]": ("reply_to_current", None),
    "[[reply_to:7]]": ("reply_to", "7"),
    "[[reply_to: abc_456 ]]": ("reply_to", "abc_456"),
    "[[\nreply_to\n:\nabc\n]]": ("reply_to", "abc"),
    "[[REPLY_TO:MSG_789]]": ("reply_to", "MSG_789"),
    "[[reply_to: two words ]]": ("reply_to", "two words"),
    "[[reply_to: a[b ]]": ("reply_to", "ab"),
    "[[reply_to: \x07a\x7fb\x85 ]]": ("reply_to", "ab"),
    "[[react: 👍]]": ("react", "👍"),
    "[[react_to_current: 👍🏽 ]]": ("react_to_current", "👍🏽"),
}
NOTHING = ["[[reply_to:  ]]", "[[reply_to: \n ]]", "[[reply_to:\r\n]]"]
TEXT = {
    "[": 1,
    "[x": 2,
    "[[": 2,
    "[[]]": 3,
    "[[x": 3,
    "[[ x": 4,
    "[[[": 3,
    "[[reply_to]]": 11,
    "[[reply_to_x": 12,
    "[[reply_to_current:": 19,
    "[[reply_to_current x": 20,
    "[[reply_to_current]x": 20,
    "[[audio_as_voice] ": 18,
    "[[reply_to:]]": 12,
    "[[reply_to:\n]]": 13,
    "[[reply_to:a\nb]]": 14,
    "[[reply_to: a] ": 15,
    "[[reply_to: a [[reply_to_current]]": 16,
    "[[reply_to: abc": 15,
    "[[react:]]": 9,
    "[[réply_to: a]]": 4,
    "[[REPLY_TO_CURRENT\u0131": 19,
}
"""Text, and where it is certain."""


@pytest.mark.parametrize("text", SET, ids=repr)
def test_a_directive_says_its_name_and_value(text):
    came = read_both_ways(BracketTag, text + " and on ]]")
    assert (came.verdict, came.to) == ("tag", len(text))
    assert (came.found.name, came.found.value) == SET[text]
    assert came.codes == []


@pytest.mark.parametrize("text", NOTHING, ids=repr)
def test_a_blank_value_is_a_tag_that_sets_nothing(text):
    came = read_both_ways(BracketTag, text)
    assert (came.verdict, came.to, came.found) == ("tag", len(text), None)


def test_a_blank_reaction_is_a_tag_that_sets_nothing():
    came = read_both_ways(BracketTag, "[[react: ]]")
    assert (came.verdict, came.found.name, came.found.value) == ("tag", "react", None)


@pytest.mark.parametrize("text", TEXT, ids=repr)
def test_text_is_text_as_soon_as_it_is_certain(text):
    came = read_both_ways(BracketTag, text)
    assert (came.verdict, came.to, came.found) == ("text", TEXT[text], None)


@pytest.mark.parametrize("text", [*SET, *NOTHING], ids=repr)
def test_every_proper_prefix_waits(text):
    for end in range(len(text)):
        tag = BracketTag()
        tag.read(text, 0, end, final=False)
        assert tag.verdict is None, text[:end]


def test_what_has_a_directives_name_and_is_none_is_told():
    for text in ("[[reply_to_current]x", "[[reply_to:]]", "[[reply_to: abc"):
        assert read_both_ways(BracketTag, text).codes == ["malformed-directive"]
    for text in ("[[x]]", "[[reply", "[x]", "[["):
        assert read_both_ways(BracketTag, text).codes == []


def test_an_id_is_cut_to_256_code_points():
    text = f"[[reply_to: {'🧪' * 300}]]"
    assert read_both_ways(BracketTag, text).found.value == "🧪" * 256
    assert MAX_DIRECTIVE_VALUE_CHARS == 256


@pytest.mark.parametrize(
    ("written", "kept"),
    [("  a ", "a"), ("\x00a\nb", "ab"), ("[]", None), (" \x1b ", None), ("[ a ]", "a")],
)
def test_a_value_is_cleaned(written, kept):
    assert clean_value(written) == kept


def test_a_directive_longer_than_the_limit_is_text():
    blanks = " " * (MAX_DIRECTIVE_CHARS - len("[[audio_as_voice]]"))
    assert read_both_ways(BracketTag, f"[[{blanks}audio_as_voice]]").verdict == "tag"
    came = read_both_ways(BracketTag, f"[[ {blanks}audio_as_voice]]")
    assert (came.verdict, came.to) == ("text", MAX_DIRECTIVE_CHARS)


def test_the_indices_are_those_of_the_buffer_that_is_given():
    tag = BracketTag()
    text = "words [[reply_to_"
    assert tag.read(text, 6, len(text), final=False) == len(text)
    shifted = "[[reply_to_current]] on"  # what was told has been cut off
    assert tag.read(shifted, len(text) - 6, len(shifted), final=False) == 20
    assert (tag.verdict, tag.end, tag.name) == ("tag", 20, "reply_to_current")


def test_nothing_is_read_behind_the_verdict():
    tag = BracketTag()
    assert tag.read("[[x]] [[y]]", 0, 11, final=False) == 3
    assert tag.read("[[x]] [[y]]", 3, 11, final=True) == 3
    assert tag.looked == 3


def test_the_end_of_the_text_decides():
    for text in ("", "[", "[[", "[[reply_to: a", "[e", "[embed ref="):
        assert read_in(BracketTag(), [text]).verdict == "text"
