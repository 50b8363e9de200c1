"""Question forms: their bodies as they come, their schema, and their answers."""

from vitrail.core.parse.forms.questions import QUESTION_TYPES
from vitrail.core.parse.forms.reader import (
    FormReader,
    FormResult,
    RefusalReason,
    normalise_form,
)

__all__ = [
    "QUESTION_TYPES",
    "FormReader",
    "FormResult",
    "RefusalReason",
    "normalise_form",
]
