"""A package of ``web/`` as one script, for tests that run it in a real page."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["web_bundle"]

_WEB: Final = Path(__file__).resolve().parents[2] / "web"


@cache
def web_bundle(entry: str, name: str) -> str:
    """Return the module ``entry`` (a path below ``web/``) as a script that sets ``name``."""
    node = shutil.which("node")
    assert node is not None, "expected node on the path"
    done = subprocess.run(
        [node, "scripts/bundle.mjs", entry, name],
        cwd=_WEB,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
