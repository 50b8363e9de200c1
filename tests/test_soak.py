"""The soak's shares: together they are everything, none has a test of another."""

from __future__ import annotations

import pytest

from tests.support.soak import part_of, read_share

NAMES = [f"tests/a/test_{n}.py::test_{m}" for n in range(20) for m in range(20)]


def test_every_test_falls_to_one_part_and_every_part_has_some():
    parts = [part_of(name, 10) for name in NAMES]
    assert set(parts) == set(range(10))
    assert min(parts.count(part) for part in range(10)) > 20


def test_the_part_of_a_name_never_changes():
    assert part_of("tests/test_a.py::test_a", 10) == 9


def test_a_share_is_part_and_parts():
    assert read_share("3/10") == (3, 10)


@pytest.mark.parametrize("wrong", ["", "3", "10/10", "-1/10", "a/b", "1/0", "²/3"])
def test_any_other_share_is_refused(wrong):
    with pytest.raises(ValueError, match="expected I/N"):
        read_share(wrong)
