"""Continuations: what they repeat is found, and left out once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.parse.overlap import Seam, find_seam, overlap

CUT = "<ul>\n  <li>Coffee and cake</li>\n  <li>Tea wi"


def brute_force(end, beginning):
    return max(
        n
        for n in range(min(len(end), len(beginning)) + 1)
        if end[len(end) - n :] == beginning[:n]
    )


def joined(cut, continuation):
    seam = find_seam(cut, continuation)
    return None if seam is None else cut[: seam.keep] + continuation[seam.skip :]


@given(st.text("ab\n", max_size=30), st.text("ab\n", max_size=30))
def test_the_overlap_is_the_longest_one(end, beginning):
    assert overlap(end, beginning) == brute_force(end, beginning)


@given(st.text("abc", max_size=20), st.text("abc", max_size=20), st.text(max_size=20))
def test_what_is_repeated_is_at_least_what_was_repeated(before, same, behind):
    assert overlap(before + same, same + behind) >= len(same)


@given(
    st.text(max_size=200),
    st.text("abcdefghij<> \n", min_size=12, max_size=60),
    st.text(max_size=200),
)
def test_a_text_that_is_continued_with_a_repetition_is_whole(before, same, behind):
    seam = find_seam(before + same, same + behind)
    signs = len("".join(same.split()))
    if seam is not None and seam.keep == len(before + same) and not seam.remark:
        assert seam.skip >= 0
    if signs >= 8:
        assert seam is not None


@pytest.mark.parametrize("cut", range(20, len(CUT)))
def test_a_page_cut_anywhere_goes_on_where_it_was_cut(cut):
    whole = CUT + "th milk</li>\n</ul>\n"
    assert joined(whole[:cut], whole[cut - 18 :]) == whole


@pytest.mark.parametrize(
    "lead",
    [
        "\n",
        "   ",
        "```html\n",
        "~~~\n\n",
        '<artifact identifier="a" type="text/html">',
        '<artifact identifier="a" title="a > b">\n',
        '```html\n<artifact identifier="a">\n',
        "Here is the rest:\n\n```html\n",
    ],
)
def test_what_stands_in_front_of_the_repetition_is_left_out(lead):
    repeated = "<li>Tea with milk</li>\n</ul>"
    assert joined(CUT, lead + repeated) == CUT + "th milk</li>\n</ul>"


def test_a_fence_and_a_remark_in_front_are_told():
    seam = find_seam(CUT, "Here is the rest:\n````html\n<li>Tea with milk")
    assert seam is not None
    assert (seam.fence, seam.remark) == ("````", "Here is the rest:")


def test_white_space_at_the_cut_may_be_missing():
    assert joined("<li>Coffee</li>\n  ", "<li>Coffee</li>\n\t<li>") == (
        "<li>Coffee</li>\n\t<li>"
    )


@pytest.mark.parametrize(
    "continuation",
    [
        "",
        "th milk</li>\n</ul>",
        "<!doctype html><html>",
        "Sorry, I cannot.",
        "wi",
        "  \n",
        "x\n" * 20 + "<li>Tea with milk",
    ],
)
def test_what_repeats_nothing_does_not_fit(continuation):
    assert find_seam(CUT, continuation) is None


def test_a_text_that_is_written_once_more_takes_the_place_of_the_cut_one():
    whole = "".join(f"<p>Paragraph {n}</p>\n" for n in range(400))
    assert joined("\n" + whole[:5_000], f"```html\n{whole}") == whole


def test_a_short_text_is_repeated_whole():
    assert find_seam("<p>", "<p>Hi") == Seam(3, 3)


def test_what_repeats_itself_has_one_longest_overlap():
    assert overlap("a" * 2_000, "a" * 1_999 + "b") == 1_999
    assert overlap("ab" * 1_000, "ab" * 999 + "ac") == 1_998
