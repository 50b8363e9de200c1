"""A project's history as the records of a bundle, and back: ids away, order kept.

Strategy: records are ordered by time, path and number, but never against what
they say of each other: a revision comes behind its parent, and a move comes
before the next revision of the path it left. So the order depends on nothing
that an import changes, and a bundle of an imported history is the same bytes.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence

from vitrail.core.export.bundle import Record
from vitrail.protocol.bundle import (
    BundleFile,
    BundleHead,
    BundleRevision,
    RevisionPlace,
)
from vitrail.protocol.records import Project, Revision

__all__ = ["Place", "history_records", "place_of", "revision_of"]

Place = tuple[str, int]
"""Path and number of a revision."""


def history_records(
    project: Project,
    files: Iterable[BundleFile],
    revisions: Sequence[Revision],
    more: Iterable[Record] = (),
) -> list[Record]:
    """Return the records of a bundle; equal histories give equal ones.

    ``more`` are records of other kinds, in an order that is theirs.
    """
    places = {revision.id: place_of(revision) for revision in revisions}
    head = BundleHead(name=project.name, title=project.title)
    named = sorted(files, key=lambda file: file.path)
    return [
        ("bundle", _value(head)),
        *(("file", _value(file)) for file in named),
        *(
            ("revision", _value(_bundled(revision, places)))
            for revision in _ordered(revisions, places)
        ),
        *more,
    ]


def place_of(revision: Revision | BundleRevision) -> Place:
    """Return where a revision is in its project."""
    return revision.path, revision.number


def revision_of(
    bundled: BundleRevision, *, project_id: str, ids: Mapping[Place, str]
) -> Revision:
    """Return a bundle's revision as a project's own; ``ids`` have its and its parent's."""
    parent = bundled.parent
    return Revision(
        id=ids[place_of(bundled)],
        project_id=project_id,
        path=bundled.path,
        number=bundled.number,
        parent=ids[parent.path, parent.number] if parent else None,
        author=bundled.author,
        digest=bundled.digest,
        size=bundled.size,
        run_id=bundled.run_id,
        reason=bundled.reason,
        moved_from=bundled.moved_from,
        created_at=bundled.created_at,
    )


def _bundled(revision: Revision, places: Mapping[str, Place]) -> BundleRevision:
    parent = places.get(revision.parent) if revision.parent else None
    return BundleRevision(
        path=revision.path,
        number=revision.number,
        parent=RevisionPlace(path=parent[0], number=parent[1]) if parent else None,
        author=revision.author,
        digest=revision.digest,
        size=revision.size,
        run_id=revision.run_id,
        reason=revision.reason,
        moved_from=revision.moved_from if parent else None,
        created_at=revision.created_at,
    )


def _ordered(
    revisions: Sequence[Revision], places: Mapping[str, Place]
) -> list[Revision]:
    """Return the revisions by time as far as their parents allow (Kahn's algorithm)."""
    by_place = {place_of(revision): revision for revision in revisions}
    followers: dict[Place, list[Place]] = {}
    waits = dict.fromkeys(by_place, 0)

    def order(first: Place, then: Place) -> None:
        if first in by_place and then in by_place:
            followers.setdefault(first, []).append(then)
            waits[then] += 1

    for place, revision in by_place.items():
        path, number = place
        order((path, number - 1), place)
        parent = places.get(revision.parent) if revision.parent else None
        if revision.moved_from is not None and parent is not None:
            order(parent, place)
            order(place, (parent[0], parent[1] + 1))
    key: Callable[[Place], tuple[str, Place]] = lambda at: (by_place[at].created_at, at)  # noqa: E731 - a key with its type
    ready = [key(place) for place, count in waits.items() if not count]
    heapq.heapify(ready)
    ordered: list[Revision] = []
    while ready:
        _, place = heapq.heappop(ready)
        ordered.append(by_place[place])
        for follower in followers.get(place, ()):
            waits[follower] -= 1
            if not waits[follower]:
                heapq.heappush(ready, key(follower))
    if len(ordered) != len(by_place):
        raise ValueError("expected revisions each of which is made after its parent")
    return ordered


def _value(model: BundleHead | BundleFile | BundleRevision) -> dict[str, object]:
    value: dict[str, object] = model.model_dump(
        mode="json", by_alias=True, exclude_none=True
    )
    if isinstance(model, BundleRevision):
        # a first revision says that it has no parent
        value.setdefault("parent", None)
    return value
