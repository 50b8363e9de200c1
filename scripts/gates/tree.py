"""The tree that the gates look at: its files, and Python read as syntax."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = ["Breach", "Lift", "Module", "modules", "text_files", "web_files"]

_PYTHON_FOLDERS = ("src", "tests", "scripts", "bench", "examples")
_BUILT = {"node_modules", "dist", "__pycache__", ".venv", ".setup", ".git"}

Lift = re.compile(
    r"#\s*lifts\s+(?P<gate>[a-z-]+):.*(?:§|section |RFC |CommonMark)\s*\S"
)
"""A comment that lifts one limit on its line, citing the specification's section."""


@dataclass(frozen=True, slots=True, order=True)
class Breach:
    """One place where a rule does not hold."""

    path: str
    """Relative to the tree, with forward slashes."""
    line: int
    """From 1; 0 where it is about the file as a whole."""
    message: str
    """What was found and what is expected."""

    def __str__(self) -> str:
        """Return the place and the message in one line, as compilers print them."""
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Module:
    """One Python file."""

    path: str
    """Relative to the tree, with forward slashes."""
    text: str
    tree: ast.Module

    @property
    def lines(self) -> list[str]:
        """The lines without their breaks."""
        return self.text.splitlines()

    @property
    def name(self) -> str:
        """Dotted name of a module in src, as it is imported; empty elsewhere."""
        if not self.path.startswith("src/"):
            return ""
        parts = self.path.removeprefix("src/").removesuffix(".py").split("/")
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def lifts(self, gate: str, line: int) -> bool:
        """Return whether the comment on ``line`` (from 1) lifts that gate."""
        found = Lift.search(self.lines[line - 1]) if self.lines else None
        return found is not None and found["gate"] == gate

    @property
    def head_lines(self) -> range:
        """Numbers, from 1, of the lines before the first definition."""
        ends = [
            node.lineno
            for node in self.tree.body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        ]
        return range(1, min(ends, default=len(self.lines)))

    def breach(self, line: int, message: str) -> Breach:
        """Return a breach at a line of this module."""
        return Breach(self.path, line, message)


def _walk(folder: Path, *suffixes: str) -> Iterator[Path]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_dir():
            if path.name not in _BUILT and not path.is_symlink():
                yield from _walk(path, *suffixes)
        elif path.name.endswith(suffixes):
            yield path


@lru_cache(maxsize=2_000)
def _module(root: Path, path: Path, _mtime_ns: int, _size: int) -> Module:
    text = path.read_text(encoding="utf-8")
    return Module(path.relative_to(root).as_posix(), text, ast.parse(text))


def modules(root: Path, *folders: str) -> Iterator[Module]:
    """Yield the Python files of the named folders (default: all of ours), by path."""
    for folder in folders or _PYTHON_FOLDERS:
        for path in _walk(root / folder, ".py"):
            about = path.stat()
            yield _module(root, path, about.st_mtime_ns, about.st_size)


def web_files(root: Path) -> Iterator[tuple[str, str]]:
    """Yield path and text of every TypeScript file of ours but the generated ones."""
    for path in _walk(root / "web", ".ts", ".tsx"):
        if not path.name.startswith("generated"):
            yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def text_files(root: Path) -> Iterator[tuple[str, str]]:
    """Yield path and text of every file that is, or could be, committed."""
    for name in _file_names(root):
        path = root / name
        if path.is_symlink() or not path.is_file():
            continue
        try:
            yield name, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture


def _file_names(root: Path) -> list[str]:
    if not (root / ".git").exists():
        return [path.relative_to(root).as_posix() for path in _walk(root, "")]
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    return sorted(name for name in listed.stdout.split("\0") if name)
