"""`split_streaming`: what is said, and what is being made (spec/open-design-1 §4.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.parse.views import LiveArtifact, SplitText, split_streaming

ARTIFACT = '<artifact identifier="x" type="text/html">b</artifact>'
PAGE = '<artifact identifier="page" type="text/html" title="Landing">'


def test_row_10_a_body_that_is_being_written_is_live():
    assert split_streaming(f"Building it.\n{PAGE}\n<h1>Hi") == SplitText(
        "Building it.", (LiveArtifact("text/html", "Landing", "page", "\n<h1>Hi"),)
    )


@pytest.mark.parametrize(
    "text",
    [f"Done.\n{ARTIFACT}\n", f"Look:\n```\n{PAGE}\n<h1>Hi\n", "No artifact. "],
    ids=["completed", "in-a-fence", "none"],
)
def test_row_11_nothing_is_live(text):
    assert split_streaming(text) == SplitText(text, ())


def test_row_12_a_drawing_is_not_shown_while_it_is_written():
    text = 'Now.\n<artifact identifier="x" type="image/svg+xml"><svg>'
    assert split_streaming(text) == SplitText(text, ())


def test_row_13_an_artifact_without_a_type_is_live():
    (live,) = split_streaming('Now.\n<artifact identifier="x"><p>Hi').live
    assert (live.artifact_type, live.content) == ("", "<p>Hi")


@pytest.mark.parametrize("written", range(len("<artifact ") + 1, len(PAGE)))
def test_row_14_attributes_that_are_being_written_show_an_empty_artifact(written):
    text = f"Building it. \n{PAGE[:written]}"
    assert split_streaming(text) == SplitText("Building it.", (LiveArtifact(),))


def test_row_15_the_one_behind_a_completed_one_is_live():
    split = split_streaming(f"One.\n{ARTIFACT}\nTwo.\n{PAGE}<h1>Hi")
    assert split.head == f"One.\n{ARTIFACT}\nTwo."
    assert [live.identifier for live in split.live] == ["page"]


@pytest.mark.parametrize("close", ["<", "</", "</artif", "</artifact", "</ARTIFACT "])
def test_the_beginning_of_a_close_tag_is_no_content(close):
    split = split_streaming(f"Now.\n{PAGE}<h1>Hi{close}")
    assert (split.head, split.live[0].content) == ("Now.", "<h1>Hi")


def test_a_tag_that_is_talked_about_flashes_no_artifact():
    for written in range(len(PAGE)):
        assert split_streaming(f"Write `{PAGE[:written]}").live == ()


@given(st.lists(st.sampled_from([ARTIFACT, PAGE, "\n", "`", "a ", "<"]), max_size=8))
def test_nothing_of_a_message_is_lost(pieces):
    text = "".join(pieces)
    split = split_streaming(text)
    shown = split.head + "".join(live.content for live in split.live)
    assert len(shown) <= len(text)
    if not split.live:
        assert split.head == text
    for live in split.live:
        assert live.content in text
