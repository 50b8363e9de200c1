"""Who wrote what: spans partition the text, and nobody is given what another wrote."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.commit.blame import BlameSpan, blame, blame_next

texts = st.lists(st.text(alphabet="ab <\r\né😀", max_size=24), max_size=5)


def written(spans: tuple[BlameSpan, ...], text: str) -> list[tuple[str, str]]:
    return [(text[slice(*owned.span)], owned.revision_id) for owned in spans]


@given(texts)
def test_the_spans_partition_the_text(history: list[str]):
    revisions = [(str(number), text) for number, text in enumerate(history)]
    spans = blame(revisions)
    text = history[-1] if history else ""
    assert "".join(piece for piece, _ in written(spans, text)) == text
    at = 0
    for before, owned in zip((None, *spans), spans, strict=False):
        assert owned.span[0] == at < owned.span[1]
        assert before is None or before.revision_id != owned.revision_id
        at = owned.span[1]
    assert at == len(text)


@given(texts)
def test_a_history_may_be_read_revision_by_revision(history: list[str]):
    spans: tuple[BlameSpan, ...] = ()
    before = ""
    for number, text in enumerate(history):
        spans = blame_next(spans, before, text, str(number))
        before = text
    assert spans == blame((str(number), text) for number, text in enumerate(history))


@given(texts, st.text(alphabet="ab\n", max_size=12))
def test_a_revision_that_changed_nothing_wrote_nothing(history: list[str], text: str):
    revisions = [(str(number), each) for number, each in enumerate([*history, text])]
    assert blame([*revisions, ("again", text)]) == blame(revisions)


@given(st.text(max_size=20), st.text(max_size=20))
def test_what_one_wrote_stands_in_that_ones_text(old: str, new: str):
    spans = written(blame([("old", old), ("new", new)]), new)
    rest = iter(old)
    assert all(char in rest for piece, by in spans if by == "old" for char in piece)


def test_each_range_is_by_the_one_who_wrote_it():
    history = [
        ("model 1", "<h1>Title</h1>\n<p>One two three</p>\n"),
        ("person", "<h1>My title</h1>\n<p>One two three</p>\n"),
        ("model 2", "<h1>My title</h1>\n<p>New</p>\n<p>One two four</p>\n"),
    ]
    assert written(blame(history), history[-1][1]) == [
        ("<h1>", "model 1"),
        ("My title", "person"),
        ("</h1>\n<p>", "model 1"),
        ("New</p>\n<p>", "model 2"),
        ("One two ", "model 1"),
        ("four", "model 2"),
        ("</p>\n", "model 1"),
    ]


def test_a_sentence_written_anew_keeps_no_crumbs_of_the_old_one():
    history = [
        ("1", "The quick brown fox jumps over a lazy dog\n"),
        ("2", "Wonderful things happen to patient people\n"),
    ]
    writers = {
        writer
        for piece, writer in written(blame(history), history[-1][1])
        if piece.strip()
    }
    assert writers == {"2"}


def test_other_line_endings_are_by_the_one_who_changed_them():
    history = [("1", "a\nb\n"), ("2", "a\r\nb\r\n")]
    assert written(blame(history), "a\r\nb\r\n") == [
        ("a", "1"), ("\r\n", "2"), ("b", "1"), ("\r\n", "2"),
    ]  # fmt: skip


def test_spans_of_another_text_are_refused():
    with pytest.raises(ValueError, match="2 code points"):
        blame_next((BlameSpan((0, 1), "1"),), "ab", "b", "2")
    with pytest.raises(ValueError, match="begins at 0"):
        blame_next((BlameSpan((1, 2), "1"),), "ab", "b", "2")


def test_a_long_history_of_small_changes_is_read_in_time_with_its_length():
    lines = [f"line {number}\n" for number in range(2_000)]
    history = []
    for number in range(60):
        lines[number * 31] = f"changed {number}\n"
        history.append((str(number), "".join(lines)))
    spans = blame(history)
    assert {owned.revision_id for owned in spans} >= {str(n) for n in range(1, 60)}


def test_one_long_line_is_blamed_word_by_word():
    line = "".join(f"<td>{number}</td>" for number in range(60_000))
    changed = line.replace("<td>5</td>", "<td>five</td>").replace(
        "<td>59999</td>", "<td>end</td>"
    )
    spans = blame([("1", line), ("2", changed)])
    assert written(spans, changed)[1::2] == [("five", "2"), ("end", "2")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "<p>a</p>\n" * 5000),
        ("<p>a</p>\n" * 5000, ""),
    ],
)
def test_a_first_text_and_an_empty_one_are_not_read_line_by_line(old: str, new: str):
    before = blame([("1", old)])
    count = 0

    def note(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        spans = blame_next(before, old, new, "2")
    finally:
        sys.setprofile(None)
    assert count < 500
    assert "".join(piece for piece, _ in written(spans, new)) == new
    assert {owner for _, owner in written(spans, new)} <= {"2"}
