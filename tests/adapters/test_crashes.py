"""A process that ends in the middle of a commit leaves the old state or the new one."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

from vitrail.adapters.clock import SystemClock
from vitrail.adapters.commits import CommitStep
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import UuidIds
from vitrail.adapters.objects import digest_of
from vitrail.workflow.write import FileWriter

SCRIPT = Path(__file__).parent / "crashing.py"
STEPS: tuple[str, ...] = get_args(CommitStep)
BEFORE_THE_COMMIT = STEPS[: STEPS.index("committed")]


def crash(data: DataFolder, step: str, old: str, new: str) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(data.path), step, old, new],
        check=False,
        timeout=60,
    )
    assert done.returncode == 77


async def reopened(data: DataFolder) -> EmbeddedStore:
    return await open_store(data, clock=SystemClock(), ids=UuidIds())


async def check_whole(store: EmbeddedStore, data: DataFolder, content: str) -> None:
    (project,) = await store.projects()
    folder = data.projects / "site"
    (listed,) = await store.files(project.id)
    head = await store.head(project.id, "index.html")
    assert head is not None
    assert (folder / "index.html").read_text() == content
    assert listed.digest == head.digest == digest_of(content.encode())
    beside = json.loads((folder / "index.html.artifact.json").read_text())
    assert beside["title"] == content
    assert await store.read_object(head.digest) == content.encode()
    assert list((folder / ".vitrail" / "staging").iterdir()) == []
    changed = await FileWriter(store, SystemClock(), UuidIds()).write(
        project.id, "index.html", b"after", parent_digest=head.digest
    )
    assert changed.revision.number == head.number + 1
    assert (folder / "index.html").read_text() == "after"


@pytest.mark.parametrize("step", STEPS)
async def test_at_each_step_a_replacement_is_the_old_file_or_the_new(
    data: DataFolder, step: str
) -> None:
    crash(data, step, "old", "new")
    store = await reopened(data)
    try:
        is_old = step in BEFORE_THE_COMMIT
        await check_whole(store, data, "old" if is_old else "new")
    finally:
        await store.close()


@pytest.mark.parametrize("step", ["in-transaction", "committed", "entry-placed"])
async def test_at_each_step_a_new_file_is_there_whole_or_not_at_all(
    data: DataFolder, step: str
) -> None:
    crash(data, step, "", "new")
    store = await reopened(data)
    try:
        if step in BEFORE_THE_COMMIT:
            (project,) = await store.projects()
            assert await store.files(project.id) == ()
            assert await store.head(project.id, "index.html") is None
        else:
            await check_whole(store, data, "new")
    finally:
        await store.close()


async def test_a_deletion_that_was_committed_is_finished(data: DataFolder) -> None:
    crash(data, "committed", "old", "")
    store = await reopened(data)
    try:
        (project,) = await store.projects()
        assert await store.files(project.id) == ()
        left = [item.name for item in (data.projects / "site").iterdir()]
        assert left == [".vitrail"]
    finally:
        await store.close()


async def test_what_another_program_wrote_meanwhile_becomes_a_revision(
    data: DataFolder,
) -> None:
    crash(data, "committed", "old", "new")
    working = data.projects / "site" / "index.html"
    working.write_text("by hand")
    store = await reopened(data)
    try:
        (project,) = await store.projects()
        assert working.read_text() == "by hand"
        outside, new, old = await store.revisions(project.id, "index.html")
        assert [item.author for item in (outside, new, old)] == [
            "outside",
            "model",
            "model",
        ]
        assert outside.parent == new.id
        assert await store.read_object(outside.digest) == b"by hand"
        assert await store.read_object(new.digest) == b"new"
    finally:
        await store.close()


async def test_what_another_program_removed_meanwhile_stays_removed(
    data: DataFolder,
) -> None:
    crash(data, "committed", "old", "new")
    for left in (data.projects / "site").glob("index.html*"):
        left.unlink()
    store = await reopened(data)
    try:
        (project,) = await store.projects()
        assert await store.files(project.id) == ()
        assert list((data.projects / "site").glob("index.html*")) == []
        head = await store.head(project.id, "index.html")
        assert head is not None
        assert await store.read_object(head.digest) == b"new"
    finally:
        await store.close()


async def test_a_store_that_is_open_finishes_what_another_process_left(
    data: DataFolder,
) -> None:
    store = await reopened(data)
    try:
        crash(data, "committed", "old", "new")
        (project,) = await store.projects()
        (listed,) = await store.files(project.id)
        assert listed.digest == digest_of(b"new")
        assert (await store.read_file(project.id, "index.html"))[0] == b"new"
    finally:
        await store.close()


async def test_two_processes_that_write_leave_one_history_without_a_gap(
    data: DataFolder,
) -> None:
    script = Path(__file__).parent / "racing.py"
    store = await reopened(data)
    await store.close()
    racers = [
        subprocess.Popen(  # noqa: ASYNC220 - our own script, waited for below
            [sys.executable, str(script), str(data.path), name, "25"]
        )
        for name in ("a", "b")
    ]
    assert [racer.wait(timeout=100) for racer in racers] == [0, 0]
    store = await reopened(data)
    try:
        (project,) = await store.projects()
        history = await store.revisions(project.id, "index.html")
        assert [item.number for item in history] == list(range(50, 0, -1))
        for newer, older in pairwise(history):
            assert newer.parent == older.id
        texts = [(await store.read_object(item.digest)).decode() for item in history]
        for name in ("a", "b"):
            own = [text for text in reversed(texts) if text.startswith(name)]
            assert own == [f"{name}{number}" for number in range(25)]
        (listed,) = await store.files(project.id)
        assert listed.digest == history[0].digest
        seqs = [item.seq for item in await store.events_after(0)]
        assert seqs == sorted(set(seqs))
    finally:
        await store.close()
