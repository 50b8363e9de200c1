"""What another program did is told from two lists, and believed when two looks agree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.commit.noticing import (
    Differences,
    FoundNow,
    KnownFile,
    differences,
    settled,
)

THEN = "2026-01-01T00:00:00.000Z"
NAMES = st.sampled_from(["a.html", "b.css", "c/d.svg", "e~", "f.tmp"])
DIGESTS = st.sampled_from(["1" * 64, "2" * 64, "3" * 64])
KNOWN = st.dictionaries(NAMES, st.tuples(DIGESTS, st.booleans())).map(
    lambda items: [
        KnownFile(path, digest, present=present)
        for path, (digest, present) in items.items()
    ]
)
FOUND = st.dictionaries(NAMES, DIGESTS).map(
    lambda items: [FoundNow(path, digest, 3, THEN) for path, digest in items.items()]
)


def found(path: str, digest: str = "1" * 64, at: str = THEN) -> FoundNow:
    return FoundNow(path, digest, 3, at)


def test_new_changed_and_returned_files_are_written() -> None:
    known = [
        KnownFile("changed.css", "2" * 64, present=True),
        KnownFile("same.css", "1" * 64, present=True),
        KnownFile("back.css", "1" * 64, present=False),
    ]
    now = [found(name) for name in ("new.css", "same.css", "changed.css", "back.css")]
    told = differences(known, now)
    assert [file.path for file in told.written] == [
        "back.css",
        "changed.css",
        "new.css",
    ]
    assert told.gone == ()


def test_a_file_whose_removal_is_recorded_is_not_gone_again() -> None:
    known = [
        KnownFile("a", "1" * 64, present=True),
        KnownFile("b", "1" * 64, present=False),
    ]
    assert [file.path for file in differences(known, []).gone] == ["a"]


def test_a_passing_file_counts_only_where_it_has_a_history() -> None:
    assert not differences([], [found("page.html~")])
    known = [KnownFile("notes.tmp", "2" * 64, present=True)]
    assert differences(known, [found("notes.tmp")]).written == (found("notes.tmp"),)


@given(KNOWN, FOUND)
def test_what_was_recorded_is_no_difference_any_more(
    known: list[KnownFile], now: list[FoundNow]
) -> None:
    told = differences(known, now)
    after = {file.path: file for file in known}
    for file in told.written:
        after[file.path] = KnownFile(file.path, file.digest, present=True)
    for lost in told.gone:
        after[lost.path] = KnownFile(lost.path, lost.digest, present=False)
    assert not differences(after.values(), now)


@given(KNOWN, FOUND)
def test_two_looks_that_agree_settle_everything(
    known: list[KnownFile], now: list[FoundNow]
) -> None:
    told = differences(known, now)
    assert settled(told, told) == told


@given(KNOWN, FOUND, FOUND)
def test_only_what_both_looks_tell_is_settled(
    known: list[KnownFile], first: list[FoundNow], second: list[FoundNow]
) -> None:
    one, two = differences(known, first), differences(known, second)
    both = settled(one, two)
    assert set(both.written) == set(one.written) & set(two.written)
    assert set(both.gone) == set(one.gone) & set(two.gone)


def test_a_file_that_is_still_being_written_is_not_settled() -> None:
    empty = found("a.html", "0" * 64)
    grown = found("a.html", "1" * 64, "2026-01-01T00:00:01.000Z")
    one, two = Differences((empty,)), Differences((grown,))
    assert not settled(one, two)
    assert settled(two, two).written == (grown,)
