"""Ids: UUIDv7, and counted ones for tests."""

from __future__ import annotations

from uuid_utils import uuid7

__all__ = ["CountingIds", "UuidIds"]


class UuidIds:
    """New UUIDv7: they sort by the time they were made."""

    def new(self) -> str:
        """Return a new UUIDv7 in its 36-character form."""
        return str(uuid7())


class CountingIds:
    """Ids of the same form that count up from 1, the same in every test run.

    >>> ids = CountingIds()
    >>> ids.new(), ids.new()
    ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002')
    """

    def __init__(self) -> None:
        self._last = 0

    def new(self) -> str:
        """Return the next id."""
        self._last += 1
        return f"00000000-0000-7000-8000-{self._last:012x}"
