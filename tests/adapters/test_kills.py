"""A process that is killed at any step of a commit leaves the old state or the new one.

`killing` does it: real processes, real signals, a restart that looks.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "killing.py"
SCENARIOS = ("replace", "create", "delete", "move", "accept", "surprise", "restart")


def kill(folder: Path, scenario: str, mode: str, every: int, *way: str) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), scenario, mode, str(every), *way],
        check=False,
        capture_output=True,
        text=True,
        timeout=800,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["wrong"] == []
    # each step was reached, but for the last ones of a run that took fewer than the
    # first: a test that kills nobody proves nothing
    runs = -(-report["steps"] // every)
    assert report["killed"] + report["ended"] == runs
    assert report["ended"] <= runs // 20 < report["killed"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_killed_before_any_call_that_changes_the_disk(
    tmp_path: Path, scenario: str
) -> None:
    kill(tmp_path, scenario, "calls", 1)


@pytest.mark.parametrize("way", ["links", "renames"])
def test_killed_on_a_disk_that_exchanges_no_names(tmp_path: Path, way: str) -> None:
    kill(tmp_path, "surprise", "calls", 1, way)


@pytest.mark.soak
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_killed_at_any_line(tmp_path: Path, scenario: str) -> None:
    kill(tmp_path, scenario, "lines", 5)
