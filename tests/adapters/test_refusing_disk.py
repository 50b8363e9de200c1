"""A disk that refuses, at whichever call: an error with words, and the old state whole."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.adapters import killing
from tests.adapters.killing import PROJECT, SCENARIOS, Scenario, State
from vitrail.adapters import exchange
from vitrail.adapters import folder as folders
from vitrail.adapters.datafolder import DataFolder, make_data_folder
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.adapters.sqlite import connect as connections
from vitrail.adapters.sqlite import writer as writers
from vitrail.errors import StorageError
from vitrail.ports import PutProject
from vitrail.protocol.records import Project

COMMITS = ("replace", "create", "delete", "move", "accept")
GROWING = frozenset({"write", "fsync", "mkdir"})
"""Calls that a full disk goes on refusing."""
STATEMENT = "statement"
EVERY_CALL = frozenset({*killing.CHANGING_CALLS, STATEMENT, "exchange"})
CODES = {
    errno.ENOSPC: "storage-full",
    errno.EROFS: "storage-read-only",
    errno.EIO: "storage-failed",
}
SQLITE = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.EIO: sqlite3.SQLITE_IOERR,
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """What the disk says, at one call and at later ones."""

    number: int
    lasts_for: frozenset[str] = frozenset()


TROUBLES = {
    "full-once": Trouble(errno.ENOSPC),
    "read-only": Trouble(errno.EROFS, EVERY_CALL),
    "full": Trouble(errno.ENOSPC, GROWING | {STATEMENT}),
    "broken-once": Trouble(errno.EIO),
}


class Refusals:
    """Counts the calls that change the disk, and refuses some of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        self._at: int | None = None
        self._trouble = TROUBLES["full-once"]
        for name in killing.CHANGING_CALLS:
            monkeypatch.setattr(os, name, self._refusing(name, getattr(os, name)))
        for module in (exchange, folders):
            for name in ("exchange_names", "rename_to_free_name"):
                call = self._refusing("exchange", getattr(module, name))
                monkeypatch.setattr(module, name, call)
        connect = connections.connect_writer

        def connected(path: Path) -> Any:
            return killing.Counting(connect(path), self._refuse_statement)

        monkeypatch.setattr(writers, "connect_writer", connected)

    def begin(self, at: int, trouble: Trouble) -> None:
        self.calls, self._at, self._trouble = 0, at, trouble

    def end(self) -> int:
        """Let everything through again; return how many calls there were."""
        self._at = None
        return self.calls

    def _is_refused(self, name: str) -> bool:
        if self._at is None:
            return False
        self.calls += 1
        passed = self.calls - 1
        return passed == self._at or (
            passed > self._at >= 0 and name in self._trouble.lasts_for
        )

    def _refusing(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def refusing(*args: Any, **kwargs: Any) -> Any:
            if self._is_refused(name):
                number = self._trouble.number
                raise OSError(number, os.strerror(number))
            return call(*args, **kwargs)

        return refusing

    def _refuse_statement(self) -> None:
        if self._is_refused(STATEMENT):
            error = sqlite3.OperationalError("refused")
            error.sqlite_errorcode = SQLITE[self._trouble.number]
            raise error


@pytest.fixture
def refusals(monkeypatch: pytest.MonkeyPatch) -> Refusals:
    return Refusals(monkeypatch)


async def prepare(store: EmbeddedStore, name: str) -> Scenario:
    scenario = SCENARIOS[name]()
    at = killing.AT
    project = Project(id=PROJECT, name="site", title="S", created_at=at, updated_at=at)
    await store.apply([PutProject(project)])
    await scenario.prepare(store)
    return scenario


def texts(data: DataFolder) -> State:
    root = data.projects / "site"
    return {
        str(path.relative_to(root)): path.read_text()
        for path in root.rglob("*.html")
        if ".vitrail" not in path.parts[len(root.parts) :]
    }


async def records(store: EmbeddedStore) -> object:
    history = await store.history(PROJECT)
    return (
        [(item.path, item.head.id, item.revisions, item.present) for item in history],
        [item.id for item in await store.quarantined(PROJECT)],
        await store.last_seq(),
    )


async def commit_refused(
    name: str, root: Path, at: int, trouble: Trouble, refusals: Refusals
) -> tuple[int, StorageError | None]:
    """Carry a commit out on a disk that refuses call ``at``, and look at what is left.

    Returns the number of calls and the error.
    """
    data = make_data_folder(root)
    store = await killing.opened(data)
    try:
        scenario = await prepare(store, name)
        before, steps = await records(store), await scenario.steps(store)
        refusals.begin(at, trouble)
        refusal: StorageError | None = None
        try:
            await store.commit_files(steps)
        except StorageError as error:
            refusal = error
        calls = refusals.end()
        is_committed = refusal is None or "is_committed" in refusal.details
        if not is_committed:
            assert texts(data) == scenario.before
            assert await records(store) == before
            # the same call goes through when the disk does
            await store.commit_files(steps)
        await store.files(PROJECT)  # whoever looks finishes what was committed
        assert texts(data) == scenario.after
        await store.commit_file(await killing.next_step(store, "index.html"))
        assert staged(data) == []
    finally:
        await store.close()
    return calls, refusal


def staged(data: DataFolder) -> list[str]:
    staging = data.projects / "site" / ".vitrail" / "staging"
    return [item.name for item in staging.iterdir()] if staging.exists() else []


def cases() -> list[Any]:
    """Return each commit with each trouble; most of them are for the soak."""
    return [
        pytest.param(
            name,
            trouble,
            id=f"{name}-{said}",
            marks=() if said == "full-once" or name == "replace" else pytest.mark.soak,
        )
        for said, trouble in TROUBLES.items()
        for name in COMMITS
    ]


@pytest.mark.parametrize(("name", "trouble"), cases())
async def test_refused_at_any_call_nothing_or_all_is_committed(
    name: str, trouble: Trouble, tmp_path: Path, refusals: Refusals
) -> None:
    calls, _ = await commit_refused(name, tmp_path / "whole", -1, trouble, refusals)
    refused: list[StorageError] = []
    for at in range(calls):
        root = tmp_path / str(at)
        _, refusal = await commit_refused(name, root, at, trouble, refusals)
        if refusal is not None:
            refused.append(refusal)
    assert len(refused) > calls // 2
    for refusal in refused:
        assert refusal.code == CODES[trouble.number]
        is_committed = "is_committed" in refusal.details
        assert ("is in the history" in refusal.message) is is_committed
