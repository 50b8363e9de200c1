"""Which parts of a page are its own, and which another file of the project needs too.

Strategy: begin with all that the page lists and needs, then let every file that
would remain look for what it needs of that. What one of them needs remains too,
and looks in its turn, until nothing more is claimed. A text is read for its
addresses once, whatever asks for it; of those, the ones are kept whose last
part is the name of a file.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from vitrail.core.commit.parts import (
    READ_EXTENSIONS,
    Asked,
    asked_of,
    file_asked,
)
from vitrail.core.document.references import local_segments
from vitrail.core.names import name_key

__all__ = ["OwnParts", "SharedPart", "may_point", "own_parts"]

_OPENED: Final = frozenset({".html", ".htm", ".md", ".markdown"})
"""Pages and documents: somebody opens them for themselves."""

_POINTING: Final = READ_EXTENSIONS | _OPENED | {".svg"}


@dataclass(frozen=True, slots=True)
class SharedPart:
    """A part that another file needs too."""

    path: str
    user: str
    """Path of a file that needs it; there may be more."""


@dataclass(frozen=True, slots=True)
class OwnParts:
    """The parts of a page that are there."""

    own: tuple[str, ...]
    """Needed by the page, and by each other, alone; sorted."""
    shared: tuple[SharedPart, ...]
    """Sorted by path."""


def may_point(path: str) -> bool:
    """Return whether a file of that name may have addresses of others in it.

    >>> may_point("a/style.css"), may_point("a/logo.png")
    (True, False)
    """
    return _extension(path) in _POINTING


def own_parts(
    entry: str, listed: Mapping[str, tuple[str, ...]], texts: Mapping[str, str]
) -> OwnParts:
    """Return which parts go where their page goes.

    ``listed`` has every file of the project, by path, with the parts that its
    manifest lists; ``texts`` the text of each that `may_point`. Pages and
    documents are nobody's parts here: one that is framed or linked stays, with
    what it needs.

    >>> page = '<link href="s.css"><img src="a.png">'
    >>> texts = {"a.html": page, "b.html": '<img src="a.png">', "s.css": ""}
    >>> own_parts("a.html", dict.fromkeys([*texts, "a.png"], ()), texts)
    OwnParts(own=('s.css',), shared=(SharedPart(path='a.png', user='b.html'),))
    """
    search = _Search(listed, texts)
    going = {path for path in search.needed_by(entry) if not _is_opened(path)}
    going.discard(entry)
    users: dict[str, str] = {}
    waiting = deque(path for path in sorted(listed) if path not in {entry, *going})
    while waiting and going:
        file = waiting.popleft()
        for part in sorted(going.intersection(search.needed_by(file))):
            going.discard(part)
            users[part] = file
            waiting.append(part)
    shared = tuple(SharedPart(path, users[path]) for path in sorted(users))
    return OwnParts(tuple(sorted(going)), shared)


class _Search:
    """Looks for what one file needs among all of a project."""

    def __init__(
        self, listed: Mapping[str, tuple[str, ...]], texts: Mapping[str, str]
    ) -> None:
        self._listed = listed
        self._texts = texts
        self._there = {name_key(path): path for path in listed}
        self._names = {posixpath.basename(key) for key in self._there}
        self._asked: dict[str, tuple[Asked, ...]] = {}

    def needed_by(self, path: str) -> set[str]:
        """Return what a file lists or points to, and what that needs to run."""
        found = {
            there
            for name in self._listed.get(path, ())
            if (there := self._there.get(name_key(name))) is not None
        }
        waiting = deque([path, *sorted(found)])
        while waiting:
            base = waiting.popleft()
            for asked in self._asked_of(base):
                there = file_asked(asked, base, path, self._there)
                if there is None or there in found or there == path:
                    continue
                found.add(there)
                if _extension(there) in READ_EXTENSIONS:
                    waiting.append(there)
        return found

    def _asked_of(self, path: str) -> tuple[Asked, ...]:
        known = self._asked.get(path)
        if known is None:
            text = self._texts.get(path, "")
            kept = (one for one in asked_of(path, text) if self._may_be_file(one))
            known = self._asked[path] = tuple(dict.fromkeys(kept))
        return known

    def _may_be_file(self, asked: Asked) -> bool:
        segments = local_segments(asked.value.strip())
        return bool(segments) and name_key(segments[-1]) in self._names


def _extension(path: str) -> str:
    return posixpath.splitext(path)[1].lower()


def _is_opened(path: str) -> bool:
    return _extension(path) in _OPENED
