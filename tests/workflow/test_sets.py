"""Several files of one text: the page's manifest lists what it needs."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.turns import Desk, ScriptedAgent, open_desk
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.ids import UuidIds
from vitrail.ports import AgentEnd
from vitrail.workflow.exports import outgoing_files
from vitrail.workflow.ingest import Ingest

HEAD = "<!doctype html><html><head>"
PAGE = (
    f'{HEAD}<link rel="stylesheet" href="css/a.css"></head><body><h1>Tea</h1>'
    '<p>A page that is long enough.</p><script src="app.js"></script></body></html>'
)
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>'
)


def bolt(path: str, body: str) -> str:
    return f'<boltAction type="file" filePath="{path}">{body}</boltAction>'


def reply(*files: str) -> str:
    return f'<boltArtifact id="site" title="Site">{"".join(files)}</boltArtifact>'


OTHERS = (
    bolt("css/a.css", "h1{background:url(../art/leaf.svg)}")
    + bolt("art/leaf.svg", PICTURE)
    + bolt("app.js", 'import "./tea.js"; fetch("menu.json");')
    + bolt("tea.js", "export const tea = 1;")
    + bolt("spare.js", "export const spare = 1;")
)
BOLT = reply(bolt("index.html", PAGE), OTHERS)
PARTS = {"css/a.css", "art/leaf.svg", "app.js", "tea.js", "spare.js"}


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data") as opened:
        yield opened


async def ingested(desk: Desk, text: str) -> None:
    one = Ingest(desk.store, FixedClock(), UuidIds(), desk.project_id)
    one.read(text)
    await one.close()


async def answered(desk: Desk, text: str) -> None:
    desk.agents.agent = ScriptedAgent(text, AgentEnd("done"))
    started = await desk.start()
    await desk.turns.wait(started.run.id)


async def parts(desk: Desk, path: str = "index.html") -> tuple[str, ...]:
    info = await desk.store.file(desk.project_id, path)
    assert info is not None
    assert info.manifest is not None
    return info.manifest.supporting_files or ()


@pytest.mark.parametrize("come", [ingested, answered])
async def test_a_page_lists_what_only_the_others_of_its_set_tell(
    desk: Desk, come: object
) -> None:
    assert callable(come)
    await come(desk, BOLT)
    assert set(await parts(desk)) == PARTS
    (revision,) = await desk.store.revisions(desk.project_id, "index.html")
    beside = await desk.store.revision_manifest(revision.id)
    assert set((beside and beside.supporting_files) or ()) == PARTS


async def test_artifacts_of_one_text_are_a_set_too(desk: Desk) -> None:
    page = PAGE.replace("css/a.css", "a.css")
    text = (
        f'<artifact identifier="index" type="text/html" title="T">{page}</artifact>'
        '<artifact identifier="app" type="application/javascript" title="A" '
        'language="js">console.log("tea is ready");</artifact>'
    )
    await ingested(desk, text)
    listed = await parts(desk)
    code = [path for path in desk.files() if path.startswith("app")]
    assert code
    assert set(code) <= set(listed)


async def test_the_list_is_whole_whatever_comes_first(desk: Desk) -> None:
    await ingested(desk, reply(OTHERS, bolt("index.html", PAGE)))
    assert set(await parts(desk)) == PARTS


async def test_a_page_is_written_with_all_its_parts(desk: Desk) -> None:
    await ingested(desk, BOLT)
    sent = await outgoing_files(desk.store, desk.project_id, only="index.html")
    assert {file.name for file in sent} == {"index.html"} | PARTS


async def test_a_text_without_a_page_lists_nothing(desk: Desk) -> None:
    await ingested(desk, reply(bolt("a.js", "export const a = 1;")))
    assert await parts(desk, "a.js") == ()


async def test_two_pages_without_an_index_share_no_spare_files(desk: Desk) -> None:
    text = reply(
        bolt("one.html", PAGE.replace("app.js", "one.js")),
        bolt("two.html", PAGE.replace("Tea", "Cups")),
        bolt("one.js", "export const one = 1;"),
        bolt("spare.js", "export const spare = 1;"),
    )
    await ingested(desk, text)
    assert "one.js" in await parts(desk, "one.html")
    for page in ("one.html", "two.html"):
        assert "spare.js" not in await parts(desk, page)


async def test_a_list_survives_the_next_version_of_its_page(desk: Desk) -> None:
    await ingested(desk, BOLT)
    await ingested(desk, reply(bolt("index.html", PAGE.replace("Tea", "Green tea"))))
    assert set(await parts(desk)) == PARTS


async def test_a_list_that_is_whole_is_not_written_again(desk: Desk) -> None:
    await ingested(desk, BOLT)
    beside = desk.folder / "index.html.artifact.json"
    before = beside.stat().st_mtime_ns, json.loads(beside.read_text())
    await ingested(desk, reply(bolt("css/a.css", "h1{color:green}")))
    assert (beside.stat().st_mtime_ns, json.loads(beside.read_text())) == before
