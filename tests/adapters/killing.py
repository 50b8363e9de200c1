"""Ends a process at each step of an operation on files, and looks at what a restart finds.

python killing.py FOLDER SCENARIO MODE EVERY [WAY]

MODE ``calls``: SIGKILL before each call that changes the disk, and after the last.
MODE ``lines``: SIGKILL at each line of the adapters' code. EVERY: every how many steps.
WAY ``links``, ``renames``: on a disk that exchanges no names, and one without links too.

Strategy: one process imports everything, then forks: a child that prepares the
data folder; for each step a child on a copy of it that is killed there; and a
child that opens the store again and looks. Prints one line of JSON: the number
of steps and what was found wrong.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, TypeAlias

from vitrail.adapters import exchange
from vitrail.adapters import folder as folders
from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import DataFolder, make_data_folder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import UuidIds
from vitrail.adapters.objects import digest_of
from vitrail.adapters.sqlite import connect as connections
from vitrail.adapters.sqlite import writer as writers
from vitrail.errors import Conflict
from vitrail.ports import (
    AppendEvent,
    EventPlace,
    FileDelete,
    FileMove,
    FileStep,
    FileWrite,
    PutProject,
    PutQuarantine,
    ResolveQuarantine,
)
from vitrail.protocol.events import FileChanged
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import Project, QuarantineRecord, Revision

AT = "2026-01-01T00:00:00.000Z"
PROJECT = "p1"
CHANGING_CALLS = (
    "write",
    "pwrite",
    "ftruncate",
    "fchmod",
    "fsync",
    "rename",
    "replace",
    "link",
    "unlink",
    "mkdir",
    "rmdir",
)
"""Of the module ``os``."""
ADAPTERS = str(Path(folders.__file__).parent)


def manifest(title: str, entry: str) -> ArtifactManifest:
    return ArtifactManifest(
        kind="html",
        title=title,
        entry=entry,
        renderer="html",
        exports=("html",),
        created_at=AT,
        updated_at=AT,
    )


async def write_step(
    store: EmbeddedStore, path: str, text: str, **fields: Any
) -> FileWrite:
    """Return the write of a text on top of what is there."""
    head = await store.head(PROJECT, path)
    there = await store.file(PROJECT, path)
    revision = Revision(
        id=f"{path}@{text}",
        project_id=PROJECT,
        path=path,
        number=head.number + 1 if head else 1,
        parent=head.id if head else None,
        author="model",
        digest=digest_of(text.encode()),
        size=len(text),
        created_at=AT,
    )
    return FileWrite(
        revision=revision,
        content=text.encode(),
        manifest=manifest(text, path),
        events=(changed(path, revision),),
        working_digest=there.digest if there else None,
        **fields,
    )


def changed(path: str, revision: Revision) -> AppendEvent:
    told = FileChanged(path, revision.digest, revision.id, revision.author)
    return AppendEvent(EventPlace(PROJECT), told)


# --- what is done, each with what the folder is before and after it -------------

State: TypeAlias = dict[str, str]
"""Text of each working file by path; its manifest's title is the same text."""


class Scenario:
    data: DataFolder
    before: ClassVar[State] = {}
    after: ClassVar[State] = {}
    is_resolved: bool | None = None
    """Whether the draft is decided afterwards; None: there is none."""

    async def prepare(self, store: EmbeddedStore) -> None:
        for path, text in self.before.items():
            await store.commit_file(await write_step(store, path, text))

    async def steps(self, store: EmbeddedStore) -> tuple[FileStep, ...]:
        raise NotImplementedError(store)

    def on_step(self, data: DataFolder, step: str) -> None:
        """Do what another program does meanwhile."""

    async def run(self, data: DataFolder, arm: Callable[[], None]) -> None:
        store = await opened(data, lambda step: self.on_step(data, step))
        steps = await self.steps(store)
        arm()
        await store.commit_files(steps)


class Replace(Scenario):
    before: ClassVar[State] = {"index.html": "old"}
    after: ClassVar[State] = {"index.html": "new"}

    async def steps(self, store: EmbeddedStore) -> tuple[FileStep, ...]:
        return (await write_step(store, "index.html", "new"),)


class Create(Scenario):
    before: ClassVar[State] = {"index.html": "old"}
    after: ClassVar[State] = {"index.html": "old", "deep/down/page.html": "new"}

    async def steps(self, store: EmbeddedStore) -> tuple[FileStep, ...]:
        return (await write_step(store, "deep/down/page.html", "new"),)


class Delete(Scenario):
    before: ClassVar[State] = {"index.html": "old", "page.html": "page"}
    after: ClassVar[State] = {"index.html": "old"}

    async def steps(self, _: EmbeddedStore) -> tuple[FileStep, ...]:
        return (
            FileDelete(
                project_id=PROJECT, path="page.html", working_digest=digest_of(b"page")
            ),
        )


class Move(Scenario):
    """A file goes to another folder, itself and a page that names it rewritten."""

    before: ClassVar[State] = {"page.html": "page", "index.html": "old"}
    after: ClassVar[State] = {
        "docs/page.html": "page, moved",
        "index.html": "old, rewritten",
    }

    async def steps(self, store: EmbeddedStore) -> tuple[FileStep, ...]:
        head = await store.head(PROJECT, "page.html")
        assert head is not None
        text = self.after["docs/page.html"]
        revision = Revision(
            id="moved",
            project_id=PROJECT,
            path="docs/page.html",
            number=1,
            parent=head.id,
            author="person",
            digest=digest_of(text.encode()),
            size=len(text),
            moved_from="page.html",
            created_at=AT,
        )
        move = FileMove(
            path="page.html",
            working_digest=head.digest,
            revision=revision,
            manifest=manifest(text, "docs/page.html"),
            content=text.encode(),
            events=(changed("docs/page.html", revision),),
        )
        return (move, await write_step(store, "index.html", self.after["index.html"]))


class Accept(Scenario):
    """A draft becomes the good file, its own file goes, and it is decided."""

    before: ClassVar[State] = {"index.html": "good", "index.draft.html": "draft"}
    after: ClassVar[State] = {"index.html": "draft"}
    is_resolved = True

    async def prepare(self, store: EmbeddedStore) -> None:
        await super().prepare(store)
        draft = await store.head(PROJECT, "index.draft.html")
        assert draft is not None
        record = QuarantineRecord(
            id="q1",
            project_id=PROJECT,
            path="index.html",
            draft="index.draft.html",
            revision=draft.id,
            digest=draft.digest,
            reason="artifact-regression",
            created_at=AT,
        )
        await store.apply([PutQuarantine(record)])

    async def steps(self, store: EmbeddedStore) -> tuple[FileStep, ...]:
        resolved = (ResolveQuarantine(PROJECT, "q1"),)
        return (
            await write_step(store, "index.html", "draft", changes=resolved),
            FileDelete(
                project_id=PROJECT,
                path="index.draft.html",
                working_digest=digest_of(b"draft"),
            ),
        )


class Surprise(Replace):
    """Another program writes the file in the moment before it is exchanged."""

    after: ClassVar[State] = {"index.html": "outside"}

    async def prepare(self, store: EmbeddedStore) -> None:
        await super().prepare(store)
        self.data.path.joinpath("aside").write_text("outside")

    def on_step(self, data: DataFolder, step: str) -> None:
        if step == "committed":
            write_by_hand(data)

    async def run(self, data: DataFolder, arm: Callable[[], None]) -> None:
        try:
            await super().run(data, arm)
        except Conflict:
            return
        raise AssertionError("the write was no conflict")


class Restart(Replace):
    """A process died when the change was committed, and its successor dies as well."""

    async def prepare(self, store: EmbeddedStore) -> None:
        await super().prepare(store)
        await store.close()

    async def run(self, data: DataFolder, arm: Callable[[], None]) -> None:
        arm()
        await opened(data)


SCENARIOS: dict[str, type[Scenario]] = {
    kind.__name__.lower(): kind
    for kind in (Replace, Create, Delete, Move, Accept, Surprise, Restart)
}


def write_by_hand(data: DataFolder) -> None:
    (data.path / "aside").replace(data.projects / "site" / "index.html")


async def opened(
    data: DataFolder, on_step: Callable[[str], None] | None = None
) -> EmbeddedStore:
    return await open_store(data, clock=SystemClock(), ids=UuidIds(), on_step=on_step)


# --- being killed ----------------------------------------------------------------


class Steps:
    """Counts steps once armed, and kills this process at one of them."""

    def __init__(self, kill_at: int) -> None:
        self.count = 0
        self._kill_at = kill_at
        self._is_armed = False
        self._lock = threading.Lock()

    def arm(self) -> None:
        self._is_armed = True

    def step(self) -> None:
        if not self._is_armed:
            return
        with self._lock:
            if self.count == self._kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
            self.count += 1

    def watch_calls(self) -> None:
        """Step before each call that changes what is on the disk."""
        for name in CHANGING_CALLS:
            setattr(os, name, self._counted(getattr(os, name)))
        for module in (exchange, folders):
            for name in ("exchange_names", "rename_to_free_name"):
                setattr(module, name, self._counted(getattr(module, name)))
        connect = connections.connect_writer

        def connected(path: Path) -> Any:
            return Counting(connect(path), self.step)

        # as the writer's module knows it
        vars(writers)["connect_writer"] = connected

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.step()
            return call(*args, **kwargs)

        return counted

    def watch_lines(self) -> None:
        """Step at each line of the adapters, in every thread."""

        def trace(frame: FrameType, *_: object) -> Any:
            if not frame.f_code.co_filename.startswith(ADAPTERS):
                return None
            self.step()
            return trace

        threading.settrace(trace)
        sys.settrace(trace)


class Counting:
    """A writing connection that tells of each statement but the reading ones."""

    def __init__(self, connection: Any, step: Callable[[], None]) -> None:
        self._connection = connection
        self._step = step

    def execute(self, statement: str, *args: Any) -> Any:
        if statement in ("BEGIN IMMEDIATE", "COMMIT"):
            self._step()
        return self._connection.execute(statement, *args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


# --- what a restart finds ----------------------------------------------------------


async def check(scenario: Scenario, data: DataFolder) -> None:
    """Raise ``AssertionError`` unless everything is as it was, or as it is to be."""
    store = await opened(data)
    files = {file.path: file for file in await store.files(PROJECT)}
    root = data.projects / "site"
    texts = {path: (root / path).read_text() for path in files}
    is_new = await is_committed(scenario, store)
    expected = scenario.after if is_new else scenario.before
    if isinstance(scenario, Surprise) and is_new and texts["index.html"] == "new":
        expected = {"index.html": "new"}  # the other program had no time to write
        assert (data.path / "aside").exists()
    assert texts == expected, f"{texts} is not {expected}"
    for path, text in texts.items():
        beside = json.loads((root / f"{path}.artifact.json").read_text())
        is_ours = text != "outside"
        assert not is_ours or beside["title"] == text, f"{path} has {beside['title']}"
    left = {str(item.relative_to(root)) for item in root.rglob("*.artifact.json")}
    assert left == {f"{path}.artifact.json" for path in texts}, left
    staging = root / ".vitrail" / "staging"
    assert not staging.exists() or not list(staging.iterdir()), "staging is not empty"
    await check_history(store, {**scenario.before, **scenario.after})
    if scenario.is_resolved is not None:
        assert bool(await store.quarantined(PROJECT)) != is_new
    for path in {**scenario.before, **scenario.after}:
        await store.commit_file(await next_step(store, path))
    await store.close()
    for lock in data.locks.iterdir():
        assert lock.suffix == ".lock", lock.name


async def is_committed(scenario: Scenario, store: EmbeddedStore) -> bool:
    """Return whether the change is in the history: all of it, or nothing."""
    if isinstance(scenario, Delete):
        return await store.file(PROJECT, "page.html") is None
    found = []
    for path, text in scenario.after.items():
        if text in scenario.before.get(path, ""):
            continue
        wanted = "new" if isinstance(scenario, Surprise) else text
        history = await store.revisions(PROJECT, path)
        found.append(digest_of(wanted.encode()) in {item.digest for item in history})
    assert len(set(found)) == 1, "half of the change was committed"
    return found[0]


async def check_history(store: EmbeddedStore, paths: State) -> None:
    told = {
        getattr(item.event, "revision", None) for item in await store.events_after(0)
    }
    for path in paths:
        history = await store.revisions(PROJECT, path)
        numbers = [item.number for item in reversed(history)]
        assert numbers == list(range(1, len(history) + 1)), numbers
        for newer, older in pairwise(history):
            assert newer.parent == older.id, "a parent is not the one before"
        for item in history:
            content = await store.read_object(item.digest)
            assert digest_of(content) == item.digest
            assert item.id in told, f"no event tells of {item.id}"


async def next_step(store: EmbeddedStore, path: str) -> FileWrite:
    """Return a further write of the path; what is no head yet becomes one by hand."""
    there, head = await store.file(PROJECT, path), await store.head(PROJECT, path)
    if there is not None and (head is None or head.digest != there.digest):
        content, _ = await store.read_file(PROJECT, path)
        await store.commit_file(await write_step(store, path, content.decode()))
    return await write_step(store, path, f"after {path}")


# --- processes ---------------------------------------------------------------------


def in_child(
    work: Callable[[], Coroutine[Any, Any, None]], pipe: int | None = None
) -> int:
    """Run ``work`` in a forked process; return how that ended, as ``waitpid`` says it."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            asyncio.run(work())
            status = 0
        except BaseException:  # noqa: BLE001 - told to the parent
            told = traceback.format_exc()
            if pipe is not None:
                os.write(pipe, told.encode()[-1500:])
        finally:
            os._exit(status)
    return os.waitpid(pid, 0)[1]


def said_by_child(
    work: Callable[[Callable[[str], None]], Coroutine[Any, Any, None]],
) -> tuple[int, str]:
    """Do the same; return also what the child said."""
    reading, writing = os.pipe()
    status = in_child(
        lambda: work(lambda text: void(os.write(writing, text.encode()))), writing
    )
    os.close(writing)
    with os.fdopen(reading) as file:
        return status, file.read()


def void(_: object) -> None:
    return


class Killer:
    """Runs one scenario again and again, each time killed one step later."""

    def __init__(self, root: Path, name: str, mode: str) -> None:
        self._root = root
        self._scenario = SCENARIOS[name]()
        self._mode = mode
        self._template = root / "template"
        self._copy = root / "data"

    def prepare(self) -> None:
        async def work() -> None:
            data = self._scenario.data = make_data_folder(self._template)
            store = await opened(data)
            await store.apply(
                [
                    PutProject(
                        Project(
                            id=PROJECT,
                            name="site",
                            title="Site",
                            created_at=AT,
                            updated_at=AT,
                        )
                    )
                ]
            )
            await self._scenario.prepare(store)
            await store.close()
            if isinstance(self._scenario, Restart):
                await die_committed(data)

        status, said = said_by_child(lambda _: work())
        is_restart = isinstance(self._scenario, Restart)
        assert status == (signal.SIGKILL if is_restart else 0), said

    def run(self, kill_at: int) -> tuple[int, int]:
        """Run it on a fresh copy; return how it ended, and how many steps it took."""
        shutil.rmtree(self._copy, ignore_errors=True)
        shutil.copytree(self._template, self._copy)

        data = make_data_folder(self._copy)

        async def work(say: Callable[[str], None]) -> None:
            steps = Steps(kill_at)
            if self._mode == "calls":
                steps.watch_calls()
            else:
                steps.watch_lines()
            await self._scenario.run(data, steps.arm)
            sys.settrace(None)
            say(str(steps.count))

        status, said = said_by_child(work)
        assert status in (0, signal.SIGKILL), said
        return status, int(said) if status == 0 else 0

    def look(self) -> str:
        """Return what a restart finds wrong; empty where nothing is."""
        status, said = said_by_child(
            lambda _: check(self._scenario, make_data_folder(self._copy))
        )
        return said if status else ""


async def die_committed(data: DataFolder) -> None:
    """Commit a change and die before the folder has it."""

    def on_step(step: str) -> None:
        if step == "committed":
            os.kill(os.getpid(), signal.SIGKILL)

    store = await opened(data, on_step)
    await store.commit_files(await Replace().steps(store))


def limit_disk(way: str) -> None:
    """Do without the one call that exchanges names, and without links."""
    vars(exchange)["_RENAMEAT2"] = None
    if way == "renames":

        def no_links(*_: object, **__: object) -> None:
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))

        vars(os)["link"] = no_links


def main(root: str, name: str, mode: str, every: str, way: str = "") -> None:
    if way:
        limit_disk(way)
    killer = Killer(Path(root), name, mode)
    killer.prepare()
    _, total = killer.run(-1)
    wrong = [killer.look()]
    killed = ended = 0
    for kill_at in range(0, total, int(every)):
        status, taken = killer.run(kill_at)
        killed += status == signal.SIGKILL
        # threads that wait take a line more or less: this run ended before its step
        ended += status == 0 and taken <= kill_at
        found = killer.look()
        wrong.append(found and f"killed at {kill_at} of {total}: {found}")
    report = {
        "steps": total,
        "killed": killed,
        "ended": ended,
        "wrong": [item for item in wrong if item],
    }
    os.write(1, (json.dumps(report) + "\n").encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
