"""Clocks: the machine's, and one that tests set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

__all__ = ["FixedClock", "SystemClock"]


class SystemClock:
    """The machine's clock, UTC."""

    def now(self) -> datetime:
        """Return the time, UTC."""
        return datetime.now(UTC)  # noqa: TID251 - this is the clock that others take


class FixedClock:
    """A clock that stands still until it is told to go on.

    >>> clock = FixedClock()
    >>> clock.advance(1.5)
    >>> clock.now().isoformat()
    '2026-01-01T00:00:01.500000+00:00'
    """

    def __init__(self, start: datetime | None = None) -> None:
        self._now = start or datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        """Return the time that was set, UTC."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Move the clock on by ``seconds``."""
        self._now += timedelta(seconds=seconds)
