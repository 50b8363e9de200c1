"""Every row of the cited tables has its test, or the reason why it is otherwise here."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FACTS = ROOT / "tests/facts.toml"
ROWS = ROOT / "tests/facts_rows.txt"
DEVIATION = "deviation: "


def _rows():
    lines = ROWS.read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")[:3]) for line in lines if not line.startswith("#")]


def _facts():
    """Return what facts.toml says of each row: a list of test ids, or of one deviation."""
    table = tomllib.loads(FACTS.read_text(encoding="utf-8"))
    return {
        (file, section, number): [said] if isinstance(said, str) else said
        for file, sections in table.items()
        for section, numbers in sections.items()
        for number, said in numbers.items()
    }


def _python_tests(ids):
    """Return the ids, with and without parameters, of all tests in the files of ``ids``."""
    files = sorted({test.partition("::")[0] for test in ids})
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "no:xdist",
    ]
    done = subprocess.run(
        [
            *command,
            "-m",
            "soak or not soak",
            "-o",
            "addopts=--import-mode=importlib",
            *files,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = {line.strip() for line in done.stdout.splitlines() if "::" in line}
    return found | {test.partition("[")[0] for test in found}


def test_rows_are_listed_once():
    rows = _rows()
    assert len(rows) == len(set(rows))


def test_every_row_is_answered_and_no_other():
    assert set(_facts()) == set(_rows())


def test_every_named_file_exists():
    for row, said in _facts().items():
        for test in said:
            if not test.startswith(DEVIATION):
                assert (ROOT / test.partition("::")[0]).is_file(), (row, test)


@pytest.mark.timeout(300)
def test_every_named_python_test_exists():
    named = [
        test
        for said in _facts().values()
        for test in said
        if test.partition("::")[0].endswith(".py")
    ]
    assert set(named) - _python_tests(named) == set()


def test_every_named_web_test_exists():
    for row, said in _facts().items():
        for test in said:
            file, _, title = test.partition("::")
            if file.endswith((".ts", ".tsx")):
                text = (ROOT / file).read_text(encoding="utf-8")
                assert any(f"{q}{title}{q}" in text for q in "\"'`"), (row, test)


def test_every_deviation_is_explained():
    page = (ROOT / "docs/deviations.md").read_text(encoding="utf-8")
    for (file, section, number), said in _facts().items():
        for test in said:
            if test.startswith(DEVIATION):
                label = f"{file} §{section} row {number}"
                assert label in page, f"docs/deviations.md does not explain {label}"
