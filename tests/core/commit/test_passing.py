"""Files that programs leave for a moment are nobody's work; all others are somebody's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.commit.passing import PASSING_NAMES, is_passing


@pytest.mark.parametrize(
    "path",
    [
        "4913",
        "page.html~",
        "css/site.css~",
        "#page.html#",
        "page.html.swp",
        "page.html.tmp",
        "PAGE.HTML.TMP",
        "page.html.tmp.4242.1700000000",
        "page.html___jb_tmp___",
        "page.html___jb_old___",
        "page.html.crswap",
        "film.mp4.part",
        "~$report.docx",
        "sedQ2x9Zb",
        "assets/sed1k9XpQ",
        "Thumbs.db",
        "__pycache__/app.cpython-311.pyc",
        "venv/lib/site.py",
    ],
)
def test_a_name_that_programs_use_for_a_moment_is_left_alone(path: str) -> None:
    assert is_passing(path)


@pytest.mark.parametrize(
    "path",
    [
        "page.html",
        "tmp.html",
        "tmp",
        "a~b.html",
        "#hash.html",
        "sedan.html",
        "sedcardio",
        "part.html",
        "49130",
        "template.html",
        "department.part.html",
        "~",
        "##",
        "~$",
        "venv.html",
        "\u56f3\u8868.html",
    ],
)
def test_a_name_that_a_person_gives_is_somebody_s_work(path: str) -> None:
    assert not is_passing(path)


def test_every_pattern_says_whose_it_is_and_is_folded() -> None:
    for pattern in PASSING_NAMES:
        assert pattern.of
        assert pattern.begins + pattern.ends
        assert pattern.begins == pattern.begins.casefold()
        assert pattern.ends == pattern.ends.casefold()


@given(st.text(max_size=300))
def test_any_name_gets_an_answer(path: str) -> None:
    assert is_passing(path) in (True, False)
