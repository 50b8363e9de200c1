"""A database or a disk that refuses is told in words, and nothing is lost."""

from __future__ import annotations

import errno
import shutil
import sqlite3

import pytest

from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.failures import storage_error
from vitrail.adapters.ids import CountingIds
from vitrail.adapters.objects import Objects, digest_of
from vitrail.adapters.sqlite import connect
from vitrail.adapters.sqlite.schema import MIGRATIONS, migrate
from vitrail.errors import NotFound, StorageError
from vitrail.ports import AppendEvent, EventPlace
from vitrail.protocol.events import Text


async def reopen(data: DataFolder) -> EmbeddedStore:
    return await open_store(data, clock=SystemClock(), ids=CountingIds())


async def test_a_database_of_a_newer_version_is_not_touched(data: DataFolder) -> None:
    database = sqlite3.connect(data.database)
    database.execute("CREATE TABLE later (x)")
    database.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    database.close()
    with pytest.raises(StorageError) as refusal:
        await reopen(data)
    assert refusal.value.code == "storage-too-new"
    database = sqlite3.connect(data.database)
    assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("later",)]
    database.close()


async def test_a_file_that_is_no_database_is_said_to_be_none(data: DataFolder) -> None:
    data.database.write_bytes(b"this is not a database, and it is long enough" * 99)
    with pytest.raises(StorageError) as refusal:
        await reopen(data)
    assert "vitrail.db" in refusal.value.message


async def test_a_full_disk_keeps_what_was_there(store: EmbeddedStore) -> None:
    (first,) = await store.apply([AppendEvent(EventPlace(), Text("kept"))])
    # SQLite's own limit stands for the disk's
    store._writer.submit(
        lambda db: db.execute("PRAGMA max_page_count = 1"), durable=False
    ).result()
    with pytest.raises(StorageError) as refusal:
        await store.apply([AppendEvent(EventPlace(), Text("x" * 100_000))])
    assert refusal.value.code == "storage-full"
    assert refusal.value.retryable
    assert [item.seq for item in await store.events_after(0)] == [first.seq]


async def test_a_database_that_another_program_holds_is_busy(
    data: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "_BUSY_TIMEOUT_MS", 20)
    store = await reopen(data)
    other = sqlite3.connect(data.database, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError) as refusal:
            await store.apply([AppendEvent(EventPlace(), Text("x"))])
        assert refusal.value.code == "storage-busy"
        assert await store.last_seq() == 0
        other.execute("ROLLBACK")
        await store.apply([AppendEvent(EventPlace(), Text("x"))])
        assert await store.last_seq() == 1
    finally:
        other.close()
        await store.close()


async def test_the_database_is_its_owner_s_alone(
    store: EmbeddedStore, data: DataFolder
) -> None:
    await store.apply([AppendEvent(EventPlace(), Text("x"))])
    for path in data.path.glob("vitrail.db*"):
        assert path.stat().st_mode & 0o077 == 0, path.name


def test_objects_are_kept_once_and_read_by_their_digest(data: DataFolder) -> None:
    objects = Objects(data.objects)
    digest = objects.put(b"content")
    assert objects.put(b"content") == digest == digest_of(b"content")
    assert objects.read(digest) == b"content"
    assert list((data.objects / "tmp").iterdir()) == []
    for missing in (digest_of(b"other"), "", "../../vitrail.db", digest.upper()):
        with pytest.raises(NotFound):
            objects.read(missing)


def test_a_rotten_object_is_told_from_a_good_one(data: DataFolder) -> None:
    objects = Objects(data.objects)
    digest = objects.put(b"content")
    (data.objects / digest[:2] / digest[2:]).write_bytes(b"rotten")
    with pytest.raises(StorageError):
        objects.read(digest)


def test_what_a_disk_says_has_a_code() -> None:
    cases = {
        errno.ENOSPC: "storage-full",
        errno.EDQUOT: "storage-full",
        errno.EROFS: "storage-read-only",
        errno.EACCES: "storage-read-only",
        errno.EIO: "storage-failed",
    }
    for number, code in cases.items():
        assert storage_error(OSError(number, "x")).code == code


async def test_another_program_s_database_is_left_alone(data: DataFolder) -> None:
    database = sqlite3.connect(data.database)
    database.execute("CREATE TABLE projects (x)")
    database.close()
    before = data.database.read_bytes()
    with pytest.raises(StorageError, match="another program"):
        await reopen(data)
    database = sqlite3.connect(data.database)
    query = "SELECT sql FROM sqlite_master"
    assert database.execute(query).fetchall() == [("CREATE TABLE projects (x)",)]
    database.close()
    assert len(data.database.read_bytes()) == len(before)


def test_a_disk_that_is_full_from_the_start_is_said_to_be_full() -> None:
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError, match="full"):
        migrate(database)
    database.close()


def test_objects_whose_folder_was_removed_have_it_again(data: DataFolder) -> None:
    objects = Objects(data.objects)
    digest = objects.put(b"first")
    shutil.rmtree(data.objects)
    with pytest.raises(NotFound):
        objects.read(digest)
    assert objects.read(objects.put(b"second")) == b"second"


async def test_nothing_is_promised_by_a_database_that_has_lost_its_name(
    store: EmbeddedStore, data: DataFolder
) -> None:
    aside = data.database.rename(data.path / "aside.db")
    with pytest.raises(StorageError, match="removed or replaced"):
        await store.apply([AppendEvent(EventPlace(), Text("lost"))])
    aside.rename(data.database)
    await store.apply([AppendEvent(EventPlace(), Text("kept"))])
