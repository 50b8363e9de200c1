"""A desk in a data folder of its own, and the writer of its files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.turns import Desk, open_desk
from vitrail.adapters.clock import FixedClock
from vitrail.workflow.write import FileWriter


class MoreIds:
    """Ids that the desk's own do not meet."""

    def __init__(self) -> None:
        self._last = 0

    def new(self) -> str:
        self._last += 1
        return f"f0000000-0000-7000-8000-{self._last:012x}"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
def writer(desk: Desk) -> FileWriter:
    return FileWriter(desk.store, FixedClock(), MoreIds())
