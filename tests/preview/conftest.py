"""Fixtures of the preview tests: the browser, the preview site, a listener."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.support import preview
from tests.support.chromium import (
    browser,
    chromium_path,
    context,
    on_one_loop,
    one_chromium,
    page,
)
from tests.support.preview import Listener, PreviewRig

__all__ = ["browser", "chromium_path", "context", "one_chromium", "page"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    on_one_loop(items)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def rig() -> AsyncIterator[PreviewRig]:
    async with preview.rig() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def listener() -> AsyncIterator[Listener]:
    async with preview.listener() as running:
        yield running
