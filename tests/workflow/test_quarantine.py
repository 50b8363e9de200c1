"""Drafts and deeds at once: each draft is decided once, and nothing is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.support.turns import Desk, open_desk
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.ids import CountingIds
from vitrail.core.validate import GatePolicy
from vitrail.errors import Conflict, NotFound
from vitrail.protocol.events import QuarantineResolved
from vitrail.protocol.records import QuarantineRecord
from vitrail.workflow.gating import GateKeeper
from vitrail.workflow.history import History
from vitrail.workflow.ingest import Ingest
from vitrail.workflow.moves import Moves
from vitrail.workflow.quarantine import Quarantine
from vitrail.workflow.write import FileWriter

GOOD = "<!doctype html><html><body>" + "".join(
    f"<h2>Part {number}</h2><p>{f'word{number} other{number} ' * 30}</p>"
    for number in range(20)
)
STUB = "<!doctype html><html><body><h1>Short</h1><p>Only this is left of it.</p>"


async def held(desk: Desk, writer: FileWriter) -> QuarantineRecord:
    made = await writer.write(
        desk.project_id, "index.html", GOOD.encode(), parent_digest=None
    )
    await writer.write(
        desk.project_id,
        "index.html",
        STUB.encode(),
        parent_digest=made.file.digest,
    )
    (record,) = await desk.store.quarantined(desk.project_id)
    return record


async def test_a_draft_that_many_decide_at_once_is_decided_once(
    desk: Desk, writer: FileWriter
) -> None:
    record = await held(desk, writer)
    quarantine = Quarantine(desk.store, writer)

    async def decide(*, accepts: bool) -> str:
        try:
            if accepts:
                await quarantine.accept(
                    desk.project_id, record.id, parent_digest=record.good_digest
                )
            else:
                await quarantine.drop(desk.project_id, record.id)
        except (NotFound, Conflict) as error:
            return error.code
        return "done"

    said = await asyncio.gather(
        *(decide(accepts=number % 2 == 0) for number in range(8))
    )
    assert said.count("done") == 1
    assert set(said) <= {"done", "quarantine-not-found", "revision-conflict"}
    events = [one.event for one in await desk.store.events_after(0)]
    assert sum(isinstance(event, QuarantineResolved) for event in events) == 1
    assert list(desk.files()) == ["index.html"]
    for digest in (record.digest, record.good_digest):
        assert digest is not None
        assert await desk.store.read_object(digest)


async def test_deeds_at_one_instant_leave_one_line_of_revisions(
    desk: Desk, writer: FileWriter
) -> None:
    record = await held(desk, writer)
    history = History(desk.store, writer)
    (first,) = await desk.store.revisions(desk.project_id, "index.html")
    good = record.good_digest
    assert good is not None

    codes: list[str] = []

    async def tried(deed: object) -> None:
        assert asyncio.iscoroutine(deed)
        try:
            await deed
        except (Conflict, NotFound) as error:
            codes.append(error.code)

    await asyncio.gather(
        tried(
            writer.write(
                desk.project_id,
                "index.html",
                GOOD.encode() + b"<!-- 1 -->",
                parent_digest=good,
            )
        ),
        tried(
            history.restore(desk.project_id, "index.html", first.id, parent_digest=good)
        ),
        tried(
            Quarantine(desk.store, writer).accept(
                desk.project_id, record.id, parent_digest=good
            )
        ),
        tried(writer.delete(desk.project_id, "index.html", digest=good)),
        tried(
            Moves(desk.store, FixedClock(), writer).move(
                desk.project_id, "index.html", "home.html", digest=good
            )
        ),
    )
    assert len(codes) < 5
    assert set(codes) <= {
        "revision-conflict",
        "file-not-found",
        "quarantine-not-found",
        "file-exists",
    }
    for path in ("index.html", "home.html"):
        line = await desk.store.revisions(desk.project_id, path)
        numbers = [revision.number for revision in reversed(line)]
        assert numbers == list(range(1, len(line) + 1))
        for revision in line:
            assert len(await desk.store.read_object(revision.digest)) == revision.size
        file = await desk.store.file(desk.project_id, path)
        if file is not None:
            assert file.digest == line[0].digest


@pytest.mark.parametrize("mode", ["off", "warn", "quarantine", "reject"])
async def test_an_ingest_and_a_turn_make_the_same_of_a_text(
    tmp_path: Path, mode: str
) -> None:
    policy = GatePolicy(mode=mode)  # type: ignore[arg-type]  # each of the closed set
    text = "".join(
        f'<artifact identifier="{name}" type="text/html" title="T">{body}</artifact>\n'
        for name, body in [
            ("index", GOOD),
            ("index", STUB),
            ("other", STUB.replace("Short", "Name to confirm")),
            ("index", GOOD.replace("Part 3", "Part three")),
        ]
    )
    async with open_desk(tmp_path / "turn") as by_turn:
        by_turn.turns._gates = GateKeeper(policy)
        await by_turn.say(text)
        by_run = await _state(by_turn)
    async with open_desk(tmp_path / "ingest") as by_ingest:
        going = Ingest(
            by_ingest.store,
            FixedClock(),
            CountingIds(),
            by_ingest.project_id,
            gates=GateKeeper(policy),
        )
        going.read(text)
        await going.close()
        by_text = await _state(by_ingest)
    assert by_run == by_text


async def _state(desk: Desk) -> object:
    """Return everything that a text left in a project, but for ids and times."""
    files = {
        file.path: (file.digest, file.number, file.manifest and file.manifest.kind)
        for file in await desk.store.files(desk.project_id)
    }
    revisions = {
        path: [
            (one.number, one.author, one.digest)
            for one in await desk.store.revisions(desk.project_id, path)
        ]
        for path in files
    }
    drafts = [
        (one.path, one.draft, one.digest, one.reason, one.lost, one.diagnostics)
        for one in await desk.store.quarantined(desk.project_id)
    ]
    return files, revisions, drafts
