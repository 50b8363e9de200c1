"""Entries of an archive or a folder that want to become files: judged all together.

Strategy: what an archive says of itself is judged before anything of it is
unpacked: how many entries there are, how large each will be, what kind it is
and what it is called. Everything that is wrong is told, not only the first;
an import is refused as a whole. Hidden files and the folders of tools are no
fault: they stay outside, and that is told too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from vitrail.core.names import check_name, name_key
from vitrail.limits import (
    MAX_IMPORT_BYTES,
    MAX_IMPORT_ENTRIES,
    MAX_IMPORT_FILE_BYTES,
    MAX_IMPORT_RATIO,
)
from vitrail.protocol.imports import ImportRefusal, LeftOut
from vitrail.protocol.manifest import MANIFEST_SUFFIX

__all__ = [
    "EntryKind",
    "IncomingEntry",
    "IncomingFile",
    "JudgedEntries",
    "clash",
    "is_too_dense",
    "judge_entries",
    "outgoing_names",
    "taken_names",
]

EntryKind: TypeAlias = Literal["file", "folder", "link", "special"]

_LITTER: Final = frozenset({"__macosx", "thumbs.db", "desktop.ini"})
"""What systems leave in folders and archives, compared case-folded."""

_FREE_BYTES: Final = 1024 * 1024
"""A file this small is no bomb, however well it was packed."""

_MAX_TOLD: Final = 1000
"""Refusals that are listed; the last one says how many more there are."""


@dataclass(frozen=True, slots=True)
class IncomingEntry:
    """One entry, as its archive or its folder tells of it."""

    name: str
    """As written, with a slash at the end where it is a folder of an archive."""
    kind: EntryKind
    size: int = 0
    """Bytes, unpacked."""
    packed_size: int | None = None
    """Bytes in the archive; None in a folder."""
    is_encrypted: bool = False


@dataclass(frozen=True, slots=True)
class IncomingFile:
    """An entry that may become a file."""

    path: str
    """In the project, composed."""
    entry: IncomingEntry
    manifest: IncomingEntry | None = None
    """The manifest that lies beside it."""


@dataclass(slots=True)
class JudgedEntries:
    """What may come in, what stays outside, and all that is wrong."""

    files: list[IncomingFile] = field(default_factory=list)
    """By path."""
    left_out: list[LeftOut] = field(default_factory=list)
    refused: list[ImportRefusal] = field(default_factory=list)


def judge_entries(entries: Sequence[IncomingEntry]) -> JudgedEntries:
    """Return what may come in of all entries; nothing of it should where any is refused.

    >>> judge_entries([IncomingEntry("../x", "file")]).refused[0].code
    'path-traversal'
    """
    judged = JudgedEntries()
    if len(entries) > MAX_IMPORT_ENTRIES:
        words = f"There are {len(entries)} entries; at most {MAX_IMPORT_ENTRIES} fit."
        judged.refused.append(_refusal("", "archive-too-many", words))
        return judged
    manifests: dict[str, IncomingEntry] = {}
    found: list[IncomingFile] = []
    for entry in entries:
        file = _judge(entry, judged, manifests)
        if file is not None:
            found.append(file)
    total = sum(file.entry.size for file in found)
    if total > MAX_IMPORT_BYTES:
        words = (
            f"It would unpack to {total} bytes; at most {MAX_IMPORT_BYTES} fit into "
            "one import. Import it in parts."
        )
        judged.refused.append(_refusal("", "archive-too-large", words))
    judged.refused += _clashes(found)
    judged.files = _with_manifests(found, manifests, judged)
    if len(judged.refused) > _MAX_TOLD:
        rest = len(judged.refused) - _MAX_TOLD
        del judged.refused[_MAX_TOLD:]
        words = f"And {rest} more that may not come in."
        judged.refused.append(_refusal("", "archive-too-many", words))
    return judged


def taken_names(paths: Iterable[str]) -> dict[str, str]:
    """Return what the files at these paths take: folders and files by `name_key`.

    Files end in nothing, folders in a slash; the value is the spelling.
    """
    taken: dict[str, str] = {}
    for path in paths:
        taken.setdefault(name_key(path), path)
        for folder in _folders(path):
            taken.setdefault(name_key(folder), folder)
    return taken


def clash(path: str, taken: dict[str, str]) -> ImportRefusal | None:
    """Return why no file can be at ``path`` beside what is taken, or None.

    The same path is no clash: it is that file.
    """
    other = taken.get(name_key(path))
    if other is not None and other != path:
        return _clash(path, other)
    if name_key(path) + "/" in taken:
        folder = taken[name_key(path) + "/"]
        words = f"There is a folder {folder} where the file would be."
        return _refusal(path, "path-below-a-file", words)
    for folder in _folders(path):
        file = taken.get(name_key(folder[:-1]))
        if file is not None:
            words = f"{file} is a file, so nothing can be below it."
            return _refusal(path, "path-below-a-file", words)
        spelled = taken.get(name_key(folder))
        if spelled is not None and spelled != folder:
            return _clash(path, spelled)
    return None


def outgoing_names(paths: Iterable[str]) -> dict[str, str]:
    """Return the name in an archive of each file, so that any disk can hold them all.

    Of two that differ only by case or composition the second gets a number;
    its folder keeps its name.

    >>> outgoing_names(["A.html", "a.html"])
    {'A.html': 'A.html', 'a.html': 'a-2.html'}
    """
    ordered = sorted(paths)
    taken = taken_names(ordered)
    used = set(taken)
    last: dict[str, int] = {}
    names: dict[str, str] = {}
    for path in ordered:
        key = name_key(path)
        if taken[key] == path and key + "/" not in taken:
            names[path] = path
            continue
        stem, extension = _split(path)
        number = last.get(key, 1) + 1
        while not used.isdisjoint(_file_or_folder(f"{stem}-{number}{extension}")):
            number += 1
        last[key] = number
        names[path] = f"{stem}-{number}{extension}"
        used.add(name_key(names[path]))
    return names


def _file_or_folder(path: str) -> tuple[str, str]:
    """Return the keys that a file of this path, and a folder of it, have among names."""
    key = name_key(path)
    return key, key + "/"


# --- one entry -----------------------------------------------------------


def _judge(
    entry: IncomingEntry, judged: JudgedEntries, manifests: dict[str, IncomingEntry]
) -> IncomingFile | None:
    """Return the file that an entry may be; note whatever else it is."""
    name = entry.name.removesuffix("/") if entry.kind == "folder" else entry.name
    stays_out = _stays_out(name)
    if stays_out is not None:
        judged.left_out.append(LeftOut(name=entry.name, reason=stays_out))
        return None
    stem = name.removesuffix(MANIFEST_SUFFIX)
    verdict = check_name(stem, "zip_entry_in")
    if not verdict.ok:
        found = verdict.diagnostics[0]
        judged.refused.append(_refusal(entry.name, found.code, found.message))
        return None
    wrong = _wrong(entry)
    if wrong is not None:
        judged.refused.append(wrong)
        return None
    if entry.kind == "folder":
        return None
    if stem != name:
        manifests[verdict.name] = entry
        return None
    return IncomingFile(verdict.name, entry)


def _stays_out(name: str) -> Literal["hidden", "internal"] | None:
    """Return why a name that is no attack is left out, or None.

    It is judged as if its hidden folders were not: a path that would leave the
    project through one of them is refused.
    """
    segments = name.split("/")
    shown = [
        f"_{part}" if part[:1] == "." and part.strip(".") else part for part in segments
    ]
    is_hidden = shown != segments
    folded = [part.casefold() for part in shown]
    is_internal = any(part in _LITTER or part == "node_modules" for part in folded)
    if not is_hidden and not is_internal:
        return None
    plain = [f"_{part}" if part == "node_modules" else part for part in folded]
    if not check_name("/".join(plain).removesuffix(MANIFEST_SUFFIX), "zip_entry_in").ok:
        return None
    return "hidden" if is_hidden else "internal"


def _wrong(entry: IncomingEntry) -> ImportRefusal | None:
    """Return what is wrong with an entry besides its name."""
    match entry.kind:
        case "link":
            words = "It is a link. Put the file itself in its place."
            return _refusal(entry.name, "entry-link", words)
        case "special":
            words = "It is no file and no folder."
            return _refusal(entry.name, "entry-special", words)
        case "file" | "folder":
            pass
    if entry.is_encrypted:
        words = "It is encrypted. Unpack the archive with its password first."
        return _refusal(entry.name, "entry-encrypted", words)
    if entry.size > MAX_IMPORT_FILE_BYTES:
        words = f"It has {entry.size} bytes; at most {MAX_IMPORT_FILE_BYTES} fit."
        return _refusal(entry.name, "entry-too-large", words)
    if is_too_dense(entry.size, entry.packed_size):
        words = (
            f"{entry.packed_size} packed bytes would become {entry.size}, as only "
            "what is made to fill a disk does."
        )
        return _refusal(entry.name, "entry-too-dense", words)
    return None


def is_too_dense(size: int, packed_size: int | None) -> bool:
    """Return whether so many bytes come from so few that it is meant as a bomb."""
    if packed_size is None or size <= _FREE_BYTES:
        return False
    return size > MAX_IMPORT_RATIO * max(packed_size, 1)


# --- all of them ---------------------------------------------------------


def _clashes(files: Sequence[IncomingFile]) -> list[ImportRefusal]:
    """Return the files that cannot be there together, in linear time."""
    found: list[ImportRefusal] = []
    taken: dict[str, str] = {}
    seen: set[str] = set()
    for file in files:
        if file.path in seen:
            words = "The name is there twice; readers disagree which one counts."
            found.append(_refusal(file.entry.name, "entry-duplicate", words))
            continue
        seen.add(file.path)
        refused = clash(file.path, taken)
        if refused is not None:
            found.append(refused)
            continue
        taken |= taken_names([file.path])
    return found


def _with_manifests(
    files: Sequence[IncomingFile],
    manifests: dict[str, IncomingEntry],
    judged: JudgedEntries,
) -> list[IncomingFile]:
    paths = {file.path for file in files}
    judged.left_out += [
        LeftOut(name=entry.name, reason="manifest")
        for path, entry in manifests.items()
        if path not in paths
    ]
    return sorted(
        (
            IncomingFile(file.path, file.entry, manifests.get(file.path))
            for file in files
        ),
        key=lambda file: file.path,
    )


def _folders(path: str) -> list[str]:
    """Return the folders that a path is in, each with a slash at its end."""
    at, folders = path.find("/"), []
    while at != -1:
        folders.append(path[: at + 1])
        at = path.find("/", at + 1)
    return folders


def _split(path: str) -> tuple[str, str]:
    """Return a path without its extension, and the extension with its dot."""
    stem, dot, extension = path.rpartition(".")
    return (stem, dot + extension) if dot and "/" not in extension else (path, "")


def _clash(path: str, other: str) -> ImportRefusal:
    return _refusal(
        path,
        "path-clash",
        f"Its name and {other} differ only by upper and lower case, or by how accents "
        "are written; one common disk could not hold both. Rename one of them.",
    )


def _refusal(name: str, code: str, message: str) -> ImportRefusal:
    return ImportRefusal(name=_printable(name), code=code, message=message)


def _printable(name: str) -> str:
    """Return a name that can be printed and sent: escapes for what cannot."""
    shown = name if len(name) <= 300 else name[:300] + "…"  # noqa: PLR2004 - as long as a path
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in shown)
