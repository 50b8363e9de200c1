"""The silence token, spec/openclaw-zeus-investment §1.1."""

from __future__ import annotations

import pytest

from tests.core.parse.directives.reading import read_both_ways
from vitrail.core.parse.directives import SilenceFacts, SilenceToken
from vitrail.limits import MAX_HELD_CHARS


@pytest.mark.parametrize("text", ["NO_REPLY", " \n NO_REPLY", "NO_REPLY \n\n"])
def test_the_token_alone_is_silence(text):
    came = read_both_ways(SilenceToken, text)
    assert (came.verdict, came.to) == ("tag", len(text))
    assert came.found == SilenceFacts(is_silent=True)


@pytest.mark.parametrize("behind", ["The user", "7", "é", "中"])
def test_a_token_glued_to_a_word_goes(behind):
    came = read_both_ways(SilenceToken, "NO_REPLY" + behind)
    assert (came.verdict, came.to) == ("tag", 8)
    assert came.found == SilenceFacts(is_silent=False)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("NO_REPLY: because", 8),
        ("NO_REPLY.", 8),
        ("NO_REPLY_X", 8),
        ("NO_REPLY then words", 9),
        ("NO_REPLY\n\nwords", 10),
        ("no_reply", 0),
        ("NO_", 3),
        ("Hello", 0),
        (" Hello", 1),
        ("", 0),
    ],
)
def test_anything_else_is_text_as_soon_as_it_is_certain(text, at):
    came = read_both_ways(SilenceToken, text)
    assert (came.verdict, came.to, came.found) == ("text", at, None)


def test_the_token_may_be_another_word():
    came = read_both_ways(lambda: SilenceToken("HUSH"), "HUSHnow")
    assert (came.verdict, came.to) == ("tag", 4)
    with pytest.raises(ValueError, match="expected a word"):
        SilenceToken("NO REPLY")
    with pytest.raises(ValueError, match="expected a word"):
        SilenceToken("")


def test_white_space_is_held_up_to_a_limit():
    came = read_both_ways(SilenceToken, " " * (MAX_HELD_CHARS * 2))
    assert (came.verdict, came.to) == ("text", MAX_HELD_CHARS)
    assert came.looked == MAX_HELD_CHARS
