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
from vitrail.protocol.manifest import Kind
from vitrail.protocol.records import FileInfo
from vitrail.workflow.long_texts import apart_where_long

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
    walk = _Walk(info.path, text, files)
    while not walk.is_done:
        part = await _text(store, project_id, walk.asked) if walk.asked else None
        await apart_where_long(walk.size(part), partial(walk.go_on, part))
    return frozenset({info.path, *listed, *walk.found})


class _Walk:
    """One walk through the parts of a page, a step at a time: each reads one text."""

    def __init__(self, path: str, text: str, files: Sequence[FileInfo]) -> None:
        self._parts = walk_parts(path, text, [file.path for file in files])
        self._first = len(text)
        self.asked: str | None = None
        """The file whose text the next step wants."""
        self.found: tuple[str, ...] = ()
        self.is_done = False

    def size(self, text: str | None) -> int:
        """Return how many characters the next step looks at."""
        return self._first if self.asked is None else len(text or "")

    def go_on(self, text: str | None) -> None:
        """Look through the page, or what it asked for last."""
        try:
            self.asked = (
                next(self._parts) if self.asked is None else self._parts.send(text)
            )
        except StopIteration as end:
            self.found = end.value
            self.is_done = True


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
    kind = info.manifest.kind if info.manifest else None
    return await apart_where_long(
        len(content), lambda: _with_names(path, text, kind, moved)
    )


def _with_names(
    path: str, text: str, kind: Kind | None, moved: dict[str, str]
) -> bytes:
    row = row_of_path(path, "" if kind else text)
    if row is None:
        return text.encode()
    name = moved.get(path, path)
    return rewrite_references(
        text, kind or row.kind, moved, at=name, was=path
    ).text.encode()
