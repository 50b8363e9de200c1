"""The command line as people run it: a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

COMMAND = (sys.executable, "-m", "vitrail.cli.main")


def environment(**more: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("VITRAIL_", "OPENAI_"))
    }
    return {**kept, **more}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(
        *args: str, stdin: str | bytes = b"", **more: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*COMMAND, *args],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env=environment(HOME=str(tmp_path), **more),
            cwd=tmp_path,
            timeout=60,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return call
