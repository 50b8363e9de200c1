"""No text costs more looks a character than it may, however it was searched for."""

from __future__ import annotations

import random

import pytest

from tests.support.looks import climb
from tests.support.parse_laws import Run, assert_bounded
from vitrail.core.parse.dialects import DIALECTS

FOUND = [
    ("tag", "```", "<artifact\ttitle=\"a > b\">''", "\n<"),
    ("tag", '<artifact "<artifact identifier="a" type="text/html">x', "</", ""),
    ("tag", "```html\n", "<artifact '~~~\n<!doctype html>\n", "<think></think>"),
    ("auto", "", "> <tool_call><question-form id='a'><artifact \"", "-->"),
    ("auto", "", '<artifact "<antArtifact \'"<boltArtifact \'"<ask-question "x', ""),
    ("auto", "[[- <edit>- <artifact ", "\n[[", ""),
    ("auto", "<tool_call><!--", "<ask-question>[embed ref='a' /]", ""),
    ("auto", "<tool_call><artifact ", "[", ">"),
    ("auto", "<edit>[[<artifact <artifact ", "[[\ufeff[[", "<artifact\ttitle='a'>" * 3),
    ("auto", "`", "[embed url='/a'] b <!doctype html>\n<artifact [[reply_to: 7]]", ""),
    ("auto", '<artifact ```\n"', "[embed ref='a' /]< | DSML artifact x><think>", ""),
    ("auto", "MEDIA: MEDIA: ```<boltArtifact id='p'>", "MEDIA: ", ""),
]
"""What climbs have found: dialect, head, motif, tail."""


@pytest.mark.parametrize(
    ("dialect", "head", "motif", "tail"), FOUND, ids=range(len(FOUND))
)
@pytest.mark.parametrize("times", [1, 10, 100])
def test_what_cost_too_many_looks_costs_no_more_than_it_may(
    dialect, head, motif, tail, times
):
    text = head + motif * times + tail
    for pieces in ([text], text):
        assert_bounded(Run(pieces, dialect), text)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_no_text_that_is_climbed_to_costs_more_looks(dialect):
    for text in climb(dialect, random.Random(7), 150):
        assert_bounded(Run([text], dialect), text)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_no_text_of_many_climbs_costs_more_looks(seed):
    rng = random.Random(seed)
    for _ in range(60):
        dialect = rng.choice(["auto", "tag", *sorted(DIALECTS)])
        for text in climb(dialect, rng, 150):
            assert_bounded(Run([text], dialect), text)
