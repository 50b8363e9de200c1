"""The examples run: those in examples/, and the one in the README."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _run(*arguments, folder, **options):
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,
    )


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_prints(path, tmp_path):
    done = _run(str(path), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_there_is_an_example_of_each_use():
    assert {path.stem for path in EXAMPLES} >= {
        "parse_a_stream",
        "save_a_reply",
        "serve_a_folder",
    }


def test_readme_example_has_ten_lines_at_most_and_prints_what_it_says(tmp_path):
    (source,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (printed,) = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    assert len(source.strip().splitlines()) <= 10
    done = _run("-c", source, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == printed.strip()
