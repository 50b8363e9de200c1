"""The clock, chance, new names and the environment are read in the shells only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scripts.gates.tree import Breach, modules
from scripts.gates.uses import uses

__all__ = ["find"]

_SHELLS = ("src/vitrail/adapters/", "src/vitrail/server/", "src/vitrail/cli/")
_SETTINGS = "src/vitrail/server/settings.py"

_CLOCK = (
    "time.time",
    "time.time_ns",
    "time.monotonic",
    "time.monotonic_ns",
    "time.perf_counter",
    "time.perf_counter_ns",
    "time.localtime",
    "time.gmtime",
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "datetime.datetime.today",
    "datetime.date.today",
)
_CHANCE = ("random.", "secrets.", "uuid.", "uuid_utils.", "os.urandom")
_ENVIRONMENT = ("os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv")


def find(root: Path) -> Iterator[Breach]:
    """Yield each reading of the clock, of chance or of the environment outside its shell."""
    for module in modules(root, "src"):
        is_shell = module.path.startswith(_SHELLS)
        seen: set[tuple[int, str]] = set()
        for line, name in uses(module):
            what = _what(name)
            allowed = (
                module.path == _SETTINGS if what == "the environment" else is_shell
            )
            if what is None or allowed or (line, what) in seen:
                continue
            seen.add((line, what))
            yield module.breach(line, f"{what} is read here: {name}; {_INSTEAD[what]}")


_INSTEAD = {
    "the clock": "take a Clock",
    "chance": "take Ids",
    "the environment": f"settings are read in {_SETTINGS} only",
}


def _what(name: str) -> str | None:
    if name in _CLOCK:
        return "the clock"
    if name.startswith(_CHANCE):
        return "chance"
    if any(name == read or name.startswith(f"{read}.") for read in _ENVIRONMENT):
        return "the environment"
    return None
