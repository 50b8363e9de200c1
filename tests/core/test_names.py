"""Names of files: every row of the corpus for the contexts that exist."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.path_cases import PathCase, path_cases
from vitrail.core.names import (
    NAME_CONTEXTS,
    check_media_path,
    check_name,
    name_key,
    valid_path,
)
from vitrail.errors import InvalidPath
from vitrail.limits import MAX_ENTRY_CHARS, MAX_PATH_SEGMENT_BYTES

CASES = [case for case in path_cases(*NAME_CONTEXTS) if case.is_name]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_row_of_the_corpus_is_judged_as_it_says(case: PathCase) -> None:
    verdict = check_name(case.value, case.context)  # type: ignore[arg-type]  # a context by its name
    assert verdict.ok == case.is_allowed, case.reason
    if case.stored_as is not None:
        assert verdict.name == case.stored_as


def test_a_name_is_decoded_once_and_only_where_it_is_part_of_an_address() -> None:
    assert check_name("%E9%A6%96.html", "url_path").name == "首.html"
    assert check_name("%E9%A6%96.html").name == "%E9%A6%96.html"
    assert check_name("a%2520b.html", "url_path").name == "a%20b.html"


@given(st.text(max_size=300))
def test_a_name_that_is_allowed_stays_inside_and_fits_every_disk(name: str) -> None:
    verdict = check_name(name)
    if not verdict.ok:
        assert [item.severity for item in verdict.diagnostics] == ["error"]
        return
    stored = verdict.name
    assert check_name(stored).name == stored
    assert unicodedata.is_normalized("NFC", stored)
    assert len(stored) <= MAX_ENTRY_CHARS
    for segment in stored.split("/"):
        assert segment not in ("", ".", "..")
        assert not segment.startswith(".")
        assert len(segment.encode()) <= MAX_PATH_SEGMENT_BYTES
    assert not set(stored) & set('\\:*?"<>|\0')


@given(st.text(max_size=40), st.sampled_from(["../", "/", "C:", "~/", ".od/", "\\"]))
def test_what_begins_outside_is_refused_whatever_follows(rest: str, way: str) -> None:
    assert not check_name(way + rest).ok


def test_the_error_s_code_says_which_kind_of_refusal_it_is() -> None:
    cases = {
        "../x": "path-outside-project",
        "/x": "path-outside-project",
        ".od/x": "path-reserved",
        ".env": "path-reserved",
        "ab:c": "path-invalid",
        "": "path-invalid",
    }
    for path, code in cases.items():
        with pytest.raises(InvalidPath) as refusal:
            valid_path(path)
        assert refusal.value.code == code


def test_two_spellings_of_one_name_have_one_key() -> None:
    assert name_key("cafe\u0301.HTML") == name_key("CAFÉ.html")
    assert name_key("straße.html") == name_key("STRASSE.html")
    assert name_key("a.html") != name_key("b.html")


@pytest.mark.parametrize("name", ["%2e%2e/x.html", "a%00.html", "a%2Fb.md", "%5Cx.md"])
def test_a_file_that_no_address_could_ask_for_is_not_made(name: str) -> None:
    (found,) = check_name(name).diagnostics
    assert found.code == "path-encoded"
    encoded = name.replace("%", "%25")
    assert not check_name(encoded, "url_path").ok


def test_a_media_path_is_relative_to_the_workspace_it_is_judged_in() -> None:
    assert check_media_path("/srv/ws/a/b.png", "/srv/ws").name == "a/b.png"
    assert check_media_path("/srv/ws/a/b.png", "/srv/ws/").name == "a/b.png"
    for outside in (
        "/workspace/a.png",
        "/srv/wsx/a.png",
        "/srv/ws/../a.png",
        "/srv/ws//a.png",
        "/srv/ws",
        "${HOME}/a.png",
        "a/$HOME.html",
        "file:///srv/ws/a.png",
    ):
        assert not check_media_path(outside, "/srv/ws").ok, outside
