"""A project's files as they go into an archive that any system can unpack.

Two names that differ only by case cannot both be on every disk: the second one
gets another, and the references to it follow.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from vitrail.core.commit import row_of_path, walk_parts
from vitrail.core.commit.references import rewrite_references
from vitrail.core.export.entries import outgoing_names
from vitrail.errors import NotFound
from vitrail.ports import Store
from vitrail.protocol.records import FileInfo

__all__ = ["OutgoingFile", "outgoing_files"]


@dataclass(frozen=True, slots=True)
class OutgoingFile:
    """One file of an archive."""

    name: str
    """In the archive."""
    read: Callable[[], Awaitable[bytes]]
    """Raises ``NotFound`` where the file is gone by now."""


async def outgoing_files(
    store: Store, project_id: str, *, only: str | None = None
) -> tuple[OutgoingFile, ...]:
    """Return the files of a project by their names in an archive.

    ``only`` is one file, which brings those along that its manifest names as
    supporting, and those that these and it ask for. Raises ``NotFound``.
    """
    files = await store.files(project_id)
    if only is not None:
        wanted = await _with_parts(store, project_id, only, files)
        files = tuple(info for info in files if info.path in wanted)
    names = outgoing_names(info.path for info in files)
    moved = {path: name for path, name in names.items() if path != name}
    return tuple(
        OutgoingFile(name, partial(_read, store, project_id, path, moved))
        for path, name in sorted(names.items(), key=lambda item: item[1])
    )


async def _with_parts(
    store: Store, project_id: str, only: str, files: Sequence[FileInfo]
) -> frozenset[str]:
    content, info = await store.read_file(project_id, only)
    manifest = info.manifest
    listed = (manifest.supporting_files if manifest else None) or ()
    text = content.decode(errors="replace")
    walk = walk_parts(info.path, text, [file.path for file in files])
    try:
        asked = next(walk)
        while True:
            asked = walk.send(await _text(store, project_id, asked))
    except StopIteration as end:
        return frozenset({info.path, *listed, *end.value})


async def _text(store: Store, project_id: str, path: str) -> str | None:
    try:
        content, _ = await store.read_file(project_id, path)
    except NotFound:
        return None
    return content.decode(errors="replace")


async def _read(
    store: Store, project_id: str, path: str, moved: dict[str, str]
) -> bytes:
    content, info = await store.read_file(project_id, path)
    if not moved:
        return content
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return content
    row = row_of_path(path, text)
    if row is None:
        return content
    kind = info.manifest.kind if info.manifest else row.kind
    name = moved.get(path, path)
    return rewrite_references(text, kind, moved, at=name, was=path).text.encode()
