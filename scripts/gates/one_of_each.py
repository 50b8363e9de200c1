"""One fetch helper, one path helper, one place that starts processes (and one in the browser)."""

from __future__ import annotations

import ast
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
    """The one helper, then the listed exceptions; folders end with a slash."""
    names: re.Pattern[str]
    """Full dotted names that only these may use."""
    methods: frozenset[str] = frozenset()
    """Names of methods that only these may call, whatever they are called on."""


_PYTHON = (
    _One(
        "sends requests",
        places=(
            "src/vitrail/adapters/agents/model_agent.py",  # model clients are exceptions
            "src/vitrail/server/sockets.py",  # listens, and asks whether itself answers
        ),
        names=re.compile(
            r"(httpx2?|httpcore2?|requests|aiohttp|urllib3|urllib\.request|http\.client)(\.|$)"
            r"|(ftplib|smtplib)(\.|$)"
            r"|asyncio\.open_connection$|socket\.(create_connection|socket)$"
        ),
    ),
    _One(
        "decides whether a path is inside a folder",
        places=(
            "src/vitrail/adapters/folder.py",
            "src/vitrail/adapters/datafolder.py",  # where the person's own folders are
            "src/vitrail/cli/",  # and what they named on the command line
            "src/vitrail/adapters/outputs.py",  # and where they want something written
        ),
        names=re.compile(
            r"os\.path\.(realpath|commonpath|commonprefix)$|os\.readlink$"
        ),
        methods=frozenset({"is_relative_to", "resolve", "readlink"}),
    ),
    _One(
        "starts processes",
        places=("src/vitrail/adapters/processes.py",),
        names=re.compile(
            r"(subprocess|multiprocessing|pty)(\.|$)"
            r"|concurrent\.futures\.ProcessPoolExecutor$"
            r"|asyncio\.(create_subprocess_exec|create_subprocess_shell|subprocess)(\.|$)"
            r"|os\.(system|popen|fork|forkpty|exec\w+|spawn\w+|posix_spawnp?)$"
        ),
    ),
)

_WEB_REQUEST = re.compile(
    r"(?<![\w.$#])(?:(?:window|globalThis|self)\.)?fetch\s*\(|new\s+(?:XMLHttpRequest|WebSocket|EventSource)\b"
    r"|navigator\.sendBeacon"
)
_WEB_PLACES = ("web/packages/stream/src/client/",)  # the API and the event stream


def find(root: Path) -> Iterator[Breach]:
    """Yield each use, outside its one place, of what belongs there."""
    for module in modules(root, "src"):
        used = list(uses(module))
        called = [n for n in ast.walk(module.tree) if isinstance(n, ast.Attribute)]
        for one in _PYTHON:
            if module.path.startswith(one.places):
                continue
            lines = {line for line, name in used if one.names.match(name)}
            lines |= {node.lineno for node in called if node.attr in one.methods}
            for line in sorted(lines):
                yield module.breach(
                    line, f"{one.what}; that is the work of {one.places[0]}"
                )
    for path, text in web_files(root):
        if path.startswith(_WEB_PLACES) or "/test/" in path or ".test." in path:
            continue
        for number, content in enumerate(text.splitlines(), 1):
            is_comment = content.lstrip().startswith(("*", "//", "/*"))
            if not is_comment and _WEB_REQUEST.search(content):
                yield Breach(
                    path,
                    number,
                    f"sends requests; that is the work of {_WEB_PLACES[0]}",
                )
