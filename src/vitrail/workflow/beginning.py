"""What a run's first transaction stores: messages, the run, the events that tell of them."""

from __future__ import annotations

from collections.abc import Iterable

from vitrail.core.text import clean_surrogates
from vitrail.core.text.scrub import scrub
from vitrail.errors import InvalidInput
from vitrail.limits import MAX_MESSAGE_CHARS
from vitrail.ports import (
    AgentChoice,
    AgentPrompt,
    AppendEvent,
    Change,
    EventPlace,
    PromptMessage,
    PutMessage,
    PutRun,
    UpdateConversation,
    UpdateProject,
)
from vitrail.protocol.events import (
    ConversationChanged,
    FormAnswers,
    MessageAdded,
    RunStart,
    ShownFile,
)
from vitrail.protocol.http import NewRun
from vitrail.protocol.records import (
    Conversation,
    FormAnswersPart,
    Message,
    Run,
    TextPart,
)
from vitrail.workflow.prompt import BuiltPrompt, conversation_title
from vitrail.workflow.recover import place_of

__all__ = [
    "beginning",
    "checked_text",
    "empty_reply",
    "prompt_of",
    "scrubbed_answers",
    "touched",
]


def checked_text(text: str) -> str:
    """Return a person's message as it may be sent, or raise ``InvalidInput``."""
    text = clean_surrogates(text)
    if not text.strip():
        raise InvalidInput("The message is empty. Write what is to be made.")
    if len(text) > MAX_MESSAGE_CHARS:
        raise InvalidInput(
            f"The message has {len(text)} characters; at most {MAX_MESSAGE_CHARS} can "
            "be sent. Put the rest into a file of the project.",
            code="payload-too-large",
        )
    return text


def prompt_of(
    built: BuiltPrompt,
    choice: AgentChoice,
    request: NewRun,
    secrets: tuple[str, ...],
) -> AgentPrompt:
    """Return what the agent is sent, without secrets."""
    return AgentPrompt(
        messages=tuple(
            PromptMessage(message.role, scrub(message.content, secrets))
            for message in built.messages
        ),
        model=choice.model,
        recording=request.recording,
        speed=request.speed,
    )


def scrubbed_answers(
    answers: FormAnswersPart | None, secrets: Iterable[str]
) -> FormAnswersPart | None:
    """Return the answers without secrets, as their text is told."""
    if answers is None:
        return None
    kept = {
        name: scrub(value, secrets)
        if isinstance(value, str)
        else value and tuple(scrub(item, secrets) for item in value)
        for name, value in answers.answers.items()
    }
    return answers.model_copy(update={"answers": kept})


def empty_reply(run: Run, now: str) -> Message:
    """Return the message that a run writes, before its first word."""
    return Message(
        id=run.message_id,
        conversation_id=run.conversation_id,
        role="assistant",
        parts=(),
        run_id=run.id,
        created_at=now,
    )


def beginning(
    run: Run, reply: Message, prompt: AgentPrompt, *, asked: Message | None
) -> list[Change]:
    """Return the run with its messages, and the events that tell of them.

    A run that continues another was not asked for by a message.
    """
    start = RunStart(
        run_id=run.id,
        message_id=run.message_id,
        agent=run.agent,
        model=run.model,
        shown=tuple(
            ShownFile(file.path, file.digest, file.shown) for file in run.shown
        ),
    )
    return [
        *(_asking(run, asked) if asked is not None else ()),
        PutRun(run, prompt=prompt.messages),
        PutMessage(reply),
        AppendEvent(place_of(run), start),
    ]


def _asking(run: Run, asked: Message) -> tuple[Change, ...]:
    told = EventPlace(
        project_id=run.project_id,
        conversation_id=run.conversation_id,
        message_id=asked.id,
    )
    return PutMessage(asked), AppendEvent(told, _message_added(asked))


def _message_added(user: Message) -> MessageAdded:
    """Return the event that tells a message of a person."""
    text, answers = "", None
    for part in user.parts:
        match part:
            case TextPart():
                text = part.text
            case FormAnswersPart():
                answers = FormAnswers(part.message_id, part.form_id, part.answers)
            case _:
                pass
    return MessageAdded(message_id=user.id, role="user", text=text, answers=answers)


def touched(conversation: Conversation, text: str, now: str) -> list[Change]:
    """Return project and conversation as used now, the latter with a name."""
    title = None if conversation.title else conversation_title(text)
    changes: list[Change] = [
        UpdateProject(conversation.project_id, now),
        UpdateConversation(conversation.id, now, title),
    ]
    if title is not None:
        place = EventPlace(
            project_id=conversation.project_id, conversation_id=conversation.id
        )
        changes.append(
            AppendEvent(place, ConversationChanged(change="updated", title=title))
        )
    return changes
