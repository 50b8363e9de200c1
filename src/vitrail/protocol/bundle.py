"""A bundle's manifest: one record a line, each chained to the one before.

A bundle is a ZIP without compression: the manifest first, then every object that
it names, by digest. `vitrail.core.export.bundle` writes and verifies it.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from vitrail.protocol.base import WireModel
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import Author

__all__ = [
    "BUNDLE_MANIFEST",
    "BUNDLE_VERSION",
    "BundleFile",
    "BundleHead",
    "BundleRevision",
    "RevisionPlace",
]

BUNDLE_VERSION: Final = 1
"""Rises when an older reader would misunderstand a bundle."""

BUNDLE_MANIFEST: Final = "vitrail-bundle.jsonl"
"""Name of the manifest, the first entry; it tells a bundle from any other archive."""


_TIME: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$"


class BundleHead(WireModel):
    """The first record: what the bundle is of."""

    format: Literal["vitrail-bundle"] = "vitrail-bundle"
    version: int = BUNDLE_VERSION
    name: str
    """Folder name of the project."""
    title: str


class BundleFile(WireModel):
    """A path that has a history, and whether there is such a file."""

    path: str
    present: bool
    manifest: ArtifactManifest | None = None
    """The artifact manifest beside the file as it is now."""


class RevisionPlace(WireModel):
    """Where a revision is in the histories of a bundle; ids do not travel."""

    path: str
    number: int


class BundleRevision(WireModel):
    """One revision, in the order in which they were made."""

    path: str
    number: int = Field(ge=1)
    """1-based in the path's history."""
    parent: RevisionPlace | None
    """At another path where ``moved_from`` names it."""
    author: Author
    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    size: int = Field(ge=0)
    """Bytes."""
    run_id: str | None = None
    reason: str | None = Field(default=None, max_length=10_000)
    moved_from: str | None = None
    created_at: str = Field(pattern=_TIME)
