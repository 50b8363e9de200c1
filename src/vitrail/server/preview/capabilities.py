"""Capabilities: who may see which artifact on the preview site, and for how long.

A capability is an unguessable name in a preview's address. It opens one entry
file and the files of its project, read-only, while a host page keeps it alive,
and nothing else. There is no other secret in the address.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from vitrail.core.render.kinds import Mode
from vitrail.errors import NotFound
from vitrail.limits import MAX_PREVIEWS, PREVIEW_CAPABILITY_TTL_S
from vitrail.ports import Clock
from vitrail.protocol.manifest import Kind

__all__ = ["Capabilities", "Capability", "Entry", "expired"]

_SECRET_BYTES: Final = 24
"""192 bits, 32 characters of ``[A-Za-z0-9_-]``; OWASP asks 64 bits of a session id."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The file that a preview shows."""

    project_id: str
    path: str
    """Relative to the project."""
    digest: str
    """Of the file when the preview was opened."""
    kind: Kind | None
    mode: Mode


@dataclass(frozen=True, slots=True)
class Capability:
    """What one preview address opens."""

    secret: str
    entry: Entry
    generation: str
    """Names the one document that this capability shows."""
    expires_at: datetime


class Capabilities:
    """The capabilities that are open, with a sliding life each.

    At most ``limit`` are open; the one that would expire first goes first. They
    are in memory: after a restart a host opens its previews again.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        ttl_s: float = PREVIEW_CAPABILITY_TTL_S,
        limit: int = MAX_PREVIEWS,
        new_secret: Callable[[int], str] = secrets.token_urlsafe,
    ) -> None:
        self._clock = clock
        self._ttl = timedelta(seconds=ttl_s)
        self._limit = limit
        self._new_secret = new_secret
        self._open: dict[str, Capability] = {}  # in the order of expiry

    @property
    def ttl_s(self) -> float:
        """How long a capability lives without being kept alive, in seconds."""
        return self._ttl.total_seconds()

    def open(self, entry: Entry) -> Capability:
        """Make a capability."""
        self._drop_expired()
        while len(self._open) >= self._limit:
            del self._open[next(iter(self._open))]
        capability = Capability(
            secret=self._new_secret(_SECRET_BYTES),
            entry=entry,
            generation=self._new_secret(_SECRET_BYTES),
            expires_at=self._clock.now() + self._ttl,
        )
        self._open[capability.secret] = capability
        return capability

    def find(self, secret: str) -> Capability:
        """Return an open capability; raise ``NotFound('preview-expired')``.

        Its life is not prolonged.
        """
        self._drop_expired()
        capability = self._open.get(secret)
        if capability is None:
            raise expired()
        return capability

    def keep(self, secret: str) -> Capability:
        """Prolong a capability by its whole life; raise as `find` does."""
        capability = self.find(secret)
        del self._open[secret]
        kept = replace(capability, expires_at=self._clock.now() + self._ttl)
        self._open[secret] = kept
        return kept

    def close(self, secret: str) -> None:
        """Revoke a capability; one that is not open is closed already."""
        self._open.pop(secret, None)

    def _drop_expired(self) -> None:
        now = self._clock.now()
        while self._open:
            first = next(iter(self._open.values()))
            if first.expires_at > now:
                return
            del self._open[first.secret]


def expired() -> NotFound:
    """Return what is told about a capability that is not open, whyever."""
    return NotFound(
        "This preview is no longer open. Previews live while the workspace shows "
        "them; open the file again there.",
        code="preview-expired",
    )
