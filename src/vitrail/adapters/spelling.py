"""Names in an open folder: the spelling on disk, and other names that are as good as one.

A disk that knows cases holds ``Index.html`` beside ``index.html``, and both
spellings of ``café.html``. Most other disks do not, so a project that had both
could not be copied there; the second one is not made.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from typing import Final

from vitrail.core.names import name_key

__all__ = ["NamesInFolders", "composed", "exists", "is_file", "spelling"]

_MAX_FOLDERS: Final = 64
"""Folders whose names are kept; a project is written to in few at a time."""


def composed(name: str) -> str:
    """Return a name on disk as paths have it."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def spelling(folder: int, name: str) -> str:
    """Return the name as it is on disk: composed, unless only the other form exists."""
    if name.isascii():
        return name
    decomposed = unicodedata.normalize("NFD", name)
    if decomposed == name or exists(folder, name):
        return name
    return decomposed if exists(folder, decomposed) else name


def exists(folder: int, name: str) -> bool:
    """Return whether there is anything of that name, a link that leads nowhere too."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def is_file(folder: int, name: str) -> bool:
    """Return whether that name is a regular file's own, and no link's."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return stat.S_ISREG(found.st_mode)


class NamesInFolders:
    """The names in folders by `name_key`, so that each new file costs no new listing.

    A folder is listed again when its time of change is another one than after
    the last look or the last name that was added here. A folder is looked at
    under the lock of its project only; several projects may be at once.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[int, dict[str, str]]] = {}

    def other(self, folder: int, name: str) -> str | None:
        """Return another name of an open folder that one disk could not tell apart."""
        if exists(folder, spelling(folder, name)):
            return None
        found = self._names(folder).get(name_key(name))
        return None if found == name else found

    def add(self, folder: int, name: str) -> None:
        """Note a name that was just put into the folder; nothing else was since `other`."""
        status = os.fstat(folder)
        place = status.st_dev, status.st_ino
        _, names = self._known.get(place, (-1, None))
        if names is not None:
            names[name_key(name)] = name
            self._known[place] = status.st_mtime_ns, names

    def _names(self, folder: int) -> dict[str, str]:
        status = os.fstat(folder)
        place = status.st_dev, status.st_ino
        changed, names = self._known.get(place, (-1, {}))
        if changed == status.st_mtime_ns:
            return names
        listed = os.listdir(folder)
        names = {name_key(name): name for name in listed}
        if len(self._known) >= _MAX_FOLDERS:
            self._known.clear()
        self._known[place] = status.st_mtime_ns, names
        return names
