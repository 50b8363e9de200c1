"""What every test has: hypothesis profiles, loopback only, and the soak's shares."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.support.loopback import attempts_to_leave, keep_to_loopback
from tests.support.soak import part_of, read_share

# Timings belong to bench/, so no test has a deadline. A submission is judged by examples that
# anyone gets again; at a desk each run tries new ones.
settings.register_profile("desk", deadline=None, print_blob=True)
settings.register_profile(
    "submission", deadline=None, print_blob=True, derandomize=True, database=None
)
settings.register_profile(
    "soak",
    deadline=None,
    print_blob=True,
    max_examples=2_000,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("submission" if os.environ.get("CI") else "desk")

keep_to_loopback()


@pytest.fixture(autouse=True)
def _stays_on_loopback() -> Iterator[None]:
    """Fail a test whose code tried to reach another machine, even if it caught the refusal."""
    attempts_to_leave.clear()
    yield
    if attempts_to_leave:
        tried = ", ".join(sorted(set(attempts_to_leave)))
        attempts_to_leave.clear()
        pytest.fail(f"tried to reach {tried}; tests stay on loopback", pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("soak")
    group.addoption(
        "--soak-share",
        default="0/1",
        metavar="I/N",
        help="of the chosen tests, those whose name falls to part I of N (from 0)",
    )
    group.addoption(
        "--soak-budget-s",
        type=float,
        default=0,
        metavar="SECONDS",
        help="start no test later than this (0: no such end)",
    )


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    try:
        part, parts = read_share(config.getoption("--soak-share"))
    except ValueError as cause:
        raise pytest.UsageError(f"--soak-share: {cause}") from cause
    if parts == 1:
        return
    mine = [item for item in items if part_of(item.nodeid, parts) == part]
    config.hook.pytest_deselected(items=[item for item in items if item not in mine])
    items[:] = mine


_began = time.monotonic()


def pytest_runtest_setup(item: pytest.Item) -> None:
    budget_s: float = item.config.getoption("--soak-budget-s")
    if budget_s and time.monotonic() - _began > budget_s:
        pytest.skip(f"the soak's budget of {budget_s:g} s is used up")
