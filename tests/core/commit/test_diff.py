"""Lines and words that changed: applied they give the new text, and nothing runs away."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vitrail.core.commit.diff import (
    DiffLine,
    EndingChange,
    FileDiff,
    apply_hunks,
    diff_lines,
    first_lines,
    word_spans,
)
from vitrail.core.commit.sharing import split_lines
from vitrail.protocol.diagnostics import Span

ENDINGS = ("\n", "\r\n", "\r")

lines = st.lists(
    st.tuples(
        st.text(alphabet="ab <é", max_size=6), st.sampled_from([*ENDINGS, "\n", "\n"])
    ),
    max_size=12,
).map(lambda found: "".join(text + ending for text, ending in found))
texts = st.one_of(
    st.tuples(lines, st.text(alphabet="ab \u2028\x0b", max_size=4)).map("".join),
    st.text(alphabet="ab\r\n", max_size=20),
)


@given(texts, texts, st.integers(0, 4))
@example("a\r\n", "a\n", 3)
@example("a", "a\n", 0)
def test_the_hunks_applied_to_the_old_text_give_the_new(
    old: str, new: str, context: int
):
    diff = diff_lines(old, new, context=context)
    assert apply_hunks(old, diff) == new
    assert diff.added - diff.removed == len(split_lines(new)) - len(split_lines(old))
    check_hunks(diff, old, new)


def check_hunks(diff: FileDiff, old: str, new: str) -> None:
    """Assert that the ranges of the hunks are those of their lines, in both texts."""
    sides = {
        side: [line.rstrip("\r\n") for line in split_lines(text)]
        for side, text in (("removed", old), ("added", new))
    }
    for hunk in diff.hunks:
        ranges = {
            "removed": (hunk.old_start, hunk.old_lines),
            "added": (hunk.new_start, hunk.new_lines),
        }
        for side, (start, count) in ranges.items():
            own = [line.text for line in hunk.lines if line.kind in ("same", side)]
            assert own == sides[side][start : start + count]


@given(texts, texts)
def test_nothing_changed_is_no_hunk_and_the_other_way_round(old: str, new: str):
    diff = diff_lines(old, new)
    assert (old == new) == (not diff.hunks and not diff.endings)


@pytest.mark.parametrize("context", [0, 1, 3])
def test_changes_whose_surroundings_touch_share_a_hunk(context: int):
    numbers = [str(number) for number in range(40)]
    changed = [*numbers]
    changed[10], changed[10 + 2 * context + 1], changed[30] = "x", "y", "z"
    diff = diff_lines("\n".join(numbers), "\n".join(changed), context=context)
    assert len(diff.hunks) == 2
    assert diff.hunks[1].old_start == 30 - context


def test_a_file_that_got_other_line_endings_shows_no_red_line():
    old = "one\ntwo\nthree\n"
    diff = diff_lines(old, old.replace("\n", "\r\n"))
    assert diff == FileDiff(
        (), 0, 0, (EndingChange(0, 3, "\n", "\r\n"),), truncated=False
    )


def test_a_missing_last_line_break_is_told_as_one():
    diff = diff_lines("a\nb", "a\nb\n")
    assert diff.hunks == ()
    assert diff.endings == (EndingChange(1, 2, "", "\n"),)


def test_a_hunk_carries_lines_and_their_changed_words():
    diff = diff_lines("a\nthe old door\nb\n", "a\nthe new door\nb\n", context=1)
    assert diff.hunks[0].lines == (
        DiffLine("same", "a", "\n"),
        DiffLine("removed", "the old door", "\n", ((4, 7),)),
        DiffLine("added", "the new door", "\n", ((4, 7),)),
        DiffLine("same", "b", "\n"),
    )


def test_words_are_found_where_a_line_was_broken_in_two():
    diff = diff_lines("<p>one two three</p>\n", "<p>one\ntwo four</p>\n")
    removed, *added = diff.hunks[0].lines
    assert [removed.text[a:b] for a, b in removed.words] == [" ", "three"]
    assert [line.text[a:b] for line in added for a, b in line.words] == ["four"]


def test_lines_with_little_in_common_show_no_words():
    diff = diff_lines("the cat sat on a mat\n", "never had any of this happened at a\n")
    assert all(line.words == () for line in diff.hunks[0].lines)


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        ("a red door", "a blue door", ["red"], ["blue"]),
        ("width: 10px", "width: 12px", ["10px"], ["12px"]),
        ("图表清晰可读", "图表不可读", ["清晰"], ["不"]),
        ("क्या यह ठीक है", "क्या यह गलत है", ["ठीक"], ["गलत"]),
        ("cafe\u0301 noir", "cafe noir", ["cafe\u0301"], ["cafe"]),
        ("x\u0301 y", "x\u0300 y", ["x\u0301"], ["x\u0300"]),
        ("same", "same", [], []),
        ("", "new", [], []),
    ],
)
def test_words_of_every_script(old: str, new: str, before: list[str], after: list[str]):
    old_spans, new_spans = word_spans(old, new)
    assert [old[a:b] for a, b in old_spans] == before
    assert [new[a:b] for a, b in new_spans] == after


@given(texts, texts)
def test_word_spans_leave_the_same_rest(old: str, new: str):
    old_spans, new_spans = word_spans(old, new)
    if old_spans or new_spans:
        assert without(old, old_spans) == without(new, new_spans)


def without(text: str, spans: tuple[Span, ...]) -> str:
    kept, at = [], 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        kept.append(text[at:start])
        at = end
    return "".join([*kept, text[at:]])


@given(texts, st.integers(0, 30))
def test_the_first_lines_of_a_diff_are_cut_and_say_so(text: str, limit: int):
    diff = diff_lines(text, "c\n" * 12)
    cut = first_lines(diff, limit, max_chars=10_000)
    kept = [line for hunk in cut.hunks for line in hunk.lines]
    every = [line for hunk in diff.hunks for line in hunk.lines]
    assert kept == every[:limit]
    assert cut.truncated == (len(every) > limit or diff.truncated)
    assert (cut.added, cut.removed) == (diff.added, diff.removed)
    check_hunks(cut, text, "c\n" * 12)


def test_the_diff_of_another_text_is_refused():
    with pytest.raises(ValueError, match="old text"):
        apply_hunks("x\n", diff_lines("a\n", "b\n"))
    with pytest.raises(ValueError, match="context"):
        diff_lines("", "", context=-1)


MEGABYTE = 1_000_000
LONG_WORD = "a" * MEGABYTE
LONG_LINE = "word " * (MEGABYTE // 5)
HOSTILE = {
    "equal lines": ("x\n" * 50_000, "x\n" * 50_007),
    "different lines": (
        "".join(f"a{at}\n" for at in range(50_000)),
        "".join(f"b{at}\n" for at in range(50_000)),
    ),
    "interleaved": (
        "".join(f"{at}\n\n" for at in range(25_000)),
        "".join(f"\n{at}\n" for at in range(25_000)),
    ),
    "nine of ten changed": (
        "".join(f"line {at}\n" for at in range(50_000)),
        "".join(f"line {at}{'!' if at % 10 else ''}\n" for at in range(50_000)),
    ),
    "one word": (LONG_WORD + "b", LONG_WORD + "c"),
    "one word, from its end": ("b" + LONG_WORD, "c" + LONG_WORD),
    "one line": (LONG_LINE, LONG_LINE[:500_000] + "x" + LONG_LINE[500_000:]),
    "one line, both ends": ("x" + LONG_LINE + "y", "z" + LONG_LINE + "w"),
    "marks": ("e" + "\u0301" * MEGABYTE, "e" + "\u0301" * MEGABYTE + "\u0300"),
    "spaces": (" " * MEGABYTE + "b", " " * MEGABYTE + "c"),
    "line breaks": ("\r" * 100_000 + "\n", "\r\n" * 50_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_has_a_diff_that_holds(name: str):
    old, new = HOSTILE[name]
    assert apply_hunks(old, diff_lines(old, new)) == new


def test_a_long_line_with_one_change_shows_the_word():
    old, new = HOSTILE["one line"]
    removed, added = diff_lines(old, new).hunks[0].lines
    assert [removed.text[a:b] for a, b in removed.words] == ["word"]
    assert [added.text[a:b] for a, b in added.words] == ["xword"]


def test_words_left_out_for_their_number_are_said():
    old, new = HOSTILE["one line, both ends"]
    diff = diff_lines(old, new)
    assert diff.truncated


def test_the_first_lines_of_a_diff_are_cut_where_they_are_too_long_together():
    diff = diff_lines("a\n" * 9 + "b\n", "long " * 30 + "\n" + "a\n" * 9 + "c\n")
    whole = first_lines(diff, 100, max_chars=10_000)
    cut = first_lines(diff, 100, max_chars=152)
    assert whole == diff
    assert cut.truncated
    assert sum(len(line.text) for hunk in cut.hunks for line in hunk.lines) <= 152
    assert (cut.added, cut.removed) == (diff.added, diff.removed)


@given(texts, texts, texts, texts, st.integers(0, 3))
def test_equal_lines_around_two_texts_move_their_diff_and_change_nothing(
    head: str, old: str, new: str, tail: str, context: int
):
    head = "first\n" * 5 + head.replace("\r", "\n") + "\nx\n"
    tail = "\ny\n" + tail + "\nlast" * 5
    diff = diff_lines(head + old + tail, head + new + tail, context=context)
    assert apply_hunks(head + old + tail, diff) == head + new + tail
    check_hunks(diff, head + old + tail, head + new + tail)
    for hunk in diff.hunks:
        changed = [at for at, line in enumerate(hunk.lines) if line.kind != "same"]
        assert changed[0] <= context
        assert len(hunk.lines) - 1 - changed[-1] <= context


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", " "])
def test_a_long_text_with_one_change_is_read_only_where_it_changed(ending: str):
    half = f"one line of the text{ending}" * 100_000
    old, new = half + f"here{ending}" + half, half + f"there{ending}" + half
    made: list[FileDiff] = []
    assert calls_of(lambda: made.append(diff_lines(old, new))) < 3_000
    assert (made[0].added, made[0].removed) == (1, 1)


def calls_of(work: Callable[[], object]) -> int:
    """Return how many functions are called while something is done, in Python and in C."""
    count = 0

    def counted(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("context", [0, 1])
def test_every_pair_of_the_shortest_texts_is_told_apart_as_it_is(context: int) -> None:
    texts = [
        "".join(text) for size in range(4) for text in product("a\n\r", repeat=size)
    ]
    for old, new in product(texts, texts):
        assert apply_hunks(old, diff_lines(old, new, context=context)) == new
