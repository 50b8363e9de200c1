"""Bundles: a project's whole history as one file that says when a byte of it was changed.

Strategy: the manifest is lines of JSON in one spelling, each with the SHA-256
of the hash before it and of itself, so that no line can be changed, moved, left
out or added without the last hash, the *seal*, being another. It names every
object by digest. What holds both has one possible form (`stored_zip`), so
verifying is writing it again and comparing: there is no byte that nothing
speaks for. Ids of records do not travel; a revision is named by its path and
number.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar
from zlib import crc32

from pydantic import BaseModel, ValidationError

from vitrail.core.export.stored_zip import (
    LOCAL_BYTES,
    StoredEntry,
    archive_end,
    local_header,
    stored_entry,
)
from vitrail.core.names import check_name, name_key
from vitrail.errors import InvalidInput
from vitrail.limits import MAX_BUNDLE_MANIFEST_BYTES
from vitrail.protocol.bundle import (
    BUNDLE_MANIFEST,
    BUNDLE_VERSION,
    BundleFile,
    BundleHead,
    BundleRevision,
)

__all__ = [
    "Bundle",
    "BundleArchive",
    "Record",
    "is_bundle",
    "manifest_of_records",
    "object_name",
    "read_bundle",
]

_START: Final = hashlib.sha256(b"vitrail-bundle\n").digest()
"""What the first record is chained to."""

_PIECE_BYTES: Final = 1024 * 1024

Record: TypeAlias = tuple[str, Mapping[str, Any]]
"""Kind and value: ``bundle``, ``file`` and ``revision``; then whatever later versions
have to say, such as ``comment``, ``check`` and ``receipt``."""

_M = TypeVar("_M", bound=BaseModel)

_ReadAt: TypeAlias = Callable[[int, int], bytes]
"""Returns that many bytes from an offset, fewer at the end."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a verified bundle holds."""

    head: BundleHead
    files: tuple[BundleFile, ...]
    revisions: tuple[BundleRevision, ...]
    """In the order in which they were made: a parent before its children."""
    more: tuple[Record, ...]
    """Records of kinds that this version does not know."""
    objects: Mapping[str, tuple[int, int]]
    """Where each digest's bytes are: offset and size in the bundle."""
    last: Mapping[str, int]
    """The last number of each path."""
    seal: str
    """The last hash of the chain; equal seals, equal histories."""


# --- writing -------------------------------------------------------------


def manifest_of_records(records: Iterable[Record]) -> tuple[bytes, str]:
    r"""Return the manifest of these records, and its seal.

    >>> text, seal = manifest_of_records([("bundle", {"title": "Tea"})])
    >>> text.count(b"\n"), len(seal)
    (2, 64)
    """
    link, lines = _START, []
    for kind, value in records:
        link, line = _line(link, kind, value)
        lines.append(line)
    link, line = _line(link, "end", {"records": len(lines)})
    lines.append(line)
    return b"".join(lines), link.hex()


class BundleArchive:
    """Gives the bytes of a bundle piece by piece: first the manifest, then the objects.

    The objects come in the order of their digests, each once.
    """

    def __init__(self) -> None:
        self._entries: list[StoredEntry] = []

    def manifest(self, text: bytes) -> bytes:
        """Return the bytes of the manifest's entry."""
        return self._add(BUNDLE_MANIFEST, text)

    def object(self, digest: str, content: bytes) -> bytes:
        """Return the bytes of an object's entry."""
        return self._add(object_name(digest), content)

    def end(self) -> bytes:
        """Return the directory at the end."""
        return archive_end(tuple(self._entries))

    def _add(self, name: str, content: bytes) -> bytes:
        offset = self._entries[-1].end if self._entries else 0
        entry = stored_entry(name, content, offset)
        self._entries.append(entry)
        return local_header(entry) + content


def object_name(digest: str) -> str:
    """Return the name of an object's entry.

    >>> object_name("ab" * 32)[:12]
    'objects/ab/a'
    """
    return f"objects/{digest[:2]}/{digest[2:]}"


# --- reading -------------------------------------------------------------


def is_bundle(head: bytes) -> bool:
    """Return whether a file that begins with these bytes says that it is a bundle.

    Sixty bytes are enough.
    """
    return head.startswith(b"PK\3\4") and head[
        LOCAL_BYTES : LOCAL_BYTES + len(BUNDLE_MANIFEST)
    ] == BUNDLE_MANIFEST.encode("ascii")


def read_bundle(read_at: _ReadAt, size: int) -> Bundle:
    """Return what a bundle of ``size`` bytes holds, once every byte of it is verified.

    Raises ``InvalidInput('bundle-damaged')`` where one is not as it was
    written, saying which part, and ``bundle-too-new``.
    """
    first, manifest = _read_manifest(read_at)
    parts = _Records(manifest)
    entries = [first]
    for digest in sorted({revision.digest for revision in parts.revisions}):
        entries.append(_verify_object(read_at, digest, entries[-1].end, parts))
    end = archive_end(tuple(entries))
    start = entries[-1].end
    if size != start + len(end) or read_at(start, len(end) + 1) != end:
        raise _damaged("its list of contents is not the one that was written")
    objects = {
        entry.name.removeprefix("objects/").replace("/", ""): (
            entry.end - entry.size,
            entry.size,
        )
        for entry in entries[1:]
    }
    return Bundle(
        head=parts.head,
        files=tuple(parts.files),
        revisions=tuple(parts.revisions),
        more=tuple(parts.more),
        objects=objects,
        last=parts.numbers,
        seal=parts.seal,
    )


def _read_manifest(read_at: _ReadAt) -> tuple[StoredEntry, bytes]:
    fixed = read_at(0, LOCAL_BYTES)
    if not is_bundle(read_at(0, LOCAL_BYTES + len(BUNDLE_MANIFEST))):
        raise _damaged("it does not begin as a bundle does")
    size = int.from_bytes(fixed[22:26], "little")
    if size > MAX_BUNDLE_MANIFEST_BYTES:
        raise _damaged(f"its manifest is said to have {size} bytes")
    text = read_at(LOCAL_BYTES + len(BUNDLE_MANIFEST), size)
    entry = stored_entry(BUNDLE_MANIFEST, text, 0)
    if read_at(0, LOCAL_BYTES + len(entry.name)) != local_header(entry):
        raise _damaged("its manifest's header is not the one that was written")
    return entry, text


def _verify_object(
    read_at: _ReadAt, digest: str, offset: int, parts: _Records
) -> StoredEntry:
    """Return the entry that is at ``offset``, which has to be that object."""
    size, named = parts.objects[digest]
    name = object_name(digest)
    at, end = offset + LOCAL_BYTES + len(name), offset + LOCAL_BYTES + len(name) + size
    found, checksum = hashlib.sha256(), 0
    while at < end:
        piece = read_at(at, min(_PIECE_BYTES, end - at))
        if not piece:
            raise _damaged(f"it ends inside the content of {named}")
        found.update(piece)
        checksum = crc32(piece, checksum)
        at += len(piece)
    if found.hexdigest() != digest:
        raise _damaged(f"the content of {named} is not the one of its digest")
    entry = StoredEntry(name, size, checksum, offset)
    if read_at(offset, LOCAL_BYTES + len(name)) != local_header(entry):
        raise _damaged(f"the header of {named} is not the one that was written")
    return entry


@dataclass(slots=True)
class _Records:
    """The records of a manifest, taken in line by line; each must fit those before."""

    text: bytes
    head: BundleHead = field(init=False)
    files: list[BundleFile] = field(default_factory=list)
    revisions: list[BundleRevision] = field(default_factory=list)
    more: list[Record] = field(default_factory=list)
    objects: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Size of each object, and the revision that a message names it by."""
    seal: str = ""
    numbers: dict[str, int] = field(default_factory=dict)
    """The last number of each path so far."""

    def __post_init__(self) -> None:
        """Read the whole manifest."""
        listed = list(_verified(self.text))
        if not listed or listed[0][0] != "bundle":
            raise _damaged("its manifest does not begin with what it is of")
        self.head = _head(listed[0][1])
        self.seal = _last_hash(self.text)
        for kind, value in listed[1:]:
            match kind:
                case "file":
                    self.files.append(_value(BundleFile, value))
                case "revision":
                    self._add(_value(BundleRevision, value))
                case _:
                    self.more.append((kind, value))
        self._check_files()

    def _add(self, revision: BundleRevision) -> None:
        named = f"{revision.path}, revision {revision.number}"
        before = self.numbers.get(revision.path, 0)
        if revision.number != before + 1:
            raise _damaged(f"{named} does not follow revision {before}")
        self._check_parent(revision, before, named)
        self.numbers[revision.path] = revision.number
        known = self.objects.setdefault(revision.digest, (revision.size, named))
        if known[0] != revision.size:
            raise _damaged(f"{named} has another size than {known[1]}")
        self.revisions.append(revision)

    def _check_parent(self, revision: BundleRevision, before: int, named: str) -> None:
        """The parent is the head of its path, or of the path it was moved from."""
        source = revision.moved_from or revision.path
        number = self.numbers.get(source, 0) if revision.moved_from else before
        parent = revision.parent
        found = (parent.path, parent.number) if parent else (source, 0)
        is_moved = revision.moved_from is not None
        if found != (source, number) or (is_moved and parent is None):
            raise _damaged(f"the parent of {named} is not the revision before it")

    def _check_files(self) -> None:
        paths = [file.path for file in self.files]
        if sorted(paths) != sorted(self.numbers):
            raise _damaged("its files are not those that its revisions are of")
        spelled: dict[str, str] = {}
        for path in paths:
            verdict = check_name(path, "zip_entry_in")
            if not verdict.ok or verdict.name != path:
                raise InvalidInput(
                    f"The bundle holds a file that may not be called {path!r}. "
                    "Nothing of it was imported.",
                    code="bundle-damaged",
                )
            spelled.setdefault(name_key(path), path)
        present = [file.path for file in self.files if file.present]
        if len({name_key(path) for path in present}) != len(present):
            raise _damaged("two of its files have names that differ by case only")


def _verified(text: bytes) -> Iterator[Record]:
    """Yield the records of a manifest whose chain holds to the end."""
    link, count, is_ended = _START, 0, False
    for line in text.splitlines(keepends=True):
        if is_ended:
            raise _damaged("its manifest goes on behind its end")
        kind, value = _parsed(line, count + 1)
        link, expected = _line(link, kind, value)
        if line != expected:
            raise _damaged(f"line {count + 1} of its manifest breaks the chain")
        if kind == "end":
            is_ended = True
            if value != {"records": count}:
                raise _damaged("its manifest has another number of lines")
            continue
        count += 1
        yield kind, value
    if not is_ended:
        raise _damaged("its manifest has no end")


def _parsed(line: bytes, number: int) -> Record:
    try:
        said = json.loads(line)
        kind, value = said["kind"], said["value"]
    except (ValueError, KeyError, TypeError, RecursionError) as cause:
        raise _damaged(f"line {number} of its manifest cannot be read") from cause
    if not isinstance(kind, str) or not isinstance(value, dict):
        raise _damaged(f"line {number} of its manifest is no record")
    return kind, value


def _line(link: bytes, kind: str, value: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """Return the next hash and the line that carries it."""
    try:
        body = _json([kind, value])
    except (ValueError, RecursionError) as cause:
        raise _damaged("a line of its manifest has no one spelling") from cause
    found = hashlib.sha256(link + body)
    hashed = {"hash": found.hexdigest(), "kind": kind, "value": value}
    return found.digest(), _json(hashed) + b"\n"


def _json(value: object) -> bytes:
    return json.dumps(
        value,
        ensure_ascii=True,
        allow_nan=False,
        sort_keys=True,
        separators=(",", ":"),
    ).encode("ascii")


def _last_hash(text: bytes) -> str:
    return str(json.loads(text.rstrip(b"\n").rpartition(b"\n")[2])["hash"])


def _head(value: Mapping[str, Any]) -> BundleHead:
    version = value.get("version")
    if isinstance(version, int) and version > BUNDLE_VERSION:
        raise InvalidInput(
            "The bundle was written by a newer version of Vitrail. Update Vitrail to "
            "import it.",
            code="bundle-too-new",
        )
    return _value(BundleHead, value)


def _value(model: type[_M], value: Mapping[str, Any]) -> _M:
    try:
        return model.model_validate(value)
    except ValidationError as cause:
        raise _damaged(f"a {model.__name__} of its manifest does not fit") from cause


def _damaged(what: str) -> InvalidInput:
    return InvalidInput(
        f"The bundle is not as it was written: {what}. Nothing of it was imported; "
        "get it again from where it was made.",
        code="bundle-damaged",
    )
