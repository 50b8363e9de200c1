"""A data folder of its own for every test, and the store on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import DataFolder, make_data_folder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import CountingIds
from vitrail.ports import PutProject
from vitrail.protocol.records import Project


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return make_data_folder(tmp_path / "data")


@pytest.fixture
async def store(data: DataFolder) -> AsyncIterator[EmbeddedStore]:
    opened = await open_store(data, clock=SystemClock(), ids=CountingIds())
    yield opened
    await opened.close()


@pytest.fixture
async def project(store: EmbeddedStore) -> Project:
    made = Project(
        id="p1",
        name="site",
        title="Site",
        created_at="2026-01-01T00:00:00.000Z",
        updated_at="2026-01-01T00:00:00.000Z",
    )
    await store.apply([PutProject(made)])
    return made
