"""Fixtures of the browser tests: `tests.support.chromium` says how they work.

A browser test is an ``async def`` with the ``browser`` mark:

    @pytest.mark.browser
    async def test_the_workspace_opens(workspace: Page) -> None: ...
"""

from __future__ import annotations

import pytest

from tests.support.chromium import (
    browser,
    chromium_path,
    context,
    on_one_loop,
    one_chromium,
    page,
    serve,
    server,
    server_forks,
    workspace,
)

__all__ = [
    "browser",
    "chromium_path",
    "context",
    "one_chromium",
    "page",
    "serve",
    "server",
    "server_forks",
    "workspace",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    on_one_loop(items)
