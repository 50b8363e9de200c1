"""Where a version of an artifact comes from, as far as its digest proves it.

Strategy: spec/open-design-1 §16. What a record says of its origin counts only
for the very bytes it was made for, so the digest is compared first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal, TypeAlias

__all__ = ["OriginStatus", "Version", "VersionOrigin", "same_version", "version_origin"]

OriginStatus: TypeAlias = Literal[
    "matched", "missing-version", "digest-mismatch", "invalid-origin", "unknown"
]
"""``matched``: these bytes, and who made them is known; ``missing-version``: there is
no version to compare with; ``digest-mismatch``: other bytes; ``invalid-origin``: these
bytes, and what is said of their maker cannot be used; ``unknown``: nothing is said."""

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
_KEYS: Final = ("run", "message", "model")


@dataclass(frozen=True, slots=True)
class Version:
    """What is recorded of one version."""

    id: str
    digest: str | None
    """Of its bytes; None or anything but 64 hexadecimal digits proves nothing."""
    origin: Mapping[str, object] | None = None
    """``run``, ``message``, ``model``, as the manifest has them."""


@dataclass(frozen=True, slots=True)
class VersionOrigin:
    """What is known of where some bytes come from."""

    status: OriginStatus
    version: str | None = None
    """Id of the version that has these bytes."""
    run: str | None = None
    message: str | None = None
    model: str | None = None


def same_version(content: bytes, version: Version | None) -> str | None:
    """Return the version's id where its bytes are these, to the last line break."""
    if version is None or _digest(version) != sha256(content).hexdigest():
        return None
    return version.id


def version_origin(content: bytes, version: Version | None) -> VersionOrigin:
    """Return what is known of the origin of ``content``.

    >>> version_origin(b"x", None).status
    'missing-version'
    """
    if version is None:
        return VersionOrigin("missing-version")
    if _digest(version) is None:
        return VersionOrigin("unknown")
    if same_version(content, version) is None:
        return VersionOrigin("digest-mismatch")
    said = version.origin
    if said is None or all(said.get(key) is None for key in _KEYS):
        return VersionOrigin("unknown", version.id)
    run, message, model = (_id(said.get(key)) for key in _KEYS)
    if "" in (run, message, model):
        return VersionOrigin("invalid-origin", version.id)
    return VersionOrigin("matched", version.id, run, message, model)


def _digest(version: Version) -> str | None:
    found = version.digest
    return found if found is not None and _DIGEST.fullmatch(found) else None


def _id(value: object) -> str | None:
    """Return an id, None for none, '' for what is no id."""
    if value is None:
        return None
    return value if isinstance(value, str) and _ID.fullmatch(value) else ""
