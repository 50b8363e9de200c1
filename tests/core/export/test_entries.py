"""Names that come in and go out: what cannot be on one disk together is told."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from vitrail.core.export.entries import (
    IncomingEntry,
    clash,
    judge_entries,
    outgoing_names,
    taken_names,
)
from vitrail.core.names import check_name, name_key
from vitrail.limits import MAX_IMPORT_BYTES, MAX_IMPORT_ENTRIES, MAX_IMPORT_FILE_BYTES

names = st.text(st.sampled_from("aAbBéE\u0301./-2"), min_size=1, max_size=9).filter(
    lambda name: check_name(name).ok and check_name(name).name == name
)


def is_on_one_disk(paths: list[str]) -> bool:
    """Whether a disk that knows no case holds every file under a name of its own."""
    keys = [name_key(path) for path in paths]
    folders = {
        key[:at] for key in keys for at in range(len(key)) if key[at : at + 1] == "/"
    }
    return len(set(keys)) == len(keys) and not folders & set(keys)


@given(st.sets(names, max_size=12))
@example({"B", "b", "B-2/2"})
def test_names_that_go_out_are_apart_on_every_disk(paths: set[str]) -> None:
    clear = {
        path
        for path in paths
        if not any(other.startswith(path + "/") for other in paths)
    }
    named = outgoing_names(clear)
    assert set(named) == clear
    assert is_on_one_disk(list(named.values()))
    for path, name in named.items():
        assert name.rpartition("/")[0] == path.rpartition("/")[0]
        if is_on_one_disk(list(clear)):
            assert name == path
    assert named == outgoing_names(sorted(clear, reverse=True))


def test_the_second_of_two_gets_a_number_in_front_of_its_extension() -> None:
    assert outgoing_names(["a.html", "A.html", "a-2.html", "b"]) == {
        "A.html": "A.html",
        "a-2.html": "a-2.html",
        "a.html": "a-3.html",
        "b": "b",
    }
    assert outgoing_names(["x/Read", "x/read", "read"])["x/read"] == "x/read-2"
    assert outgoing_names(["A", "a/b"])["A"] == "A-2"


def test_ten_thousand_spellings_of_one_name_are_named_in_one_pass() -> None:
    spelled = {
        "".join(
            c.upper() if number >> at & 1 else c
            for at, c in enumerate("abcdefghijklmn")
        )
        for number in range(10_000)
    }
    assert is_on_one_disk(list(outgoing_names(spelled).values()))


@given(st.lists(names, max_size=12))
def test_what_comes_in_together_is_apart_on_every_disk(paths: list[str]) -> None:
    judged = judge_entries([IncomingEntry(path, "file", 1) for path in paths])
    came_in = [file.path for file in judged.files]
    if judged.refused:
        assert not is_on_one_disk(came_in) or any(
            one.code == "path-clash" for one in judged.refused
        )
    else:
        assert is_on_one_disk(came_in)
        assert came_in == sorted(paths)


@given(st.sets(names, max_size=8), names)
def test_a_path_clashes_with_what_is_there_or_fits_beside_it(
    paths: set[str], path: str
) -> None:
    if not is_on_one_disk(list(paths)):
        return
    refusal = clash(path, taken_names(sorted(paths)))
    if refusal is None:
        assert is_on_one_disk(sorted({*paths, path}))
    else:
        assert path not in paths


def test_sizes_and_counts_are_limited_together_and_alone() -> None:
    def refused(*entries: IncomingEntry) -> list[str]:
        return [one.code for one in judge_entries(entries).refused]

    assert refused(IncomingEntry("a", "file", MAX_IMPORT_FILE_BYTES)) == []
    assert refused(IncomingEntry("a", "file", MAX_IMPORT_FILE_BYTES + 1)) == [
        "entry-too-large"
    ]
    count = MAX_IMPORT_BYTES // MAX_IMPORT_FILE_BYTES + 1
    many = [IncomingEntry(f"{n}", "file", MAX_IMPORT_FILE_BYTES) for n in range(count)]
    assert refused(*many) == ["archive-too-large"]
    tiny = [IncomingEntry(f"{n}", "file") for n in range(MAX_IMPORT_ENTRIES)]
    assert refused(*tiny) == []
    assert refused(*tiny, IncomingEntry("x", "file")) == ["archive-too-many"]


def test_a_list_of_refusals_ends_somewhere_and_says_how_many_more_there_are() -> None:
    told = judge_entries(
        [IncomingEntry(f"../{n}", "file") for n in range(5000)]
    ).refused
    assert len(told) == 1001
    assert "4000 more" in told[-1].message


def test_a_name_is_told_in_signs_that_a_terminal_and_json_can_carry() -> None:
    (told,) = judge_entries([IncomingEntry("a\x1b[31m\ud800\n", "file")]).refused
    assert told.name == "a\\u001b[31m\\ud800\\u000a"
