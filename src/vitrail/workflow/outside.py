"""What another program does in a project's folder: noticed, kept, and told.

Strategy: the folder is compared with the history, twice, a moment apart; what
both looks tell is believed (`vitrail.core.commit.noticing`), so no half-written
file is taken for a finished one. Then it becomes revisions
(`vitrail.workflow.outside_commits`). Nothing here trusts what was watched: a
watch says only when to look. Looking twice at the same thing, from any number
of processes, makes one revision: the store refuses the second.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, Protocol

import structlog

from vitrail.core.commit.noticing import (
    Differences,
    FoundNow,
    KnownFile,
    differences,
    settled,
)
from vitrail.core.commit.plan import Origin
from vitrail.core.validate.gated import GatePolicy
from vitrail.errors import InvalidPath, NotFound, VitrailError
from vitrail.ports import Clock, EventPlace, Ids, Store
from vitrail.protocol.records import FileInfo, Run
from vitrail.workflow.outside_commits import OutsideCommits
from vitrail.workflow.outside_units import Cause, Look, Noticed

__all__ = [
    "AGENTS_ON_FILES",
    "Folders",
    "OutsideChanges",
    "OutsidePace",
    "Watcher",
]

_log = structlog.get_logger(__name__)

AGENTS_ON_FILES: Final = frozenset({"command"})
"""Agents that may write into the project's folder themselves, by name."""

_PROJECTS_AT_ONCE: Final = 2
"""Folders that are looked through at the same time; the rest wait their turn."""


class Folders(Protocol):
    """Who knows whether a project's folder is there."""

    async def is_there(self, project_id: str) -> bool:
        """Return whether the folder is there; one on a disk that is away is not."""
        ...


class Watcher(Folders, Protocol):
    """Who says when to look."""

    def changes(self) -> AsyncGenerator[Mapping[str, frozenset[str] | None], None]:
        """Yield projects whose files may have changed, with the paths; None: any."""
        ...

    async def close(self) -> None:
        """Stop watching, and end `changes`."""
        ...


@dataclass(frozen=True, slots=True)
class OutsidePace:
    """How long a file has to be left alone before it counts as written."""

    settle_s: float = 0.15
    """Between two looks; editors write a file in a few milliseconds."""
    looks: int = 40
    """Looks in a row while something is still being written; then it is left for later."""
    looks_of_run: int = 10
    """The same before and after a run, which waits for it."""
    later_s: float = 2.0
    """How soon what was left for later is looked at again."""


class OutsideChanges:
    """Notices what other programs do to the projects of one store."""

    def __init__(  # noqa: PLR0913 - a composition root hands over its parts
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        *,
        folders: Folders,
        policy: GatePolicy | None = None,
        pace: OutsidePace | None = None,
        agents: frozenset[str] = AGENTS_ON_FILES,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``agents`` may write into folders; ``sleep`` waits between two looks."""
        self._store = store
        self._folders = folders
        self._pace = pace or OutsidePace()
        self._agents = agents
        self._sleep = sleep
        self._commits = OutsideCommits(store, clock, ids, policy or GatePolicy())
        self._locks: dict[str, asyncio.Lock] = {}
        self._left_alone: dict[tuple[str, str], FoundNow] = {}
        self._workers: dict[str, asyncio.Task[None]] = {}
        self._waiting: dict[str, frozenset[str] | None] = {}
        self._turns = asyncio.Semaphore(_PROJECTS_AT_ONCE)
        self._watcher: Watcher | None = None
        self._follower: asyncio.Task[None] | None = None

    # --- looking ----------------------------------------------------------

    async def notice(
        self, project_id: str, paths: frozenset[str] | None = None
    ) -> Noticed:
        """Make revisions of what another program did, and return what there was.

        ``paths`` are all that may have changed; None: any. Raises
        ``StorageError`` where folder or store cannot be read, and
        ``NotFound('project-not-found')``.
        """
        async with self._lock(project_id):
            if paths is not None and await self._is_known(project_id, paths):
                return Noticed()
            return await self._notice(project_id, self._pace.looks)

    async def notice_for(self, agent: str, project_id: str) -> Noticed:
        """Do the same where this agent's runs may touch files; never raise.

        Called before a run is shown the project, so that what was there is
        nobody's but the outside's, and once more before the run ends.
        """
        if agent not in self._agents:
            return Noticed()
        try:
            async with self._lock(project_id):
                return await self._notice(project_id, self._pace.looks_of_run)
        except VitrailError as error:
            _log.warning("folder not looked at", project=project_id, code=error.code)
        except Exception:  # noqa: BLE001 - a run outlives a look at its folder
            _log.exception("folder not looked at", project=project_id)
        return Noticed(is_settled=False)

    def _lock(self, project_id: str) -> asyncio.Lock:
        return self._locks.setdefault(project_id, asyncio.Lock())

    async def _notice(self, project_id: str, looks: int) -> Noticed:
        noticed = Noticed()
        blocked: frozenset[str] = frozenset()
        for _ in range(looks):
            look = await self._look(project_id, blocked)
            if look is None or not look.differences:
                return noticed
            await self._sleep(self._pace.settle_s)
            again = await self._look(project_id, blocked)
            if again is None:
                return noticed
            ready = settled(look.differences, again.differences)
            if ready:
                done = await self._commits.record(
                    again.narrowed(ready), await self._cause(project_id)
                )
                for file in done.left_alone:
                    self._left_alone[project_id, file.path] = file
                blocked |= done.blocked
                noticed = noticed.joined(done)
        return noticed.unsettled()

    async def _look(self, project_id: str, blocked: frozenset[str]) -> Look | None:
        """Return how the folder differs; None where there is no folder to look at."""
        if not await self._folders.is_there(project_id):
            return None
        files = await self._store.files(project_id)
        recorded = await self._store.recorded(project_id)
        told = differences(
            (
                KnownFile(file.path, file.digest, present=not file.is_gone)
                for file in recorded
            ),
            (_found(file) for file in files),
        )
        written = tuple(
            file
            for file in told.written
            if file.path not in blocked
            and self._left_alone.get((project_id, file.path)) != file
        )
        gone = tuple(file for file in told.gone if file.path not in blocked)
        return Look(project_id, files, recorded, Differences(written, gone))

    async def _is_known(self, project_id: str, paths: frozenset[str]) -> bool:
        """Return whether these files are as the history has them: our own writes are."""
        recorded = {file.path: file for file in await self._store.recorded(project_id)}
        for path in paths:
            try:
                info = await self._store.file(project_id, path)
            except InvalidPath:
                continue  # a name that no project has, or a link: never looked at
            known = recorded.get(path)
            if info is None:
                if known is not None and not known.is_gone:
                    return False
            elif known is None or known.is_gone or known.digest != info.digest:
                return False
        return True

    async def _cause(self, project_id: str) -> Cause:
        """Return who did it: the run that goes on, where its agent touches files."""
        runs = [
            run
            for run in await self._store.running()
            if run.project_id == project_id and run.agent in self._agents
        ]
        if not runs:
            return Cause("outside", EventPlace(project_id=project_id))
        if len(runs) > 1:
            return Cause("model", EventPlace(project_id=project_id))
        return _cause_of(runs[0])

    # --- following a watch --------------------------------------------------

    def follow(self, watcher: Watcher) -> None:
        """Look whenever the watcher says so, until `close`; the first time at once."""
        if self._follower is None:
            self._watcher = watcher
            self._follower = asyncio.create_task(
                self._follow(watcher), name="outside changes"
            )

    async def close(self) -> None:
        """Stop following; what is being committed is finished."""
        if self._watcher is not None:
            await self._watcher.close()
        if self._follower is not None:
            await asyncio.gather(self._follower, return_exceptions=True)
        self._waiting.clear()
        workers = list(self._workers.values())
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)

    async def _follow(self, watcher: Watcher) -> None:
        async with aclosing(watcher.changes()) as changes:
            async for told in changes:
                for project_id, paths in told.items():
                    self._look_soon(project_id, paths)

    def _look_soon(self, project_id: str, paths: frozenset[str] | None) -> None:
        waiting = self._waiting.get(project_id, frozenset())
        self._waiting[project_id] = (
            None if paths is None or waiting is None else waiting | paths
        )
        if project_id not in self._workers:
            worker = asyncio.create_task(
                self._work(project_id), name=f"outside changes of {project_id}"
            )
            self._workers[project_id] = worker

    async def _work(self, project_id: str) -> None:
        """Look at one project until nothing is left to look at."""
        try:
            while project_id in self._waiting:
                async with self._turns:
                    paths = self._waiting.pop(project_id)
                    is_settled = await self._looked(project_id, paths)
                if not is_settled and project_id not in self._waiting:
                    await self._sleep(self._pace.later_s)
                    self._waiting.setdefault(project_id, None)
        finally:
            # in the same step as the last look at what waits, so that nothing is missed
            self._workers.pop(project_id, None)

    async def _looked(self, project_id: str, paths: frozenset[str] | None) -> bool:
        try:
            noticed = await self.notice(project_id, paths)
        except NotFound:
            return True  # the project was deleted
        except VitrailError as error:
            # said once: the next change of the folder looks again
            _log.warning("folder not looked at", project=project_id, code=error.code)
            return True
        except Exception:  # noqa: BLE001 - it has to go on looking
            _log.exception("folder not looked at", project=project_id)
            return True
        return noticed.is_settled


def _found(file: FileInfo) -> FoundNow:
    return FoundNow(file.path, file.digest, file.size, file.modified_at)


def _cause_of(run: Run) -> Cause:
    place = EventPlace(
        project_id=run.project_id,
        conversation_id=run.conversation_id,
        run_id=run.id,
        message_id=run.message_id,
    )
    return Cause(
        "model",
        place,
        run_id=run.id,
        origin=Origin(run=run.id, message=run.message_id, model=run.model),
    )
