"""Question forms: their bodies as they come, their schema, and their answers."""

from vitrail.core.parse.forms.answers import (
    Answers,
    format_answers_block,
    format_form_answers,
    normalise_answers,
    parse_form_answers,
)
from vitrail.core.parse.forms.questions import QUESTION_TYPES
from vitrail.core.parse.forms.reader import (
    FormReader,
    FormResult,
    RefusalReason,
    normalise_form,
)
from vitrail.core.parse.forms.validation import (
    AnswerFinding,
    check_form_answers,
    validate_form_answers,
)

__all__ = [
    "QUESTION_TYPES",
    "AnswerFinding",
    "Answers",
    "FormReader",
    "FormResult",
    "RefusalReason",
    "check_form_answers",
    "format_answers_block",
    "format_form_answers",
    "normalise_answers",
    "normalise_form",
    "parse_form_answers",
    "validate_form_answers",
]
