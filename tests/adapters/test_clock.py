"""Clocks and ids: the machine's, and those that tests set."""

from __future__ import annotations

from datetime import UTC, timedelta
from itertools import pairwise
from uuid import UUID

from vitrail.adapters.clock import FixedClock, SystemClock
from vitrail.adapters.ids import CountingIds, UuidIds


def test_the_machine_s_clock_says_utc_and_goes_on() -> None:
    clock = SystemClock()
    assert clock.now().tzinfo is UTC
    assert clock.now() <= clock.now()


def test_a_fixed_clock_goes_on_when_it_is_told() -> None:
    clock = FixedClock()
    before = clock.now()
    assert clock.now() == before
    clock.advance(90)
    assert clock.now() - before == timedelta(seconds=90)


def test_ids_are_uuids_of_version_7_that_sort_by_when_they_were_made() -> None:
    for ids in (UuidIds(), CountingIds()):
        made = [ids.new() for _ in range(100)]
        assert {UUID(one).version for one in made} == {7}
        assert all(older < newer for older, newer in pairwise(made))
