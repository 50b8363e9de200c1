"""What wants to become a revision, what it became, and the events that tell of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from vitrail.core.validate.stub_guard import PriorPages
from vitrail.limits import MAX_METADATA_BYTES
from vitrail.ports import Change, EventPlace, FileDelete
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.events import ArtifactQuarantined, Event, FileChanged
from vitrail.protocol.losses import Lost
from vitrail.protocol.manifest import ArtifactManifest, Kind
from vitrail.protocol.records import (
    Author,
    FileInfo,
    MergeClash,
    QuarantineReason,
    QuarantineRecord,
    Revision,
)
from vitrail.workflow.long_texts import apart_where_long

__all__ = [
    "Entered",
    "Entry",
    "Hold",
    "ManifestMaker",
    "changed",
    "draft_manifest",
    "held_event",
    "made_manifest",
]

ManifestMaker: TypeAlias = Callable[
    [str, bytes, ArtifactManifest | None], ArtifactManifest | None
]
"""From a path, its new content and the manifest there to the manifest to write.

None leaves what is there. Long content is read in a thread of its own."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Why content goes beside its file whatever the gates say of it."""

    reason: QuarantineReason
    diagnostics: tuple[Diagnostic, ...] = ()
    lost: tuple[Lost, ...] = ()
    conflicts: tuple[MergeClash, ...] = ()
    base_digest: str | None = None
    """Of the text that both sides of the conflicts began from."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Content that wants to become a revision of a file."""

    project_id: str
    path: str
    content: bytes
    author: Author
    replaces: str | None
    """Digest the working file must have; None: there must be no file."""
    manifest: ManifestMaker
    kind: Kind | None = None
    """None: as the manifest that is there says, or the file's name."""
    identifier: str = ""
    """The artifact's; by it the gates know its earlier versions."""
    place: EventPlace | None = None
    """What the events belong to; none: the project alone."""
    run_id: str | None = None
    reason: str | None = None
    """Why, in words, for the revision."""
    replace_reason: str | None = None
    """Why the file is replaced by something that may lose much of it; it passes the
    stub guard then, and the reason is kept with the revision."""
    is_gated: bool = True
    """False for what is no finished work, such as a body that was cut off."""
    hold: Hold | None = None
    announce: Callable[[Entered], tuple[Event, ...]] | None = None
    """More events for the same transaction, in front of the file's own."""
    changes: tuple[Change, ...] = ()
    """More changes for the same transaction."""
    priors: PriorPages | None = None
    """The project's pages as the stub guard knows them; None: they are listed."""
    removes: FileDelete | None = None
    """A file that goes in the same commit, where the entry goes onto its own file."""


@dataclass(frozen=True, slots=True)
class Entered:
    """What an entry became."""

    outcome: Literal["accepted", "fixed", "quarantined"]
    revision: Revision
    """Of the file, or of the draft beside it."""
    diagnostics: tuple[Diagnostic, ...] = ()
    lost: tuple[Lost, ...] = ()
    record: QuarantineRecord | None = None
    """Of a quarantined one."""
    events: tuple[Event, ...] = ()
    """Already in the log."""


async def made_manifest(
    entry: Entry, content: bytes, there: FileInfo | None
) -> ArtifactManifest | None:
    """Return the manifest to write with ``content`` over the file that is there.

    A page is read whole for the files that it asks for; nobody else waits for a
    long one.
    """
    previous = there.manifest if there else None
    return await apart_where_long(
        len(content), lambda: entry.manifest(entry.path, content, previous)
    )


def changed(revision: Revision) -> FileChanged:
    """Return the event that tells of a file's new head."""
    return FileChanged(revision.path, revision.digest, revision.id, revision.author)


def held_event(entered: Entered, artifact: int | None = None) -> ArtifactQuarantined:
    """Return the event that tells of a draft that was kept beside its file."""
    record = entered.record
    if record is None:
        raise ValueError("expected what an entry kept beside its file, got another one")
    return ArtifactQuarantined(
        artifact=artifact,
        identifier=record.identifier,
        path=record.draft,
        revision=record.revision,
        diagnostics=record.diagnostics,
        reason=record.reason,
        lost=record.lost,
        draft_of=record.path,
        quarantine=record.id,
    )


_DRAFT_KEYS: Final = ("identifier", "artifactType", "inferred", "origin", "digest")
"""What of the metadata a draft needs; the rest stays away where it does not fit."""


def draft_manifest(record: QuarantineRecord) -> ArtifactManifest | None:
    """Return the manifest of a draft: it says whose draft it is, and is no page of its own.

    None where the draft's record has none.
    """
    manifest = record.manifest
    if manifest is None:
        return None
    whole = dict(manifest.metadata or {})
    mark: dict[str, Any] = {"draftOf": record.path, "draftReason": record.reason}
    kept = {key: whole[key] for key in _DRAFT_KEYS if key in whole}
    metadata = whole | mark
    if len(json.dumps(metadata, ensure_ascii=False).encode()) > MAX_METADATA_BYTES:
        metadata = kept | mark
    return manifest.model_copy(
        update={"entry": record.draft, "primary": None, "metadata": metadata}
    )
