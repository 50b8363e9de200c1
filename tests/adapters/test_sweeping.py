"""A clean-up removes what no revision names, says whose it was, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.adapters.killing import AT, PROJECT, opened, write_step
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.adapters.locks import hold_lock
from vitrail.adapters.objects import Objects, digest_of
from vitrail.adapters.sweeping import OBJECTS_LOCK
from vitrail.errors import NotFound, StorageError
from vitrail.ports import (
    DeleteProject,
    ObjectsDropped,
    PutProject,
    PutQuarantine,
    PutRevision,
    ResolveQuarantine,
    UnreferencedObject,
)
from vitrail.protocol.records import Project, QuarantineRecord


@pytest.fixture
async def site(data: DataFolder) -> AsyncIterator[EmbeddedStore]:
    store = await opened(data)
    await store.apply([PutProject(project(PROJECT, "site"))])
    await store.commit_file(await write_step(store, "index.html", "old"))
    await store.commit_file(await write_step(store, "index.html", "new"))
    yield store
    await store.close()


def project(project_id: str, name: str) -> Project:
    return Project(id=project_id, name=name, title=name, created_at=AT, updated_at=AT)


async def test_every_revision_of_a_project_is_kept(site: EmbeddedStore) -> None:
    found = await site.unreferenced()
    assert (found.unreferenced, found.kept, found.kept_size) == ((), 2, 6)
    every = [digest_of(b"old"), digest_of(b"new")]
    assert await site.drop_objects(every) == ObjectsDropped(0, 0)
    for digest in every:
        assert len(await site.read_object(digest)) == 3


async def test_what_a_write_left_that_never_came_to_be_is_said_so(
    site: EmbeddedStore, data: DataFolder
) -> None:
    digest = Objects(data.objects).put(b"left over")
    found = await site.unreferenced()
    assert found.unreferenced == (UnreferencedObject(digest, 9, "never-committed"),)
    assert await site.drop_objects([digest, digest]) == ObjectsDropped(1, 9)
    assert (await site.unreferenced()).unreferenced == ()
    with pytest.raises(NotFound):
        await site.read_object(digest)


async def test_a_deleted_project_s_objects_are_named_by_it(
    site: EmbeddedStore,
) -> None:
    await site.apply([PutProject(project("p2", "other"))])
    shared = await write_step(site, "index.html", "new")
    revision = shared.revision.model_copy(
        update={"project_id": "p2", "id": "p2-1", "number": 1, "parent": None}
    )
    await site.commit_file(
        type(shared)(revision=revision, content=shared.content, manifest=None)
    )
    await site.apply([DeleteProject(PROJECT)])
    found = await site.unreferenced()
    assert found.unreferenced == (
        UnreferencedObject(digest_of(b"old"), 3, "project-deleted", "site"),
    )
    assert found.kept == 1
    assert await site.drop_objects([digest_of(b"old")]) == ObjectsDropped(1, 3)
    assert await site.read_object(digest_of(b"new")) == b"new"


async def test_what_a_commit_needs_again_is_kept(
    site: EmbeddedStore, data: DataFolder
) -> None:
    digest = Objects(data.objects).put(b"once more")
    asked = [item.digest for item in (await site.unreferenced()).unreferenced]
    await site.commit_file(await write_step(site, "index.html", "once more"))
    assert await site.drop_objects(asked) == ObjectsDropped(0, 0)
    assert await site.read_object(digest) == b"once more"


async def test_nothing_is_removed_while_a_commit_goes_on(
    site: EmbeddedStore, data: DataFolder
) -> None:
    digest = Objects(data.objects).put(b"about to be named")
    with hold_lock(data.locks / OBJECTS_LOCK, timeout_s=1.0, shared=True):
        dropping = asyncio.create_task(site.drop_objects([digest]))
        await site.files(PROJECT)
        assert not dropping.done()
        await site.commit_file(
            await write_step(site, "index.html", "about to be named")
        )
    assert await dropping == ObjectsDropped(0, 0)


async def test_a_history_is_not_taken_in_without_its_objects(
    site: EmbeddedStore,
) -> None:
    digest = await site.put_object(b"from elsewhere")
    step = await write_step(site, "page.html", "from elsewhere")
    assert await site.drop_objects([digest]) == ObjectsDropped(1, 14)
    with pytest.raises(StorageError) as refusal:
        await site.apply([PutRevision(step.revision)])
    assert refusal.value.retryable
    assert await site.revision_count(PROJECT, "page.html") == 0
    await site.put_object(b"from elsewhere")
    await site.apply([PutRevision(step.revision)])
    assert await site.drop_objects([digest]) == ObjectsDropped(0, 0)


@pytest.mark.parametrize("name", ["", "../vitrail.db", "ab", "x" * 64, "A" * 64])
async def test_what_is_no_digest_names_no_object(
    site: EmbeddedStore, data: DataFolder, name: str
) -> None:
    assert await site.drop_objects([name]) == ObjectsDropped(0, 0)
    assert data.database.exists()


# --- drafts ----------------------------------------------------------------------


def draft(number: int) -> QuarantineRecord:
    return QuarantineRecord(
        id=f"q{number}",
        project_id=PROJECT,
        path="index.html",
        draft="index.draft.html",
        revision="r",
        digest=digest_of(b"draft"),
        reason="artifact-regression",
        created_at=f"2026-01-0{number}T00:00:00.000Z",
    )


async def test_a_draft_waits_until_it_is_decided_once(site: EmbeddedStore) -> None:
    await site.apply([PutQuarantine(draft(1)), PutQuarantine(draft(2))])
    assert await site.quarantined(PROJECT) == (draft(2), draft(1))
    assert await site.quarantine("q1") == draft(1)
    await site.apply([ResolveQuarantine(PROJECT, "q1")])
    assert await site.quarantined(PROJECT) == (draft(2),)
    for attempt in (
        site.apply([ResolveQuarantine(PROJECT, "q1")]),
        site.apply([ResolveQuarantine("p2", "q2")]),
        site.quarantine("q1"),
    ):
        with pytest.raises(NotFound) as refusal:
            await attempt
        assert refusal.value.code == "quarantine-not-found"


async def test_who_accepts_second_changes_nothing(site: EmbeddedStore) -> None:
    await site.apply([PutQuarantine(draft(1))])
    resolved = (ResolveQuarantine(PROJECT, "q1"),)
    step = await write_step(site, "index.html", "accepted", changes=resolved)
    await site.apply(resolved)
    with pytest.raises(NotFound):
        await site.commit_file(step)
    assert (await site.read_file(PROJECT, "index.html"))[0] == b"new"
    assert await site.revision_count(PROJECT, "index.html") == 2


async def test_a_deleted_project_takes_its_drafts(site: EmbeddedStore) -> None:
    await site.apply([PutQuarantine(draft(1)), DeleteProject(PROJECT)])
    assert await site.quarantined(PROJECT) == ()


async def test_history_comes_in_pages(site: EmbeddedStore) -> None:
    newest, oldest = await site.revisions(PROJECT, "index.html")
    assert await site.revisions(PROJECT, "index.html", limit=1) == (newest,)
    assert await site.revisions(PROJECT, "index.html", limit=0) == ()
    page = await site.revisions(PROJECT, "index.html", before=newest.number)
    assert page == (oldest,)
    assert await site.revisions(PROJECT, "index.html", before=1) == ()
    assert await site.revision_count(PROJECT, "index.html") == 2
    assert await site.revision_count(PROJECT, "none.html") == 0
