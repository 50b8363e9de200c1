"""Bundles: a history goes out as one file and comes in anywhere, whole or not at all."""

from __future__ import annotations

import io
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.turns import Desk, open_desk
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.ids import UuidIds
from vitrail.core.export.bundle import is_bundle
from vitrail.core.export.history_records import history_records
from vitrail.errors import InvalidInput
from vitrail.ports import FileMove
from vitrail.protocol.bundle import BundleFile
from vitrail.protocol.imports import ImportResult
from vitrail.protocol.records import Project, Revision
from vitrail.workflow.bundles import BundleBytes, Bundles
from vitrail.workflow.write import FileWriter


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "one") as opened:
        yield opened


@asynccontextmanager
async def elsewhere(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "other") as opened:
        yield opened


def writer(desk: Desk) -> FileWriter:
    return FileWriter(desk.store, FixedClock(), UuidIds())


def bundles(desk: Desk) -> Bundles:
    return Bundles(desk.store, UuidIds(), writer(desk))


async def pack(desk: Desk) -> bytes:
    packed = await bundles(desk).pack(desk.project_id)
    return b"".join([piece async for piece in packed.pieces])


async def bring_in(desk: Desk, data: bytes) -> ImportResult:
    packed = BundleBytes(lambda at, n: data[at : at + n], len(data))
    return await bundles(desk).bring_in(desk.project_id, packed)


async def write(desk: Desk, path: str, content: str) -> None:
    info = await desk.store.file(desk.project_id, path)
    parent = info.digest if info else None
    await writer(desk).write(
        desk.project_id,
        path,
        content.encode(),
        parent_digest=parent,
        replace_reason=f"now {content[:3]}",
    )


async def move(desk: Desk, path: str, target: str) -> None:
    head = await desk.store.head(desk.project_id, path)
    assert head is not None
    count = await desk.store.revision_count(desk.project_id, target)
    moved = head.model_copy(
        update={
            "id": UuidIds().new(),
            "path": target,
            "number": count + 1,
            "parent": head.id,
            "moved_from": path,
            "author": "person",
        }
    )
    await desk.store.commit_files([FileMove(path, head.digest, moved, None)])


async def remove(desk: Desk, path: str) -> None:
    info = await desk.store.file(desk.project_id, path)
    assert info is not None
    await writer(desk).delete(desk.project_id, path, digest=info.digest)


async def fill(desk: Desk) -> None:
    await write(desk, "index.html", "<!doctype html><p>One and some more words of it")
    await write(desk, "css/図表.css", "a{}")
    await write(desk, "index.html", "<!doctype html><p>Two and some more words of it")
    await write(desk, "gone.md", "# Gone")
    await remove(desk, "gone.md")
    await write(desk, "old.md", "# Moved")
    await move(desk, "old.md", "new.md")
    await write(desk, "new.md", "# Moved, and changed")


async def told(desk: Desk) -> dict[str, list[tuple[object, ...]]]:
    """Return every history as anybody could tell it, without ids."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for one in await desk.store.history(desk.project_id):
        listed = await desk.store.revisions(desk.project_id, one.path)
        parents = {item.id: item.number for item in listed}
        found[one.path] = [
            (
                item.number,
                parents.get(item.parent or ""),
                item.author,
                item.reason,
                item.moved_from,
                item.created_at,
                await desk.store.read_object(item.digest),
            )
            for item in listed
        ]
    return found


async def test_a_history_comes_in_elsewhere_as_it_was(
    desk: Desk, tmp_path: Path
) -> None:
    await fill(desk)
    data = await pack(desk)
    assert is_bundle(data[:60])
    async with elsewhere(tmp_path) as other:
        result = await bring_in(other, data)
        assert result.revisions == 7
        assert await told(other) == await told(desk)
        assert other.files() == desk.files()
        mine = await desk.store.file(desk.project_id, "index.html")
        theirs = await other.store.file(other.project_id, "index.html")
        assert mine is not None
        assert theirs is not None
        assert theirs.manifest == mine.manifest


async def test_equal_histories_give_equal_bytes(desk: Desk, tmp_path: Path) -> None:
    await fill(desk)
    data = await pack(desk)
    assert await pack(desk) == data
    async with elsewhere(tmp_path) as other:
        result = await bring_in(other, data)
        assert await pack(other) == data
        assert result.seal == (await bundles(other).pack(other.project_id)).seal


async def test_the_rest_of_a_history_is_added_to_what_is_there(
    desk: Desk, tmp_path: Path
) -> None:
    await fill(desk)
    async with elsewhere(tmp_path) as other:
        await bring_in(other, await pack(desk))
        again = await bring_in(other, await pack(desk))
        assert again.revisions == 0
        assert {file.verdict for file in again.files} == {"unchanged"}
        await write(desk, "index.html", "<!doctype html><p>Three and some more words")
        await remove(desk, "css/図表.css")
        later = await bring_in(other, await pack(desk))
        assert later.revisions == 1
        assert await told(other) == await told(desk)
        assert set(other.files()) == {"index.html", "new.md", "css/図表.css"}


async def test_another_history_of_a_file_refuses_all_and_is_listed(
    desk: Desk, tmp_path: Path
) -> None:
    await fill(desk)
    data = await pack(desk)
    async with elsewhere(tmp_path) as other:
        await write(other, "index.html", "<!doctype html><p>Mine, and more words")
        (other.folder / "NEW.md").write_text("outside")
        before = await told(other)
        with pytest.raises(InvalidInput) as refusal:
            await bring_in(other, data)
        assert refusal.value.code == "import-refused"
        listed = refusal.value.details["refused"]
        assert isinstance(listed, list)
        assert sorted((one["name"], one["code"]) for one in listed) == [
            ("index.html", "history-differs"),
            ("new.md", "path-clash"),
        ]
        assert await told(other) == before


async def test_a_changed_bundle_leaves_no_trace(desk: Desk, tmp_path: Path) -> None:
    await fill(desk)
    data = bytearray(await pack(desk))
    data[len(data) // 2] ^= 1
    async with elsewhere(tmp_path) as other:
        with pytest.raises(InvalidInput) as refusal:
            await bring_in(other, bytes(data))
        assert refusal.value.code == "bundle-damaged"
        assert await other.store.history(other.project_id) == ()
        assert other.files() == {}


async def test_what_another_program_wrote_goes_out_as_a_revision(desk: Desk) -> None:
    await write(desk, "a.md", "# One")
    (desk.folder / "a.md").write_text("# Two, by hand")
    (desk.folder / "b.md").write_text("# Never told")
    data = await pack(desk)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        contents = {archive.read(name) for name in archive.namelist()[1:]}
    assert contents == {b"# One", b"# Two, by hand", b"# Never told"}


async def test_an_empty_project_is_a_bundle_too(desk: Desk, tmp_path: Path) -> None:
    data = await pack(desk)
    async with elsewhere(tmp_path) as other:
        assert (await bring_in(other, data)).files == ()


# --- the order of records -----------------------------------------------------------


@st.composite
def histories(draw: st.DrawFn) -> list[Revision]:
    """Draw revisions as a store makes them, clocks that go back included."""
    made: list[Revision] = []
    heads: dict[str, Revision] = {}
    for number in range(draw(st.integers(1, 14))):
        path = draw(st.sampled_from("abcd"))
        before = heads.get(path)
        sources = [name for name in heads if name != path]
        source = draw(st.sampled_from([None, *sources]))
        parent = heads[source] if source else before
        revision = Revision(
            id=f"{number}",
            project_id="p",
            path=path,
            number=before.number + 1 if before else 1,
            parent=parent.id if parent else None,
            author="person",
            digest="0" * 64,
            size=0,
            moved_from=source,
            created_at=f"2026-11-30T00:00:{draw(st.integers(0, 9)):02}.000Z",
        )
        made.append(revision)
        heads[path] = revision
    return made


@given(histories(), st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_the_order_of_records_depends_on_the_history_alone(
    revisions: list[Revision],
    random: Random,
) -> None:
    project = Project(id="p", name="p", title="P", created_at="", updated_at="")
    files = [
        BundleFile(path=path, present=True) for path in {r.path for r in revisions}
    ]
    records = history_records(project, files, revisions)
    numbers = list(range(len(revisions)))
    random.shuffle(numbers)
    renamed = {one.id: f"r{n}" for one, n in zip(revisions, numbers, strict=True)}
    other = [
        one.model_copy(
            update={"id": renamed[one.id], "parent": renamed.get(one.parent or "")}
        )
        for one in revisions
    ]
    random.shuffle(other)
    assert history_records(project, files[::-1], other) == records
