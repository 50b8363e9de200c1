"""What is restored is the artifact that it was."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.turns import Desk, open_desk
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.ids import UuidIds
from vitrail.core.commit import manifest_for_restore
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.workflow.history import History
from vitrail.workflow.ingest import Ingest
from vitrail.workflow.write import FileWriter

PAGE = (
    "<!doctype html><html><body><h1>Tea</h1><p>Leaves, water, time.</p></body></html>"
)
NOW = "2026-01-02T00:00:00.000Z"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data") as opened:
        yield opened


async def ingested(desk: Desk, body: str) -> None:
    one = Ingest(desk.store, FixedClock(), UuidIds(), desk.project_id)
    one.read(
        f'<artifact identifier="tea-shop" type="text/html" title="Our shop">{body}</artifact>'
    )
    await one.close()


async def known(desk: Desk) -> tuple[str, ArtifactManifest]:
    (info,) = await desk.store.files(desk.project_id)
    assert info.manifest is not None
    return info.digest, info.manifest


def metadata(manifest: ArtifactManifest) -> dict[str, Any]:
    return dict(manifest.metadata or {})


async def test_a_removed_artifact_comes_back_with_its_name_and_is_found_by_it(
    desk: Desk,
) -> None:
    writer = FileWriter(desk.store, FixedClock(), UuidIds())
    history = History(desk.store, writer)
    await ingested(desk, PAGE)
    digest, before = await known(desk)
    (path,) = desk.files()
    head = await desk.store.head(desk.project_id, path)
    assert head is not None
    await writer.delete(desk.project_id, path, digest=digest)
    assert desk.files() == {}
    await history.restore(desk.project_id, path, head.id, parent_digest=None)
    _, after = await known(desk)
    assert metadata(after)["identifier"] == "tea-shop"
    assert metadata(after)["inferred"] is False
    assert (after.title, after.created_at) == (before.title, before.created_at)
    newer = PAGE.replace("time", "patience")
    await ingested(desk, newer)
    assert desk.files() == {path: newer.encode()}


async def test_an_older_version_over_a_newer_one_is_the_same_artifact(
    desk: Desk,
) -> None:
    writer = FileWriter(desk.store, FixedClock(), UuidIds())
    await ingested(desk, PAGE)
    (path,) = desk.files()
    first = await desk.store.head(desk.project_id, path)
    assert first is not None
    await ingested(desk, PAGE.replace("time", "patience"))
    digest, before = await known(desk)
    await History(desk.store, writer).restore(
        desk.project_id, path, first.id, parent_digest=digest
    )
    now_digest, after = await known(desk)
    assert now_digest == first.digest == metadata(after)["digest"]
    assert metadata(after)["parentDigest"] == digest
    assert metadata(after)["identifier"] == metadata(before)["identifier"]


def manifest(**changes: object) -> ArtifactManifest:
    plain = ArtifactManifest(
        kind="html",
        title="T",
        entry="a.html",
        renderer="html",
        exports=("html",),
        created_at="2026-01-01T00:00:00.000Z",
        updated_at="2026-01-01T00:00:00.000Z",
    )
    return plain.model_copy(update=changes)


def test_what_the_bytes_are_is_the_old_version_s_and_who_they_are_the_file_s() -> None:
    back = manifest_for_restore(
        "b.html",
        b"<p>1</p>",
        kept=manifest(kind="deck", renderer="deck-html", metadata={"identifier": "x"}),
        previous=manifest(
            created_at="2025-01-01T00:00:00.000Z", metadata={"identifier": "y"}
        ),
        now=NOW,
    )
    assert back is not None
    assert (back.kind, back.entry) == ("deck", "b.html")
    assert (back.created_at, back.updated_at) == ("2025-01-01T00:00:00.000Z", NOW)
    assert metadata(back)["identifier"] == "y"


def test_a_version_of_a_draft_is_no_draft_where_it_is_restored() -> None:
    back = manifest_for_restore(
        "a.html",
        b"<p>1</p>",
        kept=manifest(metadata={"draftOf": "b.html", "draftReason": "merge-conflict"}),
        previous=None,
        now=NOW,
    )
    assert back is not None
    assert "draftOf" not in metadata(back)
    assert "draftReason" not in metadata(back)


def test_of_a_file_that_never_had_one_the_name_tells() -> None:
    back = manifest_for_restore(
        "a.html", b"<p>1</p>", kept=None, previous=None, now=NOW
    )
    assert back is not None
    assert metadata(back)["inferred"] is True
    assert (
        manifest_for_restore("a.bin", b"1", kept=None, previous=None, now=NOW) is None
    )
