"""Another program's changes, looked at in tests without waiting."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from tests.support.turns import Desk
from vitrail.adapters.clock import SystemClock
from vitrail.adapters.ids import UuidIds
from vitrail.core.validate.gated import GateMode, GatePolicy
from vitrail.protocol.events import Event, UnknownEvent
from vitrail.protocol.records import Revision
from vitrail.workflow.outside import OutsideChanges, OutsidePace
from vitrail.workflow.write import FileWriter


class There:
    """Knows whether the one project's folder is there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def is_there(self, project_id: str) -> bool:
        del project_id
        return self._folder.is_dir()


class Moments:
    """What happens between two looks, instead of waiting."""

    def __init__(self) -> None:
        self.acts: list[Callable[[], object]] = []
        self.waits = 0

    async def __call__(self, _: float) -> None:
        self.waits += 1
        if self.acts:
            self.acts.pop(0)()
        await asyncio.sleep(0)


def noticing(
    desk: Desk,
    moments: Moments | None = None,
    *,
    mode: GateMode = "quarantine",
    pace: OutsidePace | None = None,
) -> OutsideChanges:
    return OutsideChanges(
        desk.store,
        SystemClock(),
        UuidIds(),
        folders=There(desk.folder),
        policy=GatePolicy(mode),
        pace=pace,
        sleep=moments or Moments(),
    )


def page(heading: str, text: str = "A page of some length, as pages are.") -> str:
    return f"<!doctype html><html><body><h1>{heading}</h1><p>{text}</p></body></html>"


def artifact(identifier: str, body: str) -> str:
    return f'<artifact identifier="{identifier}" type="text/html" title="T">{body}</artifact>'


async def history(desk: Desk, path: str) -> tuple[Revision, ...]:
    """Return the revisions of a path, the oldest first."""
    return tuple(reversed(await desk.store.revisions(desk.project_id, path)))


async def authors(desk: Desk, path: str) -> list[str]:
    return [revision.author for revision in await history(desk, path)]


async def since(desk: Desk, seq: int) -> list[Event | UnknownEvent]:
    return [stored.event for stored in await desk.store.events_after(seq)]


def manifest_of(desk: Desk, path: str) -> dict[str, object]:
    beside = desk.folder / f"{path}.artifact.json"
    loaded: dict[str, object] = json.loads(beside.read_text())
    return loaded


async def write(desk: Desk, path: str, text: str) -> None:
    """Write a file as a person does, through the one entry."""
    info = await desk.store.file(desk.project_id, path)
    await FileWriter(desk.store, SystemClock(), UuidIds()).write(
        desk.project_id,
        path,
        text.encode(),
        parent_digest=info.digest if info else None,
    )


LONG = page("Dashboard", "<p>Revenue grew in every quarter.</p>" * 200)
"""A page that a stub would replace."""
