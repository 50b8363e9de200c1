"""The page of a source."""

from __future__ import annotations

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.render.source_view import source_page, words_page


def lines_of(page: str) -> list[str]:
    return [line.text for line in turbohtml.parse(page).find_all("code")]


@given(st.text(alphabet="<>&\"'/ab\n\r", max_size=60))
def test_every_line_is_shown_as_it_is(text: str) -> None:
    shown = lines_of(source_page(text, title="a"))
    folded = text.replace("\r\n", "\n").replace("\r", "\n")
    assert "\n".join(shown) == folded.removesuffix("\n")


@pytest.mark.parametrize(
    "text",
    ["<script>go()</script>", "</code></pre><script>", "<img src=x onerror=go()>"],
)
def test_nothing_of_a_source_becomes_markup(text: str) -> None:
    tree = turbohtml.parse(source_page(text, title=text))
    assert tree.find_all("script") == tree.find_all("img") == []


def test_there_is_room_for_the_largest_line_number() -> None:
    assert "--digits:3" in source_page("\n" * 100, title="a")


def test_words_are_escaped() -> None:
    page = words_page("<b>", "a & b", "<i>")
    assert "<h1>&lt;b&gt;</h1><p>a &amp; b</p><p>&lt;i&gt;</p>" in page
