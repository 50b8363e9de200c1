"""Question forms where they stand in a reply: spec/open-design-1 §8's rows about its text."""

from __future__ import annotations

import pytest

from vitrail.core.parse import StreamParser
from vitrail.protocol.events import DiagnosticFound, QuestionForm, Text

BODY = '{"questions":[{"id":"a","label":"A"}]}'


def read(reply: str) -> tuple[str, list[QuestionForm], list[str]]:
    """Return a reply's text, its forms as they ended, and its diagnostics' codes.

    Read whole and by one character; chunk borders mean nothing.
    """
    seen = []
    for pieces in ([reply], list(reply)):
        parser = StreamParser()
        events = [event for piece in pieces for event in parser.feed(piece)]
        events += parser.close()
        text = "".join(event.delta for event in events if isinstance(event, Text))
        forms: dict[int, QuestionForm] = {}
        for event in events:
            if isinstance(event, QuestionForm):
                forms[event.span[0]] = event
        codes = [event.code for event in events if isinstance(event, DiagnosticFound)]
        seen.append((text, list(forms.values()), codes))
    assert seen[0] == seen[1]
    return seen[0]


def ids(forms: list[QuestionForm]) -> list[str]:
    assert all(form.complete for form in forms)
    return [form.form["id"] for form in forms]


def test_row_08_prose_form_prose() -> None:
    text, forms, codes = read(
        f'Hi.\n<question-form id="f">{BODY}</question-form>\nBye.'
    )
    assert (text, ids(forms), codes) == ("Hi.\n\nBye.", ["f"], [])


@pytest.mark.parametrize(
    ("tag", "form"),
    [('ask-question id="brief"', "brief"), ("Ask-Question", "discovery")],
)
def test_row_11_the_other_tag_in_any_case(tag: str, form: str) -> None:
    text, forms, _ = read(f"<{tag}>{BODY}</{tag.split(maxsplit=1)[0]}>")
    assert (text, ids(forms)) == ("", [form])


def test_row_12_the_other_tag_s_close_tag_closes_nothing() -> None:
    """Deviation: JSON that is whole is a form at the end of the text, and that is told."""
    text, forms, codes = read(f"<question-form>{BODY}</ask-question>")
    assert (text, ids(forms)) == ("", ["discovery"])
    assert "unclosed-form" in codes


def test_row_13_what_is_no_form_keeps_its_text_and_says_why() -> None:
    """Deviation: the model's own text is kept, where the reference shows an apology."""
    text, (form,), codes = read("<ask-question>not json</ask-question>")
    assert text == ""
    assert not form.complete
    assert form.form["raw"] == "not json"
    assert form.form["reason"] == "invalid-json"
    assert codes == ["form-invalid-json"]


@pytest.mark.parametrize("body", ["", BODY[:20], "{"])
def test_row_14_a_form_that_was_cut_off_is_text(body: str) -> None:
    reply = f'Hello.\n<question-form id="f">{body}'
    text, forms, codes = read(reply)
    assert (text, forms) == (reply, [])
    assert "unclosed-form" in codes


def test_a_cut_form_whose_questions_were_shown_keeps_them_and_cannot_be_answered() -> (
    None
):
    text, (form,), codes = read(f'Hello.\n<question-form id="f">{BODY[:-2]}, {{"id"')
    assert text == "Hello.\n"
    assert not form.complete
    assert [question["id"] for question in form.form["questions"]] == ["a"]
    assert codes[-1] == "unclosed-form"


def test_row_15_letters_that_grow_in_lower_case_shift_nothing() -> None:
    text, (form,), _ = read(f'İİ <question-form id="f">{BODY}</question-form>')
    assert text == "İİ "
    assert form.span[0] == 3


def test_row_16_a_tag_named_in_backticks_is_text() -> None:
    start, end = "I use `<question-form>` now:\n", "\nBye."
    form = f'<question-form id="f">{BODY}</question-form>'
    text, (found,), _ = read(start + form + end)
    assert text == start + end
    assert found.span == (len(start), len(start) + len(form))


def test_row_17_a_tag_that_is_only_mentioned_is_text() -> None:
    start = "The <ask-question> tag asks.\n"
    text, forms, _ = read(f'{start}<question-form id="real">{BODY}</question-form>')
    assert (text, ids(forms)) == (start, ["real"])


def test_row_30_a_form_inside_a_code_fence_is_code() -> None:
    """Deviation: the reference made a live form of it."""
    reply = f'```html\n<question-form id="f">{BODY}</question-form>\n```\n'
    assert read(reply) == (reply, [], [])
