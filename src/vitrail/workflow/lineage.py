"""A revision's ancestors and their texts, the line that blame goes along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vitrail.ports import Store
from vitrail.protocol.records import Revision

__all__ = ["lineage", "text_of", "texts_of"]

_MAX_TEXT_BYTES: Final = 64 * 1024 * 1024
"""Of all texts that are read for it together."""


async def lineage(
    store: Store, head: Revision | None, *, limit: int
) -> tuple[Revision, ...]:
    """Return a revision and its ancestors, the newest first, through renames."""
    line: list[Revision] = []
    while head is not None and len(line) < limit:
        page = await store.revisions(
            head.project_id,
            head.path,
            before=head.number + 1,
            limit=limit - len(line),
        )
        head = None
        for revision in page:
            line.append(revision)
            if revision.moved_from is not None and revision.parent is not None:
                head = await store.revision(revision.parent)
                break
    return tuple(line)


async def texts_of(
    store: Store, line: Sequence[Revision], *, max_bytes: int = _MAX_TEXT_BYTES
) -> tuple[dict[str, Revision], list[tuple[str, str]]]:
    """Return a lineage's revisions by id, and their ids and texts, the oldest first.

    ``line`` begins with the newest. What is older than the first revision that
    is no text, or than ``max_bytes`` of texts, is left out.
    """
    known: dict[str, Revision] = {}
    texts: list[tuple[str, str]] = []
    size = 0
    for revision in line:
        size += revision.size
        if size > max_bytes and texts:
            break
        text = text_of(await store.read_object(revision.digest))
        if text is None:
            break
        known[revision.id] = revision
        texts.append((revision.id, text))
    return known, texts[::-1]


def text_of(content: bytes) -> str | None:
    """Return the text that bytes are in UTF-8, or None."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
