"""Long texts are read in a thread of their own, so that nobody else waits for them.

A page of megabytes takes a second to be judged, looked through or written
again. Short ones are read at once: a thread costs more than they do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from vitrail.core.commit import row_of_path
from vitrail.protocol.manifest import Kind

__all__ = ["apart_where_long", "kind_of_content"]

_T = TypeVar("_T")

_SMALL_BYTES: Final = 64 * 1024
"""Read in a few milliseconds."""


async def apart_where_long(size: int, work: Callable[[], _T]) -> _T:
    """Return what the work does, which looks at ``size`` bytes or characters."""
    return work() if size <= _SMALL_BYTES else await asyncio.to_thread(work)


async def kind_of_content(path: str, content: bytes) -> Kind | None:
    """Return the kind that a file's name and, of a page, its content stand for."""

    def work() -> Kind | None:
        row = row_of_path(path, content.decode(errors="replace"))
        return row.kind if row else None

    return await apart_where_long(len(content), work)
