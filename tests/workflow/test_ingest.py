"""A text that is ingested gives what a live turn gives: names, bytes and manifests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.texts import generated_replies
from tests.support.turns import OneAgent, Stop, open_desk, pieces
from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.datafolder import make_data_folder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import CountingIds
from vitrail.errors import NotFound
from vitrail.protocol.http import IngestResult
from vitrail.workflow.folders import project_in
from vitrail.workflow.ingest import ingest

PAGE = (
    "<!doctype html><html><body><h1>A page of some length, at last</h1></body></html>"
)


def artifact(identifier: str, body: str = PAGE, kind: str = "text/html") -> str:
    return (
        f'<artifact identifier="{identifier}" type="{kind}" title="T">{body}</artifact>'
    )


@dataclass(slots=True)
class Target:
    store: EmbeddedStore
    project_id: str
    folder: Path
    ids: CountingIds

    async def take(self, *chunks: str, reason: str | None = None) -> IngestResult:
        async def come() -> AsyncIterator[str]:
            for chunk in chunks:
                yield chunk

        return await ingest(
            self.store,
            FixedClock(),
            self.ids,
            self.project_id,
            come(),
            reason=reason,
        )


@asynccontextmanager
async def open_target(data: Path) -> AsyncIterator[Target]:
    folder = make_data_folder(data)
    ids = CountingIds()
    store = await open_store(folder, clock=FixedClock(), ids=ids)
    try:
        project = await project_in(
            store,
            FixedClock(),
            ids,
            root="projects/site",
            folder_name="site",
        )
        yield Target(store, project.id, folder.projects / "site", ids)
    finally:
        await store.close()


@pytest.fixture
async def target(tmp_path: Path) -> AsyncIterator[Target]:
    async with open_target(tmp_path / "ingested") as opened:
        yield opened


def on_disk(folder: Path) -> dict[str, Any]:
    """Return all files by name; of manifests what no id and no time is in."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or name.startswith(".vitrail/"):
            continue
        if not name.endswith(".artifact.json"):
            found[name] = path.read_bytes()
            continue
        manifest = json.loads(path.read_bytes())
        for key in ("createdAt", "updatedAt"):
            assert manifest.pop(key)
        for key in ("run", "message"):
            del manifest["metadata"]["origin"][key]
        found[name] = manifest
    return found


async def recorded(name: str) -> str:
    recording = await RecordingShelf().load(name)
    return "".join(line.text or "" for line in recording.lines)


CHAINS = (
    ("landing-page", "landing-page-second-turn"),
    ("six-slide-deck",),
    ("svg-mark",),
    ("markdown-report",),
    ("chart-dashboard",),
    ("two-artifacts",),
    ("protocol-lesson",),
    ("question-form",),
)
ASKING = {("question-form",)}
"""Those that ask, and write no file."""


async def test_every_recording_that_ships_is_in_a_chain() -> None:
    shipped = {example.name for example in await RecordingShelf().examples()}
    assert shipped == {name for chain in CHAINS for name in chain}


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain[-1])
async def test_a_recording_ingested_is_the_recording_played(
    tmp_path: Path, target: Target, chain: tuple[str, ...]
) -> None:
    async with open_desk(tmp_path / "played", OneAgent()) as desk:
        for name in chain:
            run = await desk.ask(recording=name)
            assert run.state == "done"
            result = await target.take(await recorded(name))
            assert result.text == await desk.text()
            assert result.refused == ()
            assert result.quarantined == ()
        assert on_disk(target.folder) == on_disk(desk.folder)
        assert bool(result.saved) == (chain not in ASKING)
        for file in result.saved:
            assert (target.folder / file.path).is_file()


REPLIES = 200
GROUP = 25


@pytest.mark.parametrize("start", range(0, REPLIES, GROUP))
async def test_generated_replies_ingested_are_the_same_replies_in_a_turn(
    tmp_path: Path, target: Target, start: int
) -> None:
    async with open_desk(tmp_path / "turns") as desk:
        for reply in generated_replies(REPLIES)[start : start + GROUP]:
            await desk.say(*pieces(reply, 97))
            result = await target.take(*pieces(reply, 41))
            assert result.saved
            assert result.text == await desk.text()
        assert on_disk(target.folder) == on_disk(desk.folder)


async def test_a_cut_reply_is_the_same_file_in_both(
    tmp_path: Path, target: Target
) -> None:
    text = "Here:\n" + artifact("page")
    cut = text[: text.index("</h1>")]
    async with open_desk(tmp_path / "turns") as desk:
        for reply in (cut, text, cut):
            await desk.say(reply)
            await target.take(reply)
        assert on_disk(target.folder) == on_disk(desk.folder)
    names = [name for name in on_disk(target.folder) if name.endswith(".html")]
    assert names == ["page.draft.html", "page.html"]
    assert (target.folder / "page.html").read_text() == PAGE


async def test_each_file_is_there_as_soon_as_its_artifact_has_ended(
    target: Target,
) -> None:
    seen: list[list[str]] = []

    async def come() -> AsyncIterator[str]:
        for name in ("a", "b"):
            yield artifact(name) + "\n"
            yield "more"
            seen.append(sorted(path.name for path in target.folder.glob("*.html")))

    await ingest(target.store, FixedClock(), CountingIds(), target.project_id, come())
    assert seen == [["a.html"], ["a.html", "b.html"]]


async def test_what_had_come_is_saved_before_an_error_goes_on(target: Target) -> None:
    async def come() -> AsyncIterator[str]:
        yield artifact("whole") + "\n"
        yield artifact("cut")[:-30]
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await ingest(
            target.store, FixedClock(), CountingIds(), target.project_id, come()
        )
    manifest = json.loads((target.folder / "cut.html.artifact.json").read_bytes())
    assert manifest["status"] == "error"
    assert (target.folder / "whole.html").read_text() == PAGE


async def test_what_had_come_is_saved_when_the_ingest_is_cancelled(
    target: Target,
) -> None:
    stop = Stop()

    async def come() -> AsyncIterator[str]:
        yield artifact("cut")[:-30]
        stop.reached.set()
        await stop.go_on.wait()

    going = asyncio.create_task(
        ingest(target.store, FixedClock(), CountingIds(), target.project_id, come())
    )
    await stop.reached.wait()
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    assert (target.folder / "cut.html").is_file()


async def test_an_unknown_project_is_said_before_anything_is_read(
    target: Target,
) -> None:
    was_read = False

    async def come() -> AsyncIterator[str]:
        nonlocal was_read
        was_read = True
        yield ""

    with pytest.raises(NotFound):
        await ingest(target.store, FixedClock(), CountingIds(), "none", come())
    assert not was_read


async def test_the_result_says_what_became_of_each_artifact(target: Target) -> None:
    text = "\n".join(
        [
            artifact("page"),
            artifact("remark", "I have updated the page for you, as you asked."),
            artifact("thing", "x", kind="application/x-thing"),
            artifact("../evil"),
            f'<artifact identifier="named" type="text/html" title="{"t" * 250}">{PAGE}</artifact>',
        ]
    )
    result = await target.take(text, reason="because")
    assert [(file.identifier, file.path) for file in result.saved] == [
        ("page", "page.html"),
        ("named", "named.html"),
    ]
    refused = {item.identifier: item.diagnostics[0].code for item in result.refused}
    assert refused == {
        "remark": "html-too-short",
        "thing": "artifact-manifest-required",
        "../evil": "path-traversal",
    }
    assert [item.identifier for item in result.fixed] == ["named"]
    revision, *_ = await target.store.revisions(target.project_id, "page.html")
    assert revision.reason == "because"
    assert sorted(path.name for path in target.folder.parent.iterdir()) == ["site"]
