"""The served app for every test of this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.served import Served, served
from tests.server.site import Site
from vitrail.protocol.records import Project


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Served]:
    async with served(tmp_path / "data") as running:
        yield running


@pytest.fixture
async def project(server: Served) -> Project:
    answer = await server.client.post("/api/projects", json={"title": "Site"})
    assert answer.status_code == 201, answer.text
    return Project.model_validate(answer.json())


@pytest.fixture
def site(server: Served, project: Project) -> Site:
    return Site(server, project)
