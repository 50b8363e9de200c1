"""A module has at most 600 lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scripts.gates.tree import Breach, modules, web_files

__all__ = ["find"]

_LIMIT_LINES = 600


def find(root: Path) -> Iterator[Breach]:
    """Yield every Python or TypeScript file that is longer, unless a line of its head lifts the limit."""
    for module in modules(root):
        count = len(module.lines)
        if count <= _LIMIT_LINES:
            continue
        if not any(module.lifts("module-length", line) for line in module.head_lines):
            yield module.breach(0, _words(count))
    for path, text in web_files(root):
        count = len(text.splitlines())
        if count > _LIMIT_LINES:
            yield Breach(path, 0, _words(count))


def _words(count: int) -> str:
    return f"expected at most {_LIMIT_LINES} lines, got {count}"
