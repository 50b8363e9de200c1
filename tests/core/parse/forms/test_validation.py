"""Answers checked against their form, each by its question's own rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.parse.forms import (
    QUESTION_TYPES,
    check_form_answers,
    normalise_form,
    validate_form_answers,
)


def codes(question: dict[str, object], answer: object) -> list[str]:
    form = normalise_form([{"id": "q", "label": "Q", **question}]).form
    return [one.code for one in validate_form_answers(form, {"q": answer})]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ({"type": "text"}, "anything"),
        ({"type": "tel"}, "+49 30 1234"),
        ({"type": "radio", "options": ["a"]}, "a"),
        ({"type": "radio", "options": ["a"]}, "something else"),
        ({"type": "radio", "options": [{"label": "A", "value": "a"}], "allowCustom": False}, "A"),
        ({"type": "checkbox", "options": ["a", "b"], "maxSelections": 2}, ["a", "b"]),
        ({"type": "direction-cards", "cards": [{"id": "x", "label": "X"}], "allowCustom": False}, "x"),
        ({"type": "number", "min": 1, "max": 5, "step": 0.1}, "4.3"),
        ({"type": "number", "min": 5, "max": 1}, "3"),
        ({"type": "range"}, "1e3"),
        ({"type": "date"}, "2024-02-29"),
        ({"type": "time"}, "23:59:59.5"),
        ({"type": "datetime-local"}, "2026-01-31T17:30"),
        ({"type": "url"}, "https://example.test:8080/a?b#c"),
        ({"type": "url"}, "http://münchen.test"),
        ({"type": "email"}, "a.b+c@mail.example"),
        ({"type": "color"}, "#1A2b3c"),
        ({"type": "switch"}, "false"),
        ({"type": "file", "multiple": True}, ["a.png", "b.png"]),
        ({"type": "text", "required": True}, None),
        ({"type": "text"}, ""),
    ],
)  # fmt: skip
def test_a_fitting_answer_is_taken(question: dict[str, object], answer: object) -> None:
    assert codes(question, answer) == []


@pytest.mark.parametrize(
    ("question", "answer", "code"),
    [
        ({"required": True}, "", "form-answer-required"),
        ({"required": True, "type": "checkbox"}, [], "form-answer-required"),
        ({"required": True}, [" "], "form-answer-required"),
        ({}, 3, "form-answer-shape"),
        ({}, {"a": 1}, "form-answer-shape"),
        ({"type": "checkbox"}, ["a", 1], "form-answer-shape"),
        ({}, ["a", "b"], "form-answer-count"),
        ({"type": "file"}, ["a", "b"], "form-answer-count"),
        ({"type": "checkbox", "maxSelections": 1}, ["a", "b"], "form-answer-count"),
        ({"type": "select", "options": ["a"], "allowCustom": False}, "b", "form-answer-choice"),
        ({"type": "number"}, "many", "form-answer-number"),
        ({"type": "number"}, "1e400", "form-answer-number"),
        ({"type": "range", "min": 1}, "0", "form-answer-range"),
        ({"type": "range", "max": 9}, "10", "form-answer-range"),
        ({"type": "range", "min": 1, "step": 2}, "4", "form-answer-step"),
        ({"type": "date"}, "2023-02-29", "form-answer-date"),
        ({"type": "date"}, "20240101", "form-answer-date"),
        ({"type": "time"}, "24:00", "form-answer-date"),
        ({"type": "datetime-local"}, "2026-01-31", "form-answer-date"),
        ({"type": "url"}, "javascript:alert(1)", "form-answer-url"),
        ({"type": "url"}, "https://", "form-answer-url"),
        ({"type": "url"}, "http://[::1", "form-answer-url"),
        ({"type": "url"}, "http://a b", "form-answer-url"),
        ({"type": "email"}, "nobody", "form-answer-email"),
        ({"type": "email"}, "a@b..c", "form-answer-email"),
        ({"type": "color"}, "red", "form-answer-color"),
        ({"type": "switch"}, "on", "form-answer-choice"),
        ({}, "x" * 20_001, "form-answer-too-long"),
    ],
)  # fmt: skip
def test_an_answer_that_does_not_fit_is_told(
    question: dict[str, object], answer: object, code: str
) -> None:
    assert codes(question, answer) == [code]


def test_a_finding_names_its_question_and_the_unknown_ones() -> None:
    form = normalise_form([{"id": "a", "label": "How\nmany?", "required": True}]).form
    found = check_form_answers(form, {"zz": "x", "y" * 99: "x"})
    assert [one.question for one in found] == ["a", "zz", "y" * 99]
    assert found[0].diagnostic.message.startswith('"How many?": ')
    assert {one.diagnostic.code for one in found[1:]} == {"form-answer-unknown"}
    assert len(found[2].diagnostic.message) < 100


@given(
    st.sampled_from(list(QUESTION_TYPES)),
    st.none() | st.text() | st.lists(st.text(max_size=4), max_size=3) | st.floats(),
    st.floats() | st.none(),
    st.floats() | st.none(),
)
def test_any_answer_to_any_question_has_a_verdict(
    kind: str, answer: object, low: float | None, step: float | None
) -> None:
    question = {"id": "q", "type": kind, "min": low, "step": step, "options": ["a"]}
    form = normalise_form([question]).form
    for one in validate_form_answers(form, {"q": answer}):
        assert one.severity == "error"
        assert one.code.startswith("form-answer-")
