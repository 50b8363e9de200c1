"""Names that programs use for a moment, or for themselves: no part of a project.

Strategy: a table of patterns, each with the programs that leave such files. A
name is matched by its beginning and its end only, case folded, so that a
hostile name costs nothing. Names that begin with a dot are hidden from every
list already (`vitrail.core.names`), and need no row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["PASSING_FOLDERS", "PASSING_NAMES", "PassingName", "is_passing"]


@dataclass(frozen=True, slots=True)
class PassingName:
    """One pattern: ``begins``, then anything, then ``ends``; lower case."""

    begins: str
    ends: str
    of: str
    """Programs that leave such files."""

    def matches(self, name: str) -> bool:
        """Return whether a folded name is of this pattern."""
        fixed = len(self.begins) + len(self.ends)
        return (
            len(name) > fixed
            and name.startswith(self.begins)
            and name.endswith(self.ends)
        )


PASSING_NAMES: Final = (
    PassingName("", "~", "backups of Emacs, vim, gedit, Kate"),
    PassingName("#", "#", "automatic saves of Emacs"),
    PassingName("", ".swp", "vim, where its swap files are not hidden"),
    PassingName("", ".swo", "vim, a second one"),
    PassingName("", ".swx", "vim, while it probes"),
    PassingName("", ".tmp", "everything that writes aside and renames"),
    PassingName("", ".temp", "the same"),
    PassingName("", "___jb_tmp___", "JetBrains, safe write"),
    PassingName("", "___jb_old___", "JetBrains, the file it replaces"),
    PassingName("", ".crswap", "browsers, while a page writes a file"),
    PassingName("", ".crdownload", "Chromium, a download that goes on"),
    PassingName("", ".part", "Firefox and curl, a download that goes on"),
    PassingName("", ".partial", "rsync and Safari, the same"),
    PassingName("", ".download", "Safari, the same"),
    PassingName("~$", "", "Office, the owner of an open document"),
    PassingName("", ".kate-swp", "Kate"),
    PassingName("", ".orig~", "patch and merge tools"),
)
"""The table; the first pattern that fits decides."""

_EXACT: Final = frozenset(
    {
        "4913",  # vim asks with it whether it may write to the folder
        "thumbs.db",
        "desktop.ini",
        "icon\r",
    }
)

_ASIDE: Final = ".tmp."
"""``page.html.tmp.1234.5678``: programs that write aside name the process behind it."""

_SED_NAME_CHARS: Final = 9
"""``sedAb3Xyz``: `sed -i` writes beside the file under three letters and six signs."""

PASSING_FOLDERS: Final = frozenset({"__pycache__", "bower_components", "venv"})
"""Folders that programs fill by themselves; what is new in them is left alone."""


def is_passing(path: str) -> bool:
    """Return whether a new file of that path is nobody's work, and is left alone.

    >>> is_passing("notes/page.html~")
    True
    >>> is_passing("page.html")
    False
    """
    *folders, name = path.casefold().split("/")
    if not PASSING_FOLDERS.isdisjoint(folders):
        return True
    if name in _EXACT or _ASIDE in name:
        return True
    if _is_of_sed(path.rpartition("/")[2]):
        return True
    return any(pattern.matches(name) for pattern in PASSING_NAMES)


def _is_of_sed(name: str) -> bool:
    # at least one sign that no word has, so that "sedcardio" stays a file
    return (
        len(name) == _SED_NAME_CHARS
        and name.startswith("sed")
        and name.isascii()
        and name.isalnum()
        and not name[3:].islower()
    )
