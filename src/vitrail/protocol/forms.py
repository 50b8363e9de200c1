"""Question forms and their answers as they are on the wire, with the seeds' names."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from vitrail.limits import (
    MAX_FORM_CARDS,
    MAX_FORM_ID_CHARS,
    MAX_FORM_OPTIONS,
    MAX_FORM_QUESTIONS,
    MAX_FORM_TEXT_CHARS,
)
from vitrail.protocol.base import WireModel

__all__ = [
    "Form",
    "FormAnswer",
    "FormCard",
    "FormOption",
    "FormQuestion",
    "NewFormAnswers",
    "QuestionType",
]

QuestionType: TypeAlias = Literal[
    "radio",
    "checkbox",
    "select",
    "textarea",
    "number",
    "range",
    "date",
    "time",
    "datetime-local",
    "color",
    "url",
    "email",
    "tel",
    "file",
    "switch",
    "direction-cards",
    "text",
]
"""What is asked for; synonyms that a model may write have become one of these."""

_Id: TypeAlias = Annotated[str, Field(min_length=1, max_length=MAX_FORM_ID_CHARS + 16)]
_Text: TypeAlias = Annotated[str, Field(max_length=MAX_FORM_TEXT_CHARS + 16)]
"""A number that makes a name unique comes on top of its limit."""

FormAnswer: TypeAlias = str | tuple[str, ...] | None
"""A text, or texts where several may be given; none where the question was skipped."""


class FormOption(WireModel):
    """One thing that can be chosen."""

    label: _Text
    value: _Text
    """Unique in its question."""
    description: _Text | None = None


class FormCard(WireModel):
    """One direction that can be chosen by its looks."""

    id: _Id
    label: _Text
    mood: _Text
    references: tuple[_Text, ...]
    palette: tuple[_Text, ...]
    """CSS colours, as the model wrote them."""
    display_font: _Text
    body_font: _Text


class FormQuestion(WireModel):
    """One question. While the form comes, only what nothing can change is there."""

    id: _Id
    """Unique in its form."""
    label: _Text
    type: QuestionType | None = None
    """None only while the question comes."""
    options: Annotated[tuple[FormOption, ...], Field(max_length=MAX_FORM_OPTIONS)] = ()
    placeholder: _Text | None = None
    help: _Text | None = None
    required: bool = False
    default_value: _Text | tuple[_Text, ...] | None = None
    max_selections: Annotated[int, Field(ge=1)] | None = None
    allow_custom: bool | None = None
    """False: only the options count. None: the person may write something else."""
    custom_label: _Text | None = None
    custom_placeholder: _Text | None = None
    min: int | float | None = None
    max: int | float | None = None
    step: int | float | None = None
    multiple: bool | None = None
    accept: _Text | None = None
    cards: Annotated[tuple[FormCard, ...], Field(max_length=MAX_FORM_CARDS)] = ()


class Form(WireModel):
    """A question form, as an event and a part of a message have it.

    Of a body that is no form: ``raw`` and ``reason``, and what had been shown.
    """

    id: _Id | None = None
    """None only while the form comes."""
    title: _Text | None = None
    description: _Text | None = None
    submit_label: _Text | None = None
    lang: _Text | None = None
    """BCP 47 tag of the labels' language."""
    questions: Annotated[
        tuple[FormQuestion, ...], Field(max_length=MAX_FORM_QUESTIONS)
    ] = ()
    raw: str | None = None
    """The body as it was written."""
    reason: (
        Literal[
            "empty-body",
            "invalid-json",
            "unsupported-payload",
            "empty-questions",
            "unclosed-form",
            "form-too-long",
        ]
        | None
    ) = None


class NewFormAnswers(WireModel):
    """A person's answers to a form, and who is to go on."""

    message_id: str
    """The message whose form it is."""
    form_id: str
    answers: dict[str, FormAnswer]
    """By the question's id. ``null``: the person skipped the question."""
    agent: str | None = None
    """Name of an agent; none: the default one."""
    model: str | None = None
    recording: str | None = None
    """For the replay agent: which recording."""
    speed: float = Field(default=1.0, gt=0, le=1000)
    """For the replay agent: how many times as fast as it was recorded."""
    open_path: str | None = None
    """The file the person has open; its text is shown to the model."""
