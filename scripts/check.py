"""Run every gate, or the named ones, and say of each in one line whether it holds.

Usage: python -m scripts.check [NAME...]; exits 1 where one does not hold, 2 for a wrong name.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from scripts.gates.table import GATES

__all__ = ["CHECKS", "ROOT", "main"]

ROOT: Final = Path(__file__).resolve().parent.parent

_BIN: Final = Path(sys.executable).parent

_TOOLS: Final[dict[str, tuple[str, ...]]] = {
    "ruff": (f"{_BIN}/ruff", "check", "--quiet", "--output-format=concise"),
    "ruff-format": (f"{_BIN}/ruff", "format", "--check", "--output-format=concise"),
    "mypy": (f"{_BIN}/mypy", "--no-error-summary"),
    "import-linter": (f"{_BIN}/lint-imports", "--no-cache"),
    "generated-types": (sys.executable, "scripts/generate_types.py", "--check"),
}
_WEB_TOOLS: Final[dict[str, tuple[str, ...]]] = {
    "biome": ("npm", "run", "--silent", "check:biome"),
    "tsc": ("npm", "run", "--silent", "check:types"),
    "web-structure": ("npm", "run", "--silent", "check:structure"),
}


def _run(command: tuple[str, ...], *, folder: Path) -> list[str]:
    """Return what the tool said if it found something, else nothing."""
    done = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return []
    return (done.stdout + done.stderr).splitlines() or [f"exit {done.returncode}"]


def _own(name: str) -> list[str]:
    return [str(breach) for breach in GATES[name](ROOT)]


CHECKS: Final[dict[str, Callable[[], list[str]]]] = {
    **{name: partial(_run, command, folder=ROOT) for name, command in _TOOLS.items()},
    **{name: partial(_own, name) for name in GATES},
    **{
        name: partial(_run, command, folder=ROOT / "web")
        for name, command in _WEB_TOOLS.items()
    },
}
"""Every gate by name; a call returns the lines of what does not hold, none where it does."""


def main(names: list[str]) -> int:
    """Print a line for each gate; return the exit code."""
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"check: expected names of {', '.join(CHECKS)}, got {', '.join(unknown)}")
        return 2
    failed = 0
    for name in names or CHECKS:
        began = time.monotonic()
        found = CHECKS[name]()
        took_s = time.monotonic() - began
        print(f"{'FAIL' if found else 'ok  '} {name:<16} {took_s:5.1f} s", flush=True)
        for line in found:
            print(f"     {line}")
        failed += bool(found)
    print(
        f"{failed} of {len(names or CHECKS)} gates do not hold"
        if failed
        else "all hold"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
