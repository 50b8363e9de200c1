"""Locks end with their process; only the very file that was judged stale is removed."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from vitrail.adapters import locks
from vitrail.adapters.locks import Owner, hold_lock, read_owner, try_lock
from vitrail.errors import StorageError

HOLDER = """
import sys
from pathlib import Path
from vitrail.adapters.locks import try_lock
held = try_lock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "project.lock"


@pytest.fixture
def no_system_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer as a network disk without locks does."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)


def test_a_lock_has_one_holder_and_says_who_it_is(path: Path) -> None:
    held = try_lock(path)
    assert held is not None
    assert try_lock(path) is None
    owner = read_owner(path)
    assert owner is not None
    assert owner.pid == os.getpid()
    assert owner.started
    held.release()
    again = try_lock(path)
    assert again is not None
    again.release(forget=True)
    assert not path.exists()


def test_shared_ones_exclude_only_one_that_is_not(path: Path) -> None:
    first, second = try_lock(path, shared=True), try_lock(path, shared=True)
    assert first is not None
    assert second is not None
    assert try_lock(path) is None
    first.release()
    second.release()
    alone = try_lock(path)
    assert alone is not None
    assert try_lock(path, shared=True) is None
    alone.release()


def test_who_waits_too_long_is_told_who_holds_it(path: Path) -> None:
    with (
        hold_lock(path, timeout_s=1.0),
        pytest.raises(StorageError) as refusal,
        hold_lock(path, timeout_s=0.001),
    ):
        pass
    assert refusal.value.code == "storage-busy"
    assert f"process {os.getpid()}" in refusal.value.message


def test_who_waits_gets_it_when_it_is_free(path: Path) -> None:
    held = try_lock(path)
    assert held is not None
    got = threading.Event()

    def wait() -> None:
        with hold_lock(path, timeout_s=20.0):
            got.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert not got.is_set()
    held.release()
    waiting.join(timeout=20)
    assert got.is_set()


@pytest.mark.parametrize("system", ["locks", "no-locks"])
def test_a_killed_holder_holds_nothing(
    path: Path, system: str, request: pytest.FixtureRequest
) -> None:
    script = HOLDER
    if system == "no-locks":
        request.getfixturevalue("no_system_locks")
        script = (
            "import fcntl, errno\ndef no(*_): raise OSError(errno.ENOLCK, 'no')\nfcntl.flock = no\n"
            + HOLDER
        )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert try_lock(path) is None
        holder.send_signal(signal.SIGKILL)
    held = try_lock(path)
    assert held is not None
    held.release()


@pytest.mark.usefixtures("no_system_locks")
def test_without_system_locks_a_file_is_the_lock(path: Path) -> None:
    held = try_lock(path)
    assert held is not None
    assert try_lock(path) is None
    owner = read_owner(path.with_name("project.lock.held"))
    assert owner is not None
    assert owner.pid == os.getpid()
    held.release()
    assert not path.with_name("project.lock.held").exists()
    assert sorted(item.name for item in path.parent.iterdir()) == ["project.lock"]


def held_by(path: Path, **said: object) -> Path:
    held = path.with_name(path.name + ".held")
    mine = read_owner_of_this_process()
    held.write_text(
        json.dumps({"pid": mine.pid, "started": mine.started, "host": mine.host} | said)
    )
    return held


def read_owner_of_this_process() -> Owner:
    owner = locks._said(locks._statement())
    assert owner is not None
    return owner


@pytest.mark.usefixtures("no_system_locks")
def test_a_pid_that_was_given_again_is_no_holder(path: Path) -> None:
    held_by(path, started="1")
    lock = try_lock(path)
    assert lock is not None
    lock.release()


@pytest.mark.usefixtures("no_system_locks")
@pytest.mark.parametrize(
    "said", [{}, {"host": "another"}, {"host": "another", "pid": 2**22 + 1}]
)
def test_a_lock_of_a_process_that_may_live_stays(
    path: Path, said: dict[str, object]
) -> None:
    held = held_by(path, **said)
    before = held.read_bytes()
    assert try_lock(path) is None
    assert held.read_bytes() == before


@pytest.mark.usefixtures("no_system_locks")
@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"not json", b'{"pid": "1"}', b"\xff" * 2000]
)
def test_a_lock_file_that_says_nothing_is_left_alone(path: Path, raw: bytes) -> None:
    held = path.with_name("project.lock.held")
    held.write_bytes(raw)
    assert try_lock(path) is None
    assert held.read_bytes() == raw


@pytest.mark.usefixtures("no_system_locks")
def test_only_the_very_file_that_was_judged_stale_is_removed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = held_by(path, started="1")
    real = Path.rename

    def another_comes_first(self: Path, target: Path) -> Path:
        if self == held:
            held.unlink()
            held_by(path)
        return real(self, target)

    monkeypatch.setattr(Path, "rename", another_comes_first)
    assert try_lock(path) is None
    owner = read_owner(held)
    assert owner == read_owner_of_this_process()
    assert sorted(item.name for item in path.parent.iterdir()) == [
        "project.lock",
        "project.lock.held",
    ]


def test_a_lock_file_that_is_a_link_is_refused(tmp_path: Path, path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    path.symlink_to(victim)
    with pytest.raises(StorageError):
        try_lock(path)
    assert victim.read_text() == "kept"
