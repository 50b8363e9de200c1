"""Projects and conversations: made, renamed and deleted, each in one transaction.

Whatever changes is told in the same transaction, so that every open workspace
sees it.
"""

from __future__ import annotations

import unicodedata
from typing import Final, Literal

from vitrail.core.commit.slugs import FALLBACK_SLUG, slug_of
from vitrail.errors import Conflict
from vitrail.ports import (
    AppendEvent,
    Clock,
    DeleteConversation,
    DeleteProject,
    EventPlace,
    Ids,
    PutConversation,
    PutProject,
    Store,
    UpdateConversation,
    UpdateProject,
)
from vitrail.protocol.events import ConversationChanged, ProjectChanged
from vitrail.protocol.records import Conversation, Project
from vitrail.protocol.times import timestamp

__all__ = ["Projects", "one_line"]

_FALLBACK_NAME: Final = "project"
_MAX_SAME_NAME: Final = 10_000
"""Projects with one and the same title; a loop that does not end is a bug."""


class Projects:
    """The projects of one store."""

    def __init__(self, store: Store, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def create(self, title: str) -> Project:
        """Make a project with a folder named after its title.

        Two projects may have one title; the second one's folder gets a number.
        """
        title = one_line(title) or "Untitled"
        base = _folder_name(title)
        for number in range(1, _MAX_SAME_NAME):
            name = base if number == 1 else f"{base}-{number}"
            if await self._store.project_named(name) is not None:
                continue
            now = timestamp(self._clock.now())
            project = Project(
                id=self._ids.new(),
                name=name,
                title=title,
                created_at=now,
                updated_at=now,
            )
            event = ProjectChanged(change="created", title=title)
            try:
                await self._store.apply(
                    [
                        PutProject(project),
                        AppendEvent(EventPlace(project_id=project.id), event),
                    ]
                )
            except Conflict:
                continue  # another process was quicker with this name
            return project
        raise Conflict(
            "There are too many projects of this title; choose another one.",
            code="project-exists",
        )

    async def rename(self, project_id: str, title: str) -> Project:
        """Give a project another title; its folder keeps its name."""
        project = await self._store.project(project_id)
        title = one_line(title) or project.title
        event = ProjectChanged(change="updated", title=title)
        await self._store.apply(
            [
                UpdateProject(project_id, timestamp(self._clock.now()), title),
                AppendEvent(EventPlace(project_id=project_id), event),
            ]
        )
        return await self._store.project(project_id)

    async def delete(self, project_id: str, *, with_empty_folder: bool = False) -> None:
        """Forget a project; its folder is kept.

        ``with_empty_folder``: a folder without a file goes too. Raises
        ``Conflict('run-active')`` while one of its runs goes on.
        """
        project = await self._store.project(project_id)
        event = ProjectChanged(change="deleted", title=project.title)
        await self._store.apply(
            [
                DeleteProject(project_id, with_empty_folder),
                AppendEvent(EventPlace(project_id=project_id), event),
            ]
        )

    async def begin_conversation(self, project_id: str, title: str) -> Conversation:
        """Begin a conversation about a project."""
        await self._store.project(project_id)
        now = timestamp(self._clock.now())
        conversation = Conversation(
            id=self._ids.new(),
            project_id=project_id,
            title=one_line(title),
            created_at=now,
            updated_at=now,
        )
        await self._store.apply(
            [PutConversation(conversation), _told(conversation, "created")]
        )
        return conversation

    async def rename_conversation(
        self, conversation_id: str, title: str
    ) -> Conversation:
        """Give a conversation another title; a blank one changes nothing."""
        conversation = await self._store.conversation(conversation_id)
        title = one_line(title) or conversation.title
        now = timestamp(self._clock.now())
        renamed = conversation.model_copy(update={"title": title})
        await self._store.apply(
            [
                UpdateConversation(conversation_id, now, title),
                _told(renamed, "updated"),
            ]
        )
        return await self._store.conversation(conversation_id)

    async def delete_conversation(self, conversation_id: str) -> None:
        """Forget a conversation; the files it made stay.

        Raises ``Conflict('run-active')`` while its run goes on.
        """
        conversation = await self._store.conversation(conversation_id)
        await self._store.apply(
            [DeleteConversation(conversation_id), _told(conversation, "deleted")]
        )


def one_line(title: str) -> str:
    """Return a title on one line, without signs that control a screen."""
    shown = "".join(" " if unicodedata.category(c) == "Cc" else c for c in title)
    return " ".join(shown.split())


def _folder_name(title: str) -> str:
    """Return the title as a name that every system takes as a folder's."""
    name = slug_of(title)
    return _FALLBACK_NAME if name == FALLBACK_SLUG else name


def _told(
    conversation: Conversation, change: Literal["created", "updated", "deleted"]
) -> AppendEvent:
    place = EventPlace(
        project_id=conversation.project_id, conversation_id=conversation.id
    )
    return AppendEvent(
        place, ConversationChanged(change=change, title=conversation.title)
    )
