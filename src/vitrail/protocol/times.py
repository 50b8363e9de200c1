"""Times as they are on the wire."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["timestamp"]


def timestamp(moment: datetime) -> str:
    """Return the moment as UTC, ISO 8601 with milliseconds and ``Z``.

    >>> timestamp(datetime(2026, 3, 1, 12, 0, 0, 5000, tzinfo=UTC))
    '2026-03-01T12:00:00.005Z'
    """
    utc = moment.astimezone(UTC)
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")
