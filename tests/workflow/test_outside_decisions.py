"""What another program wrote onto a good file is kept or taken back by one decision."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.outside import LONG, artifact, authors, noticing, page, since
from tests.support.turns import Desk, open_desk
from vitrail.adapters.clock import SystemClock
from vitrail.adapters.ids import UuidIds
from vitrail.errors import Conflict, NotFound
from vitrail.protocol.events import ArtifactSaved, FileChanged, QuarantineResolved
from vitrail.protocol.records import QuarantineRecord
from vitrail.workflow.outside_units import Noticed
from vitrail.workflow.quarantine import Quarantine
from vitrail.workflow.write import FileWriter


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data") as opened:
        yield opened


def decisions(desk: Desk) -> Quarantine:
    writer = FileWriter(desk.store, SystemClock(), UuidIds())
    return Quarantine(desk.store, writer)


async def stubbed(desk: Desk) -> QuarantineRecord:
    await desk.say(artifact("index", LONG))
    (desk.folder / "index.html").write_text(page("Stub"))
    (record,) = (await noticing(desk).notice(desk.project_id)).held
    return record


async def test_dropping_it_brings_the_good_page_back(desk: Desk) -> None:
    record = await stubbed(desk)
    before = await desk.store.last_seq()
    resolved, changed = await decisions(desk).drop(desk.project_id, record.id)
    assert resolved == QuarantineResolved(record.id, "dropped")
    assert isinstance(changed, FileChanged)
    assert (desk.folder / "index.html").read_text() == LONG
    assert (desk.folder / "index.html.artifact.json").exists()
    assert await authors(desk, "index.html") == ["model", "outside", "restore"]
    assert await desk.store.quarantined(desk.project_id) == ()
    assert set(map(type, await since(desk, before))) == {
        QuarantineResolved,
        FileChanged,
    }
    assert await noticing(desk).notice(desk.project_id) == Noticed()
    with pytest.raises(NotFound):
        await decisions(desk).drop(desk.project_id, record.id)


async def test_accepting_it_writes_nothing(desk: Desk) -> None:
    record = await stubbed(desk)
    result = await decisions(desk).accept(
        desk.project_id, record.id, parent_digest=record.digest
    )
    assert result.revision.id == record.revision
    assert (desk.folder / "index.html").read_text() == page("Stub")
    assert await authors(desk, "index.html") == ["model", "outside"]
    assert await desk.store.quarantined(desk.project_id) == ()


async def test_accepting_it_with_a_text_of_one_s_own_writes_that(desk: Desk) -> None:
    record = await stubbed(desk)
    await decisions(desk).accept(
        desk.project_id,
        record.id,
        parent_digest=record.digest,
        content=page("Mine"),
    )
    assert (desk.folder / "index.html").read_text() == page("Mine")
    assert await authors(desk, "index.html") == ["model", "outside", "person"]
    assert await desk.store.quarantined(desk.project_id) == ()


async def test_a_file_that_was_changed_since_is_decided_about_anew(desk: Desk) -> None:
    record = await stubbed(desk)
    (desk.folder / "index.html").write_text(page("Later"))
    for decide in (
        decisions(desk).drop(desk.project_id, record.id),
        decisions(desk).accept(desk.project_id, record.id, parent_digest=record.digest),
    ):
        with pytest.raises(Conflict) as refusal:
            await decide
        assert refusal.value.code == "revision-conflict"
        assert refusal.value.details["actual_digest"] != record.digest
    assert (desk.folder / "index.html").read_text() == page("Later")
    assert await desk.store.quarantined(desk.project_id) == (record,)


async def test_a_file_that_went_since_can_still_be_brought_back(desk: Desk) -> None:
    record = await stubbed(desk)
    (desk.folder / "index.html").unlink()
    await noticing(desk).notice(desk.project_id)
    await decisions(desk).drop(desk.project_id, record.id)
    assert (desk.folder / "index.html").read_text() == LONG


async def test_saving_the_file_anew_answers_the_question(desk: Desk) -> None:
    record = await stubbed(desk)
    before = await desk.store.last_seq()
    writer = FileWriter(desk.store, SystemClock(), UuidIds())
    await writer.write(
        desk.project_id, "index.html", LONG.encode(), parent_digest=record.digest
    )
    assert await desk.store.quarantined(desk.project_id) == ()
    assert QuarantineResolved(record.id, "replaced") in await since(desk, before)


async def test_the_project_s_own_placeholders_are_told_too(desk: Desk) -> None:
    declared = {
        "text": "ACME GmbH",
        "fixture": {
            "unfinished": "Offered by ACME GmbH, Berlin",
            "finished": "Offered by Nordlicht, Berlin",
        },
    }
    (desk.folder / ".vitrail").mkdir(exist_ok=True)
    (desk.folder / ".vitrail" / "project.json").write_text(
        json.dumps({"placeholders": [declared]})
    )
    before = await desk.store.last_seq()
    (desk.folder / "a.html").write_text(page("Offer", "Offered by ACME GmbH, Berlin"))
    await noticing(desk).notice(desk.project_id)
    (saved,) = [
        event for event in await since(desk, before) if isinstance(event, ArtifactSaved)
    ]
    assert [found.code for found in saved.diagnostics] == [
        "artifact-publication-blocked"
    ]
