"""Archives and folders that are imported: examined whole before anything is taken of them.

Strategy: an archive is judged three times, each time by more. The end of its
file says how many entries and how large a directory there are; the directory
says what each entry is called and will become (`core.export.entries`); then
each entry is unpacked once and thrown away, counted as it comes, so that a
wrong checksum, a false size, or an archive of archives is told before the first
file is written. What is inside an archive inside is judged by the same counts,
and never written by itself.

A folder is walked from its handle through no link.
"""

from __future__ import annotations

import asyncio
import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from vitrail.adapters.failures import storage_errors
from vitrail.adapters.folder import ProjectFolder
from vitrail.adapters.surveying import survey
from vitrail.core.export.entries import (
    EntryKind,
    IncomingEntry,
    JudgedEntries,
    is_too_dense,
    judge_entries,
)
from vitrail.errors import InvalidInput, StorageError
from vitrail.limits import (
    MAX_ARCHIVE_DEPTH,
    MAX_IMPORT_BYTES,
    MAX_IMPORT_ENTRIES,
)
from vitrail.protocol.imports import ImportRefusal
from vitrail.protocol.manifest import MANIFEST_SUFFIX

__all__ = ["FolderSource", "ZipSource"]

_PIECE_BYTES: Final = 256 * 1024

_END: Final = b"PK\x05\x06"
_END_BYTES: Final = 22
_MAX_COMMENT_BYTES: Final = 65_535
_LOCATOR64: Final = b"PK\x06\x07"
_LOCATOR64_BYTES: Final = 20
_END64: Final = b"PK\x06\x06"
_END64_BYTES: Final = 56
_LOCAL: Final = b"PK\x03\x04"
_LOCAL_BYTES: Final = 30

_MAX_DIRECTORY_BYTES: Final = 4 * 1024 * 1024
"""400 bytes for each of as many entries as may come in; read before one is judged."""

_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""What every program unpacks. Others take much memory, or a library that may be missing."""

_ENCRYPTED: Final = 0x0001 | 0x0040 | 0x2000
"""Bits of the flags: encrypted, strongly, names too (APPNOTE 4.4.4)."""

_UTF8: Final = 0x0800

_UNIX: Final = {3, 19}
"""Systems whose modes are in the external attributes: Unix and macOS."""

_WINDOWS_LINK: Final = 0x0400
"""``FILE_ATTRIBUTE_REPARSE_POINT``."""


class ZipSource:
    """`vitrail.ports.ImportSource` over a ZIP, which it closes."""

    def __init__(self, file: BinaryIO) -> None:
        """``file`` can be read from any place."""
        self._file = file
        self._by_name: dict[str, zipfile.ZipInfo] = {}
        self._archive: zipfile.ZipFile | None = None

    async def examine(self) -> JudgedEntries:
        """Return what may come in; raise ``InvalidInput('archive-invalid')``."""
        return await asyncio.to_thread(self._examine)

    async def read(self, entry: IncomingEntry) -> bytes:
        """Return the bytes of an entry that was examined."""
        return await asyncio.to_thread(self._read, entry.name)

    def close(self) -> None:
        """Let go of the file."""
        if self._archive is not None:
            self._archive.close()
        self._file.close()

    def _examine(self) -> JudgedEntries:
        with storage_errors():
            self._archive = _open(self._file)
            infos = self._archive.infolist()
            judged = judge_entries([_entry_of(info) for info in infos])
            self._by_name = {_name_of(info): info for info in infos}
            judged.refused += _overlaps(self._file, infos)
            if not judged.refused:
                judged.refused += self._unpacked(judged)
        return judged

    def _unpacked(self, judged: JudgedEntries) -> Iterator[ImportRefusal]:
        """Unpack everything once; yield what cannot be."""
        budget = _Budget(sum(file.entry.size for file in judged.files))
        for file in judged.files:
            entries = [file.entry] + ([file.manifest] if file.manifest else [])
            for entry in entries:
                refusal = self._try(entry, budget)
                if refusal is not None:
                    yield refusal

    def _try(self, entry: IncomingEntry, budget: _Budget) -> ImportRefusal | None:
        try:
            content = self._read(entry.name)
        except InvalidInput as error:
            code = str(error.details["entry_code"])
            return ImportRefusal(name=entry.name, code=code, message=error.message)
        return _judge_nested(entry.name, content, budget)

    def _read(self, name: str) -> bytes:
        archive = self._archive
        if archive is None:
            raise StorageError("The archive is not open any more.")
        return _content(archive, self._by_name[name])


class FolderSource:
    """`vitrail.ports.ImportSource` over a folder of this machine."""

    def __init__(self, root: Path) -> None:
        """``root`` is no link itself."""
        self._root = root
        self._folder = ProjectFolder(root)

    async def examine(self) -> JudgedEntries:
        """Return what may come in of the folder; links are refused, not followed."""
        return await asyncio.to_thread(self._examine)

    async def read(self, entry: IncomingEntry) -> bytes:
        """Return a file's bytes; raise ``InvalidInput`` where it is another one now."""
        return await asyncio.to_thread(self._read, entry)

    def close(self) -> None:
        """Hold nothing open."""

    def _examine(self) -> JudgedEntries:
        # one more than may come in tells that there are too many
        listed = islice(survey(self._root), MAX_IMPORT_ENTRIES + 1)
        return judge_entries(
            [IncomingEntry(one.path, _kind_of(one.mode), one.size) for one in listed]
        )

    def _read(self, entry: IncomingEntry) -> bytes:
        if entry.name.endswith(MANIFEST_SUFFIX):
            path = entry.name.removesuffix(MANIFEST_SUFFIX)
            content = self._folder.read_manifest(path, at_most=entry.size)
        else:
            content, _ = self._folder.read(entry.name)
        if content is None or len(content) != entry.size:
            raise InvalidInput(
                f"{entry.name} was changed while the folder was being imported. What "
                "was imported before it is kept; import the folder again."
            )
        return content


# --- a ZIP's own words ---------------------------------------------------


def _open(file: BinaryIO) -> zipfile.ZipFile:
    count, directory_bytes = _announced(file)
    if count > MAX_IMPORT_ENTRIES or directory_bytes > _MAX_DIRECTORY_BYTES:
        raise InvalidInput(
            f"The archive says that it has {count} entries; at most "
            f"{MAX_IMPORT_ENTRIES} fit. Nothing of it was unpacked.",
            code="import-refused",
            refused=[
                {
                    "name": "",
                    "code": "archive-too-many",
                    "message": f"It has {count} entries.",
                }
            ],
        )
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error) as cause:
        raise _invalid() from cause
    except (EOFError, OverflowError, UnicodeError) as cause:
        raise _invalid() from cause
    return archive


def _announced(file: BinaryIO) -> tuple[int, int]:
    """Return how many entries a ZIP says it has, and the size of its directory."""
    size = file.seek(0, io.SEEK_END)
    start = max(0, size - _END_BYTES - _MAX_COMMENT_BYTES)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(_END)
    if at == -1 or len(tail) - at < _END_BYTES:
        raise _invalid()
    count, directory_bytes = struct.unpack_from("<HI", tail, at + 10)
    file.seek(max(0, start + at - _LOCATOR64_BYTES))
    locator = file.read(_LOCATOR64_BYTES)
    if locator.startswith(_LOCATOR64):
        file.seek(max(0, start + at - _LOCATOR64_BYTES - _END64_BYTES))
        end = file.read(_END64_BYTES)
        if not end.startswith(_END64):
            raise _invalid()
        count, directory_bytes = struct.unpack_from("<QQ", end, 32)
    return count, directory_bytes


def _entry_of(info: zipfile.ZipInfo) -> IncomingEntry:
    name = _name_of(info)
    return IncomingEntry(
        name=name,
        kind=_zip_kind(info, name),
        size=info.file_size,
        packed_size=info.compress_size,
        is_encrypted=bool(info.flag_bits & _ENCRYPTED),
    )


def _name_of(info: zipfile.ZipInfo) -> str:
    """Return an entry's name: UTF-8 where its bytes are, whatever the flag says.

    `zipfile` cuts names at a NUL and turns backslashes on Windows; the name as
    it was written is what is judged.
    """
    name = info.orig_filename
    if info.flag_bits & _UTF8:
        return name
    with suppress(UnicodeError):
        return name.encode("cp437").decode("utf-8")
    return name


def _zip_kind(info: zipfile.ZipInfo, name: str) -> EntryKind:
    mode = info.external_attr >> 16
    if info.create_system in _UNIX and stat.S_IFMT(mode):
        kind = _kind_of(mode)
        if kind != "file" or not name.endswith("/"):
            return kind
    if info.create_system not in _UNIX and info.external_attr & _WINDOWS_LINK:
        return "link"
    return "folder" if name.endswith("/") else "file"


def _kind_of(mode: int) -> EntryKind:
    if stat.S_ISLNK(mode):
        return "link"
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "special"


def _overlaps(file: BinaryIO, infos: list[zipfile.ZipInfo]) -> Iterator[ImportRefusal]:
    """Yield the entries that share bytes with another one: one kernel, many files."""
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        header = _local_header(file, info.header_offset)
        is_whole = len(header) == _LOCAL_BYTES and header.startswith(_LOCAL)
        if not is_whole or info.header_offset < end:
            yield ImportRefusal(
                name=repr(_name_of(info))[1:-1],
                code="entry-overlaps",
                message="It shares bytes with another entry, or is not where the "
                "archive says.",
            )
        if is_whole:
            name_bytes, extra_bytes = struct.unpack_from("<HH", header, 26)
            after = _LOCAL_BYTES + name_bytes + extra_bytes + info.compress_size
            end = max(end, info.header_offset + after)


def _local_header(file: BinaryIO, at: int) -> bytes:
    """Return what stands where an entry is said to begin; nothing before the file does.

    A directory that lies about its own place moves every entry, `zipfile` makes
    that up by subtraction, and the place may be negative.
    """
    if at < 0:
        return b""
    file.seek(at)
    return file.read(_LOCAL_BYTES)


# --- unpacking -----------------------------------------------------------


@dataclass(slots=True)
class _Budget:
    """Bytes that an import unpacks to, archives inside archives included."""

    spent: int
    entries: int = 0


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return an entry's bytes; raise ``InvalidInput`` with ``entry_code``.

    No more is unpacked than the directory announced, which was judged.
    """
    if info.compress_type not in _METHODS:
        raise _bad_entry(
            "entry-method",
            "It is packed in a way that is not supported (only deflate).",
        )
    pieces: list[bytes] = []
    try:
        with archive.open(info) as file:
            while piece := file.read(_PIECE_BYTES):
                pieces.append(piece)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        struct.error,
    ) as cause:
        raise _bad_entry(
            "entry-damaged", "Its content is damaged: it cannot be unpacked as it says."
        ) from cause
    except (RuntimeError, NotImplementedError) as cause:
        # what `zipfile` raises for passwords and for methods it does not know
        raise _bad_entry("entry-method", "It cannot be unpacked.") from cause
    content = b"".join(pieces)
    if len(content) != info.file_size:
        raise _bad_entry("entry-damaged", "It has another size than it says.")
    return content


def _judge_nested(
    name: str, content: bytes, budget: _Budget, depth: int = 1
) -> ImportRefusal | None:
    """Return why an archive inside an archive may not come in, or None."""
    if not content.startswith((_LOCAL, _END)):
        return None
    if depth >= MAX_ARCHIVE_DEPTH:
        words = f"It is an archive in {depth} others; nobody packs a site like that."
        return ImportRefusal(name=name, code="archive-nested", message=words)
    try:
        with _open(io.BytesIO(content)) as inner:
            return _judge_inner(name, inner, budget, depth)
    except InvalidInput as error:
        if error.code == "import-refused":
            words = "It is an archive with too many entries."
            return ImportRefusal(name=name, code="archive-too-many", message=words)
        return None  # begins like an archive and is none: a file like any other


def _judge_inner(
    name: str, inner: zipfile.ZipFile, budget: _Budget, depth: int
) -> ImportRefusal | None:
    for info in inner.infolist():
        budget.spent += info.file_size
        budget.entries += 1
        is_bomb = is_too_dense(info.file_size, info.compress_size)
        if is_bomb or budget.spent > MAX_IMPORT_BYTES:
            words = "It is an archive that unpacks to far more than it says."
            return ImportRefusal(name=name, code="entry-too-dense", message=words)
        if budget.entries > MAX_IMPORT_ENTRIES:
            words = "It is an archive with too many entries."
            return ImportRefusal(name=name, code="archive-too-many", message=words)
    for info in inner.infolist():
        try:
            content = _content(inner, info)
        except InvalidInput:
            continue  # it is kept as it is, and never unpacked here
        refusal = _judge_nested(name, content, budget, depth + 1)
        if refusal is not None:
            return refusal
    return None


def _bad_entry(code: str, message: str) -> InvalidInput:
    return InvalidInput(message, entry_code=code)


def _invalid() -> InvalidInput:
    return InvalidInput(
        "This is no ZIP, or a damaged one, so nothing of it was imported. Pack it "
        "again.",
        code="archive-invalid",
    )
