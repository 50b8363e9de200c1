"""One fetch helper, one path helper, one place that starts processes (and one in the browser)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.gates.tree import Breach, Module, modules, web_files
from scripts.gates.uses import uses

__all__ = ["find"]


@dataclass(frozen=True, slots=True)
class _One:
    what: str
    places: tuple[str, ...]
    """The one helper, then the listed exceptions; folders end with a slash."""
    names: re.Pattern[str]
    """Full dotted names that only these may use."""
    methods: frozenset[str] = frozenset()
    """Names of methods that only these may call, whatever they are called on."""


_PYTHON = (
    _One(
        "sends requests",
        places=("src/vitrail/adapters/fetch.py",),
        names=re.compile(
            r"(httpx2?|httpcore2?|requests|aiohttp|urllib3|urllib\.request|http\.client)(\.|$)"
            r"|(ftplib|smtplib)(\.|$)"
            r"|asyncio\.open_connection$|socket\.(create_connection|socket)$"
        ),
    ),
    _One(
        "decides whether a path is inside a folder",
        places=("src/vitrail/adapters/folder.py",),
        names=re.compile(
            r"os\.path\.(realpath|commonpath|commonprefix)$|os\.readlink$"
        ),
        methods=frozenset({"is_relative_to", "resolve", "readlink"}),
    ),
    _One(
        "starts processes",
        places=("src/vitrail/adapters/process.py",),
        names=re.compile(
            r"(subprocess|multiprocessing|pty)(\.|$)"
            r"|concurrent\.futures\.ProcessPoolExecutor$"
            r"|asyncio\.(create_subprocess_exec|create_subprocess_shell|subprocess)(\.|$)"
            r"|os\.(system|popen|fork|forkpty|exec\w+|spawn\w+|posix_spawnp?)$"
        ),
    ),
)

_WEB_REQUEST = re.compile(
    r"(?<![\w.$])(?:(?:window|globalThis|self)\.)?fetch\s*\(|new\s+(?:XMLHttpRequest|WebSocket|EventSource)\b"
    r"|navigator\.sendBeacon"
)
_WEB_PLACES: tuple[str, ...] = ()


def find(root: Path) -> Iterator[Breach]:
    """Yield each use, outside its one place, of what belongs there."""
    for module in modules(root, "src"):
        for one in _PYTHON:
            if module.path.startswith(one.places):
                continue
            for line in sorted(_lines(module, one)):
                yield module.breach(
                    line, f"{one.what}; that is the work of {one.places[0]}"
                )
    for path, text in web_files(root):
        if path in _WEB_PLACES or "/test/" in path or ".test." in path:
            continue
        for number, content in enumerate(text.splitlines(), 1):
            is_comment = content.lstrip().startswith(("*", "//", "/*"))
            if not is_comment and _WEB_REQUEST.search(content):
                places = ", ".join(_WEB_PLACES)
                yield Breach(
                    path, number, f"sends requests; that is the work of {places}"
                )


def _lines(module: Module, one: _One) -> set[int]:
    used = {line for line, name in uses(module) if one.names.match(name)}
    called = {
        node.lineno
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr in one.methods
    }
    return used | called
