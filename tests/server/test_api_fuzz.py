"""What the API answers to anything, against its own description."""

from __future__ import annotations

import asyncio
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its dependencies, at import
    import requests
    import schemathesis
    from schemathesis import GenerationMode
    from schemathesis.checks import CHECKS, load_all_checks

from tests.server.served import FREE, Served, served_whole
from vitrail.server.settings import ModelEnvironment

load_all_checks()
for _bytes in ("application/x-ndjson", "application/zip"):
    schemathesis.serializer.alias(_bytes, "application/octet-stream")

CHECKED = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
        "unsupported_method",
    ]
)
LEFT_OUT = {
    "/api/events",  # answers for as long as somebody reads
    "/api/agents/test",  # starts whatever program it is told to
}
NOWHERE = replace(FREE, model=ModelEnvironment(base_url="http://127.0.0.1:9/v1"))
"""A model server that is not there, on this machine."""


def fuzz(document: dict[str, Any], url: str, token: str, ids: dict[str, str]) -> int:
    """Call every operation with what fits and what does not; return how many there are."""
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {token}"
    count = 0
    for found in schemathesis.openapi.from_dict(document).get_all_operations():
        operation = found.ok()  # type: ignore[union-attr]  # the description is valid
        if operation.path in LEFT_OUT:
            continue
        count += 1
        real = {name: ids[name] for name in ids if f"{{{name}}}" in operation.path}
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            for parameters in [None, real] if real else [None]:
                one(operation, mode, parameters, session, url)
    session.close()
    return count


def one(
    operation: Any,
    mode: GenerationMode,
    parameters: dict[str, str] | None,
    session: requests.Session,
    url: str,
) -> None:
    strategy = operation.as_strategy(generation_mode=mode, path_parameters=parameters)

    @settings(
        max_examples=6,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def call(case: Any) -> None:
        case.call_and_validate(
            base_url=url, session=session, checks=CHECKED, timeout=20
        )

    call()


@pytest.mark.filterwarnings("default")
async def test_every_answer_is_one_that_the_description_names(tmp_path: Path) -> None:
    async with served_whole(tmp_path / "data", NOWHERE) as server:
        ids = await _ids(server)
        document = (await server.client.get("/openapi.json")).json()
        count = await asyncio.to_thread(fuzz, document, server.url, server.token, ids)
        assert count >= 25
        assert (await server.client.get("/api/status")).status_code == 200


async def _ids(server: Served) -> dict[str, str]:
    client = server.client
    project = (await client.post("/api/projects", json={"title": "Site"})).json()
    conversation = (
        await client.post(f"/api/projects/{project['id']}/conversations", json={})
    ).json()
    started = (
        await client.post(
            f"/api/conversations/{conversation['id']}/runs",
            json={"text": "x", "recording": "svg-mark", "speed": 1000},
        )
    ).json()
    return {
        "project_id": project["id"],
        "conversation_id": conversation["id"],
        "run_id": started["run"]["id"],
        "provider": "openai",
    }
