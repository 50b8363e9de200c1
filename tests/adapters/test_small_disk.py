"""A disk that is really full, and one that is really read-only, where one may be mounted."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.killing import AT, PROJECT, opened, write_step
from vitrail.adapters.datafolder import make_data_folder
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.adapters.objects import digest_of
from vitrail.errors import Conflict, InvalidPath, StorageError
from vitrail.ports import FileDelete, PutProject
from vitrail.protocol.records import Project

SIZE_KIB = 4096


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of four MiB in memory."""
    made = tmp_path / "disk"
    made.mkdir()
    options = f"size={SIZE_KIB}k"
    if not ran("mount", "-t", "tmpfs", "-o", options, "tmpfs", str(made)):
        pytest.skip("only who may mount a disk can fill a small one")
    yield made
    assert ran("umount", str(made))


def ran(*command: str) -> bool:
    try:
        done = subprocess.run(command, check=False, capture_output=True)
    except FileNotFoundError:
        return False
    return done.returncode == 0


async def store_on(data: Path, root: Path | None) -> EmbeddedStore:
    store = await opened(make_data_folder(data))
    project = Project(id=PROJECT, name="site", title="S", created_at=AT, updated_at=AT)
    await store.apply([PutProject(project, root=str(root) if root else None)])
    return store


@pytest.mark.parametrize("full", ["the project's disk", "the data folder's disk"])
async def test_a_full_disk_keeps_the_old_file_and_takes_the_new_one_later(
    disk: Path, tmp_path: Path, full: str
) -> None:
    is_project = full == "the project's disk"
    site = (disk if is_project else tmp_path) / "site"
    store = await store_on((tmp_path if is_project else disk) / "data", site)
    try:
        await store.commit_file(await write_step(store, "index.html", "old"))
        left = disk / "ballast"
        fill(left)
        before = await store.last_seq()
        step = await write_step(store, "index.html", "new" * 100_000)
        with pytest.raises(StorageError) as refusal:
            await store.commit_file(step)
        assert refusal.value.code == "storage-full"
        assert (site / "index.html").read_text() == "old"
        assert await store.last_seq() == before
        assert len(await store.revisions(PROJECT, "index.html")) == 1
        left.unlink()
        await store.commit_file(step)
        assert (site / "index.html").read_text() == "new" * 100_000
    finally:
        await store.close()


def fill(ballast: Path) -> None:
    """Leave no room on the disk that the file is on."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return


async def test_a_read_only_folder_keeps_the_old_file_and_can_be_read(
    disk: Path, tmp_path: Path
) -> None:
    site = disk / "site"
    store = await store_on(tmp_path / "data", site)
    try:
        await store.commit_file(await write_step(store, "index.html", "old"))
        step = await write_step(store, "index.html", "new")
        assert ran("mount", "-o", "remount,ro", str(disk))
        with pytest.raises(StorageError) as refusal:
            await store.commit_file(step)
        assert refusal.value.code == "storage-read-only"
        (listed,) = await store.files(PROJECT)
        assert (await store.read_file(PROJECT, listed.path))[0] == b"old"
        assert ran("mount", "-o", "remount,rw", str(disk))
        await store.commit_file(step)
        assert (site / "index.html").read_text() == "new"
    finally:
        await store.close()


async def test_a_folder_of_another_disk_is_refused_before_anything_is_committed(
    disk: Path, tmp_path: Path
) -> None:
    store = await store_on(tmp_path / "data", disk.parent)
    try:
        before = await store.last_seq()
        step = await write_step(store, "disk/page.html", "new")
        with pytest.raises(InvalidPath, match="another disk"):
            await store.commit_file(step)
        (disk / "page.html").write_text("by hand")
        gone = FileDelete(PROJECT, "disk/page.html", digest_of(b"by hand"))
        with pytest.raises((InvalidPath, Conflict)):
            await store.commit_files([gone])
        assert (disk / "page.html").read_text() == "by hand"
        # it is in no other file's way
        await store.commit_file(await write_step(store, "index.html", "new"))
        assert await store.last_seq() > before
    finally:
        await store.close()
