"""Names of files: every row of the corpus for the contexts that exist."""

from __future__ import annotations

import csv
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.names import NAME_CONTEXTS, check_name, name_key, valid_path
from vitrail.errors import InvalidPath
from vitrail.limits import MAX_ENTRY_CHARS, MAX_PATH_SEGMENT_BYTES

CORPUS = Path(__file__).parent / "path_cases.tsv"
DESCRIBED = {
    "(251 x 'a').html -> 256 bytes": "a" * 251 + ".html",
    "(250 x 'a').html -> 255 bytes": "a" * 250 + ".html",
    "(84 x U+4E00).html -> 257 bytes": "\u4e00" * 84 + ".html",
    "(200 nested one-letter folders)/x": "a/" * 200 + "x",
}
ELSEWHERE = {
    "link": "a mode of an archive's entry, judged by the archive reader",
    "x.html + x.html": "two entries, judged by the archive reader",
    "bomb.bin": "the size of an entry, judged by the archive reader",
    "(100000 empty entries)": "a count of entries, judged by the archive reader",
}
CHOICES = {"P119", "P124"}


def unescaped(text: str) -> str:
    if text in DESCRIBED:
        return DESCRIBED[text]
    text = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found.group(1), 16)), text)
    for escaped, plain in ((r"\n", "\n"), (r"\r", "\r"), (r"\0", "\0")):
        text = text.replace(escaped, plain)
    text = text.replace("\\\\", "\\")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def rows() -> list[dict[str, str]]:
    with CORPUS.open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        row
        for row in listed
        if row["context"] in NAME_CONTEXTS and row["input_escaped"] not in ELSEWHERE
    ]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_every_row_of_the_corpus_is_judged_as_it_says(row: dict[str, str]) -> None:
    given_name = unescaped(row["input_escaped"])
    verdict = check_name(given_name, row["context"])  # type: ignore[arg-type]  # a context by its name
    assert verdict.ok == (row["expect"] == "allow"), row["reason"]
    if row["stored_as"] != "-":
        assert verdict.name == unescaped(row["stored_as"])


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
