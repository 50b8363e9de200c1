"""A process that ends while it keeps another program's changes leaves nothing half there."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from tests.support.outside import artifact, noticing, page
from tests.support.turns import open_desk
from vitrail.adapters.ids import UuidIds
from vitrail.adapters.placing import CommitStep
from vitrail.protocol.events import FileChanged, FileMoved, FileRemoved
from vitrail.workflow.outside_units import Noticed

SCRIPT = Path(__file__).parent / "outside_crashing.py"
STEPS: tuple[str, ...] = get_args(CommitStep)


def crash(data: Path, step: str, count: int) -> int:
    return subprocess.run(
        [sys.executable, str(SCRIPT), str(data), step, str(count)],
        check=False,
        timeout=60,
    ).returncode


@pytest.mark.parametrize(
    ("step", "count"),
    # of what was written, and of what was renamed in the next commit
    [*product(STEPS, (1,)), *product(("committed", "entry-placed"), (2,))],
)
async def test_whatever_step_it_ends_at_the_next_look_makes_it_whole(
    tmp_path: Path, step: str, count: int
) -> None:
    data = tmp_path / "data"
    async with open_desk(data) as desk:
        await desk.say(artifact("index", page("One")))
        await desk.say(artifact("gone", page("All about bees and hives, and honey.")))
        await desk.say(artifact("old", page("Old", "A text about ships at sea.")))
        before = await desk.store.last_seq()
        project_id, folder = desk.project_id, desk.folder
    (folder / "index.html").write_text(page("Two"))
    (folder / "gone.html").unlink()
    (folder / "old.html").rename(folder / "new.html")
    assert crash(data, step, count) == 77
    async with open_desk(data, ids=UuidIds()) as desk:  # type: ignore[arg-type]  # other ids than before
        outside = noticing(desk)
        await outside.notice(project_id)
        assert await outside.notice(project_id) == Noticed()
        store = desk.store
        told = [stored.event for stored in await store.events_after(before)]
        assert sorted(type(event).__name__ for event in told) == [
            FileChanged.__name__,
            FileMoved.__name__,
            FileRemoved.__name__,
        ]
        one, two = reversed(await store.revisions(project_id, "index.html"))
        assert (two.parent, two.author) == (one.id, "outside")
        assert await store.read_object(two.digest) == page("Two").encode()
        (moved,) = await store.revisions(project_id, "new.html")
        assert moved.moved_from == "old.html"
        assert sorted(item.name for item in folder.iterdir()) == [
            ".vitrail",
            "index.html",
            "index.html.artifact.json",
            "new.html",
            "new.html.artifact.json",
        ]
        assert list((folder / ".vitrail" / "staging").iterdir()) == []
        assert {
            file.path for file in await store.recorded(project_id) if file.is_gone
        } == {"gone.html", "old.html"}
