"""Answers checked against their form: every question's own rule, one table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from urllib.parse import urlsplit

from vitrail.core.parse.forms.answers import takes_several
from vitrail.core.parse.forms.questions import read_number, trimmed
from vitrail.limits import MAX_FORM_ANSWER_CHARS, MAX_FORM_OPTIONS
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["AnswerFinding", "check_form_answers", "validate_form_answers"]

_SHOWN_CHARS: Final = 60
_MAX_UNKNOWN: Final = 20
"""Of answers to no question, what is named."""
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME: Final = re.compile(
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,3})?)?"
)
_COLOR: Final = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_EMAIL: Final = re.compile(r"[^\s@\"<>()\[\]\\,;:]{1,64}@[^\s@]{1,255}")
_HOST: Final = re.compile(r"[^\W_](?:[\w-]{0,61}[^\W_])?")
_MAX_EMAIL_CHARS: Final = 254
_STEP_TOLERANCE: Final = 1e-9
_CHOSEN: Final = frozenset({"radio", "checkbox", "select", "direction-cards"})


@dataclass(frozen=True, slots=True)
class AnswerFinding:
    """What is wrong with the answer to one question."""

    question: str
    """Id of the question, as it was sent where there is no such question."""
    diagnostic: Diagnostic


def validate_form_answers(
    form: Mapping[str, Any], answers: Mapping[str, object]
) -> tuple[Diagnostic, ...]:
    """Return what is wrong with answers to a form; none: they can be taken.

    An answer is a text or a list of texts. ``None`` says that the person
    skipped the question, which is allowed whatever the question; a required
    question without any answer is refused.

    >>> form = {"id": "f", "questions": [
    ...     {"id": "n", "label": "How many?", "type": "number", "max": 5}]}
    >>> [one.code for one in validate_form_answers(form, {"n": "6"})]
    ['form-answer-range']
    """
    return tuple(one.diagnostic for one in check_form_answers(form, answers))


def check_form_answers(
    form: Mapping[str, Any], answers: Mapping[str, object]
) -> tuple[AnswerFinding, ...]:
    """Return what `validate_form_answers` returns, each with its question."""
    questions = {question["id"]: question for question in form["questions"]}
    found = [
        AnswerFinding(name, _diagnostic(code, question, words))
        for name, question in questions.items()
        for code, words in _check(question, answers, name)
    ]
    unknown = [name for name in answers if name not in questions]
    found += (
        AnswerFinding(
            name,
            Diagnostic(
                "form-answer-unknown",
                "error",
                f"The form has no question {_shown(name)}.",
            ),
        )
        for name in unknown[:_MAX_UNKNOWN]
    )
    return tuple(found)


_Finding = tuple[str, str]
"""Code, and the words behind the question's label."""
_Rule = Callable[[Mapping[str, Any], str], Iterator[_Finding]]


def _check(
    question: Mapping[str, Any], answers: Mapping[str, object], name: str
) -> Iterator[_Finding]:
    answer = answers.get(name)
    if answer is None and name in answers:
        return  # skipped by the person, which always may be
    texts = _texts(answer)
    if texts is None:
        yield "form-answer-shape", "expected a text or a list of texts"
        return
    if not texts:
        if question.get("required"):
            yield "form-answer-required", "an answer is needed, or a skip (null)"
        return
    yield from _check_count(question, texts)
    rule = _RULES.get(question.get("type", "text"))
    for text in texts[:MAX_FORM_OPTIONS]:
        if len(text) > MAX_FORM_ANSWER_CHARS:
            yield "form-answer-too-long", f"at most {MAX_FORM_ANSWER_CHARS} characters"
        elif rule is not None:
            yield from rule(question, text)


def _texts(answer: object) -> list[str] | None:
    """Return the texts of an answer without blank ones; None if it is none."""
    if answer is None:
        return []
    given = [answer] if isinstance(answer, str) else answer
    if not isinstance(given, Sequence):
        return None
    if not all(isinstance(item, str) for item in given):
        return None
    return [text for item in given if (text := trimmed(item))]


def _check_count(
    question: Mapping[str, Any], texts: Sequence[str]
) -> Iterator[_Finding]:
    if not takes_several(question):
        if len(texts) > 1:
            yield "form-answer-count", "one answer is expected, not several"
        return
    most = question.get("maxSelections", MAX_FORM_OPTIONS)
    if len(texts) > most:
        yield "form-answer-count", f"at most {most} answers, got {len(texts)}"


# --- one rule a type --------------------------------------------------------


def _choice(question: Mapping[str, Any], text: str) -> Iterator[_Finding]:
    if question.get("allowCustom") is not False:
        return
    options = [*question.get("options", ()), *question.get("cards", ())]
    known = {one.get("value", one.get("id")) for one in options}
    known |= {one["label"] for one in options}
    if options and text not in known:
        yield "form-answer-choice", f"{_shown(text)} is none of its options"


def _number(question: Mapping[str, Any], text: str) -> Iterator[_Finding]:
    number = read_number(text)
    if number is None:
        yield "form-answer-number", f"{_shown(text)} is no number"
        return
    low, high, step = (question.get(key) for key in ("min", "max", "step"))
    if low is not None and high is not None and low > high:
        low = high = None  # no number would do
    if low is not None and number < low:
        yield "form-answer-range", f"{number} is below {low}"
    if high is not None and number > high:
        yield "form-answer-range", f"{number} is above {high}"
    if step is not None and step > 0 and not _on_step(number, low or 0, step):
        yield "form-answer-step", f"{number} is not a step of {step} from {low or 0}"


def _on_step(number: float, start: float, step: float) -> bool:
    try:
        steps = (number - start) / step
        return abs(steps - round(steps)) <= _STEP_TOLERANCE * max(1.0, abs(steps))
    except OverflowError:
        return True  # so many steps that doubles cannot tell


def _date(question: Mapping[str, Any], text: str) -> Iterator[_Finding]:
    del question
    if not _is_date(text):
        yield "form-answer-date", f"{_shown(text)} is no date such as 2026-01-31"


def _time(question: Mapping[str, Any], text: str) -> Iterator[_Finding]:
    del question
    if not _TIME.fullmatch(text):
        yield "form-answer-date", f"{_shown(text)} is no time such as 17:30"


def _moment(question: Mapping[str, Any], text: str) -> Iterator[_Finding]:
    del question
    day, _, time = text.partition("T" if "T" in text else " ")
    if not (_is_date(day) and _TIME.fullmatch(time)):
        yield (
            "form-answer-date",
            f"{_shown(text)} is no date and time such as 2026-01-31T17:30",
        )


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _address(question: Mapping[str, Any], text: str) -> Iterator[_Finding]:
    del question
    try:
        parts = urlsplit(text)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_good = is_good and (parts.port is None or parts.port > 0)
    except ValueError:
        is_good = False
    if not is_good or any(ch.isspace() or not ch.isprintable() for ch in text):
        yield (
            "form-answer-url",
            f"{_shown(text)} is no address that begins with http:// or https://",
        )


def _email(question: Mapping[str, Any], text: str) -> Iterator[_Finding]:
    del question
    hosts = text.rpartition("@")[2].split(".")
    is_good = (
        len(text) <= _MAX_EMAIL_CHARS
        and _EMAIL.fullmatch(text) is not None
        and all(_HOST.fullmatch(host) for host in hosts)
    )
    if not is_good:
        yield "form-answer-email", f"{_shown(text)} is no e-mail address"


def _color(question: Mapping[str, Any], text: str) -> Iterator[_Finding]:
    del question
    if not _COLOR.fullmatch(text):
        yield "form-answer-color", f"{_shown(text)} is no colour such as #1a2b3c"


def _switch(question: Mapping[str, Any], text: str) -> Iterator[_Finding]:
    del question
    if text not in ("true", "false"):
        yield "form-answer-choice", f"{_shown(text)} is neither true nor false"


_RULES: Final[dict[str, _Rule]] = {
    **dict.fromkeys(_CHOSEN, _choice),
    "number": _number,
    "range": _number,
    "date": _date,
    "time": _time,
    "datetime-local": _moment,
    "url": _address,
    "email": _email,
    "color": _color,
    "switch": _switch,
}
"""What each type of question asks of one text; the others take any."""


# --- words ------------------------------------------------------------------


def _diagnostic(code: str, question: Mapping[str, Any], words: str) -> Diagnostic:
    return Diagnostic(code, "error", f"{_shown(question['label'])}: {words}.")


def _shown(text: str) -> str:
    """Return a text in quotes, short and on one line."""
    line = "".join(c if c.isprintable() else " " for c in text[: 2 * _SHOWN_CHARS])
    line = " ".join(line.split())
    if len(line) > _SHOWN_CHARS or len(text) > 2 * _SHOWN_CHARS:
        line = f"{line[:_SHOWN_CHARS]}…"
    return f'"{line}"'
