"""Conversations of a project."""

from __future__ import annotations

from fastapi import APIRouter

from vitrail.protocol.http import (
    ConversationPage,
    ConversationPatch,
    NewConversation,
)
from vitrail.protocol.records import Conversation
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep

__all__ = ["router"]

router = APIRouter(tags=["conversations"])


@router.post(
    "/projects/{project_id}/conversations",
    status_code=201,
    responses=declare("project-not-found"),
)
async def begin_conversation(
    runtime: RuntimeDep, project_id: Id, body: NewConversation
) -> Conversation:
    """Begin a conversation about a project."""
    return await runtime.projects.begin_conversation(project_id, body.title)


@router.get(
    "/conversations/{conversation_id}", responses=declare("conversation-not-found")
)
async def get_conversation(
    runtime: RuntimeDep, conversation_id: Id
) -> ConversationPage:
    """Return a conversation with its messages, true as of ``seq``.

    Folding every later event of the conversation onto it gives what it will
    be; the active run is read first, so that its end is among those events,
    and the other runs last, so that none is older than its message.
    """
    conversation = await runtime.store.conversation(conversation_id)
    running = await runtime.store.running()
    messages, seq = await runtime.store.messages(conversation_id)
    return ConversationPage(
        conversation=conversation,
        messages=messages,
        runs=await runtime.store.runs(conversation_id),
        active_run=next(
            (run for run in running if run.conversation_id == conversation_id), None
        ),
        seq=seq,
    )


@router.patch(
    "/conversations/{conversation_id}", responses=declare("conversation-not-found")
)
async def rename_conversation(
    runtime: RuntimeDep, conversation_id: Id, body: ConversationPatch
) -> Conversation:
    """Give a conversation another title."""
    return await runtime.projects.rename_conversation(conversation_id, body.title)


@router.delete(
    "/conversations/{conversation_id}",
    status_code=204,
    responses=declare("conversation-not-found", "run-active"),
)
async def delete_conversation(runtime: RuntimeDep, conversation_id: Id) -> None:
    """Forget a conversation; the files it made stay."""
    await runtime.projects.delete_conversation(conversation_id)
