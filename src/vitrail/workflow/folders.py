"""Projects that are a folder which somebody names: found, or made with its record."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from vitrail.core.commit import slug_of
from vitrail.errors import Conflict
from vitrail.limits import MAX_TITLE_CHARS
from vitrail.ports import AppendEvent, Clock, EventPlace, Ids, PutProject, Store
from vitrail.protocol.events import ProjectChanged
from vitrail.protocol.records import Project
from vitrail.protocol.times import timestamp

__all__ = ["project_in"]


async def project_in(
    store: Store, clock: Clock, ids: Ids, *, root: str, folder_name: str
) -> Project:
    """Return the project at ``root``; it is recorded if it is not known yet.

    Its name is that of the folder, with a number where another has it. Raises
    ``StorageError`` where the folder cannot be made.
    """
    known = await store.project_at(root)
    if known is not None:
        return known
    for name in _names(root, folder_name):
        now = timestamp(clock.now())
        project = Project(
            id=ids.new(),
            name=name,
            title=(folder_name or name)[:MAX_TITLE_CHARS],
            created_at=now,
            updated_at=now,
        )
        place = EventPlace(project_id=project.id)
        event = ProjectChanged("created", project.title)
        try:
            await store.apply([PutProject(project, root), AppendEvent(place, event)])
        except Conflict:
            # another process may have been quicker, with this folder or this name
            known = await store.project_at(root)
            if known is not None:
                return known
        else:
            return project
    raise AssertionError  # the names do not end


def _names(root: str, folder_name: str) -> Iterator[str]:
    base = folder_name if root.startswith("projects/") else slug_of(folder_name)
    yield base
    for number in count(2):
        yield f"{base}-{number}"
