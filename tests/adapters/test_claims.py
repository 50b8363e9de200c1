"""Claims of runs: one writer at a time, known to every process, gone with its own."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from vitrail.adapters.claims import LockedClaims
from vitrail.errors import StorageError


async def test_a_run_has_one_claim(tmp_path: Path) -> None:
    ours, theirs = LockedClaims(tmp_path), LockedClaims(tmp_path)
    assert await ours.claim("r")
    assert not await theirs.claim("r")
    assert not await ours.claim("r")
    assert await theirs.claim("other")
    await theirs.release("r")  # not theirs: nothing happens
    assert not await theirs.claim("r")
    await ours.release("r")
    assert await theirs.claim("r")
    await theirs.release("r")
    await theirs.release("other")
    assert not os.listdir(tmp_path)  # noqa: PTH208 - nothing to wait for


async def test_who_has_the_claim_is_asked_to_stop(tmp_path: Path) -> None:
    ours, theirs = LockedClaims(tmp_path), LockedClaims(tmp_path)
    assert await ours.claim("r")
    assert await ours.asked_to_stop() == frozenset()
    await theirs.ask_to_stop("r")
    assert await ours.asked_to_stop() == {"r"}
    assert await theirs.asked_to_stop() == frozenset()
    await ours.release("r")
    assert await theirs.claim("r")
    assert await theirs.asked_to_stop() == frozenset()
    await theirs.release("r")


def test_a_claim_ends_with_its_process(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys; from pathlib import Path\n"
        "from vitrail.adapters.claims import LockedClaims\n"
        "claims = LockedClaims(Path(sys.argv[1]))\n"
        "print(asyncio.run(claims.claim('r')), flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        claims = LockedClaims(tmp_path)
        assert not asyncio.run(claims.claim("r"))
        process.kill()
        process.wait()
        assert asyncio.run(claims.claim("r"))
        asyncio.run(claims.release("r"))


async def test_a_folder_that_is_gone_is_told_in_words(tmp_path: Path) -> None:
    claims = LockedClaims(tmp_path / "gone")
    with pytest.raises(StorageError):
        await claims.claim("r")
    with pytest.raises(StorageError):
        await claims.ask_to_stop("r")
