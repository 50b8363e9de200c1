"""The parts of a page that go where it goes: looked for in the project as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from vitrail.core.commit import OwnParts, may_point, own_parts
from vitrail.core.names import valid_path
from vitrail.errors import InvalidInput, NotFound
from vitrail.ports import Store
from vitrail.protocol.history import PageParts, SharedPartInfo
from vitrail.protocol.records import FileInfo

__all__ = ["find_own_parts", "page_parts"]

_MAX_FILE_BYTES: Final = 4 * 1024 * 1024
"""Longer texts are data, not pages that point to others; as in `workflow.moves`."""

_MAX_READ_BYTES: Final = 64 * 1024 * 1024
"""Of all texts of a project, which are held at once."""


async def find_own_parts(
    store: Store, project_id: str, entry: str, files: Sequence[FileInfo]
) -> OwnParts:
    """Return which of a project's files only this one needs.

    Raises ``InvalidInput`` where the project has more text than can be looked
    through: a guess would take a file that another one needs.
    """
    pointing = [
        file for file in files if may_point(file.path) and file.size <= _MAX_FILE_BYTES
    ]
    if sum(file.size for file in pointing) > _MAX_READ_BYTES:
        raise InvalidInput(
            "The project has too much text to tell which files only this page needs. "
            "Nothing was changed; leave the parts out and choose them one by one."
        )
    texts: dict[str, str] = {}
    for file in pointing:
        try:
            content, _ = await store.read_file(project_id, file.path)
        except NotFound:
            continue
        texts[file.path] = content.decode(errors="replace")
    listed = {
        file.path: (file.manifest.supporting_files if file.manifest else None) or ()
        for file in files
    }
    return await asyncio.to_thread(own_parts, entry, listed, texts)


async def page_parts(store: Store, project_id: str, path: str) -> PageParts:
    """Return a page's parts: those that only it needs, and those that stay.

    Raises ``NotFound('file-not-found')`` and what `find_own_parts` does.
    """
    path = valid_path(path)
    files = await store.files(project_id)
    page = next((file for file in files if file.path == path), None)
    if page is None:
        raise NotFound(f"There is no file {path}.", code="file-not-found")
    found = await find_own_parts(store, project_id, path, files)
    return PageParts(
        path=path,
        digest=page.digest,
        own=found.own,
        shared=tuple(
            SharedPartInfo(path=one.path, used_by=one.user) for one in found.shared
        ),
    )
