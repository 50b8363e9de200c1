"""The manifest beside a file: changed without a new version, and read of an old one."""

from __future__ import annotations

import json

import pytest

from tests.adapters.test_embedded import manifest_of, write_of
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.adapters.objects import digest_of
from vitrail.errors import Conflict, NotFound
from vitrail.ports import FileDelete, FileManifest
from vitrail.protocol.manifest import ArtifactManifest

pytestmark = pytest.mark.usefixtures("project")


def titled(title: str) -> ArtifactManifest:
    return manifest_of("index.html").model_copy(update={"title": title})


async def test_a_manifest_changes_without_a_new_version(
    store: EmbeddedStore, data: DataFolder
) -> None:
    written = write_of(b"one", manifest=titled("Old"))
    await store.commit_file(written)
    step = FileManifest("p1", "index.html", digest_of(b"one"), titled("New"))
    await store.commit_files([step])
    info = await store.file("p1", "index.html")
    assert info is not None
    assert info.manifest == titled("New")
    assert info.revision == written.revision.id
    assert await store.revision_manifest(written.revision.id) == titled("New")
    beside = data.projects / "site" / "index.html.artifact.json"
    assert json.loads(beside.read_text())["title"] == "New"


async def test_a_manifest_of_other_bytes_changes_nothing(store: EmbeddedStore) -> None:
    await store.commit_file(write_of(b"one", manifest=titled("Old")))
    step = FileManifest("p1", "index.html", digest_of(b"two"), titled("New"))
    with pytest.raises(Conflict) as refused:
        await store.commit_files([step])
    assert refused.value.details["actual_digest"] == digest_of(b"one")
    info = await store.file("p1", "index.html")
    assert info is not None
    assert info.manifest == titled("Old")


async def test_a_revision_that_left_the_manifest_has_the_one_before(
    store: EmbeddedStore,
) -> None:
    first = write_of(b"one", manifest=titled("First"))
    second = write_of(b"two", after=first.revision)
    third = write_of(b"three", after=second.revision, manifest=titled("Third"))
    for write in (first, second, third):
        await store.commit_file(write)
    found = [
        await store.revision_manifest(write.revision.id)
        for write in (first, second, third)
    ]
    assert found == [titled("First"), titled("First"), titled("Third")]


async def test_the_manifest_of_a_removed_file_s_revision_is_still_known(
    store: EmbeddedStore,
) -> None:
    first = write_of(b"one", manifest=titled("First"))
    await store.commit_file(first)
    await store.delete_file(FileDelete("p1", "index.html", digest_of(b"one")))
    assert await store.revision_manifest(first.revision.id) == titled("First")


async def test_a_file_that_was_no_artifact_has_no_manifest(
    store: EmbeddedStore,
) -> None:
    first = write_of(b"one", path="notes.txt")
    await store.commit_file(first)
    assert await store.revision_manifest(first.revision.id) is None
    with pytest.raises(NotFound) as refused:
        await store.revision_manifest("none")
    assert refused.value.code == "revision-not-found"
