"""Servers whose code is loaded once: a process that has it makes each of them by fork.

Strategy: loading the server's code takes most of its start. One process for a
test worker loads it, starts nothing, and forks when it is told to: what begins
then is a process of its own that runs ``vitrail serve`` with its own arguments,
environment, output and data folder, as if it had been started from a shell.
The maker has no thread and opens no file, so nothing is shared but code. The
start from nothing is what ``tests/cli/test_serve.py`` and the packaging tests do.

    python -m tests.support.server_forks

reads a JSON line ``{"argv", "env", "log", "cwd"}`` for each server and answers with a
line that is its process id.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn, TypedDict

from vitrail.cli.main import main

__all__ = ["ForkedServer", "ServerForks"]

_LOADED: Final = (
    "concurrent.futures.thread",
    "encodings.idna",
    "httpx2",
    "uvicorn.lifespan.off",
    "uvicorn.loops.auto",
    "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.auto",
    "vitrail.adapters.embedded",
    "vitrail.cli.files",
    "vitrail.cli.serve",
    "vitrail.server.opening",
    "vitrail.server.serving",
)
"""What a server imports; what is missing here is imported by each of them."""


class _Asked(TypedDict):
    """One line that the maker reads."""

    argv: list[str]
    env: dict[str, str]
    log: str
    cwd: str


@dataclass(frozen=True, slots=True)
class ForkedServer:
    """One server's process, which is a child of the maker."""

    pid: int

    def is_running(self) -> bool:
        """Return whether the process is still there."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def send(self, what: signal.Signals) -> None:
        """Send a signal, if the process is still there."""
        if self.is_running():
            os.kill(self.pid, what)

    def wait(self, timeout_s: float) -> bool:
        """Wait for the end; return whether it came in time."""
        until = time.monotonic() + timeout_s
        while self.is_running():
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True


class ServerForks:
    """The maker of servers, as a test worker talks to it."""

    def __init__(self) -> None:
        self._maker = subprocess.Popen(
            [sys.executable, "-m", "tests.support.server_forks"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[2],
            text=True,
            encoding="utf-8",
        )

    def start(
        self, argv: Sequence[str], *, env: Mapping[str, str], log: Path
    ) -> ForkedServer:
        """Start ``vitrail`` with these arguments and this environment alone.

        What it prints is added to ``log``.
        """
        said: _Asked = {
            "argv": list(argv),
            "env": dict(env),
            "log": str(log),
            "cwd": str(Path.cwd()),
        }
        maker = self._maker
        assert maker.stdin is not None
        assert maker.stdout is not None
        maker.stdin.write(json.dumps(said) + "\n")
        maker.stdin.flush()
        answer = maker.stdout.readline()
        assert answer, "expected a process id, and the maker of servers has ended"
        return ForkedServer(int(answer))

    def close(self) -> None:
        """End the maker; the servers it made go on."""
        # which closes what it reads, the sign to end, and waits for that
        self._maker.communicate(timeout=15)


def _become(said: _Asked) -> NoReturn:
    """Run one server in this process, and end with it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(said["env"])
    os.chdir(said["cwd"])
    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(said["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for mine, standard in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(mine, standard)
    os.close(nothing)
    os.close(log)
    code = 1
    try:
        code = main(said["argv"])
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _serve_requests() -> None:
    for name in _LOADED:
        importlib.import_module(name)
    # What is loaded stays: a fork need not look at it again, nor copy its pages.
    gc.freeze()
    # Children that end are nobody's to wait for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while line := sys.stdin.readline():
        said: _Asked = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _become(said)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve_requests()
