"""Question forms: answered by a person, checked against what the model asked."""

from __future__ import annotations

from fastapi import APIRouter

from vitrail.protocol.forms import NewFormAnswers
from vitrail.protocol.http import RunStarted
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep
from vitrail.workflow.form_answers import tell_answers

__all__ = ["router"]

router = APIRouter(tags=["forms"])


@router.post(
    "/conversations/{conversation_id}/form-answers",
    status_code=202,
    responses=declare(
        "conversation-not-found",
        "form-not-found",
        "form-answers-invalid",
        "agent-not-found",
        "recording-not-found",
        "run-active",
        "agent-not-configured",
        "recording-invalid",
    ),
)
async def answer_form(
    runtime: RuntimeDep, conversation_id: Id, body: NewFormAnswers
) -> RunStarted:
    """Answer a form of the conversation and begin the run that goes on from there.

    The message that is added reads as text and carries the answers as values. A
    form may be answered again; the last answers count.
    """
    conversation = await runtime.store.conversation(conversation_id)
    messages, _ = await runtime.store.messages(conversation_id)
    told = tell_answers(messages, body)
    return await runtime.turns.start(
        conversation.project_id, conversation_id, told.request, answers=told.part
    )
