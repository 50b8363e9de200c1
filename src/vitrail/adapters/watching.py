"""Watching project folders: whose files may have changed, told by the system.

Strategy: every folder that files can lie in is watched by itself, never its
tree: a recursive watch follows links, and walks what tools keep for
themselves. A folder that comes or goes makes the watches anew; the new ones
are there before the old ones are let go of, and the project is told of once
more, so that nothing falls between. What is told is a hint and no more: who
listens looks at the files itself. One thread waits for all of it, and does
nothing while nothing changes. Where the system has no watches left, the
folders are looked through every few seconds instead.
"""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

import structlog

from vitrail.adapters.folder import ProjectFolder
from vitrail.core.commit.passing import is_passing
from vitrail.core.names import check_name
from vitrail.errors import VitrailError

__all__ = [
    "FolderWatch",
    "HasFolders",
    "Notifier",
    "WatchMode",
    "WatchPace",
    "WatchState",
    "system_notifier",
]

_log = structlog.get_logger(__name__)

WatchMode: TypeAlias = Literal["off", "watching", "polling"]

_MAX_FOLDERS: Final = 8192
"""Folders watched at once: what older kernels give one user (``max_user_watches``)."""

_MAX_TOLD_PATHS: Final = 64
"""Paths told of one project at once; more are told as "anything"."""

_MAX_ATTEMPTS: Final = 4
"""Times the watches are made at once while folders come and go."""

_GONE: Final = "folders come and go while the watches are made"

_NONE: Final = frozenset[str]()

_FOREVER: Final = 0
"""A notifier's time limit that never comes."""


class _Asked(Protocol):
    def is_set(self) -> bool:
        """Return whether the wait is to end early."""
        ...


class Notifier(Protocol):
    """Watches of the operating system, as ``watchfiles`` gives them."""

    def watch(
        self, debounce_ms: int, step_ms: int, timeout_ms: int, stop_event: _Asked | None
    ) -> set[tuple[int, str]] | Literal["signal", "stop", "timeout"]:
        """Wait for changes and return them: their kind (1 added, 2 modified, 3 gone) and path."""
        ...

    def close(self) -> None:
        """Let go of the watches."""
        ...


class HasFolders(Protocol):
    """Who knows the projects; the embedded store does."""

    async def folders(self) -> Mapping[str, ProjectFolder]:
        """Return the folder of each project, by the project's id."""
        ...

    def changed(self) -> AsyncIterator[int]:
        """Yield whenever something was recorded, other processes' records included."""
        ...


@dataclass(frozen=True, slots=True)
class WatchPace:
    """How quickly changes are told."""

    debounce_ms: int = 400
    """Longest time that one burst of changes is gathered."""
    step_ms: int = 150
    """Quiet time that ends a burst."""
    missing_s: float = 2.0
    """How often a folder that is gone is looked for."""
    poll_s: float = 2.0
    """How often folders are looked through where they cannot be watched."""
    retry_s: float = 60.0
    """How long they are looked through before watching is tried once more."""
    projects_s: float = 1.0
    """How soon a new project's folder is watched."""


@dataclass(frozen=True, slots=True)
class WatchState:
    """How folders are watched at the moment."""

    mode: WatchMode = "off"
    folders: int = 0
    """How many are watched, or looked through."""
    missing: frozenset[str] = frozenset()
    """Ids of the projects whose folder is gone, or cannot be read."""
    reason: str | None = None
    """Why they are looked through, in words."""


def system_notifier(places: list[str]) -> Notifier:
    """Return a notifier for these folders; raise ``OSError`` or ``RuntimeError``."""
    # here, so that only who watches pays for it
    from watchfiles._rust_notify import RustNotify

    return RustNotify(places, False, False, 300, False, True)  # noqa: FBT003 - its signature has no names


@dataclass(frozen=True, slots=True)
class _Places:
    """What is to be watched."""

    inside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By project: the absolute paths of its folders; none where its own is gone."""
    owners: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By a folder's absolute path: its project, and its path in there."""

    @property
    def missing(self) -> frozenset[str]:
        return frozenset(one for one, paths in self.inside.items() if not paths)


@dataclass(frozen=True, slots=True)
class _Heard:
    """What a notifier's changes come to."""

    told: dict[str, frozenset[str] | None] = field(default_factory=dict)
    other_folders: frozenset[str] = frozenset()
    """Projects of which other folders are to be watched now."""


class FolderWatch:
    """Watches the folders of all projects of one store, from `changes` until `close`."""

    def __init__(
        self,
        store: HasFolders,
        *,
        pace: WatchPace | None = None,
        notifier: Callable[[list[str]], Notifier] = system_notifier,
    ) -> None:
        """``notifier`` makes the watches of a list of folders."""
        self._store = store
        self._pace = pace or WatchPace()
        self._notifier = notifier
        self._folders: Mapping[str, ProjectFolder] = {}
        self._pending: dict[str, frozenset[str] | None] = {}
        self._woken = asyncio.Event()
        self._renew = threading.Event()
        self._is_closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._follower: asyncio.Task[None] | None = None
        self._state = WatchState()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def state(self) -> WatchState:
        """How folders are watched now."""
        return self._state

    async def is_there(self, project_id: str) -> bool:
        """Return whether a project's folder is there and can be read.

        The folder of a disk that is not mounted is not: its files are not gone.
        """
        folder = (await self._store.folders()).get(project_id)
        return folder is not None and await asyncio.to_thread(_is_readable, folder)

    async def changes(
        self,
    ) -> AsyncGenerator[Mapping[str, frozenset[str] | None], None]:
        """Yield projects whose files may have changed, with the paths; None: any path.

        Every project is told of once when it begins to be watched. For one
        listener; ends with `close`.
        """
        await self._begin()
        while True:
            await self._woken.wait()
            if self._is_closing.is_set():
                return
            self._woken.clear()
            told, self._pending = self._pending, {}
            if told:
                yield told

    async def close(self) -> None:
        """Stop watching, and end `changes`."""
        self._is_closing.set()
        self._renew.set()
        self._woken.set()
        if self._follower is not None:
            self._follower.cancel()
            await asyncio.gather(self._follower, return_exceptions=True)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        self._state = WatchState()

    # --- which projects there are -----------------------------------------

    async def _begin(self) -> None:
        if self._thread is not None or self._is_closing.is_set():
            return
        self._loop = asyncio.get_running_loop()
        self._folders = await self._store.folders()
        self._thread = threading.Thread(
            target=self._run, name="vitrail-watch", daemon=True
        )
        self._thread.start()
        self._follower = asyncio.create_task(
            self._follow_projects(), name="projects to watch"
        )

    async def _follow_projects(self) -> None:
        """Watch new projects too, soon after they are recorded, whoever did it."""
        async for _ in self._store.changed():
            with suppress(VitrailError):  # the next change looks again
                folders = await self._store.folders()
                if _roots(folders) != _roots(self._folders):
                    self._folders = folders
                    self._renew.set()
            await asyncio.sleep(self._pace.projects_s)

    # --- the thread ---------------------------------------------------------

    def _run(self) -> None:
        try:
            self._watch()
        except Exception:  # noqa: BLE001 - outermost loop of a thread
            _log.exception("folders are not watched any more")
            self._state = WatchState(reason="watching failed; see the log")

    def _watch(self) -> None:
        known = _Places()
        notifier: Notifier | None = None
        stale: frozenset[str] | None = None  # projects to list anew; None: all
        while not self._is_closing.is_set():
            if self._renew.is_set():
                self._renew.clear()
                stale = None
            folders = self._folders
            places, fresh, reason = self._watched(folders, known, stale)
            self._state = WatchState(
                "watching" if fresh else "polling",
                len(places.owners),
                places.missing,
                reason,
            )
            told = dict.fromkeys(_changed_projects(known, places, stale))
            if notifier is not None:
                # what the old watches heard while the new ones were made
                told |= dict.fromkeys(_last_words(notifier, known))
                notifier.close()
            self._tell(told)
            known, notifier = places, fresh
            if fresh is not None:
                stale = self._listen(fresh, places, folders)
            else:
                self._poll(folders)
                # told of as a whole once they are watched again
                known, stale = _Places(), None
        if notifier is not None:
            notifier.close()

    def _watched(
        self,
        folders: Mapping[str, ProjectFolder],
        known: _Places,
        stale: frozenset[str] | None,
    ) -> tuple[_Places, Notifier | None, str | None]:
        """Return what there is, with watches of all of it, or why there are none."""
        places = _places_of(folders, known, stale)
        for _ in range(_MAX_ATTEMPTS):
            fresh, reason = self._watches(places)
            again = _places_of(folders, places, stale)
            if again == places and reason != _GONE:
                return places, fresh, reason
            # a folder came or went before its own folder was watched
            if fresh is not None:
                fresh.close()
            places = again
        return places, *self._watches(places)

    def _watches(self, places: _Places) -> tuple[Notifier | None, str | None]:
        if len(places.owners) > _MAX_FOLDERS:
            return None, (
                f"there are more than {_MAX_FOLDERS} folders, which is all that are "
                "watched"
            )
        try:
            return self._notifier(list(places.owners)), None
        except FileNotFoundError:
            return None, _GONE
        except (OSError, RuntimeError) as cause:
            return None, f"the system gives no watches ({_said(cause)})"

    def _listen(
        self,
        notifier: Notifier,
        places: _Places,
        folders: Mapping[str, ProjectFolder],
    ) -> frozenset[str]:
        """Tell what is heard; return the projects of which other folders are to be watched."""
        pace = self._pace
        missing = places.missing
        timeout_ms = int(pace.missing_s * 1000) if missing else _FOREVER
        while not self._renew.is_set():
            said = notifier.watch(
                pace.debounce_ms, pace.step_ms, timeout_ms, self._renew
            )
            if isinstance(said, set):
                heard = _heard(said, places)
                self._tell(heard.told)
                if heard.other_folders:
                    return heard.other_folders
            elif said == "timeout":
                back = frozenset(one for one in missing if _is_readable(folders[one]))
                if back:
                    return back
        return frozenset()

    def _poll(self, folders: Mapping[str, ProjectFolder]) -> None:
        """Look through the folders for a while, and tell of those that changed."""
        pace = self._pace
        seen = {one: _print_of(folder) for one, folder in folders.items()}
        for _ in range(max(1, int(pace.retry_s / pace.poll_s))):
            if self._renew.wait(pace.poll_s):
                return
            now = {one: _print_of(folder) for one, folder in folders.items()}
            self._tell({one: None for one in now if now[one] != seen[one]})
            missing = frozenset(one for one in now if now[one] is None)
            self._state = replace(self._state, missing=missing)
            seen = now

    def _tell(self, told: Mapping[str, frozenset[str] | None]) -> None:
        if not told or self._loop is None:
            return
        with suppress(RuntimeError):  # the loop was closed: nobody listens any more
            self._loop.call_soon_threadsafe(self._take, dict(told))

    def _take(self, told: Mapping[str, frozenset[str] | None]) -> None:
        for project, paths in told.items():
            if project in self._pending:
                self._pending[project] = _joined(self._pending[project], paths)
            else:
                self._pending[project] = paths
        self._woken.set()


def _places_of(
    folders: Mapping[str, ProjectFolder],
    known: _Places,
    stale: frozenset[str] | None,
) -> _Places:
    """Return the folders of all projects; only those of ``stale`` are listed anew."""
    inside: dict[str, tuple[str, ...]] = {}
    owners: dict[str, tuple[str, str]] = {}
    for project, folder in folders.items():
        if stale is None or project in stale or project not in known.inside:
            inside[project] = _folders_in(folder)
        else:
            inside[project] = known.inside[project]
        within = len(str(folder.root)) + 1
        for place in inside[project]:
            owners[place] = project, place[within:]
    return _Places(inside, owners)


def _folders_in(folder: ProjectFolder) -> tuple[str, ...]:
    root = str(folder.root)
    try:
        paths = islice(folder.list_folders(), _MAX_FOLDERS + 1)
        return tuple(f"{root}/{path}" if path else root for path in paths)
    except VitrailError:
        return ()


def _changed_projects(
    before: _Places, now: _Places, stale: frozenset[str] | None
) -> frozenset[str]:
    """Return the projects of which other folders are watched than before.

    Those of ``stale`` are: another folder may have the name of the old one.
    """
    return frozenset(
        project
        for project, places in now.inside.items()
        if places and (before.inside.get(project) != places or project in (stale or ()))
    )


def _heard(said: set[tuple[int, str]], places: _Places) -> _Heard:
    """Return what the changes come to; those of nobody's files are passed over."""
    told: dict[str, frozenset[str] | None] = {}
    other: set[str] = set()
    for _, place in said:
        own = places.owners.get(place)
        above, _, name = place.rpartition("/")
        project, inside = own or places.owners.get(above) or ("", "")
        if own is None:
            path = f"{inside}/{name}" if inside else name
            if not project or not _is_work(path, name):
                continue
            if not _is_folder(place):
                told[project] = _joined(told.get(project, _NONE), frozenset((path,)))
                continue
        # a folder that came, or a watched one that went or made way for another
        told[project] = None
        other.add(project)
    return _Heard(told, frozenset(other))


def _is_work(path: str, name: str) -> bool:
    """Return whether a change at ``path`` may be one of a file that is listed."""
    if name.startswith(".") or is_passing(path):
        return False
    return check_name(path).ok


def _is_folder(place: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(place).st_mode)
    except (OSError, ValueError):
        return False


def _joined(
    one: frozenset[str] | None, other: frozenset[str] | None
) -> frozenset[str] | None:
    if one is None or other is None or len(one) + len(other) > _MAX_TOLD_PATHS:
        return None
    return one | other


def _last_words(notifier: Notifier, places: _Places) -> frozenset[str]:
    said = notifier.watch(1, 1, 1, None)
    return frozenset(_heard(said, places).told) if isinstance(said, set) else _NONE


def _print_of(folder: ProjectFolder) -> frozenset[tuple[str, str]] | None:
    """Return what tells one state of a folder from another; None where it is gone."""
    try:
        if not _is_readable(folder):
            return None
        return frozenset((found.path, found.signature) for found in folder.list())
    except VitrailError:
        return None


def _is_readable(folder: ProjectFolder) -> bool:
    try:
        return any(True for _ in folder.list_folders())
    except VitrailError:
        return False


def _roots(folders: Mapping[str, ProjectFolder]) -> dict[str, Path]:
    return {project: folder.root for project, folder in folders.items()}


def _said(cause: Exception) -> str:
    return str(cause).partition(" about [")[0] or type(cause).__name__
