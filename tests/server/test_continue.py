"""Runs that were cut, continued over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.served import FREE, Served, served_whole
from vitrail.errors import SetupError
from vitrail.protocol.recording import (
    RECORDING_SUFFIX,
    Recording,
    RecordingHead,
    RecordingLine,
    write_recording,
)
from vitrail.server.settings import read_settings

OPEN = '<artifact identifier="page" type="text/html" title="Page">'
WHOLE = (
    "<!doctype html>\n<html lang=en><title>T</title><body>\n"
    + "".join(f"<p>Paragraph {n} of a long page.</p>\n" for n in range(200))
    + "</body></html>\n"
)


def keep(folder: Path, name: str, text: str, end: str) -> None:
    """Write a recording of a reply that ends so."""
    head = RecordingHead(
        name=name,
        title=name,
        prompt="A page",
        agent="openai",
        recorded_at="2026-01-01T00:00:00.000Z",
    )
    last = RecordingLine.model_validate({"t": 0, "end": end})
    recording = Recording(head, (RecordingLine(t=0, text=text), last))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}{RECORDING_SUFFIX}").write_text(write_recording(recording))


@pytest.fixture
async def whole(tmp_path: Path) -> AsyncIterator[Served]:
    recordings = tmp_path / "data" / "recordings"
    async with served_whole(tmp_path / "data", FREE) as running:
        keep(recordings, "cut", f"{OPEN}{WHOLE[:3_000]}", "length")
        keep(recordings, "rest", f"{WHOLE[2_960:]}</artifact>\nDone.", "done")
        yield running


async def over(server: Served, run: str) -> dict[str, Any]:
    """Return a run when it is over."""
    async with asyncio.timeout(20):
        while True:
            page = (await server.client.get(f"/api/runs/{run}")).json()
            if page["run"]["state"] != "running":
                return dict(page)
            await asyncio.sleep(0)


async def cut_run(server: Served) -> tuple[str, str]:
    """Return the ids of a project and of a run in it that was cut."""
    client = server.client
    project = (await client.post("/api/projects", json={"title": "Site"})).json()["id"]
    made = await client.post(f"/api/projects/{project}/conversations", json={})
    answer = await client.post(
        f"/api/conversations/{made.json()['id']}/runs",
        json={"text": "A page", "agent": "replay", "recording": "cut"},
    )
    assert answer.status_code == 202, answer.text
    run = answer.json()["run"]["id"]
    assert (await over(server, run))["run"]["reason"] == "length"
    return project, run


async def test_a_click_continues_what_was_cut(whole: Served) -> None:
    project, run = await cut_run(whole)
    answer = await whole.client.post(
        f"/api/runs/{run}/continue", json={"recording": "rest"}
    )
    assert answer.status_code == 202, answer.text
    started = answer.json()
    assert started["userMessageId"] is None
    page = await over(whole, started["run"]["id"])
    assert page["run"]["reason"] == "done"
    assert WHOLE[1_000:3_000] in page["prompt"][-1]["content"]
    listed = (await whole.client.get(f"/api/projects/{project}")).json()["files"]
    assert [(file["path"], file["number"]) for file in listed] == [("page.html", 2)]
    assert listed[0]["size"] == len(WHOLE)
    again = await whole.client.post(f"/api/runs/{run}/continue")
    assert (again.status_code, again.json()["code"]) == (409, "nothing-to-continue")


async def test_what_is_not_there_cannot_be_continued(whole: Served) -> None:
    answer = await whole.client.post("/api/runs/missing/continue")
    assert (answer.status_code, answer.json()["code"]) == (404, "run-not-found")
    _, run = await cut_run(whole)
    wrong = await whole.client.post(f"/api/runs/{run}/continue", json={"continues": 4})
    assert wrong.status_code == 422


@pytest.mark.parametrize(("said", "count"), [("", 0), ("0", 0), ("3", 3)])
def test_the_setting_says_how_often_it_goes_on_by_itself(said: str, count: int) -> None:
    assert read_settings({"VITRAIL_CONTINUE": said}).continues == count


@pytest.mark.parametrize("said", ["4", "-1", "often", "²"])
def test_a_setting_that_cannot_be_used_is_told(said: str) -> None:
    with pytest.raises(SetupError, match="VITRAIL_CONTINUE"):
        read_settings({"VITRAIL_CONTINUE": said})
