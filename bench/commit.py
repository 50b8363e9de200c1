"""What a commit costs, beside the same fsyncs done bare; and what a long history costs.

Strategy: the fsyncs of a commit are counted; then a commit and as many bare
ones take turns on the same disk (files of the same sizes written anew and
fsynced, renamed, their folders fsynced, a log appended to and fsynced), so that
whatever the machine does falls on both; the figure is the ratio of the medians.
Exits 1 when a budget is broken.

    python -m bench.commit [--quick]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

if not __package__:  # run by path
    sys.path.insert(0, str(Path(__file__).parents[1]))

from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import DATABASE_NAME, make_data_folder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import UuidIds
from vitrail.adapters.listing import manifest_bytes
from vitrail.adapters.objects import digest_of
from vitrail.adapters.sqlite import revisions as rows
from vitrail.adapters.sqlite.connect import connect_writer
from vitrail.ports import AppendEvent, EventPlace, FileWrite, PutProject
from vitrail.protocol.events import FileChanged
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import Project, Revision

__all__ = ["main"]

MAX_RATIO = 3.0
MAX_LIST_S = 0.05
REVISIONS = 10_000
BODY_BYTES = 20_000
LOG_BYTES = 7 * 4096
"""What one transaction appends to the database's log: seven pages."""
AT = "2026-01-01T00:00:00.000Z"
PROJECT = "p1"
MANIFEST = ArtifactManifest(
    kind="html",
    title="Page",
    entry="page.html",
    renderer="html",
    exports=("html",),
    created_at=AT,
    updated_at=AT,
)


class Commits:
    """Commits one file again and again."""

    def __init__(self, store: EmbeddedStore) -> None:
        self._store = store
        self._head: Revision | None = None

    async def commit(self) -> None:
        """Commit a new text of the page, with its manifest."""
        head = self._head
        number = head.number + 1 if head else 1
        content = f"{number:08}".encode() * (BODY_BYTES // 8)
        revision = Revision(
            id=f"page@{number}",
            project_id=PROJECT,
            path="page.html",
            number=number,
            parent=head.id if head else None,
            author="model",
            digest=digest_of(content),
            size=len(content),
            created_at=AT,
        )
        told = FileChanged("page.html", revision.digest, revision.id, "model")
        await self._store.commit_file(
            FileWrite(
                revision=revision,
                content=content,
                manifest=MANIFEST,
                events=(AppendEvent(EventPlace(PROJECT), told),),
                working_digest=head.digest if head else None,
            )
        )
        self._head = revision


class Bare:
    """The same fsyncs with nothing around them."""

    def __init__(self, folder: Path) -> None:
        self._folders = [folder / "objects", folder / "project"]
        for made in self._folders:
            made.mkdir()
        self._log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._beside = manifest_bytes(MANIFEST)
        self._count = 0

    def sync(self) -> None:
        """Write and fsync three files and a log, rename the files, fsync two folders."""
        self._count += 1
        objects, project = self._folders
        body = f"{self._count:08}".encode() * (BODY_BYTES // 8)
        self._write(objects / "new", body)
        (objects / "new").rename(objects / str(self._count))
        self._sync_folder(objects)
        self._write(project / "new", body)
        self._write(project / "new.json", self._beside)
        os.write(self._log, bytes(LOG_BYTES))
        os.fsync(self._log)
        (project / "new").rename(project / "page.html")
        (project / "new.json").rename(project / "page.json")
        self._sync_folder(project)

    def _write(self, path: Path, content: bytes) -> None:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        os.write(handle, content)
        os.fsync(handle)
        os.close(handle)

    def _sync_folder(self, folder: Path) -> None:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(handle)
        os.close(handle)


SYNCS_OF_BARE = 6
_COUNTED = 20
"""Commits whose fsyncs are counted; now and then one makes a new folder of objects."""


@contextmanager
def counted_syncs() -> Iterator[list[int]]:
    """Count the fsyncs of this process but the database's own, one a transaction."""
    real, calls = os.fsync, [0]

    def sync(handle: Any) -> None:
        calls[0] += 1
        real(handle)

    os.fsync = sync  # type: ignore[assignment] # the handles here are numbers
    try:
        yield calls
    finally:
        os.fsync = real


async def measure_commits(folder: Path, rounds: int) -> bool:
    """Print what a commit costs; return whether it is within its budget."""
    store = await opened(folder / "data")
    commits, bare = Commits(store), Bare(folder)
    for _ in range(20):  # the first commits make the objects' folders
        await commits.commit()
        bare.sync()
    with counted_syncs() as calls:
        for _ in range(_COUNTED):
            await commits.commit()
    syncs = calls[0] / _COUNTED + 1
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(rounds):
        started = time.perf_counter()
        await commits.commit()
        between = time.perf_counter()
        bare.sync()
        theirs.append(time.perf_counter() - between)
        ours.append(between - started)
    await store.close()
    ratio = statistics.median(ours) / statistics.median(theirs)
    verdict = "within" if ratio <= MAX_RATIO else "OVER"
    print(
        f"commit {statistics.median(ours) * 1000:.2f} ms with {syncs:.1f} fsyncs, "
        f"bare {statistics.median(theirs) * 1000:.2f} ms with {SYNCS_OF_BARE}: "
        f"{ratio:.2f} times, {verdict} {MAX_RATIO}"
    )
    return ratio <= MAX_RATIO


async def measure_history(folder: Path) -> bool:
    """Print what listing a long history costs; return whether it is within its budget."""
    store = await opened(folder / "data")
    fill(folder / "data" / DATABASE_NAME)
    listings: dict[str, Callable[[], Awaitable[object]]] = {
        "all of one file": lambda: store.revisions(PROJECT, "long.html"),
        "its newest page": lambda: store.revisions(PROJECT, "long.html", limit=100),
        "the project": lambda: store.history(PROJECT),
    }
    is_within = True
    for name, listing in listings.items():
        # processor time of every thread: nothing here waits for the disk
        best_s = float("inf")
        for _ in range(9):
            started = time.process_time()
            await listing()
            best_s = min(best_s, time.process_time() - started)
        verdict = "within" if best_s <= MAX_LIST_S else "OVER"
        print(f"  {REVISIONS} revisions, {name}: {best_s * 1000:.1f} ms, {verdict} 50")
        is_within = is_within and best_s <= MAX_LIST_S
    await store.close()
    return is_within


def fill(database: Path) -> None:
    """Put a long history into the database, without its objects."""
    db = connect_writer(database)
    db.execute("BEGIN")
    parent: str | None = None
    for number in range(1, REVISIONS + 1):
        revision = Revision(
            id=f"{number:032x}",
            project_id=PROJECT,
            path="long.html",
            number=number,
            parent=parent,
            author="model",
            digest=f"{number:064x}",
            size=BODY_BYTES,
            run_id=f"{number:032x}",
            reason="a reason as people give it",
            created_at=AT,
        )
        rows.add_revision(db, revision, None)
        parent = revision.id
    db.execute("COMMIT")
    db.close()


async def opened(path: Path) -> EmbeddedStore:
    store = await open_store(make_data_folder(path), clock=SystemClock(), ids=UuidIds())
    project = Project(id=PROJECT, name="site", title="S", created_at=AT, updated_at=AT)
    await store.apply([PutProject(project)])
    return store


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds")
    rounds = 50 if parser.parse_args(arguments).quick else 300
    # a disk in memory has no fsync to speak of, so it is the working folder's
    with tempfile.TemporaryDirectory(dir=".") as commits:
        is_within = asyncio.run(measure_commits(Path(commits), rounds))
    with tempfile.TemporaryDirectory(dir=".") as history:
        is_within = asyncio.run(measure_history(Path(history))) and is_within
    return 0 if is_within else 1


if __name__ == "__main__":
    sys.exit(main())
