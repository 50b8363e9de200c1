"""Answers of a person to a question form: found, checked, told as a message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vitrail.core.parse.forms import (
    check_form_answers,
    format_form_answers,
    normalise_answers,
)
from vitrail.errors import InvalidInput, NotFound
from vitrail.protocol.forms import NewFormAnswers
from vitrail.protocol.http import NewRun
from vitrail.protocol.records import FormAnswersPart, FormPart, Message

__all__ = ["ToldAnswers", "tell_answers"]


@dataclass(frozen=True, slots=True)
class ToldAnswers:
    """The message that answers make."""

    request: NewRun
    """Its text is what people read."""
    part: FormAnswersPart
    """The same as values."""


def tell_answers(messages: Sequence[Message], sent: NewFormAnswers) -> ToldAnswers:
    """Return the message for answers to a form of a conversation.

    The form is the one that is stored, whatever a client shows. A form may be
    answered again: the last answers count. Raises ``NotFound('form-not-found')``
    where the message has no such form, or only an unfinished or broken one, and
    ``InvalidInput('form-answers-invalid')`` with a diagnostic for each answer
    that does not fit; its details name the questions.
    """
    form = _find_form(messages, sent)
    found = check_form_answers(form, sent.answers)
    if found:
        raise InvalidInput(
            " ".join(one.diagnostic.message for one in found[:_MAX_TOLD])
            + (
                f" And {len(found) - _MAX_TOLD} more." if len(found) > _MAX_TOLD else ""
            ),
            code="form-answers-invalid",
            diagnostics=tuple(one.diagnostic for one in found),
            findings=[
                {
                    "question": one.question[:_MAX_NAME_CHARS],
                    "code": one.diagnostic.code,
                    "message": one.diagnostic.message,
                }
                for one in found
            ],
        )
    told = normalise_answers(form, sent.answers)
    values: dict[str, str | tuple[str, ...] | None] = {}
    for question in form["questions"]:
        value = told.get(question["id"])
        values[question["id"]] = tuple(value) if isinstance(value, list) else value
    return ToldAnswers(
        request=NewRun(
            text=format_form_answers(form, sent.answers),
            **sent.model_dump(include=set(_PASSED_ON)),
        ),
        part=FormAnswersPart(
            message_id=sent.message_id, form_id=sent.form_id, answers=values
        ),
    )


_PASSED_ON = ("agent", "model", "recording", "speed", "open_path")
_MAX_TOLD = 3
_MAX_NAME_CHARS = 160


def _find_form(messages: Sequence[Message], sent: NewFormAnswers) -> dict[str, Any]:
    """Return the message's last whole form of that id."""
    message = next((one for one in messages if one.id == sent.message_id), None)
    for part in reversed(message.parts if message is not None else ()):
        if not isinstance(part, FormPart) or not part.complete:
            continue
        if part.form.get("id") == sent.form_id and "reason" not in part.form:
            return part.form
    raise NotFound(
        "This message has no finished question form of that id. Load the conversation "
        "anew; if the form is still being written, wait for its end.",
        code="form-not-found",
    )
