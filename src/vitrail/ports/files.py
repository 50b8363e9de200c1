"""What one commit may do to files, and what is told of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from vitrail.ports.changes import AppendEvent, Change
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import Revision

__all__ = [
    "FileDelete",
    "FileManifest",
    "FileMove",
    "FileStep",
    "FileWrite",
    "ObjectsDropped",
    "ObjectsFound",
    "RecordedFile",
    "UnreferencedObject",
]


@dataclass(frozen=True, slots=True)
class FileWrite:
    """One planned file write: the transaction's part of a commit.

    Check and write are one step: the store refuses with
    ``Conflict("revision-conflict")`` unless the head revision of the path is
    ``parent`` (None: the path has no revision and no file). Its ``details`` have
    ``path``, ``expected_digest`` and ``actual_digest``. Bytes of another program
    that are in no revision are made one by ``outside`` first.
    """

    revision: Revision
    content: bytes
    manifest: ArtifactManifest | None
    """Written to ``path + '.artifact.json'`` in the same commit."""
    events: tuple[AppendEvent, ...] = ()
    """Appended in the same transaction."""
    changes: tuple[Change, ...] = ()
    working_digest: str | None = field(default=None)
    """Digest the working file must have now; None: there must be no file."""


@dataclass(frozen=True, slots=True)
class FileDelete:
    """A working file to be removed, its manifest with it; its revisions are kept."""

    project_id: str
    path: str
    working_digest: str | None
    """Digest the working file must have now; None: another program has removed it
    already, which is recorded once, and its manifest goes after it."""
    events: tuple[AppendEvent, ...] = ()
    """Appended in the same transaction."""
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class FileManifest:
    """What is known of a working file changes, its bytes and its history do not."""

    project_id: str
    path: str
    working_digest: str
    """Digest the working file must have now."""
    manifest: ArtifactManifest
    events: tuple[AppendEvent, ...] = ()
    """Appended in the same transaction."""
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class FileMove:
    """A working file to be renamed, its manifest with it; both histories are kept.

    There must be no file at the new path.
    """

    path: str
    """Where it is now."""
    working_digest: str
    """Digest the working file must have now."""
    revision: Revision
    """At the new path, ``moved_from`` the old one: its parent is the head of ``path``,
    its number the one after the last of the new path."""
    manifest: ArtifactManifest | None
    """Written beside the new path; the one beside the old path goes in any case."""
    content: bytes | None = None
    """Where its own references change with it; None: the bytes stay the same."""
    events: tuple[AppendEvent, ...] = ()
    """Appended in the same transaction."""
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """A path and its newest revision."""

    path: str
    revision: str
    number: int
    """1-based number of that revision in the path's history."""
    digest: str
    is_gone: bool
    """Whether the removal of its file is recorded."""


FileStep: TypeAlias = FileWrite | FileDelete | FileManifest | FileMove
"""One file's part of a commit of several."""


@dataclass(frozen=True, slots=True)
class UnreferencedObject:
    """An object that no revision of any project names; ``size`` in bytes."""

    digest: str
    size: int
    reason: Literal["project-deleted", "never-committed"]
    """Whose it was: of a project that was deleted since, or of a write that ended early."""
    project: str | None = None
    """Folder name of the deleted project."""


@dataclass(frozen=True, slots=True)
class ObjectsFound:
    """What lies in the data folder's objects; sizes in bytes."""

    unreferenced: tuple[UnreferencedObject, ...]
    kept: int
    """How many there are that a revision names."""
    kept_size: int


@dataclass(frozen=True, slots=True)
class ObjectsDropped:
    """What a clean-up removed; ``size`` in bytes."""

    objects: int
    size: int
