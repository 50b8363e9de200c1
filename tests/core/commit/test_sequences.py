"""What two sequences have in common: right, least where small, bounded always."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.commit.sequences import (
    Common,
    Run,
    changes_of,
    common_runs,
    slide_changes,
)

LOOKS = 40
"""Tokens looked at for each token there is, at most; the greedy search has 8 of them."""


def check(old: Sequence[Hashable], new: Sequence[Hashable]) -> Common:
    """Assert what every answer has to keep, and return it."""
    common = common_runs(old, new)
    check_runs(common.runs, old, new)
    assert common.looked_at <= LOOKS * (len(old) + len(new)) + 600
    return common


def check_runs(
    runs: Sequence[Run], old: Sequence[Hashable], new: Sequence[Hashable]
) -> None:
    old_end = new_end = 0
    for at, run in enumerate(runs):
        assert run.length > 0
        assert run.old >= old_end
        assert run.new >= new_end
        assert at == 0 or run.old > old_end or run.new > new_end
        old_end, new_end = run.old + run.length, run.new + run.length
        assert list(old[run.old : old_end]) == list(new[run.new : new_end])
    assert old_end <= len(old)
    assert new_end <= len(new)


def least(old: str, new: str) -> int:
    """Return the length of the longest common subsequence, by the textbook's table."""
    row = [0] * (len(new) + 1)
    for one in old:
        diagonal = 0
        for at, other in enumerate(new, 1):
            above = row[at]
            row[at] = diagonal + 1 if one == other else max(above, row[at - 1])
            diagonal = above
    return row[-1]


few = st.text(alphabet="ab", max_size=40)
some = st.text(alphabet="abcdefgh", max_size=60)


@given(st.one_of(few, some), st.one_of(few, some))
def test_runs_are_equal_rising_and_apart(old: str, new: str):
    check(old, new)


@given(few, few)
def test_without_unique_tokens_nothing_is_smaller(old: str, new: str):
    # unique tokens are seams for a reader, at the price of a token now and then
    common = check(old * 2, new * 2)
    assert common.is_least
    unique = {c for c in "ab" if (old * 2).count(c) == 1}
    assert not unique
    assert sum(run.length for run in common.runs) == least(old * 2, new * 2)


@given(some)
def test_a_sequence_has_all_of_itself_in_common(text: str):
    runs = check(text, text).runs
    assert runs == ((Run(0, 0, len(text)),) if text else ())


@given(some, some)
def test_changes_are_what_lies_between_the_runs(old: str, new: str):
    runs = common_runs(old, new).runs
    made, at = [], 0
    for old_start, old_end, new_start, new_end in changes_of(runs, len(old), len(new)):
        made += [old[at:old_start], new[new_start:new_end]]
        at = old_end
    assert "".join([*made, old[at:]]) == new


@given(some, some, st.integers())
def test_a_slid_change_is_as_true_as_before(old: str, new: str, seed: int):
    ranks = random.Random(seed)
    runs = common_runs(old, new).runs
    slid = slide_changes(runs, old, new, lambda *_: ranks.randrange(5))
    check_runs(slid, old, new)
    assert sum(r.length for r in slid) == sum(r.length for r in runs)


def test_a_change_slides_to_where_it_reads_best():
    old = ["<li>", "a", "</li>", "<li>", "b", "</li>"]
    new = ["<li>", "x", "</li>", *old]
    runs = common_runs(old, new).runs
    assert changes_of(runs, 6, 9) == ((1, 1, 1, 4),)
    slid = slide_changes(
        runs, old, new, lambda side, start, _: int(side[start] == "<li>")
    )
    assert changes_of(slid, 6, 9) == ((0, 0, 0, 3),)


def random_lines(count: int, kinds: int, seed: int) -> list[int]:
    chance = random.Random(seed)
    return [chance.randrange(kinds) for _ in range(count)]


def ruler(count: int, leaf: int) -> list[int]:
    """Return marks of which one more level is unique each time a piece is divided."""
    return [(at & -at).bit_length() if at % 2 == 0 else leaf for at in range(1, count)]


COUNT = 20_000
HOSTILE = {
    "all equal": ([1] * COUNT, [1] * (COUNT + 7)),
    "equal but the ends": ([2, *[1] * COUNT, 3], [3, *[1] * COUNT, 2]),
    "all different": (list(range(COUNT)), list(range(COUNT, 2 * COUNT))),
    "reversed": (list(range(COUNT)), list(range(COUNT))[::-1]),
    "interleaved": (
        [at // 2 if at % 2 else 0 for at in range(COUNT)],
        [0 if at % 2 else at // 2 for at in range(COUNT)],
    ),
    "two kinds": (random_lines(COUNT, 2, 1), random_lines(COUNT, 2, 2)),
    "twenty kinds": (random_lines(COUNT, 20, 1), random_lines(COUNT, 20, 2)),
    "each twice, shuffled": (
        [at // 2 for at in range(COUNT)],
        random.Random(1).sample([at // 2 for at in range(COUNT)], COUNT),
    ),
    "shuffled": (list(range(COUNT)), random.Random(1).sample(range(COUNT), COUNT)),
    "unique one level at a time": (ruler(COUNT, -1), ruler(COUNT, -2)),
    "short against long": ([1, 2] * 10, [2, 1, 1] * COUNT),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_sequences_cost_as_much_as_their_length(name: str):
    old, new = HOSTILE[name]
    check(old, new)
    check(new, old)


def test_what_was_cut_short_says_so():
    old, new = HOSTILE["twenty kinds"]
    assert not common_runs(old, new).is_least


def test_a_small_change_of_a_text_that_repeats_is_found_whole():
    old = list(range(50)) * 400
    new = [*old[:7_000], 99, *old[7_000:12_000], *old[12_003:], 98]
    common = check([97, *old], new)
    assert common.is_least
    assert sum(run.length for run in common.runs) == len(old) - 3
