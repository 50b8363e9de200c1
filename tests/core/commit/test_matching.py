"""Which files were renamed: by their bytes, then by what their texts share."""

from __future__ import annotations

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.commit.matching import FileTrace, match_renames


def trace(path: str, text: str) -> FileTrace:
    content = text.encode()
    return FileTrace(path, len(content), sha256(content).hexdigest(), text)


def renames(removed: dict[str, str], added: dict[str, str]) -> dict[str, str]:
    found = match_renames(
        [trace(*item) for item in removed.items()],
        [trace(*item) for item in added.items()],
    )
    return {rename.old: rename.new for rename in found}


PAGE = "<h1>Title</h1>\n<p>first words</p>\n<p>more words</p>\n<p>last words</p>\n"


def test_equal_bytes_are_a_rename():
    assert renames({"a.html": PAGE}, {"b/a.html": PAGE}) == {"a.html": "b/a.html"}


def test_of_equal_files_those_of_one_name_belong_together():
    removed = {"x/one.css": "same", "x/two.css": "same", "x/three.css": "same"}
    added = {"y/two.css": "same", "y/four.css": "same", "y/one.css": "same"}
    assert renames(removed, added) == {
        "x/one.css": "y/one.css",
        "x/two.css": "y/two.css",
        "x/three.css": "y/four.css",
    }


def test_an_empty_file_is_no_evidence_but_by_its_name():
    assert renames({"a.txt": ""}, {"b.txt": ""}) == {}
    assert renames({"a.txt": ""}, {"x/a.txt": ""}) == {"a.txt": "x/a.txt"}


def test_a_changed_text_is_known_again():
    changed = PAGE.replace("last", "final")
    assert renames({"a.html": PAGE}, {"b.html": changed}) == {"a.html": "b.html"}


def test_a_page_on_one_line_is_known_again():
    one = PAGE.replace("\n", "")
    changed = one.replace("last", "final")
    assert renames({"a.html": one}, {"b.html": changed}) == {"a.html": "b.html"}


def test_a_different_text_is_another_file():
    other = "<h1>Other</h1>\n<ul>\n<li>nothing of it</li>\n</ul>\n"
    assert renames({"a.html": PAGE}, {"b.html": other}) == {}


def test_the_most_alike_pair_is_taken():
    near, far = (
        PAGE.replace("last", "final"),
        PAGE.replace("last", "x").replace("more", "y"),
    )
    assert renames({"a.html": PAGE}, {"far.html": far, "near.html": near}) == {
        "a.html": "near.html"
    }


def test_what_nobody_read_matches_by_its_digest_only():
    old = FileTrace("a.png", 5, "1" * 64)
    assert match_renames([old], [FileTrace("b.png", 5, "2" * 64)]) == ()
    assert match_renames([old], [FileTrace("b.png", 5, "1" * 64)])[0].likeness == 1.0


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.text("ab;\n", max_size=12)), max_size=6
    ),
    st.lists(
        st.tuples(st.sampled_from("uvwxyz"), st.text("ab;\n", max_size=12)), max_size=6
    ),
)
def test_each_path_is_in_one_rename_at_most(
    removed: list[tuple[str, str]], added: list[tuple[str, str]]
):
    old, new = dict(removed), dict(added)
    found = match_renames(
        [trace(*item) for item in old.items()], [trace(*item) for item in new.items()]
    )
    assert len({rename.old for rename in found}) == len(found)
    assert len({rename.new for rename in found}) == len(found)
    for rename in found:
        same = old[rename.old] == new[rename.new]
        assert (rename.likeness == 1.0) == same
        assert rename.likeness >= 0.5
    left_old = {old[path] for path in old if path not in {r.old for r in found}}
    left_new = {new[path] for path in new if path not in {r.new for r in found}}
    assert not {text for text in left_old & left_new if text}


def test_many_files_that_share_their_boilerplate_cost_their_text():
    shared = "".join(f"<p>line {at}</p>\n" for at in range(20))
    removed = {f"a{at}.html": f"{shared}<h1>{at}</h1>" for at in range(500)}
    added = {f"b{at}.html": f"{shared}<h1>{at}</h1>\n" for at in range(500)}
    assert len(renames(removed, added)) <= 500
