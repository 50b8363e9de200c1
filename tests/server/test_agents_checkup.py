"""What the doctor says of models: which are set up, what is wrong, and nothing of a key."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from tests.server.served import FREE, served_whole
from vitrail.server.checkup import Finding, examine
from vitrail.server.settings import ModelEnvironment, Settings

KEY = "sk-ant-0123456789abcdefghij"


async def models(data: Path, settings: Settings = FREE) -> Finding:
    found = [finding async for finding in examine(settings, data)]
    assert KEY not in str(found)
    return next(finding for finding in found if finding.name == "Models")


def test_a_machine_without_a_model_is_told_how_to_connect_one(tmp_path: Path) -> None:
    found = asyncio.run(models(tmp_path / "data"))
    assert (found.state, found.mend) == ("limited", "vitrail serve, then Models")
    assert not any(tmp_path.iterdir())  # nothing was made


async def test_what_is_set_up_is_told_with_the_place_of_its_key(tmp_path: Path) -> None:
    told = ModelEnvironment(model="g", api_key=KEY, key_name="OPENAI_API_KEY")
    settings = replace(FREE, model=told)
    async with served_whole(tmp_path / "data", FREE) as server:
        body = {"baseUrl": "https://gateway.example/ant", "model": "c", "apiKey": KEY}
        await server.client.put("/api/providers/anthropic", json=body)
        command = {"command": ["llm", "-m", "x"]}
        await server.client.put("/api/providers/command", json=command)
        while_served = await models(server.data.path, settings)
    found = await models(tmp_path / "data", settings)
    assert while_served == found
    assert found.state == "ok"
    assert found.found.split("; ")[:2] == [
        "OpenAI-compatible server: g at api.openai.com, key from OPENAI_API_KEY",
        "Anthropic: c at gateway.example, key from secrets.json",
    ]


async def test_settings_that_cannot_be_used_are_told_and_not_raised(
    tmp_path: Path,
) -> None:
    told = ModelEnvironment(anthropic=ModelEnvironment(base_url="nonsense"))
    found = await models(tmp_path / "data", replace(FREE, model=told))
    assert found.state == "limited"
    assert "environment" in found.found
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "vitrail.db").write_text("no database " * 100)
    found = await models(tmp_path / "broken")
    assert (found.state, found.found) == (
        "limited",
        "the data folder's settings cannot be read",
    )
