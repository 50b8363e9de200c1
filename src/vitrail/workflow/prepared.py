"""Entries as they are committed: what is written, what is told, and several together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vitrail.ports import AppendEvent, EventPlace, FileWrite
from vitrail.protocol.events import Event
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.workflow.entries import Entered, Entry, changed, held_event

__all__ = ["Batch", "Prepared", "prepared_of"]

_MAX_TOGETHER: Final = 100
"""New files of one commit: one transaction and one fsync a folder for all of them."""

_MAX_BYTES_TOGETHER: Final = 16 * 1024 * 1024
"""Of their contents, which are in memory until then."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """One file's part of a commit, and what the entry is when it is done."""

    entered: Entered
    write: FileWrite
    events: tuple[Event, ...]


class Batch:
    """Entries that are committed together, and how."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.prepared: list[Prepared] = []
        self._bytes = 0

    @property
    def is_full(self) -> bool:
        """Whether no more should be held for one commit."""
        return len(self.entries) >= _MAX_TOGETHER or self._bytes >= _MAX_BYTES_TOGETHER

    def add(self, entry: Entry, prepared: Prepared) -> None:
        """Take one more."""
        self.entries.append(entry)
        self.prepared.append(prepared)
        self._bytes += len(prepared.write.content)


def prepared_of(
    entry: Entry,
    entered: Entered,
    manifest: ArtifactManifest | None,
    content: bytes,
    *,
    working_digest: str | None,
    more: tuple[Event, ...] = (),
) -> Prepared:
    """Return what a commit of this entry writes; `more` is told before the change."""
    told = entry.announce(entered) if entry.announce else _told(entered)
    events = (*told, *more, changed(entered.revision))
    place = entry.place or EventPlace(project_id=entry.project_id)
    write = FileWrite(
        revision=entered.revision,
        content=content,
        manifest=manifest,
        events=tuple(AppendEvent(place, event) for event in events),
        changes=entry.changes,
        working_digest=working_digest,
    )
    return Prepared(entered, write, events)


def _told(entered: Entered) -> tuple[Event, ...]:
    return () if entered.record is None else (held_event(entered),)
