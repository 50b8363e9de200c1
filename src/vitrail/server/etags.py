"""Entity tags: a file's digest in quotes, and the conditions that name one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from vitrail.errors import Conflict, InvalidInput

__all__ = ["WriteCondition", "etag", "is_unchanged", "write_condition"]

_TAG: Final = re.compile(r'"([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class WriteCondition:
    """What a write says about what it replaces."""

    digest: str | None
    """Of the bytes it read; None: there must be no such file."""


def etag(digest: str) -> str:
    """Return the entity tag of a digest.

    >>> etag("ab")
    '"ab"'
    """
    return f'"{digest}"'


def is_unchanged(if_none_match: str | None, digest: str) -> bool:
    """Return whether an ``If-None-Match`` of a read names this digest."""
    if if_none_match is None:
        return False
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return "*" in tags or etag(digest) in tags


def write_condition(if_match: str | None, if_none_match: str | None) -> WriteCondition:
    """Return the condition of a write.

    Raises ``Conflict('precondition-required')`` where there is none: a write
    that does not name what it read could undo what it never saw. ``*`` names
    nothing that was read, so it does not do as an ``If-Match``.
    """
    if if_match is not None and if_none_match is not None:
        raise InvalidInput("Expected If-Match or If-None-Match, got both.")
    if if_none_match is not None:
        if if_none_match.strip() != "*":
            raise InvalidInput("A write takes If-None-Match: * only, to create a file.")
        return WriteCondition(None)
    if if_match is None or if_match.strip() == "*":
        raise Conflict(
            "A write has to name the revision that it read: send If-Match with the "
            "file's ETag, or If-None-Match: * to create a new file.",
            code="precondition-required",
        )
    found = _TAG.fullmatch(if_match.strip())
    if found is None:
        raise InvalidInput("If-Match expected one ETag of this server, in quotes.")
    return WriteCondition(found[1])
