"""What every prefix of every form shows: nothing that is taken back, and never too much."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.forms import finished, read
from vitrail.core.parse.forms import QUESTION_TYPES, FormReader, normalise_form
from vitrail.protocol.forms import Form

SHORT = st.text("ab Q-1é\n", max_size=4)
ODD = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | SHORT
TYPES = st.sampled_from(
    [word for name, more in QUESTION_TYPES.items() for word in (name, *more)]
)
OPTIONS = st.lists(
    SHORT
    | ODD
    | st.dictionaries(
        st.sampled_from(["label", "value", "id", "description"]), SHORT | ODD
    ),
    max_size=4,
)
CARDS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "id": SHORT,
            "label": SHORT,
            "palette": st.lists(ODD, max_size=3),
            "references": st.lists(SHORT, max_size=9),
            "mood": SHORT,
        },
    ),
    max_size=3,
)
FIELDS = {
    "id": SHORT,
    "label": SHORT | ODD,
    "prompt": SHORT,
    "type": TYPES | ODD,
    "options": OPTIONS,
    "placeholder": SHORT,
    "help": SHORT,
    "required": ODD,
    "default": SHORT | ODD | st.lists(SHORT | ODD, max_size=3),
    "defaultValue": SHORT | ODD,
    "maxSelections": ODD,
    "allowCustom": ODD,
    "custom": ODD,
    "min": ODD,
    "max": ODD | st.just("1e3"),
    "step": ODD,
    "multiple": ODD,
    "accept": SHORT | st.lists(SHORT, max_size=2),
    "cards": CARDS,
}
QUESTIONS = st.fixed_dictionaries({}, optional=FIELDS).flatmap(
    lambda question: st.permutations(list(question.items())).map(dict)
)
PAYLOADS = st.lists(QUESTIONS | ODD, max_size=4) | st.fixed_dictionaries(
    {},
    optional={
        "id": SHORT | ODD,
        "title": SHORT,
        "description": SHORT,
        "submitLabel": SHORT,
        "lang": st.sampled_from(["zh-CN", "en", "", "not a language"]),
        "questions": st.lists(QUESTIONS | ODD, max_size=4),
    },
).flatmap(lambda payload: st.permutations(list(payload.items())).map(dict))  # fmt: skip
TAKEN_BACK = ("comes twice", "the label counts")


def contradiction(shown: Any, final: Any, path: str = "") -> str | None:
    """Return where something shown is not in the final form, or None."""
    if isinstance(shown, dict) and isinstance(final, dict):
        for key, value in shown.items():
            if key not in final:
                return f"{path}.{key}"
            if found := contradiction(value, final[key], f"{path}.{key}"):
                return found
        return None
    if isinstance(shown, list) and isinstance(final, list):
        if len(shown) > len(final):
            return path
        pairs = zip(shown, final, strict=False)
        return next(
            (found for a, b in pairs if (found := contradiction(a, b, f"{path}[]"))),
            None,
        )
    grows = path.rsplit(".", 1)[-1] in {
        "title", "description", "submitLabel", "label",
        "placeholder", "help", "customLabel", "customPlaceholder",
    }  # fmt: skip
    in_option = ".options[]" in path or ".cards[]" in path
    if grows and not in_option and isinstance(shown, str):
        return None if str(final).startswith(shown) else path
    return None if shown == final and type(shown) is type(final) else path


@given(
    PAYLOADS,
    st.booleans(),
    st.sampled_from([{}, {"id": "f"}, {"id": " ", "title": "T"}]),
)
def test_nothing_that_a_prefix_shows_is_ever_taken_back(
    payload: Any,
    is_ascii: bool,  # noqa: FBT001 - hypothesis gives it
    attributes: dict[str, str],
) -> None:
    body = json.dumps(payload, ensure_ascii=is_ascii)
    result = finished(body, **attributes)
    final = result.form
    if any(words in one.message for one in result.diagnostics for words in TAKEN_BACK):
        return
    reader = FormReader(attributes)
    before: dict[str, Any] = reader.form
    for ch in body:
        reader.feed(ch)
        assert contradiction(before, reader.form) is None
        before = reader.form
    assert contradiction(before, final) is None


@given(PAYLOADS, st.sampled_from([{}, {"id": "f"}]))
def test_a_whole_form_is_what_its_payload_normalises_to(
    payload: Any, attributes: dict[str, str]
) -> None:
    result = finished(json.dumps(payload), **attributes)
    normal = normalise_form(payload, attributes)
    assert result.ok == normal.ok
    assert result.reason == normal.reason
    # in a text they are in the order of their places
    assert sorted((one.code, one.message) for one in result.diagnostics) == sorted(
        (one.code, one.message) for one in normal.diagnostics
    )
    if result.ok:
        assert result.form == normal.form
        Form.model_validate(result.form)
        again = normalise_form(result.form)
        assert again.form == result.form
        assert again.diagnostics == ()


SHARDS = st.sampled_from(
    [
        '{"questions":[',
        '{"id":"a",',
        '"label":"x',
        '"prompt":"y"',
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "'",
        "“",
        "`",
        "\\",
        " ",
        "\n",
        "/",
        "*",
        "1",
        "true",
        "e",
        "\ud83d",
        "\\ud83d",
        '"id"',
    ]
)


@given(st.lists(SHARDS, max_size=30).map("".join), st.data())
def test_any_text_ends_as_a_form_or_a_reason_and_takes_nothing_back(
    body: str, data: st.DataObject
) -> None:
    result = finished(body)
    if result.ok:
        Form.model_validate(result.form)
    else:
        assert result.form["raw"] == body
        assert result.form["reason"] == result.reason
        assert result.diagnostics[-1].severity == "error"
    for one in result.diagnostics:
        assert one.span is None or 0 <= one.span[0] <= one.span[1] <= len(body)
    if any(words in one.message for one in result.diagnostics for words in TAKEN_BACK):
        return
    shown = read(body[: data.draw(st.integers(0, len(body)))]).form
    assert contradiction(shown, result.form) is None


@given(PAYLOADS)
def test_feed_says_true_exactly_when_what_it_tells_of_has_changed(payload: Any) -> None:
    reader = FormReader({})
    told = reader.form
    for ch in json.dumps(payload):
        has_changed = reader.feed(ch)
        if has_changed:
            assert reader.form != told
            told = reader.form


@pytest.mark.parametrize(
    "body",
    [
        '{"questions":[' + '{"id":"a","label":"hello"},' * 3000 + "]}",
        '{"questions":[{"id":"a","label":"' + "x" * 80_000 + '"}]}',
        '{"questions":[{"id":"a","label":"q","options":[' + '"a",' * 20_000 + "]}]}",
        '{"questions":[{"id":"a","label":"q",' + '"help":"h",' * 8_000 + "}]}",
        '{"title":"' + "t " * 40_000 + '"}',
        "[" + "1," * 40_000,
        '{"questions":[],' * 1 + '"questions":[{"id":"a"}],' * 3_000 + "}",
    ],
    ids=["questions", "label", "options", "keys", "title", "numbers", "twice"],
)
def test_what_is_shown_of_a_long_form_is_linear_in_its_length(body: str) -> None:
    reader = FormReader({})
    shown_chars = 0
    for ch in body:
        if reader.feed(ch):
            shown_chars += len(json.dumps(reader.form))
    result = reader.close()
    assert reader.looked <= 2 * len(body)
    assert shown_chars <= 40 * len(body)
    assert len(result.diagnostics) < 100
