"""No file names a package registry or a place on somebody's machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from scripts.gates.tree import Breach, text_files

__all__ = ["find"]

# In pieces, so that this file does not name them either.
_REGISTRIES = re.compile(
    "|".join(
        (
            r"registry\.(?:npmjs|yarnpkg)\." + "(?:org|com)",
            r"(?:test\.)?pypi\." + "org",
            r"files\.python" + r"hosted\.org",
            r"(?:deb|security|ftp)\.debian\." + "org",
            r"(?:archive|security|ports)\.ubuntu\." + "com",
            r"proxy\.golang\." + "org",
            r'"resolved":\s*"' + "https?:",
            r"--(?:extra-)?index-url[= ]" + "https?:",
        )
    )
)
_MACHINE_PATHS = re.compile(
    "|".join(
        (
            r"/work/" + r"(?:main|shared)\b",
            r"/root/" + r"\.\w",
            r"/tm" + r"p/(?:setup|bash_jobs)\b",
            r"/(?:home|Users)/[a-z][\w.-]*/(?:work|src|dev|code|git)\b",
            r"\.py" + r"env/versions",
        )
    )
)


def find(root: Path) -> Iterator[Breach]:
    """Yield each line of a committed file that names one."""
    for path, text in text_files(root):
        for pattern, what in (
            (_REGISTRIES, "a registry's address"),
            (_MACHINE_PATHS, "a path of one machine"),
        ):
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield Breach(path, line, f"{what}: {match[0]}")
