"""Documents that no tag announced, and artifacts that only point: what is saved of them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.turns import Desk, ScriptedAgent, open_desk, pieces
from vitrail.ports import AgentEnd
from vitrail.protocol.events import ArtifactPointer, ArtifactSaved
from vitrail.protocol.records import DiagnosticPart
from vitrail.workspace import Workspace

DOC = (
    "<!doctype html>\n<html>\n<head><title>Demo</title></head>\n"
    "<body><main><h1>A whole document</h1></main></body>\n</html>"
)
OPEN = '<artifact identifier="page" type="text/html" title="Page">'


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data") as opened:
        yield opened


def provenance(desk: Desk, name: str) -> object:
    manifest = json.loads((desk.folder / f"{name}.artifact.json").read_text())
    return manifest["metadata"]["recoveredFrom"]


# --- recovered documents ----------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "how", "shown"),
    [
        (DOC, "bare-document", ""),
        (f"Here:\n```html\n{DOC}\n```\nBye", "fenced-document", "Here:\n\nBye"),
    ],
)
async def test_a_document_that_no_tag_announced_is_saved_as_the_response(
    desk: Desk, reply: str, how: str, shown: str
) -> None:
    await desk.say(*pieces(reply, 7))
    assert desk.files() == {"response.html": DOC.encode()}
    assert provenance(desk, "response.html") == how
    assert await desk.text() == shown
    told = [p for p in await desk.parts() if isinstance(p, DiagnosticPart)]
    assert [part.code for part in told] == ["document-recovered"]


async def test_the_document_before_a_remark_is_saved_under_its_identifier(
    desk: Desk,
) -> None:
    run = await desk.say(*pieces(f"Here:\n{DOC}\n{OPEN}\nSee above.\n</artifact>", 5))
    assert desk.files() == {"page.html": DOC.encode()}
    assert provenance(desk, "page.html") == "document-before-remark"
    events = await desk.events(run)
    assert sum(isinstance(event, ArtifactSaved) for event in events) == 1
    recovered, remark = await desk.artifacts()
    assert (remark.refused, recovered.refused) == (True, False)
    assert recovered.saved is not None


async def test_a_document_of_the_same_name_is_updated_by_what_was_recovered(
    desk: Desk,
) -> None:
    await desk.say(f"{OPEN}{DOC}</artifact>")
    new = DOC.replace("Demo", "New")
    await desk.say(f"```html\n{new}\n```\n{OPEN}see page.html</artifact>")
    assert desk.files() == {"page.html": new.encode()}


async def test_a_reply_that_was_stopped_recovers_nothing(desk: Desk) -> None:
    desk.agents.agent = ScriptedAgent(DOC, AgentEnd("stopped"))
    await desk.ask()
    assert desk.files() == {}


# --- pointers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body", ["see page.html", "见 page.html", "<p>Siehe <a>page.html</a></p>"]
)
async def test_an_artifact_that_only_points_opens_the_file_and_saves_nothing(
    desk: Desk, body: str
) -> None:
    await desk.say(f"{OPEN}{DOC}</artifact>")
    other = OPEN.replace('"page"', '"other"')
    run = await desk.say(f"{other}{body}</artifact>")
    assert desk.files() == {"page.html": DOC.encode()}
    events = await desk.events(run)
    assert [e for e in events if isinstance(e, ArtifactPointer)] == [
        ArtifactPointer(0, "other", "page.html")
    ]
    (artifact,) = await desk.artifacts()
    assert (artifact.pointer, artifact.refused, artifact.saved) == (
        "page.html",
        False,
        None,
    )


async def test_the_next_prompt_says_that_nothing_was_saved(desk: Desk) -> None:
    await desk.say(f"{OPEN}{DOC}</artifact>")
    await desk.say(f"{OPEN.replace('page', 'other')}see page.html</artifact>")
    agent = ScriptedAgent("Fine.", AgentEnd("done"))
    desk.agents.agent = agent
    await desk.ask()
    content = agent.prompts[0].messages[4].content
    assert content == (
        '[an artifact only pointed at project file "page.html"; nothing was saved]'
    )


@pytest.mark.parametrize(
    ("kind", "body"),
    [("text/css", '@import "page.html";'), ("text/plain", "page.html")],
)
async def test_code_that_names_a_file_is_code(desk: Desk, kind: str, body: str) -> None:
    await desk.say(f"{OPEN}{DOC}</artifact>")
    await desk.say(f'<artifact identifier="x" type="{kind}">{body}</artifact>')
    assert len(desk.files()) == 2


def test_ingesting_tells_the_files_that_were_pointed_at(tmp_path: Path) -> None:
    other = OPEN.replace('"page"', '"other"')
    with Workspace(tmp_path / "site") as workspace:
        workspace.ingest(f"{OPEN}{DOC}</artifact>")
        result = workspace.ingest(f"{other}see page.html</artifact>")
    assert result.saved == ()
    (told,) = result.refused
    assert (told.identifier, told.diagnostics[0].code) == (
        "other",
        "artifact-is-pointer",
    )
    assert "page.html" in told.diagnostics[0].message
