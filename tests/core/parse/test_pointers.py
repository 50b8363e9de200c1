"""Bodies that only point at an existing file: a rule of structure, not of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.parse.pointers import find_pointer

V2, V3 = "worker-edition-v2.html", "worker-edition-v2-3.html"


def pointer(body, *files, candidate="own.html"):
    return find_pointer(body, candidate=candidate, files=files)


# --- the rows of spec/open-design-1 §7 -------------------------------------------


def test_row_1_a_word_and_a_name():
    assert pointer(f"见 {V2}", V2, V3, candidate=V3) == V2


def test_row_2_a_small_page_of_which_a_name_is_visible():
    page = f"<!doctype html><html><body>见 <a href='{V2}'>{V2}</a></body></html>"
    assert pointer(page, V2, candidate=V3) == V2


def test_row_3_a_file_that_is_not_there():
    assert pointer(f"见 {V2}", "summary.html", candidate=V3) is None


def test_row_4_a_name_that_two_files_have():
    files = ("desktop/index.html", "mobile/index.html")
    assert pointer("see index.html", *files, candidate="index-2.html") is None


def test_row_5_a_sentence_that_names_a_file():
    body = f"I updated {V2} with the final layout and several fixes of its menus."
    assert pointer(body, V2, candidate=V3) is None


@pytest.mark.parametrize(
    ("body", "file"),
    [
        ("See: `a.html`.", "a.html"),
        ("SEE “a.html”。", "a.html"),
        ("见：a.html", "a.html"),
        ("see a.htm", "a.htm"),
    ],
)
def test_row_6_marks_around_a_name(body, file):
    assert pointer(body, file) == file


@pytest.mark.parametrize(
    "body",
    [
        "见a.html",
        "参见 a.html",
        "refer to a.html",
        "see a.html!",
        "see a.html in this project",
        "see&nbsp;a.html",
        "Siehe a.html",
        "Veuillez ouvrir a.html",
        "a.htmlを参照してください",
        "a.html을 보세요",
        "انظر a.html",
        "a.html",
        "&#115;ee a&#46;html",
    ],
)
def test_row_7_any_language_may_say_it(body):
    assert pointer(body, "a.html") == "a.html"


def test_row_7_a_name_in_another_case_is_another_name():
    assert pointer("see A.html", "a.html") is None


@pytest.mark.parametrize("body", ["see sub/a.html", "see a.html"])
def test_row_8_a_path_or_a_last_name_that_is_the_only_one(body):
    assert pointer(body, "sub/a.html") == "sub/a.html"


@pytest.mark.parametrize(
    "body",
    [
        "../a.html",
        "see ../a.html",
        "/a.html",
        "./a.html",
        "sub/../a.html",
        "http://x/a.html",
        "file:a.html",
        "javascript:a.html",
        "..\\a.html",
        "%2e%2e/a.html",
        "~/a.html",
        "user@a.html",
    ],
)
def test_row_9_what_leaves_the_project_points_nowhere(body):
    assert pointer(body, "a.html") is None


# --- what more the rule says -----------------------------------------------------------


def test_the_body_s_own_file_is_no_target():
    assert pointer("see a.html", "a.html", candidate="a.html") is None


def test_an_exact_path_goes_before_the_last_name_of_another():
    assert pointer("see a.html", "a.html", "sub/a.html") == "a.html"


@pytest.mark.parametrize(
    "body",
    [
        "see a.html or b.html",
        "see a.html and missing.html",
        "a.html a.html",
        "see xa.html",
        "see a.html.bak",
        "see a.htmlx",
        "see my-a.html",
        "see a.html/b",
        "see éa.html",
        "",
        " \n",
        "<p></p>",
        "see " + "a.html " + "x" * 100,
    ],
)
def test_more_than_one_name_and_parts_of_names_point_nowhere(body):
    assert pointer(body, "a.html", "b.html") is None


@pytest.mark.parametrize(
    "tag",
    ["<img src=a.html>", "<script>go()</script>", "<svg></svg>", "<iframe></iframe>"],
)
def test_a_page_with_a_picture_or_a_program_is_a_page(tag):
    assert pointer(f"<p>a.html</p>{tag}", "a.html") is None


def test_what_nobody_sees_does_not_count():
    page = "<title>Page about many words and things</title><style>p{}</style>see a.html"
    assert pointer(page, "a.html") == "a.html"


def test_a_long_body_is_no_pointer():
    assert pointer("<b>" * 2_000 + "see a.html", "a.html") is None


names = st.text("ab.-_/é見 ", min_size=1, max_size=8)


@given(st.text(max_size=60), st.lists(names, max_size=4), names)
def test_a_target_is_a_file_of_the_project_and_never_the_own_one(body, files, own):
    found = find_pointer(body, candidate=own, files=files)
    assert found is None or (found in files and found != own)
