"""CHANGELOG.md is kept: Unreleased first, known headings, whole sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from scripts.gates.tree import Breach

__all__ = ["find"]

_PATH = "CHANGELOG.md"
_KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
_RELEASE = re.compile(r"## \[(?:Unreleased|\d+\.\d+\.\d+)\](?: - \d{4}-\d\d-\d\d)?$")


def find(root: Path) -> Iterator[Breach]:
    """Yield what Keep a Changelog would not have; an entry is one full sentence for the user."""
    path = root / _PATH
    if not path.is_file():
        yield Breach(_PATH, 0, "expected a changelog, there is none")
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    releases = [line for line in lines if line.startswith("## ")]
    if releases[:1] != ["## [Unreleased]"]:
        yield Breach(_PATH, 0, "expected '## [Unreleased]' as the first release")
    if not any(line.startswith("- ") for line in lines):
        yield Breach(_PATH, 0, "expected at least one entry")
    for number, entry in _entries(lines):
        if not re.match(r"- [^a-z].*[.)]$", entry):
            yield Breach(_PATH, number, f"expected one full sentence, got {entry!r}")
    for number, line in enumerate(lines, 1):
        if line.startswith("## ") and not _RELEASE.match(line):
            yield Breach(_PATH, number, f"expected a release heading, got {line!r}")
        if line.startswith("### ") and line[4:] not in _KINDS:
            yield Breach(_PATH, number, f"expected one of {_KINDS}, got {line[4:]!r}")


def _entries(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the line number and the joined lines of every list entry."""
    start, parts = 0, list[str]()
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("  ") and parts:
            parts.append(line.strip())
            continue
        if parts:
            yield start, " ".join(parts)
            parts = []
        if line.startswith("- "):
            start, parts = number, [line]
