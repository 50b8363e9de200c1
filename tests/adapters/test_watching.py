"""Folders are watched by the system: what changes is told, what is nobody's is not."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest

from vitrail.adapters.folder import ProjectFolder
from vitrail.adapters.watching import (
    FolderWatch,
    Notifier,
    WatchPace,
    WatchState,
    system_notifier,
)
from vitrail.errors import StorageError

QUICK = WatchPace(
    debounce_ms=200,
    step_ms=20,
    missing_s=0.05,
    poll_s=0.02,
    retry_s=0.1,
    projects_s=0.01,
)


class Folders:
    """Projects that a test adds to."""

    def __init__(self, **roots: Path) -> None:
        self.roots = roots
        self._grown = asyncio.Event()
        self._seq = 0

    def add(self, project: str, root: Path) -> None:
        self.roots[project] = root
        self._grown.set()

    async def folders(self) -> Mapping[str, ProjectFolder]:
        return {project: ProjectFolder(root) for project, root in self.roots.items()}

    async def changed(self) -> AsyncIterator[int]:
        while True:
            await self._grown.wait()
            self._grown.clear()
            self._seq += 1
            yield self._seq


class Listener:
    """Gathers what is told, and waits for what a test expects."""

    def __init__(self, watch: FolderWatch) -> None:
        self.watch = watch
        self.told: list[Mapping[str, frozenset[str] | None]] = []
        self._more = asyncio.Event()
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for told in self.watch.changes():
            self.told.append(told)
            self._more.set()

    def paths(self, project: str = "p") -> set[str]:
        return {
            path
            for told in self.told
            if project in told
            for path in told[project] or frozenset()
        }

    async def hears(self, path: str, project: str = "p") -> None:
        """Wait until that path, or any of the project, is told of."""
        await self.until(
            lambda: any(
                told[project] is None or path in (told[project] or ())
                for told in self.told
                if project in told
            )
        )

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not holds():
                await self._more.wait()
                self._more.clear()

    async def state(self, holds: Callable[[WatchState], bool]) -> WatchState:
        """Wait for a state that only the thread's progress brings about."""
        async with asyncio.timeout(10):
            while not holds(self.watch.state):
                await asyncio.to_thread(threading.Event().wait, 0.005)
        return self.watch.state

    async def heard_all(self, project: str = "p") -> None:
        """Wait until the project was told of as a whole, then forget what was told."""
        await self.until(
            lambda: any(told.get(project, "") is None for told in self.told)
        )
        self.told.clear()

    async def end(self) -> None:
        await self.watch.close()
        await self._task


@asynccontextmanager
async def listening(
    folders: Folders,
    *,
    notifier: Callable[[list[str]], Notifier] = system_notifier,
) -> AsyncIterator[Listener]:
    listener = Listener(FolderWatch(folders, pace=QUICK, notifier=notifier))
    try:
        yield listener
    finally:
        await listener.end()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "css").mkdir(parents=True)
    return folder


async def test_every_project_is_told_of_when_it_begins_to_be_watched(
    root: Path,
) -> None:
    async with listening(Folders(p=root)) as listener:
        await listener.until(lambda: bool(listener.told))
        assert listener.told[0] == {"p": None}
        assert listener.watch.state == WatchState("watching", 2)


async def test_a_file_that_is_written_renamed_or_removed_is_told_by_its_path(
    root: Path,
) -> None:
    async with listening(Folders(p=root)) as listener:
        await listener.heard_all()
        (root / "css" / "a.css").write_text("a{}")
        await listener.until(lambda: "css/a.css" in listener.paths())
        (root / "css" / "a.css").rename(root / "b.css")
        await listener.until(lambda: "b.css" in listener.paths())
        listener.told.clear()
        (root / "b.css").unlink()
        await listener.until(lambda: "b.css" in listener.paths())


async def test_what_is_nobody_s_work_is_not_told(root: Path) -> None:
    (root / ".vitrail").mkdir()
    async with listening(Folders(p=root)) as listener:
        await listener.heard_all()
        for name in (
            ".hidden.html",
            "page.html~",
            "4913",
            ".vitrail/x",
            "a.html.tmp",
            "CON.html",
        ):
            (root / name).write_text("x")
        (root / "last.html").write_text("x")
        await listener.until(lambda: "last.html" in listener.paths())
        assert listener.paths() == {"last.html"}
        assert all(told["p"] is not None for told in listener.told)


async def test_a_folder_that_appears_is_watched_with_all_that_is_in_it(
    root: Path,
) -> None:
    async with listening(Folders(p=root)) as listener:
        await listener.heard_all()
        (root / "new" / "deep").mkdir(parents=True)
        await listener.state(lambda state: state.folders == 4)
        await listener.heard_all()
        (root / "new" / "deep" / "a.css").write_text("a{}")
        await listener.hears("new/deep/a.css")


async def test_a_renamed_folder_is_watched_under_its_new_name(root: Path) -> None:
    async with listening(Folders(p=root)) as listener:
        await listener.heard_all()
        (root / "css").rename(root / "styles")
        await listener.heard_all()
        await listener.state(lambda state: state.folders == 2)
        (root / "styles" / "a.css").write_text("a{}")
        await listener.hears("styles/a.css")


async def test_no_link_is_watched_through(root: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "deep").mkdir(parents=True)
    (root / "link").symlink_to(elsewhere)
    (root / "up").symlink_to("/")
    async with listening(Folders(p=root)) as listener:
        await listener.heard_all()
        assert listener.watch.state.folders == 2
        (elsewhere / "deep" / "a.css").write_text("a{}")
        (root / "b.css").write_text("b{}")
        await listener.until(lambda: "b.css" in listener.paths())
        assert listener.paths() == {"b.css"}


async def test_what_tools_keep_for_themselves_is_not_watched(root: Path) -> None:
    for name in ("node_modules/a/b", ".git/objects", ".live-artifacts/x"):
        (root / name).mkdir(parents=True)
    async with listening(Folders(p=root)) as listener:
        await listener.heard_all()
        assert listener.watch.state.folders == 2


async def test_a_project_s_folder_that_goes_and_comes_back_is_watched_again(
    root: Path,
) -> None:
    async with listening(Folders(p=root)) as listener:
        await listener.heard_all()
        assert await listener.watch.is_there("p")
        shutil.rmtree(root)
        await listener.state(lambda state: state.missing == {"p"})
        assert not await listener.watch.is_there("p")
        listener.told.clear()
        (root / "css").mkdir(parents=True)
        (root / "a.css").write_text("a{}")
        await listener.heard_all()
        (root / "b.css").write_text("b{}")
        await listener.hears("b.css")


async def test_another_folder_in_its_place_is_watched(
    root: Path, tmp_path: Path
) -> None:
    async with listening(Folders(p=root)) as listener:
        await listener.heard_all()
        shutil.move(root, tmp_path / "away")
        (root / "only").mkdir(parents=True)
        await listener.heard_all()
        await listener.state(lambda state: state.folders == 2)
        (root / "b.css").write_text("b{}")
        await listener.hears("b.css")


async def test_a_new_project_is_watched_soon(root: Path, tmp_path: Path) -> None:
    folders = Folders(p=root)
    async with listening(folders) as listener:
        await listener.heard_all()
        (tmp_path / "other").mkdir()
        folders.add("q", tmp_path / "other")
        await listener.heard_all("q")
        (tmp_path / "other" / "a.css").write_text("a{}")
        await listener.hears("a.css", "q")


async def test_a_project_that_does_not_exist_is_not_there() -> None:
    watch = FolderWatch(Folders(), pace=QUICK)
    assert not await watch.is_there("nobody")
    await watch.close()


async def test_nothing_is_done_while_nothing_changes(root: Path) -> None:
    """Counted: the notifier is asked once, and asked again only after it said something."""
    asked: list[int] = []

    class Counting:
        def __init__(self, places: list[str]) -> None:
            self._notifier = system_notifier(places)

        def watch(
            self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: object
        ) -> set[tuple[int, str]] | Literal["signal", "stop", "timeout"]:
            asked.append(timeout_ms)
            return self._notifier.watch(debounce_ms, step_ms, timeout_ms, stop_event)  # type: ignore[arg-type]  # handed on

        def close(self) -> None:
            self._notifier.close()

    async with listening(Folders(p=root), notifier=Counting) as listener:
        await listener.heard_all()
        (root / "a.css").write_text("a{}")
        await listener.until(lambda: "a.css" in listener.paths())
        await listener.state(lambda _: len(asked) > 1)
        assert asked == [0, 0]  # 0: without a time limit


async def test_where_the_system_has_no_watches_left_folders_are_looked_through(
    root: Path,
) -> None:
    def exhausted(places: list[str]) -> Notifier:
        raise OSError(28, f"OS file watch limit reached. about [{places[0]}]")

    async with listening(Folders(p=root), notifier=exhausted) as listener:
        await listener.heard_all()
        state = await listener.state(lambda state: state.mode == "polling")
        assert state.reason is not None
        assert "no watches" in state.reason
        assert str(root) not in state.reason
        (root / "css" / "a.css").write_text("a{}")
        await listener.heard_all()
        (root / "css" / "a.css").unlink()
        await listener.heard_all()


async def test_watching_is_tried_again_when_there_may_be_watches_once_more(
    root: Path,
) -> None:
    tries: list[int] = []

    def scarce(places: list[str]) -> Notifier:
        tries.append(len(places))
        if len(tries) < 3:
            raise OSError(28, "OS file watch limit reached.")
        return system_notifier(places)

    async with listening(Folders(p=root), notifier=scarce) as listener:
        await listener.state(lambda state: state.mode == "watching")
        await listener.heard_all()
        (root / "a.css").write_text("a{}")
        await listener.hears("a.css")


async def test_a_folder_that_cannot_be_read_is_missing_and_the_others_are_watched(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    listed = ProjectFolder.list_folders

    def refusing(self: ProjectFolder) -> object:
        if self.root == locked:
            raise StorageError("This folder cannot be read.")
        return listed(self)

    monkeypatch.setattr(ProjectFolder, "list_folders", refusing)
    async with listening(Folders(p=root, q=locked)) as listener:
        await listener.heard_all()
        assert listener.watch.state.missing == {"q"}
        (root / "a.css").write_text("a{}")
        await listener.until(lambda: "a.css" in listener.paths())


async def test_a_burst_is_told_in_few_pieces(root: Path) -> None:
    async with listening(Folders(p=root)) as listener:
        await listener.heard_all()
        for number in range(500):
            (root / f"{number}.css").write_text("a{}")
        os.sync()
        (root / "last.css").write_text("a{}")
        await listener.until(lambda: any(told["p"] is None for told in listener.told))
        assert len(listener.told) < 100


async def test_closing_ends_the_listening_and_may_be_done_before_it_began(
    root: Path,
) -> None:
    watch = FolderWatch(Folders(p=root), pace=QUICK)
    await watch.close()
    assert [told async for told in watch.changes()] == []
    async with listening(Folders(p=root)) as listener:
        await listener.heard_all()
    assert listener.watch.state == WatchState()
