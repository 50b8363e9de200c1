"""Answers as text and back: exact on any text, readable on ordinary ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vitrail.core.parse.forms import (
    format_form_answers,
    normalise_answers,
    normalise_form,
    parse_form_answers,
)

SHARDS = st.sampled_from(
    [
        "a",
        "B",
        " ",
        ", ",
        ",",
        ": ",
        ":",
        '"',
        "\\",
        "\n",
        "\r\n",
        "[",
        "]",
        " [value: ",
        "é",
        "😀",
        "(skipped)",
        "(SKIPPED)",
        "- ",
        "* ",
        "\u2028",
        "\x85",
        "\x00",
        "\ud800",
        "[form answers",
        "[uploaded design files]",
        "\t",
        "\ufeff",
        "\u00a0",
        "u000a",
        "İ",
        "ß",
        "`",
        "#",
    ]
)
ANY = st.lists(SHARDS, max_size=6).map("".join) | st.text(max_size=6)
TYPES = st.sampled_from(
    ["radio", "checkbox", "text", "textarea", "select", "file", "direction-cards"]
)
OPTIONS = st.lists(
    ANY | st.fixed_dictionaries({"label": ANY, "value": ANY}), max_size=4
)
QUESTIONS = st.fixed_dictionaries(
    {"label": ANY, "type": TYPES, "options": OPTIONS},
    optional={
        "id": ANY,
        "multiple": st.booleans(),
        "cards": st.lists(st.fixed_dictionaries({"id": ANY, "label": ANY}), max_size=3),
    },
)


@st.composite
def answered(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a form and answers to it, some of them its own labels and values."""
    payload = {
        "id": draw(ANY),
        "questions": draw(st.lists(QUESTIONS, min_size=1, max_size=4)),
    }
    form = normalise_form(payload).form
    answers: dict[str, Any] = {}
    for question in form["questions"]:
        own = [text for one in question.get("options", []) for text in one.values()]
        text = ANY | st.sampled_from(own) if own else ANY
        answers[question["id"]] = draw(st.none() | text | st.lists(text, max_size=4))
    return form, answers


@given(answered())
def test_the_text_of_answers_is_read_back_exactly(
    case: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    form, answers = case
    text = format_form_answers(form, answers)
    assert len(text.splitlines()) == len(form["questions"]) + 1
    assert parse_form_answers(form, text) == normalise_answers(form, answers)


@given(answered())
def test_normal_answers_stay_as_they_are(
    case: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    form, answers = case
    told = normalise_answers(form, answers)
    assert normalise_answers(form, told) == told


@given(answered(), st.lists(ANY, max_size=8).map("\n".join))
@example(({"id": "f", "questions": []}, {}), "")
def test_any_text_is_read_without_a_fault(
    case: tuple[dict[str, Any], dict[str, Any]], text: str
) -> None:
    form, _ = case
    for start in ("", "[form answers — x]\n"):
        told = parse_form_answers(form, start + text)
        assert told is None or normalise_answers(form, told) == told


def form(*questions: dict[str, Any]) -> dict[str, Any]:
    return normalise_form({"id": "brief", "questions": list(questions)}).form


PLATFORM = {
    "id": "platform",
    "label": "Where does it run?",
    "type": "radio",
    "options": [{"label": "Mobile (iOS/Android)", "value": "mobile"}, "Web"],
}
TONE = {
    "id": "tone",
    "label": "Tone",
    "type": "checkbox",
    "options": ["Calm", "Warm, soft"],
}
NOTES = {"id": "notes", "label": "Notes: anything?", "type": "textarea"}


def test_row_07_ordinary_answers_read_as_in_the_reference() -> None:
    answers = {"platform": "mobile", "tone": ["Calm", "Loud"], "notes": ""}
    assert format_form_answers(form(PLATFORM, TONE, NOTES), answers) == (
        "[form answers — brief]\n"
        "- Where does it run?: Mobile (iOS/Android) [value: mobile]\n"
        "- Tone: Calm, Loud\n"
        "- Notes: anything?: (skipped)"
    )


def test_ordinary_text_is_never_quoted() -> None:
    for text in ("8 slides, please: two of them dark", 'He said "no"', "a\\b", "[draft] (v2)",
                 "50 % – 60 %", "https://x.test/?a=1,2", "- none", "日本語、はい"):  # fmt: skip
        assert format_form_answers(form(NOTES), {"notes": text}).endswith(f"?: {text}")


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("(skipped)", '"(skipped)"'),
        ("one\ntwo", r'"one\ntwo"'),
        ('"quoted"', r'"\"quoted\""'),
        ("x [value: y]", '"x [value: y]"'),
        (["a", "b"], '"a", "b"'),
        ("a\u2028b", r'"a\u2028b"'),
    ],
)
def test_what_could_be_taken_for_something_else_is_a_json_string(
    answer: str | list[str], shown: str
) -> None:
    text = format_form_answers(form(NOTES), {"notes": answer})
    assert text.endswith(f"?: {shown}")
    assert parse_form_answers(form(NOTES), text) == {"notes": answer}


def test_a_comma_is_quoted_where_several_answers_are_joined() -> None:
    text = format_form_answers(form(TONE), {"tone": ["Warm, soft", "10,000"]})
    assert text.endswith('- Tone: "Warm, soft", 10,000')


def test_a_label_that_ends_with_a_comma_is_no_separator() -> None:
    asked = form(
        {"id": "a", "type": "checkbox", "options": [{"label": ",", "value": "x"}]}
    )
    text = format_form_answers(asked, {"a": [","]})
    assert text.endswith('- a: "," [value: x]')
    assert parse_form_answers(asked, text) == {"a": ["x"]}


def test_a_label_that_begins_a_note_of_a_value_is_no_note() -> None:
    asked = form({"id": "a", "options": [{"label": "b [value:", "value": "x"}]})
    text = format_form_answers(asked, {"a": "x"})
    assert text.endswith('- a: "b [value:" [value: x]')
    assert parse_form_answers(asked, text) == {"a": "x"}


def test_equal_labels_are_told_apart_by_their_order() -> None:
    twins = form({"id": "a", "label": "Why"}, {"id": "b", "label": "Why"})
    text = format_form_answers(twins, {"b": "x"})
    assert text.endswith("- Why: (skipped)\n- Why: x")
    assert parse_form_answers(twins, text) == {"b": "x"}


def test_a_text_that_a_person_wrote_is_read_too() -> None:
    text = (
        "[Form Answers]\r\n* tone: calm, Warm\r\n- WHERE DOES IT RUN?: Mobile (iOS/Android)\r\n"
        "something else\r\n[uploaded design files]\r\n- Notes: anything?: not this"
    )
    assert parse_form_answers(form(PLATFORM, TONE, NOTES), text) == {
        "platform": "mobile",
        "tone": ["calm", "Warm"],
    }


def test_a_text_without_an_answer_of_the_form_is_none() -> None:
    assert parse_form_answers(form(NOTES), "hello") is None
    assert parse_form_answers(form(NOTES), "[form answers — brief]\n- Other: x") is None
    assert (
        parse_form_answers(
            form(NOTES), "[form answers — brief]\n- Notes: anything?: (skipped)"
        )
        == {}
    )


def test_answers_are_told_by_value_without_blank_ones() -> None:
    told = normalise_answers(
        form(PLATFORM, TONE, NOTES),
        {
            "platform": " Mobile (iOS/Android) ",
            "tone": "Calm",
            "notes": " \n",
            "other": "x",
        },
    )
    assert told == {"platform": "mobile", "tone": ["Calm"]}


def test_a_list_of_many_answers_is_read_in_one_pass() -> None:
    many = [f"n{n}" for n in range(20_000)]
    text = format_form_answers(form(TONE), {"tone": many})
    assert parse_form_answers(form(TONE), text) == {"tone": many}
