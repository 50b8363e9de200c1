"""What time it is, and new names."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

__all__ = [
    "Clock",
    "Ids",
]


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """Return the time, UTC."""
        ...


class Ids(Protocol):
    """New names."""

    def new(self) -> str:
        """Return a new UUIDv7."""
        ...
