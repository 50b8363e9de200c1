"""Strings of an unfinished JSON object: decoded, told once, cut anywhere."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.text.json_strings import JsonStrings


def _read(*pieces):
    strings = JsonStrings()
    told = [piece for text in pieces for piece in strings.feed(text)]
    return strings, told


def _values(told):
    """Join the pieces: the value of each string, and whether it ended."""
    values: list[tuple[str, str, bool]] = []
    is_open = False
    for piece in told:
        if is_open:
            key, text, _ = values.pop()
            assert key == piece.key
        else:
            key, text = piece.key, ""
        values.append((key, text + piece.delta, piece.is_last))
        is_open = not piece.is_last
    return values


def _cut(text, cuts):
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    return [text[a:b] for a, b in pairwise(places)]


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
)
TEXTS = st.text(st.sampled_from('ab"\\/\n\t\0é数🧪\u2028'), max_size=12)
VALUES = st.recursive(
    SCALARS | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(TEXTS, VALUES, max_size=5),
    st.booleans(),
    st.sampled_from([None, 1]),
    st.lists(st.integers(0, 200), max_size=6),
)
def test_the_strings_of_any_object_are_told_as_json_reads_them(
    value, ascii_only, indent, cuts
):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    strings, told = _read(*_cut(text, cuts))
    assert strings.error is None
    assert strings.is_whole
    assert _values(told) == [
        (key, item, True) for key, item in value.items() if isinstance(item, str)
    ]
    assert strings.looked <= 2 * len(text)


@given(st.text(st.sampled_from('{}[]",:\\u0dD8e19 tn'), max_size=24))
def test_what_it_calls_whole_is_json_and_what_it_refuses_is_none(text):
    strings, _ = _read(text)
    try:
        value = json.loads(text)
    except ValueError:
        is_object = False
    else:
        is_object = isinstance(value, dict)
    assert strings.is_whole == is_object


@given(
    st.text(st.sampled_from('{}[]",:\\u0dD8e19 \n\ud83e'), max_size=24),
    st.lists(st.integers(0, 24), max_size=5),
)
def test_no_cut_changes_what_is_told_or_what_is_wrong(text, cuts):
    whole, told = _read(text)
    again, told_again = _read(*_cut(text, cuts))
    assert _values(told_again) == _values(told)
    assert again.error == whole.error
    assert again.is_whole == whole.is_whole


@pytest.mark.parametrize(
    ("escapes", "text", "lone"),
    [
        (r"\ud83e\uddea", "🧪", 0),
        (r"\ud83e", "\ufffd", 1),
        (r"\uddea", "\ufffd", 1),
        (r"\ud83ex", "\ufffdx", 1),
        (r"\ud83e\n", "\ufffd\n", 1),
        (r"\ud83e\ud83e\uddea", "\ufffd🧪", 1),
        (r"\uD83E\uDDEA\u0000\u00e9", "🧪\0é", 0),
    ],
)
def test_halves_of_characters_are_joined_and_lone_ones_are_signs(escapes, text, lone):
    source = f'{{"a":"{escapes}"}}'
    for at in range(len(source) + 1):
        strings, told = _read(source[:at], source[at:])
        assert _values(told) == [("a", text, True)]
        assert strings.lone_halves == lone


def test_a_string_is_told_before_it_ends():
    strings = JsonStrings()
    assert [piece.delta for piece in strings.feed('{"a":"x\\')] == ["x"]
    assert strings.feed("u00e") == []
    assert [piece.delta for piece in strings.feed("9y")] == ["éy"]
    assert not strings.is_whole


def test_strings_deeper_in_are_passed_over():
    _, told = _read(
        '{"a":{"content":"no"},"b":["no",{"content":"no"}],"content":"yes"}'
    )
    assert _values(told) == [("content", "yes", True)]


def test_what_stands_behind_the_object_is_a_breach_and_kept():
    strings, _ = _read('{"a":"b"} ', "x", " y")
    assert strings.has_ended
    assert not strings.is_whole
    assert strings.error == "expected nothing where 'x' stands"
    assert strings.rest == " y"


def test_line_breaks_that_were_not_escaped_are_taken_and_counted():
    strings, told = _read('{"a":"x\ny\r\n"}')
    assert _values(told) == [("a", "x\ny\r\n", True)]
    assert strings.raw_controls == 3
    assert strings.is_whole


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '"a"',
        "1",
        "{,",
        '{"a" 1',
        '{"a":1,}',
        '{"a":01}',
        '{"a":tru}',
        '{"a":"\\x"}',
        '{"a":"\\u12g4"}',
        "{}{",
        '{"a":[1}',
        '{"a":-}',
        '{"a":1.}',
        "x",
    ],
)
def test_a_breach_is_named_and_ends_the_reading(text):
    strings, _ = _read(text)
    assert strings.error
    assert strings.feed('"more"') == []


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"' + "k" * 1_000_000,
        '{"a":' + "1" * 1_000_000,
        '{"a":"' + "\\" * 999_999,
        '{"a":"' + "\n" * 300_000,
        '{"a":"' + "\\ud83e" * 100_000,
    ],
)
def test_hostile_input_is_looked_at_twice_at_most(text):
    strings = JsonStrings()
    for at in range(0, len(text), 1000):
        strings.feed(text[at : at + 1000])
    assert strings.looked <= 2 * len(text)
