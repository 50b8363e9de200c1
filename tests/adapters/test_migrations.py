"""A data folder of an older version opens, and what its process left is finished."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.adapters.killing import PROJECT, opened, write_step
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.objects import Objects, digest_of
from vitrail.adapters.sqlite.schema import MIGRATIONS

FIRST = Path(__file__).parent / "golden" / "first_version.sql"


def restore_first_version(data: DataFolder) -> None:
    """Lay down what a process of the first version left that died in a commit."""
    db = sqlite3.connect(data.database)
    db.executescript(FIRST.read_text())
    db.close()
    for content in (b"one", b"two"):
        Objects(data.objects).put(content)
    site = data.projects / "site"
    site.mkdir()
    (site / "index.html").write_text("one")
    (site / "index.html.artifact.json").write_text("{}")


async def test_a_data_folder_of_the_first_version_opens(data: DataFolder) -> None:
    restore_first_version(data)
    store = await opened(data)
    try:
        # the change that was committed and not placed is in its place
        assert (data.projects / "site" / "index.html").read_text() == "two"
        beside = (data.projects / "site" / "index.html.artifact.json").read_text()
        assert '"title": "two"' in beside
        two, one = await store.revisions(PROJECT, "index.html")
        assert (two.id, two.parent, two.digest) == ("r2", one.id, digest_of(b"two"))
        assert (await store.settings())["language"] == "en"
        ((message,), _) = await store.messages("c1")
        assert message.id == "m1"
        assert await store.quarantined(PROJECT) == ()
        (listed,) = await store.history(PROJECT)
        assert (listed.head, listed.revisions, listed.present) == (two, 2, True)
        await store.commit_file(await write_step(store, "index.html", "three"))
    finally:
        await store.close()


async def test_each_older_version_comes_to_the_same_tables(data: DataFolder) -> None:
    restore_first_version(data)
    store = await opened(data)
    await store.close()
    fresh = sqlite3.connect(":memory:")
    for statements in MIGRATIONS:
        for statement in statements:
            fresh.execute(statement)
    db = sqlite3.connect(data.database)
    try:
        assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        query = "SELECT type, name FROM sqlite_master ORDER BY type, name"
        assert db.execute(query).fetchall() == fresh.execute(query).fetchall()
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        db.close()
        fresh.close()
