"""What the history has of a folder: which paths, and whether their files went."""

from __future__ import annotations

import pytest

from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.adapters.objects import digest_of
from vitrail.errors import Conflict, NotFound
from vitrail.ports import AppendEvent, EventPlace, FileDelete, FileWrite
from vitrail.protocol.events import FileRemoved
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import Revision

THEN = "2026-01-01T00:00:00.000Z"


def revision(number: int, content: bytes, parent: str | None = None) -> Revision:
    return Revision(
        id=f"r{number}",
        project_id="p1",
        path="a.html",
        number=number,
        parent=parent,
        author="model",
        digest=digest_of(content),
        size=len(content),
        created_at=THEN,
    )


MANIFEST = ArtifactManifest(
    kind="html",
    title="A",
    entry="a.html",
    renderer="html",
    exports=("html",),
    created_at=THEN,
    updated_at=THEN,
)


async def write(store: EmbeddedStore) -> None:
    first = revision(1, b"one")
    await store.commit_file(
        FileWrite(revision=first, content=b"one", manifest=MANIFEST)
    )


def gone(digest: str | None) -> FileDelete:
    told = AppendEvent(EventPlace(project_id="p1"), FileRemoved("a.html"))
    return FileDelete("p1", "a.html", digest, events=(told,))


async def is_gone(store: EmbeddedStore) -> bool:
    (file,) = await store.recorded("p1")
    return file.is_gone


@pytest.mark.usefixtures("project")
async def test_a_removal_by_another_program_is_recorded_once_and_takes_the_manifest(
    store: EmbeddedStore, data: DataFolder
) -> None:
    await write(store)
    folder = data.projects / "site"
    (folder / "a.html").unlink()
    assert await store.manifest("p1", "a.html") == MANIFEST
    (told,) = await store.delete_file(gone(None))
    assert told.event == FileRemoved("a.html")
    assert not (folder / "a.html.artifact.json").exists()
    assert await store.manifest("p1", "a.html") is None
    assert await is_gone(store)
    before = await store.last_seq()
    with pytest.raises(NotFound) as refusal:
        await store.delete_file(gone(None))
    assert refusal.value.code == "file-not-found"
    assert await store.last_seq() == before


@pytest.mark.usefixtures("project")
async def test_a_file_that_is_there_is_not_recorded_as_gone(
    store: EmbeddedStore, data: DataFolder
) -> None:
    await write(store)
    with pytest.raises(Conflict):
        await store.delete_file(gone(None))
    assert not await is_gone(store)
    assert (data.projects / "site" / "a.html.artifact.json").exists()


@pytest.mark.usefixtures("project")
async def test_a_path_without_a_history_is_not_recorded_as_gone(
    store: EmbeddedStore,
) -> None:
    with pytest.raises(NotFound):
        await store.delete_file(gone(None))
    assert await store.recorded("p1") == ()


@pytest.mark.usefixtures("project")
async def test_our_own_removal_is_recorded_too_and_a_new_revision_ends_it(
    store: EmbeddedStore,
) -> None:
    await write(store)
    await store.delete_file(gone(digest_of(b"one")))
    assert await is_gone(store)
    second = revision(2, b"two", parent="r1")
    await store.commit_file(FileWrite(revision=second, content=b"two", manifest=None))
    (file,) = await store.recorded("p1")
    assert (file.revision, file.number, file.digest, file.is_gone) == (
        "r2",
        2,
        digest_of(b"two"),
        False,
    )


@pytest.mark.usefixtures("project")
async def test_a_folder_that_took_the_name_of_a_file_stays_where_it_is(
    store: EmbeddedStore, data: DataFolder
) -> None:
    await write(store)
    place = data.projects / "site" / "a.html"
    place.unlink()
    place.mkdir()
    (place / "inside.css").write_text("a{}")
    await store.delete_file(gone(None))
    assert (place / "inside.css").read_text() == "a{}"
    assert not list((data.projects / "site" / ".vitrail" / "staging").iterdir())
    assert await is_gone(store)
