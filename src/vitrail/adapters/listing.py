"""What a working file is: its digest, type, head revision and manifest, cached.

Strategy: a file is hashed once. What was found is kept under the file's
signature (size, times, inode), in memory and in the database, so that a list
of thousands of files costs a walk and two queries. A signature that is
younger than `_SETTLED_NS` is not kept: the file system's clock ticks so
coarsely that a second write could have the same one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from vitrail.adapters.folder import ProjectFolder
from vitrail.adapters.found_files import FoundFile
from vitrail.adapters.media import SNIFFED_BYTES, media_type_of
from vitrail.adapters.objects import digest_of
from vitrail.adapters.sqlite.revisions import Digested, Head
from vitrail.core.validate.manifest import persisted_manifest
from vitrail.errors import InvalidPath, NotFound, StorageError
from vitrail.ports import Clock
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import FileInfo

__all__ = [
    "DigestCache",
    "ManifestCache",
    "describe",
    "manifest_bytes",
    "read_manifest",
]

_SETTLED_NS: Final = 20_000_000
"""Two ticks of the slowest kernel clock (100 Hz) that stamps files."""

_MAX_MANIFEST_BYTES: Final = 256 * 1024
"""A manifest within its limits is smaller; anything bigger is not one of ours."""

_MAX_KEPT_MANIFESTS: Final = 10_000
"""Of all projects; about 2 kB each."""


@dataclass(frozen=True, slots=True)
class _Known:
    by_path: dict[str, Digested]
    fresh: dict[str, Digested]


class DigestCache:
    """Digests of working files by their signature; used from several threads."""

    def __init__(
        self, clock: Clock, load: Callable[[str], dict[str, Digested]]
    ) -> None:
        """``load`` returns what the database knows of a project."""
        self._clock = clock
        self._load = load
        self._lock = threading.Lock()
        self._projects: dict[str, _Known] = {}

    def digested(
        self, project_id: str, folder: ProjectFolder, found: FoundFile
    ) -> Digested | None:
        """Return what the file's bytes are; None where it has gone meanwhile.

        None, too, for a file that we may not read: one of another user's must not
        hide all the others.
        """
        known = self._known(project_id)
        kept = known.by_path.get(found.path)
        if kept is not None and kept.signature == found.signature:
            return kept
        try:
            digest, head, found = folder.digest(found.path)
        except NotFound:
            return None
        except StorageError as error:
            if error.code == "storage-read-only":
                return None
            raise
        item = Digested(found.signature, digest, media_type_of(found.path, head))
        return self._keep(project_id, found, item)

    def keep(self, project_id: str, found: FoundFile, content: bytes) -> Digested:
        """Remember what a file that was just read or written holds."""
        item = Digested(
            signature=found.signature,
            digest=digest_of(content),
            media_type=media_type_of(found.path, content[:SNIFFED_BYTES]),
        )
        return self._keep(project_id, found, item)

    def _keep(self, project_id: str, found: FoundFile, item: Digested) -> Digested:
        if _is_settled(self._clock, found.changed_ns):
            known = self._known(project_id)
            with self._lock:
                known.by_path[found.path] = item
                known.fresh[found.path] = item
        return item

    def take_fresh(self, project_id: str) -> tuple[tuple[str, Digested], ...]:
        """Return what the database does not know yet, once."""
        known = self._known(project_id)
        with self._lock:
            fresh = tuple(known.fresh.items())
            known.fresh.clear()
        return fresh

    def forget(self, project_id: str) -> None:
        """Forget a project."""
        with self._lock:
            self._projects.pop(project_id, None)

    def _known(self, project_id: str) -> _Known:
        known = self._projects.get(project_id)
        if known is None:
            loaded = self._load(project_id)
            with self._lock:
                known = self._projects.setdefault(project_id, _Known(loaded, {}))
        return known


def describe(
    found: FoundFile,
    digested: Digested,
    head: Head | None,
    manifest: ArtifactManifest | None,
) -> FileInfo:
    """Return what people and programs are told of a file."""
    modified = datetime.fromtimestamp(found.modified_ns / 1e9, UTC)
    return FileInfo(
        path=found.path,
        size=found.size,
        digest=digested.digest,
        revision=head.revision_id if head else None,
        number=head.number if head else None,
        media_type=digested.media_type,
        modified_at=modified.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        manifest=manifest,
    )


class ManifestCache:
    """Manifests by their files' signature, in memory; used from several threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: dict[tuple[str, str], tuple[str, ArtifactManifest | None]] = {}

    def manifest(
        self, project_id: str, folder: ProjectFolder, found: FoundFile
    ) -> ArtifactManifest | None:
        """Return the manifest beside a file; None where there is none that holds."""
        if found.manifest is None:
            return None
        key = project_id, found.path
        signature, manifest = self._known.get(key, ("", None))
        if signature == found.manifest.signature:
            return manifest
        manifest = read_manifest(folder, found.path)
        if _is_settled(self._clock, found.manifest.changed_ns):
            if len(self._known) >= _MAX_KEPT_MANIFESTS:
                self._known.clear()
            self._known[key] = found.manifest.signature, manifest
        return manifest


def read_manifest(folder: ProjectFolder, path: str) -> ArtifactManifest | None:
    """Return the manifest beside ``path``, where there is one that holds."""
    try:
        raw = folder.read_manifest(path, at_most=_MAX_MANIFEST_BYTES)
    except InvalidPath:
        return None
    if raw is None or len(raw) > _MAX_MANIFEST_BYTES:
        return None
    return persisted_manifest(raw, path)


def _is_settled(clock: Clock, changed_ns: int) -> bool:
    return int(clock.now().timestamp() * 1e9) - changed_ns >= _SETTLED_NS


def manifest_bytes(manifest: ArtifactManifest) -> bytes:
    """Return a manifest as it is on disk: JSON, two spaces, keys in fixed order.

    Keys that are not set are left out.
    """
    values = manifest.model_dump(mode="json", by_alias=True, exclude_none=True)
    return (json.dumps(values, ensure_ascii=False, indent=2) + "\n").encode()
