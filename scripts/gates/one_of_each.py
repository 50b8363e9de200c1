"""One fetch helper, one path helper, one place that starts processes (and one in the browser)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.gates.tree import Breach, modules, web_files
from scripts.gates.uses import uses

__all__ = ["find"]


@dataclass(frozen=True, slots=True)
class _One:
    what: str
    places: tuple[str, ...]
    """Paths of the one helper and of its listed exceptions."""
    names: re.Pattern[str]
    """Full dotted names that only it may use."""


_PYTHON = (
    _One(
        "sends requests",
        places=("src/vitrail/adapters/fetch.py",),
        names=re.compile(
            r"(httpx2?|httpcore2?|requests|aiohttp|urllib3|urllib\.request|http\.client|ftplib|smtplib)(\.|$)"
            r"|asyncio\.open_connection|socket\.(create_connection|socket)$"
        ),
    ),
    _One(
        "turns a name into a place on disk",
        places=("src/vitrail/adapters/paths.py",),
        names=re.compile(
            r"os\.path\.(realpath|commonpath|commonprefix|abspath|expanduser)$"
            r"|os\.readlink$"
        ),
    ),
    _One(
        "starts processes",
        places=("src/vitrail/adapters/process.py",),
        names=re.compile(
            r"(subprocess|multiprocessing|pty|concurrent\.futures\.ProcessPoolExecutor)(\.|$)"
            r"|asyncio\.(create_subprocess_(exec|shell)|subprocess)(\.|$)"
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
            if module.path in one.places:
                continue
            for line in sorted(
                {n for n, name in uses(module) if one.names.match(name)}
            ):
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
