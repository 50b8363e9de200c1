"""One byte range of a file: what a browser needs to seek in a video (RFC 9110 §14)."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["UNSATISFIABLE", "byte_range"]

_RANGE: Final = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})", re.ASCII)

UNSATISFIABLE: Final = (-1, -1)
"""The range lies outside the file: the answer is 416."""


def byte_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Return ``[start, end)`` of the one range that is asked for.

    None where the whole file is the answer: no header, several ranges, or a
    unit or spelling that is not known. `UNSATISFIABLE` for a range outside.

    >>> byte_range("bytes=2-", 10), byte_range("bytes=-3", 10), byte_range(None, 10)
    ((2, 10), (7, 10), None)
    """
    match = _RANGE.fullmatch(header.strip()) if header else None
    if match is None or match[1] == match[2] == "":
        return None
    if match[1] == "":
        length = min(int(match[2]), size)
        return (size - length, size) if length else UNSATISFIABLE
    start = int(match[1])
    last = min(int(match[2]), size - 1) if match[2] else size - 1
    if match[2] and int(match[2]) < start:
        return None
    return (start, last + 1) if start < size else UNSATISFIABLE
