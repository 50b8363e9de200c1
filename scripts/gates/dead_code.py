"""Nothing is written that nothing uses, as vulture finds it."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from vulture import Vulture

from scripts.gates.tree import Breach

__all__ = ["find"]

_MIN_CONFIDENCE_PERCENT: Final = 60

_DECORATORS: Final = (
    "@router.*",  # FastAPI calls routes
    "@app.*",
    "@pytest.fixture",  # pytest calls fixtures
    "@pytest.fixture(*",
)

# Names that others call or read: each with who does.
_NAMES: Final = (
    "pytest_*",  # pytest's hooks
    "pytestmark",
    "model_config",  # pydantic
    "__getattr__",  # Python itself, for lazy names
    "__dir__",
    "traceback",  # Python itself, the third word of __exit__
    "visit_*",  # ast
    "list_commands",  # click's groups
    "get_command",
    "format_commands",
    "connection_made",  # asyncio's protocols
    "data_received",
    "commands",  # click's groups
    "capture_signals",  # uvicorn
    "force_exit",
    "config_checked",  # starlette's StaticFiles
    "regex",  # and its convertors of addresses
    "writable",  # io
    "compress_type",  # zipfile
    "create_system",
    "external_attr",
    "field_title_should_be_set",  # pydantic's schema generator
    "PLUGIN_NAME",  # hatchling
    "initialize",
)


# State machines call the method that a state's name says: getattr(self, "_" + state).
def _is_called_by_name(name: str, path: Path) -> bool:
    texts = [p.read_text(encoding="utf-8") for p in path.parent.glob("*.py")]
    said = (f'"{name}"', f'"{name.removeprefix("_")}"')
    calls = any("getattr(self, " in text for text in texts)
    return calls and any(word in text for text in texts for word in said)


# Fields of what crosses a boundary are read by the other side.
_WIRE: Final = "src/vitrail/protocol/"


def find(root: Path) -> Iterator[Breach]:
    """Yield each name of src that neither src nor anything around it uses."""
    paths = [root / name for name in ("src", "tests", "scripts", "bench", "examples")]
    vulture = Vulture(ignore_names=list(_NAMES), ignore_decorators=list(_DECORATORS))
    vulture.scavenge([str(path) for path in paths if path.is_dir()])
    for item in vulture.get_unused_code(min_confidence=_MIN_CONFIDENCE_PERCENT):
        path = item.filename.resolve().relative_to(root.resolve()).as_posix()
        if path.startswith(_WIRE) and item.typ == "variable":
            continue
        if any(fnmatch.fnmatch(path, pattern) for pattern in ("tests/*", "scripts/*")):
            continue  # tests are there to be read; what they leave over costs nobody
        if _is_called_by_name(item.name, item.filename):
            continue
        yield Breach(path, item.first_lineno, item.get_report().split(": ", 1)[-1])
