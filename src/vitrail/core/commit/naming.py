"""Where an artifact's body goes: a stable file for a stable identifier.

Strategy: explicit identity means update. A file is an artifact's own where
its manifest names the same identifier, where the identifier is its path, or
where a file of exactly that name has no other identifier. A title is no
identity: a look-alike gets a suffix, and so does another identifier with the
same slug. Names are compared composed and case-folded, so that a project can
be carried to any disk.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from vitrail.core.commit.kinds import EXTENSIONS, Row
from vitrail.core.commit.slugs import slug_of
from vitrail.core.names import check_name, name_key
from vitrail.limits import MAX_PATH_SEGMENT_BYTES
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.manifest import MANIFEST_SUFFIX
from vitrail.protocol.records import FileInfo

__all__ = ["Listing", "Place", "choose_place", "draft_place"]

_SPELLINGS: Final = {".htm": ".html", ".markdown": ".md", ".mermaid": ".mmd"}
"""Extensions that mean the same as another."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to write."""

    path: str
    existing: FileInfo | None
    """The file that is there and is this artifact's own."""


class Listing:
    """A project's files, looked up by what makes two names one."""

    def __init__(self, files: Iterable[FileInfo]) -> None:
        self._files = tuple(files)
        self._by_key = {name_key(file.path): file for file in self._files}
        self._folders = {
            name_key(folder): folder
            for file in self._files
            for folder in _folders(file.path)
        }

    def at(self, path: str) -> FileInfo | None:
        """Return the file of that name in any spelling, or None."""
        return self._by_key.get(name_key(path))

    def is_free(self, path: str) -> bool:
        """Return whether there is neither a file nor a folder of that name."""
        key = name_key(path)
        return key not in self._by_key and key not in self._folders

    def file_above(self, path: str) -> str | None:
        """Return the file that is where ``path`` needs a folder, or None."""
        for folder in _folders(path):
            there = self._by_key.get(name_key(folder))
            if there is not None:
                return there.path
        return None

    def spelled(self, path: str) -> str:
        """Return the path with its folders spelled as those that are there."""
        for folder in reversed(_folders(path)):
            there = self._folders.get(name_key(folder))
            if there is not None:
                return there + path[len(folder) :]
        return path

    def of_identifier(self, identifier: str) -> tuple[FileInfo, ...]:
        """Return the files whose manifest names the identifier; no drafts."""
        return tuple(
            file
            for file in self._files
            if _identifier(file) == _identity(identifier) and not _draft_of(file)
        )


def choose_place(
    identifier: str, title: str, row: Row, listing: Listing
) -> Place | Diagnostic:
    """Return where an artifact goes, or why its identifier cannot name a file."""
    named = _identity(identifier)
    if not named:
        return Place(_free(slug_of(title), row.extension, listing), None)
    own = _own_file(named, row, listing)
    if own is not None:
        return Place(own.path, own)
    wanted = _wanted(named, row)
    if isinstance(wanted, Diagnostic):
        return wanted
    wanted = listing.spelled(wanted)
    blocking = listing.file_above(wanted)
    if blocking is not None:
        return Diagnostic(
            "path-below-a-file",
            "error",
            f"{blocking} is a file, so nothing can be saved below it. Choose another "
            "identifier.",
        )
    there = listing.at(wanted)
    if there is not None and _may_update(there, named, wanted):
        return Place(there.path, there)
    cut = len(wanted) - len(row.extension)
    return Place(_free(wanted[:cut], wanted[cut:], listing), None)


def draft_place(path: str, listing: Listing) -> Place:
    """Return where a draft of ``path`` goes: beside it, the same each time."""
    stem, dot, extension = path.rpartition(".")
    if not stem or "/" in extension:
        stem, dot, extension = path, "", ""
    for candidate in _numbered(f"{stem}.draft", dot + extension):
        there = listing.at(candidate)
        if there is not None and _draft_of(there) == path:
            return Place(there.path, there)
        if listing.is_free(candidate):
            return Place(candidate, None)
    raise AssertionError  # the numbers do not end


def _own_file(identifier: str, row: Row, listing: Listing) -> FileInfo | None:
    fitting = [
        file
        for file in listing.of_identifier(identifier)
        if _same_extension(_known_extension(file.path), row.extension)
    ]
    # a copy that a person made carries the manifest of another file; of several
    # others the last written, and the path decides between equals
    fitting.sort(key=lambda file: (_is_entry(file), _updated(file), file.path))
    return fitting[-1] if fitting else None


def _same_extension(one: str, other: str) -> bool:
    return _SPELLINGS.get(one, one) == _SPELLINGS.get(other, other)


def _wanted(identifier: str, row: Row) -> str | Diagnostic:
    """Return the path that an identifier asks for, or why it cannot be one."""
    if not _is_path(identifier):
        return slug_of(identifier) + row.extension
    path = identifier
    extension = _known_extension(path)
    if extension and extension != row.extension:
        path = path[: -len(extension)]
    if not path.lower().endswith(row.extension):
        path += row.extension
    verdict = check_name(path)
    if not verdict.ok:
        return verdict.diagnostics[0]
    last = verdict.name.rpartition("/")[2] + MANIFEST_SUFFIX
    if len(last.encode()) > MAX_PATH_SEGMENT_BYTES:
        return Diagnostic(
            "path-too-long",
            "error",
            "The name is so long that its manifest beside it would not fit.",
        )
    return verdict.name


def _is_path(identifier: str) -> bool:
    """Return whether an identifier means a file: by its extension or its slashes."""
    if _known_extension(identifier):
        return True
    has_slash = "/" in identifier or "\\" in identifier
    return has_slash and not any(char.isspace() for char in identifier)


def _may_update(file: FileInfo, identifier: str, wanted: str) -> bool:
    if _draft_of(file):
        return False
    theirs = _identifier(file)
    if not theirs or theirs == identifier:
        return True
    # "index.html" and "index" mean one page, whichever came first
    key = name_key(file.path)
    return key in (name_key(identifier), name_key(theirs)) and key == name_key(wanted)


def _free(stem: str, extension: str, listing: Listing) -> str:
    for candidate in _numbered(stem, extension):
        if listing.is_free(candidate):
            return candidate
    raise AssertionError  # the numbers do not end


def _numbered(stem: str, extension: str) -> Iterator[str]:
    yield stem + extension
    for number in count(2):
        yield f"{stem}-{number}{extension}"


def _folders(path: str) -> list[str]:
    """Return the folders a path goes through, the outermost first."""
    return [path[:end] for end, char in enumerate(path) if char == "/"]


def _known_extension(path: str) -> str:
    """Return the path's extension in lower case where the table knows it, or ''."""
    stem, dot, extension = path.rpartition("/")[2].rpartition(".")
    known = (dot + extension).lower()
    return known if stem and known in EXTENSIONS else ""


def _identity(identifier: str) -> str:
    """Return what of an identifier tells it from others."""
    return unicodedata.normalize("NFC", identifier).strip()


def _identifier(file: FileInfo) -> str:
    value = (file.manifest.metadata or {}).get("identifier") if file.manifest else None
    return _identity(value) if isinstance(value, str) else ""


def _draft_of(file: FileInfo) -> str:
    value = (file.manifest.metadata or {}).get("draftOf") if file.manifest else None
    return value if isinstance(value, str) else ""


def _is_entry(file: FileInfo) -> bool:
    return file.manifest is not None and file.manifest.entry == file.path


def _updated(file: FileInfo) -> str:
    return file.manifest.updated_at if file.manifest else ""
