"""The store and the registry that tests of agents ask."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.agents.registries import registry
from vitrail.adapters.agents.registry import AgentRegistry
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.datafolder import make_data_folder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import CountingIds


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[EmbeddedStore]:
    opened = await open_store(
        make_data_folder(tmp_path), clock=FixedClock(), ids=CountingIds()
    )
    yield opened
    await opened.close()


@pytest.fixture
def agents(store: EmbeddedStore, tmp_path: Path) -> AgentRegistry:
    return registry(store, tmp_path)
