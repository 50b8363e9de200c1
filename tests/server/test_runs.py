"""Runs through the whole server: played, resumed in tabs, stopped, restarted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.served import FREE, Served, served_whole
from tests.server.streams import EventStream, Frame


@pytest.fixture
async def whole(tmp_path: Path) -> AsyncIterator[Served]:
    async with served_whole(tmp_path / "data", FREE) as running:
        yield running


async def begin(server: Served, **run: Any) -> dict[str, Any]:
    """Start a run in a new project; return its ids."""
    client = server.client
    project = (await client.post("/api/projects", json={"title": "Site"})).json()
    conversation = (
        await client.post(f"/api/projects/{project['id']}/conversations", json={})
    ).json()
    answer = await client.post(
        f"/api/conversations/{conversation['id']}/runs",
        json={"text": "A page", "agent": "replay", "recording": "landing-page", **run},
    )
    assert answer.status_code == 202, answer.text
    return {
        "project": project,
        "conversation": conversation["id"],
        "run": answer.json()["run"]["id"],
        "seq": answer.json()["seq"],
    }


class Tab:
    """One open tab: what it has been sent, in order."""

    def __init__(self, server: Served, after: int) -> None:
        self._server = server
        self.after = after
        self.frames: list[Frame] = []

    async def read(self, *, until: str, count: int = 1) -> list[Frame]:
        """Read until so many events of that type came, then hang up."""
        stream = await EventStream.open(
            self._server.runtime.settings.port, self._server.token, last_id=self.after
        )
        fresh: list[Frame] = []
        async with asyncio.timeout(30):
            async for frame in stream.frames():
                fresh.append(frame)
                count -= frame.data["event"]["type"] == until
                if not count:
                    break
        await stream.close()
        assert fresh[-1].id is not None
        self.after = fresh[-1].id
        self.frames += fresh
        return fresh


def types(frames: list[Frame]) -> list[str]:
    return [frame.data["event"]["type"] for frame in frames]


async def test_a_recording_becomes_a_file_and_a_conversation(whole: Served) -> None:
    ids = await begin(whole, speed=1000)
    tab = Tab(whole, 0)
    seen = await tab.read(until="run:end")
    assert {"run:start", "artifact:start", "artifact:end", "artifact:saved"} <= set(
        types(seen)
    )
    page = (await whole.client.get(f"/api/conversations/{ids['conversation']}")).json()
    assert page["activeRun"] is None
    assert [message["role"] for message in page["messages"]] == ["user", "assistant"]
    parts = page["messages"][1]["parts"]
    (artifact,) = [part for part in parts if part["type"] == "artifact"]
    assert artifact["state"] == "complete"
    saved = artifact["saved"]
    answer = await whole.client.get(
        f"/api/projects/{ids['project']['id']}/files/{saved['path']}"
    )
    assert answer.text == artifact["text"]
    assert answer.headers["etag"] == f'"{saved["digest"]}"'

    run = (await whole.client.get(f"/api/runs/{ids['run']}")).json()
    assert run["run"]["state"] == "done"
    assert [message["role"] for message in run["prompt"]][-1] == "user"

    preview = await whole.client.post(
        f"/api/projects/{ids['project']['id']}/previews", json={"path": saved["path"]}
    )
    assert preview.status_code == 201, preview.text
    kept = await whole.client.post(f"/api/previews/{preview.json()['capability']}/keep")
    assert kept.status_code == 200
    shown = await whole.anyone.get(preview.json()["fallbackUrl"])
    assert shown.status_code == 200
    assert "sandbox" in shown.headers["content-security-policy"]

    recording = await whole.client.get(f"/api/runs/{ids['run']}/recording")
    assert recording.headers["content-disposition"].startswith("attachment; ")
    assert '"vitrail":"recording"' in recording.text.replace(" ", "")
    example = await whole.client.post(f"/api/runs/{ids['run']}/recording")
    assert example.status_code == 201
    examples = (await whole.client.get("/api/examples")).json()
    assert example.json()["name"] in {item["name"] for item in examples}


async def test_two_tabs_resume_and_one_stops_for_both(whole: Served) -> None:
    """Field bug 27."""
    ids = await begin(whole, speed=1)
    first, second = Tab(whole, ids["seq"]), Tab(whole, ids["seq"])
    await first.read(until="artifact:chunk", count=3)
    await second.read(until="artifact:chunk", count=2)

    reads = asyncio.gather(first.read(until="run:end"), second.read(until="run:end"))
    stopped = await whole.client.post(f"/api/runs/{ids['run']}/stop")
    assert stopped.json()["state"] == "stopped"
    await reads
    again = await whole.client.post(f"/api/runs/{ids['run']}/stop")
    assert again.json() == stopped.json()

    for tab in (first, second):
        numbers = [frame.data["seq"] for frame in tab.frames]
        assert numbers == sorted(set(numbers))
        assert tab.frames[-1].data["event"]["reason"] == "stopped"
    assert first.frames == second.frames

    (end,) = [f for f in first.frames if f.data["event"]["type"] == "artifact:end"]
    assert end.data["event"]["complete"] is False
    assert end.data["event"]["reason"] == "stopped"
    page = (await whole.client.get(f"/api/conversations/{ids['conversation']}")).json()
    (artifact,) = [p for p in page["messages"][1]["parts"] if p["type"] == "artifact"]
    assert artifact["state"] == "cut"
    assert artifact["saved"]["status"] == "error"


async def test_a_conversation_that_is_read_in_the_middle_continues_at_its_number(
    whole: Served,
) -> None:
    ids = await begin(whole, speed=20)
    await Tab(whole, ids["seq"]).read(until="artifact:chunk", count=3)
    page = (await whole.client.get(f"/api/conversations/{ids['conversation']}")).json()
    (before,) = [p for p in page["messages"][1]["parts"] if p["type"] == "artifact"]
    later = Tab(whole, page["seq"])
    await later.read(until="run:end")
    more = "".join(
        frame.data["event"]["delta"]
        for frame in later.frames
        if frame.data["event"]["type"] == "artifact:chunk"
    )
    page = (await whole.client.get(f"/api/conversations/{ids['conversation']}")).json()
    (after,) = [p for p in page["messages"][1]["parts"] if p["type"] == "artifact"]
    assert before["text"] + more == after["text"]


async def test_a_restart_in_the_middle_leaves_a_usable_conversation(
    tmp_path: Path,
) -> None:
    async with served_whole(tmp_path / "data", FREE) as server:
        ids = await begin(server, speed=1)
        tab = Tab(server, ids["seq"])
        await tab.read(until="artifact:chunk", count=2)
    async with served_whole(tmp_path / "data", FREE) as server:
        run = (await server.client.get(f"/api/runs/{ids['run']}")).json()
        assert run["run"]["state"] == "interrupted"
        page = (
            await server.client.get(f"/api/conversations/{ids['conversation']}")
        ).json()
        assert page["activeRun"] is None
        (artifact,) = [
            part for part in page["messages"][1]["parts"] if part["type"] == "artifact"
        ]
        assert artifact["state"] == "cut"
        answer = await server.client.post(
            f"/api/conversations/{ids['conversation']}/runs",
            json={"text": "Again", "recording": "landing-page", "speed": 1000},
        )
        assert answer.status_code == 202
        again = Tab(server, page["seq"])
        await again.read(until="run:end")
        assert again.frames[-1].data["event"]["reason"] == "done"


async def test_a_second_server_leaves_the_runs_of_the_first_alone(
    tmp_path: Path,
) -> None:
    async with served_whole(tmp_path / "data", FREE) as one:
        ids = await begin(one, speed=1)
        async with served_whole(tmp_path / "data", FREE) as two:
            run = (await two.client.get(f"/api/runs/{ids['run']}")).json()
            assert run["run"]["state"] == "running"
            await Tab(two, ids["seq"]).read(until="artifact:chunk", count=2)
        stopped = await one.client.post(f"/api/runs/{ids['run']}/stop")
        assert stopped.json()["state"] == "stopped"


@pytest.mark.parametrize(
    ("run", "status", "code"),
    [
        ({"recording": "none-such"}, 404, "recording-not-found"),
        ({"agent": "nobody"}, 404, "agent-not-found"),
        ({"agent": "openai", "recording": None}, 409, "agent-not-configured"),
        ({"text": ""}, 422, "unprocessable"),
        ({"speed": 0}, 422, "unprocessable"),
    ],
)
async def test_a_run_that_cannot_begin_leaves_nothing(
    whole: Served, run: dict[str, Any], status: int, code: str
) -> None:
    project = (await whole.client.post("/api/projects", json={"title": "S"})).json()
    conversation = (
        await whole.client.post(f"/api/projects/{project['id']}/conversations", json={})
    ).json()
    path = f"/api/conversations/{conversation['id']}"
    answer = await whole.client.post(
        f"{path}/runs",
        json={"text": "A page", "recording": "landing-page", **run},
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    page = (await whole.client.get(path)).json()
    assert page["messages"] == []


async def test_one_run_at_a_time_and_what_runs_is_not_deleted(whole: Served) -> None:
    ids = await begin(whole, speed=1)
    path = f"/api/conversations/{ids['conversation']}"
    second = await whole.client.post(
        f"{path}/runs", json={"text": "x", "recording": "landing-page"}
    )
    assert (second.status_code, second.json()["code"]) == (409, "run-active")
    for target in (path, f"/api/projects/{ids['project']['id']}"):
        gone = await whole.client.delete(target)
        assert (gone.status_code, gone.json()["code"]) == (409, "run-active")
    recording = await whole.client.get(f"/api/runs/{ids['run']}/recording")
    assert (recording.status_code, recording.json()["code"]) == (409, "run-active")
    await whole.client.post(f"/api/runs/{ids['run']}/stop")
    assert (await whole.client.delete(path)).status_code == 204


async def test_a_key_is_never_shown_whole(whole: Served) -> None:
    key = "sk-test-0123456789abcdef"
    answer = await whole.client.put(
        "/api/settings/model",
        json={"apiKey": key, "baseUrl": "http://127.0.0.1:9/v1", "model": "small"},
    )
    assert answer.status_code == 200
    assert answer.json()["keyHint"] == key[-4:]
    for path in ("/api/settings/model", "/api/agents", "/api/status", "/api/examples"):
        assert key not in (await whole.client.get(path)).text
    tried = await whole.client.post("/api/agents/test", json={"agent": "openai"})
    assert tried.json()["ok"] is False
    assert tried.json()["code"] == "agent-unreachable"
    assert key not in tried.text
    assert key.encode() not in (whole.data.path / "vitrail.db").read_bytes()
