"""Providers over HTTP: listed, tried, saved, forgotten, and a run that one answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.server.served import FREE, Served, served_whole
from vitrail.adapters.agents.fake_anthropic import (
    FakeAnthropic,
    messages_error,
    messages_stream,
)
from vitrail.adapters.agents.fake_server import FakeAnswer
from vitrail.server.settings import ModelEnvironment

KEY = "sk-ant-0123456789abcdefghij"
PAGE = "\n<!doctype html>\n<html lang=en><p>A page that is long enough to be saved: 数据 🧪</p></html>\n"
REPLY = f'<artifact identifier="page" type="text/html" title="Page">{PAGE}</artifact>\nDone.'


@pytest.fixture
async def whole(tmp_path: Path) -> AsyncIterator[Served]:
    async with served_whole(tmp_path / "data", FREE) as running:
        yield running


async def connect(whole: Served, server: FakeAnthropic, **more: Any) -> dict[str, Any]:
    body = {"baseUrl": server.base_url, "model": "fake-1", "apiKey": KEY, **more}
    answer = await whole.client.put("/api/providers/anthropic", json=body)
    assert answer.status_code == 200, answer.text
    view: dict[str, Any] = answer.json()
    return view


def of(view: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in view["providers"] if one["name"] == name)


async def ended(whole: Served, run_id: str) -> dict[str, Any]:
    """Return a run as it ended."""
    async with asyncio.timeout(10):
        async for _ in whole.runtime.store.changed():
            run = (await whole.client.get(f"/api/runs/{run_id}")).json()["run"]
            if run["state"] != "running":
                return dict(run)
    pytest.fail("expected the run to end")


async def ask(whole: Served, **run: Any) -> dict[str, Any]:
    project = (await whole.client.post("/api/projects", json={"title": "Site"})).json()
    begun = await whole.client.post(
        f"/api/projects/{project['id']}/conversations", json={}
    )
    conversation = begun.json()["id"]
    started = await whole.client.post(
        f"/api/conversations/{conversation}/runs", json={"text": f"I use {KEY}", **run}
    )
    assert started.status_code == 202, started.text
    return await ended(whole, started.json()["run"]["id"])


async def test_the_list_is_there_before_anything_is_set_up(whole: Served) -> None:
    view = (await whole.client.get("/api/providers")).json()
    assert view["default"] == "replay"
    assert view["defaultIsChosen"] is False
    assert [one["name"] for one in view["providers"]] == [
        "openai",
        "openai-responses",
        "anthropic",
        "ollama",
        "lmstudio",
        "command",
    ]
    assert of(view, "anthropic") == {
        "name": "anthropic",
        "title": "Anthropic",
        "kind": "server",
        "baseUrl": "https://api.anthropic.com/v1",
        "builtInBaseUrl": "https://api.anthropic.com/v1",
        "baseUrlSource": "built-in",
        "model": "",
        "modelSource": "none",
        "wantsKey": True,
        "keyHint": None,
        "keySource": "none",
        "keyPlace": None,
        "keyOrigin": None,
        "command": [],
        "isReady": False,
        "whyNot": "No model is chosen. Choose one in the model settings.",
    }


async def test_a_provider_is_tried_saved_chosen_and_forgotten(whole: Served) -> None:
    client = whole.client
    async with FakeAnthropic(api_key=KEY, models=("fake-1", "b")) as server:
        tried = {"baseUrl": server.base_url, "apiKey": KEY}
        listed = await client.post("/api/providers/anthropic/models", json=tried)
        assert (listed.json()["ok"], listed.json()["models"]) == (True, ["b", "fake-1"])
        verdict = await client.post(
            "/api/providers/anthropic/test", json={**tried, "model": "fake-1"}
        )
        assert (verdict.status_code, verdict.json()["verdict"]) == (200, "works")
        assert isinstance(verdict.json()["tookMs"], int)
        one = of(await connect(whole, server), "anthropic")
        assert (one["isReady"], one["keyHint"], one["keySource"], one["keyPlace"]) == (
            True,
            "ghij",
            "settings",
            "secrets.json",
        )
        saved = await client.post("/api/providers/anthropic/test", json={})
        assert saved.json()["ok"]
    view = (await client.put("/api/providers", json={"default": "anthropic"})).json()
    assert (view["default"], view["defaultIsChosen"]) == ("anthropic", True)
    assert (await client.get("/api/settings/model")).json()["agent"] == "anthropic"
    view = (await client.delete("/api/providers/anthropic")).json()
    assert (view["default"], of(view, "anthropic")["keyHint"]) == ("replay", None)


async def test_a_run_is_answered_by_a_provider_and_no_key_is_stored_or_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    body = messages_stream([REPLY[i : i + 9] for i in range(0, len(REPLY), 9)])
    leak = FakeAnswer(
        (
            messages_stream([f"Your key is {KEY[:9]}", f"{KEY[9:]}."]).rpartition(
                b"event: message_delta"
            )[0]
            + messages_error("api_error", f"{KEY} broke"),
        )
    )
    told: list[str] = []
    async with (
        served_whole(tmp_path / "data", FREE) as whole,
        FakeAnthropic(FakeAnswer((body,)), leak, api_key=KEY) as server,
    ):
        view = await connect(whole, server)
        assert view["default"] == "anthropic"
        done = await ask(whole)
        assert (done["state"], done["agent"], done["model"]) == (
            "done",
            "anthropic",
            "fake-1",
        )
        failed = await ask(whole, agent="anthropic")
        assert failed["state"] == "failed"
        events = await whole.runtime.store.events_after(0)
        told += [str(events), str(view)]
        for path in ("providers", "settings/model", "agents", "projects"):
            told.append((await whole.client.get(f"/api/{path}")).text)
        for run in (done, failed):
            told.append((await whole.client.get(f"/api/runs/{run['id']}")).text)
        saved = [path.name for path in (tmp_path / "data").rglob("page.html")]
    assert saved == ["page.html"]
    assert "[key removed]" in told[0]
    captured = capfd.readouterr()
    for text in (*told, captured.out, captured.err):
        assert KEY not in text
    holders = [
        path.name
        for path in (tmp_path / "data").rglob("*")
        if path.is_file() and KEY.encode() in path.read_bytes()
    ]
    assert holders == ["secrets.json"]


async def test_a_failed_trial_is_a_result_and_not_an_error(whole: Served) -> None:
    async with FakeAnthropic(api_key="another-key-entirely") as server:
        body = {"baseUrl": server.base_url, "model": "fake-1", "apiKey": KEY}
        answer = await whole.client.post("/api/providers/anthropic/test", json=body)
        listed = await whole.client.post("/api/providers/anthropic/models", json=body)
    assert (answer.status_code, answer.json()["verdict"]) == (200, "key-refused")
    assert (listed.status_code, listed.json()["code"]) == (200, "agent-key-refused")
    assert KEY not in answer.text + listed.text
    gone = await whole.client.post("/api/providers/anthropic/test", json=body)
    assert gone.json()["verdict"] == "unreachable"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("PUT", "/anthropic", {"baseUrl": "ftp://x"}, 400, "input-invalid"),
        ("PUT", "/anthropic", {"apiKey": "two words"}, 400, "input-invalid"),
        ("PUT", "/anthropic", {"command": ["x"]}, 400, "input-invalid"),
        ("PUT", "/command", {"model": "m"}, 400, "input-invalid"),
        ("PUT", "/anthropic", {"apikey": KEY}, 422, "unprocessable"),
        ("PUT", "/anthropic", {"model": 5}, 422, "unprocessable"),
        ("PUT", "/anthropic", [], 422, "unprocessable"),
        ("PUT", "/oracle", {}, 404, "agent-not-found"),
        ("DELETE", "/replay", None, 404, "agent-not-found"),
        ("POST", "/oracle/test", {}, 404, "agent-not-found"),
        ("POST", "/oracle/models", {}, 404, "agent-not-found"),
        ("PUT", "", {"default": "oracle"}, 422, "unprocessable"),
        ("PUT", "", {}, 422, "unprocessable"),
    ],
)
async def test_bad_input_is_a_problem_with_a_code(
    whole: Served, method: str, path: str, body: object, status: int, code: str
) -> None:
    before = (await whole.client.get("/api/providers")).json()
    answer = await whole.client.request(method, f"/api/providers{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert KEY not in answer.text
    assert "two words" not in answer.text
    assert (await whole.client.get("/api/providers")).json() == before


async def test_local_servers_are_looked_for_only_when_asked(whole: Served) -> None:
    answer = await whole.client.post("/api/providers/detect")
    assert answer.status_code == 200
    found = answer.json()["servers"]
    assert [one["name"] for one in found] == ["ollama", "lmstudio"]
    assert all(one["baseUrl"].startswith("http://127.0.0.1:") for one in found)
    assert (await whole.client.get("/api/providers/detect")).status_code == 405


async def test_an_environment_s_key_is_named_by_its_variable(tmp_path: Path) -> None:
    told = ModelEnvironment(
        anthropic=ModelEnvironment(
            api_key=KEY, key_name="ANTHROPIC_API_KEY", model="claude"
        )
    )
    async with served_whole(tmp_path / "data", replace(FREE, model=told)) as whole:
        view = (await whole.client.get("/api/providers")).json()
    one = of(view, "anthropic")
    assert (one["keySource"], one["keyPlace"]) == ("environment", "ANTHROPIC_API_KEY")
    assert (one["model"], one["modelSource"]) == ("claude", "environment")
    assert (view["default"], view["defaultIsChosen"]) == ("anthropic", False)
