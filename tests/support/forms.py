"""Bodies of question forms, read whole and by one character."""

from __future__ import annotations

from vitrail.core.parse.forms import FormReader, FormResult

__all__ = ["finished", "read"]


def read(body: str, **attributes: str) -> FormReader:
    reader = FormReader(attributes)
    reader.feed(body)
    return reader


def finished(body: str, **attributes: str) -> FormResult:
    """Read a body whole and by one character; both must come to the same."""
    whole = read(body, **attributes).close()
    by_one = FormReader(attributes)
    for ch in body:
        by_one.feed(ch)
    assert by_one.close() == whole
    return whole
