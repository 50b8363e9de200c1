"""The transcript in a project's folder: whole or not there, its lock never stuck."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import io
import json
import os
import socket
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.transcripts import (
    Shelf,
    conversation_line,
    lines,
    message_line,
    open_shelf,
)
from vitrail.adapters import transcripts
from vitrail.adapters.transcripts import SpoolFile
from vitrail.core.export.transcript import LOCK_NAME, TRANSCRIPT_NAME
from vitrail.errors import Conflict, StorageError
from vitrail.protocol.transcript import ToldMessage

DEAD_PID = 2**22 + 1
"""More than any system gives out."""


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    async with open_shelf(tmp_path / "data") as opened:
        await opened.say(await opened.begin("Talk"), "user", "hi")
        yield opened


def owner(pid: int, started: str = "") -> str:
    return json.dumps({"pid": pid, "started": started, "host": socket.gethostname()})


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def save(shelf: Shelf) -> Path:
    await shelf.transcripts.save(shelf.project_id)
    return shelf.folder / TRANSCRIPT_NAME


async def test_what_is_saved_is_what_is_told(shelf: Shelf) -> None:
    done = await shelf.transcripts.save(shelf.project_id)
    text = (shelf.folder / TRANSCRIPT_NAME).read_bytes()
    assert text == await shelf.text()
    assert (done.path, done.bytes_written) == (TRANSCRIPT_NAME, len(text))
    assert (done.conversation_count, done.message_count) == (1, 1)
    assert names(shelf.folder) == {TRANSCRIPT_NAME}
    assert list((shelf.data / "locks").glob("transcript*")) == []


async def test_it_is_readable_by_its_owner_alone(shelf: Shelf) -> None:
    assert (await save(shelf)).stat().st_mode & 0o777 == 0o600


# --- the rows of spec/open-design-1 §18 -----------------------------------------


@pytest.mark.parametrize("step", ["write", "fsync", "rename"])
async def test_row_12_a_failure_leaves_no_file_and_no_lock(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        del args, kwargs
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        if step == "write":
            broken.setattr(transcripts, "write_pieces_durably", fail)
        else:
            broken.setattr(os, step, fail)
        with pytest.raises(StorageError) as caught:
            await save(shelf)
    assert caught.value.code == "storage-full"
    assert names(shelf.folder) == set()
    assert list((shelf.data / "locks").glob("transcript*")) == []
    await save(shelf)


async def test_a_failure_leaves_the_old_transcript(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (await save(shelf)).read_bytes()
    await shelf.begin("Another")

    def fail(*args: Any, **kwargs: Any) -> Any:
        del args, kwargs
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(os, "rename", fail)
        with pytest.raises(StorageError):
            await save(shelf)
    assert (shelf.folder / TRANSCRIPT_NAME).read_bytes() == before
    assert names(shelf.folder) == {TRANSCRIPT_NAME}


@pytest.mark.parametrize(
    "said",
    ["", "locked", owner(os.getpid()), owner(1)],
    ids=["nothing", "no-owner", "this-process", "another-one"],
)
async def test_row_13_a_lock_that_is_there_keeps_others_out(
    shelf: Shelf, said: str
) -> None:
    lock = shelf.folder / LOCK_NAME
    lock.write_text(said, "utf-8")
    with pytest.raises(Conflict) as caught:
        await save(shelf)
    assert caught.value.code == "transcript-locked"
    assert LOCK_NAME in caught.value.message
    assert names(shelf.folder) == {LOCK_NAME}
    assert lock.read_text("utf-8") == said
    lock.unlink()
    await save(shelf)
    assert names(shelf.folder) == {TRANSCRIPT_NAME}


async def test_row_15_the_folder_is_made_and_only_the_transcript_replaced(
    shelf: Shelf,
) -> None:
    shelf.folder.rmdir()
    await save(shelf)
    foreign = f"{TRANSCRIPT_NAME}.tmp.{DEAD_PID}.0123abcd"
    (shelf.folder / foreign).write_text("another's", "utf-8")
    (shelf.folder / TRANSCRIPT_NAME).write_text("sentinel", "utf-8")
    text = (await save(shelf)).read_bytes()
    assert text.startswith(b'{"kind":"header"')
    assert (shelf.folder / foreign).read_text("utf-8") == "another's"


# --- stale locks ------------------------------------------------------------------


@pytest.mark.parametrize(
    "stale",
    [owner(DEAD_PID), owner(os.getpid(), "1"), owner(1, "1")],
    ids=["dead", "this-number-again", "that-number-again"],
)
async def test_a_lock_whose_process_is_gone_is_removed_with_what_it_left(
    shelf: Shelf, stale: str
) -> None:
    (shelf.folder / LOCK_NAME).write_text(stale, "utf-8")
    left = f"{TRANSCRIPT_NAME}.tmp.{json.loads(stale)['pid']}.0123abcd"
    (shelf.folder / left).write_text("half", "utf-8")
    await save(shelf)
    assert names(shelf.folder) == {TRANSCRIPT_NAME}


async def test_a_lock_of_another_machine_is_not_judged(shelf: Shelf) -> None:
    said = json.dumps({"pid": DEAD_PID, "started": "", "host": "elsewhere"})
    (shelf.folder / LOCK_NAME).write_text(said, "utf-8")
    with pytest.raises(Conflict, match="elsewhere"):
        await save(shelf)


async def test_a_lock_that_is_a_link_is_not_followed(shelf: Shelf) -> None:
    outside = shelf.data / "outside"
    outside.write_text(owner(DEAD_PID), "utf-8")
    (shelf.folder / LOCK_NAME).symlink_to(outside)
    with pytest.raises((Conflict, StorageError)):
        await save(shelf)
    assert outside.exists()


async def test_a_transcript_that_is_a_link_is_replaced_not_followed(
    shelf: Shelf,
) -> None:
    outside = shelf.data / "outside"
    outside.write_text("mine", "utf-8")
    (shelf.folder / TRANSCRIPT_NAME).symlink_to(outside)
    assert not (await save(shelf)).is_symlink()
    assert outside.read_text("utf-8") == "mine"


async def test_a_lock_that_somebody_put_in_place_of_ours_stays(shelf: Shelf) -> None:
    lock = shelf.folder / LOCK_NAME

    async with shelf.store.transcripts().placing(shelf.project_id) as place:
        lock.unlink()
        lock.write_text("another's", "utf-8")
        await place([b"x"])
    assert lock.read_text("utf-8") == "another's"


# --- two at once ------------------------------------------------------------------


async def test_of_two_at_once_each_is_whole_or_told(shelf: Shelf) -> None:
    (shelf.folder / LOCK_NAME).write_text(owner(DEAD_PID), "utf-8")
    done = await asyncio.gather(
        *(shelf.transcripts.save(shelf.project_id) for _ in range(4)),
        return_exceptions=True,
    )
    failed = [one for one in done if isinstance(one, BaseException)]
    assert len(failed) < 4
    assert all(isinstance(one, Conflict) for one in failed)
    assert (shelf.folder / TRANSCRIPT_NAME).read_bytes() == await shelf.text()
    assert names(shelf.folder) == {TRANSCRIPT_NAME}


async def test_the_second_is_told_while_the_first_writes(shelf: Shelf) -> None:
    store = shelf.store.transcripts()
    async with store.placing(shelf.project_id):
        with pytest.raises(Conflict) as caught:
            await save(shelf)
        assert caught.value.code == "transcript-locked"
        assert caught.value.retryable
    await save(shelf)


KILLED = textwrap.dedent(
    """
    import asyncio, os, sys
    from pathlib import Path
    from tests.support.transcripts import open_shelf

    async def main():
        async with open_shelf(Path(sys.argv[1])) as shelf:
            def pieces():
                yield b"half"
                os._exit(9)
            async with shelf.store.transcripts().placing(shelf.project_id) as place:
                await place(pieces())

    asyncio.run(main())
    """
)


async def test_a_process_that_was_killed_leaves_no_obstacle(shelf: Shelf) -> None:
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", KILLED, str(shelf.data)],
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.returncode == 9
    left = names(shelf.folder)
    assert LOCK_NAME in left
    assert len(left) == 2
    await save(shelf)
    assert names(shelf.folder) == {TRANSCRIPT_NAME}


def test_a_full_disk_is_told_by_the_spool() -> None:
    spool = io.BufferedWriter(SpoolFile("/dev/full", "w"))
    with pytest.raises(StorageError) as caught:
        spool.write(b"x" * 100_000)
    assert caught.value.code == "storage-full"
    with contextlib.suppress(StorageError):
        spool.close()


async def test_the_spool_is_gone_when_it_is_closed(shelf: Shelf) -> None:
    before = names(shelf.data)
    with shelf.transcripts.spool() as spool:
        spool.write(b"one\ntwo")
        spool.seek(0)
        assert list(spool) == [b"one\n", b"two"]
        assert names(shelf.data) == before


SAVES = textwrap.dedent(
    """
    import asyncio, sys
    from pathlib import Path
    from tests.support.transcripts import open_shelf
    from vitrail.errors import Conflict

    async def main():
        async with open_shelf(Path(sys.argv[1])) as shelf:
            sys.stdin.readline()
            for _ in range(5):
                try:
                    await shelf.transcripts.save(shelf.project_id)
                    print("saved")
                except Conflict as error:
                    print(error.code)

    asyncio.run(main())
    """
)


async def test_processes_at_once_over_a_stale_lock_leave_one_whole_file(
    shelf: Shelf,
) -> None:
    (shelf.folder / LOCK_NAME).write_text(owner(DEAD_PID), "utf-8")
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            SAVES,
            str(shelf.data),
            cwd=Path(__file__).parents[2],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        for _ in range(3)
    ]
    said = await asyncio.gather(*(one.communicate(b"\n") for one in processes))
    told = [word for out, _ in said for word in out.decode().split()]
    assert len(told) == 15
    assert set(told) <= {"saved", "transcript-locked"}
    assert "saved" in told
    assert names(shelf.folder) == {TRANSCRIPT_NAME}
    text = (shelf.folder / TRANSCRIPT_NAME).read_bytes()
    assert len(text.splitlines()) == 3


# --- reading ----------------------------------------------------------------------


async def test_what_is_told_is_of_one_moment(shelf: Shelf) -> None:
    store = shelf.store.transcripts()
    (talk,) = await shelf.store.conversations(shelf.project_id)
    began, added = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def work(source: Any) -> int:
        list(source.conversations())
        loop.call_soon_threadsafe(began.set)
        asyncio.run_coroutine_threadsafe(added.wait(), loop).result()
        return len(list(source.messages(talk.id)))

    telling = asyncio.create_task(store.tell(shelf.project_id, None, work))
    await began.wait()
    await shelf.say(talk, "user", "later")
    added.set()
    assert await telling == 1


async def test_memory_does_not_grow_with_the_conversation(
    shelf: Shelf,
) -> None:
    """At any moment one message is alive, out and in."""
    most = 0

    def counted(records: Iterator[Any]) -> Iterator[Any]:
        nonlocal most
        for number, record in enumerate(records):
            if number % 50 == 0:
                alive = sum(isinstance(one, ToldMessage) for one in gc.get_objects())
                most = max(most, alive)
            yield record

    said = [message_line(n, {"type": "text", "text": "x" * 1000}) for n in range(200)]
    await shelf.read(lines(conversation_line(), *said))
    store = shelf.store.transcripts()

    def work(source: Any) -> int:
        return sum(
            1
            for told in source.conversations()
            for _ in counted(source.messages(told.conversation.id))
        )

    assert await store.tell(shelf.project_id, None, work) == 201
    assert most <= 3
