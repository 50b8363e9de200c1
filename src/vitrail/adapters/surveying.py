"""Everything that is in a folder, links and pipes too: what an import has to judge.

`adapters.folder` lists what may be a project's file and passes over the rest.
Here the rest is what counts: it is told by name, so that nothing is missing from an
import without a word.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vitrail.adapters.failures import storage_errors
from vitrail.errors import InvalidPath

__all__ = ["SeenEntry", "survey"]

_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

_MAX_DEPTH: Final = 64
"""Folders within folders that are looked into; names that deep are refused anyway."""

_UNOPENED: Final = frozenset({"node_modules", "__macosx"})
"""Folders of tools, compared case-folded, named and not looked into."""


@dataclass(frozen=True, slots=True)
class SeenEntry:
    """One entry of a folder or of one below it."""

    path: str
    """As it is on disk, segments divided by slashes; undecodable bytes as surrogates."""
    mode: int
    size: int
    """Bytes."""


def survey(root: Path) -> Iterator[SeenEntry]:
    """Yield whatever is below ``root``, by name, through no link.

    Hidden folders and those of tools are named and not looked into. Raises
    ``InvalidPath`` where there is no such folder.
    """
    with storage_errors():
        try:
            folder = os.open(root, _FLAGS)
        except (FileNotFoundError, NotADirectoryError) as cause:
            raise InvalidPath(f"There is no folder {root.name}.") from cause
        yield from _entries(folder, "", 0)


def _entries(folder: int, prefix: str, depth: int) -> Iterator[SeenEntry]:
    """Yield what is in an open folder, which is closed at the end."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            path = prefix + entry.name
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # gone between two looks
            yield SeenEntry(path, status.st_mode, status.st_size)
            is_opened = (
                entry.is_dir(follow_symlinks=False)
                and not entry.name.startswith(".")
                and entry.name.casefold() not in _UNOPENED
                and depth < _MAX_DEPTH
            )
            if is_opened:
                inner = os.open(entry.name, _FLAGS, dir_fd=folder)
                yield from _entries(inner, path + "/", depth + 1)
    finally:
        os.close(folder)
