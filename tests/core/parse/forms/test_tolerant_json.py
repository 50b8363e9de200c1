"""JSON as models write it: strict JSON as `json` reads it, slips mended and told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.parse.forms.tolerant_json import JsonReader

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner)
    ),
    max_leaves=12,
)
CONTAINERS = st.lists(VALUES, max_size=4) | st.dictionaries(st.text(max_size=4), VALUES)
SHARDS = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "'",
        "“",
        "”",
        "`",
        "\\",
        "\\u",
        "d83d",
        "\\ude00",
        " ",
        "\n",
        "//",
        "/*",
        "*/",
        "/",
        "a",
        "1",
        "-",
        ".",
        "e",
        "true",
        "nul",
        "\x00",
        "\ufeff",
    ]
)


def read(*pieces: str) -> JsonReader:
    reader = JsonReader()
    for piece in pieces:
        reader.feed(piece)
    return reader


def read_whole(*pieces: str) -> JsonReader:
    reader = read(*pieces)
    reader.close()
    return reader


def told(reader: JsonReader) -> list[tuple[str, tuple[int, int], int]]:
    return [(one.kind, one.span, one.count) for one in reader.repairs]


@given(CONTAINERS, st.booleans(), st.sampled_from([None, 1]))
def test_strict_json_is_read_as_json_reads_it_and_needs_no_mending(
    value: Any,
    is_ascii: bool,  # noqa: FBT001 - hypothesis gives it
    indent: int | None,
) -> None:
    text = json.dumps(value, ensure_ascii=is_ascii, indent=indent)
    reader = read_whole(*text)
    assert reader.fault is None
    assert reader.is_whole
    assert repr(reader.root) == repr(json.loads(text))
    assert told(reader) == []


@given(st.lists(SHARDS, max_size=40).map("".join), st.data())
def test_chunk_borders_mean_nothing_and_a_character_costs_two_looks_at_most(
    text: str, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(text)))
    whole, cut_once, by_one = (
        read_whole(text),
        read_whole(text[:cut], text[cut:]),
        read_whole(*text),
    )
    for other in (cut_once, by_one):
        assert other.root == whole.root
        assert other.fault == whole.fault
        assert told(other) == told(whole)
    assert by_one.looked <= 2 * len(text)


@pytest.mark.parametrize(
    ("text", "value", "repairs"),
    [
        ('{"a": [1, 2,],}', {"a": [1, 2]}, [("trailing-comma", (11, 12), 2)]),
        ("[1,, 2]", [1, 2], [("extra-comma", (3, 4), 1)]),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}, [("missing-comma", (8, 9), 1)]),
        ("[1 // one\n, /* two */ 2]", [1, 2], [("comment", (3, 9), 2)]),
        ("// before\n[1]// after", [1], [("comment", (0, 9), 2)]),
        ("{'a': 'b'}", {"a": "b"}, [("single-quotes", (1, 2), 2)]),
        ("{'a': 'it's'}", {"a": "it's"}, [("single-quotes", (1, 2), 2), ("inner-quote", (9, 10), 1)]),
        ('{"a": "say "hi" now"}', {"a": 'say "hi" now'}, [("inner-quote", (11, 12), 2)]),
        ("{“a”: “b”}", {"a": "b"}, [("smart-quotes", (1, 2), 2)]),
        ('{“a": "“b” c"}', {"a": "“b” c"}, [("smart-quotes", (1, 2), 1)]),
        ("{a: b}", {"a": "b"}, [("unquoted", (1, 2), 2)]),
        ("[True, None, undefined]", [True, None, None], [("odd-word", (1, 5), 3)]),
        ("[NaN, -Infinity, 1e400]", [None, None, None], [("no-number", (1, 4), 3)]),
        ("[+1, .5, 5., 007]", [1, 0.5, 5.0, 7], [("odd-number", (1, 3), 4)]),
        ('["a\nb"]', ["a\nb"], [("control-character", (3, 4), 1)]),
        (r'["\d \'"]', [r"\d '"], [("bad-escape", (3, 4), 2)]),
        (r'["\u12"]', [r"\u12"], [("bad-escape", (6, 7), 1)]),
        (r'["\ud83d\ude00"]', ["😀"], []),
        (r'["\ud83d x"]', ["\ufffd x"], [("lone-surrogate", (7, 8), 1)]),
        (r'["\ude00\ud83d"]', ["\ufffd\ufffd"], [("lone-surrogate", (7, 8), 2)]),
        ('["\ud83d"]', ["\ufffd"], [("lone-surrogate", (2, 3), 1)]),
        ("```json\n[1]\n```", [1], [("code-fence", (0, 1), 1)]),
        ("[1]\n```", [1], [("code-fence", (4, 5), 1)]),
        ('```\n{"a": [1\n```', {"a": [1]}, [("code-fence", (0, 1), 1), ("unclosed", (13, 13), 2)]),
        ('[{"a": 1]', [{"a": 1}], [("unclosed", (8, 9), 1)]),
        ('{"a": 1}]', {"a": 1}, [("extra-bracket", (8, 9), 1)]),
        ("[1}, 2]", [1, 2], [("extra-bracket", (2, 3), 1)]),
        ('{"a": , "b": 1}', {"b": 1}, [("missing-value", (6, 7), 1)]),
        ('{"a"}', {}, [("missing-value", (4, 5), 1)]),
        ('{"a"', {}, [("missing-value", (4, 4), 1), ("unclosed", (4, 4), 1)]),
        ('{"a": 1, "a": 2}', {"a": 2}, [("duplicate-key", (9, 12), 1)]),
        ('{"a": 1', {"a": 1}, [("unclosed", (7, 7), 1)]),
        ("[1] and so on", [1], [("text-behind", (4, 13), 1)]),
        ("[1] /", [1], [("text-behind", (4, 5), 1)]),
        ("[\u00a01]", [1], [("odd-space", (1, 2), 1)]),
        ("\ufeff [1]", [1], []),
        ('["a"//b\n]', ["a"], [("comment", (4, 7), 1)]),
        ('["a"/b"]', ['a"/b'], [("inner-quote", (3, 4), 1)]),
    ],
)  # fmt: skip
def test_a_slip_is_mended_and_told_with_its_place_and_count(
    text: str, value: Any, repairs: list[tuple[str, tuple[int, int], int]]
) -> None:
    for pieces in ((text,), tuple(text)):
        reader = read_whole(*pieces)
        assert reader.fault is None
        assert reader.root == value
        assert told(reader) == repairs


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ("", "empty", 0),
        (" \n ", "empty", 3),
        ("```json\n", "empty", 8),
        ("// nothing", "empty", 10),
        ("not json", "syntax", 0),
        ('"a"', "syntax", 0),
        ("{?", "syntax", 1),
        ('{"a": b c}', "syntax", 9),
        ("[1 : 2]", "syntax", 3),
        ("[" + "9" * 600 + "]", "syntax", 1),
        ('{"a": "b', "unclosed-string", 6),
        ("[" * 40, "too-deep", 32),
    ],
)
def test_what_nobody_can_tell_is_a_fault_with_its_place(
    text: str, kind: str, place: int
) -> None:
    for pieces in ((text,), tuple(text)):
        fault = read_whole(*pieces).fault
        assert fault is not None
        assert fault.kind == kind
        assert fault.place == place


@pytest.mark.parametrize(
    ("prefix", "value"),
    [
        ('{"a":[1,2,{"b":tr', {"a": [1, 2, {}]}),
        ('{"a":"x\\', {"a": "x"}),
        ('{"a":1.', {}),
        ('{"hea', {}),
        ('{"a":"\\ud83d', {"a": ""}),
        ('{"a":"\\u00', {"a": ""}),
        ('{"a":"x"', {"a": "x"}),
        ('{"a":-', {}),
        ('{"a":1e', {}),
        ('{"a"', {}),
        ('{"a":', {}),
    ],
)
def test_row_31_a_prefix_gives_whole_values_and_the_string_that_grows(
    prefix: str, value: Any
) -> None:
    reader = read(prefix)
    shown = reader.root
    if reader.growing is not None:
        container, key, text = reader.growing
        shown = {**container, key: text}
    assert shown == value


def test_the_place_is_in_a_string_until_its_closing_quote() -> None:
    text = '{"a\\"": "b\\u0041", "c": 1}'
    inside = [read(text[:end]).in_string for end in range(len(text) + 1)]
    assert [i for i, was in enumerate(inside) if was] == [
        *range(2, 6),
        *range(9, 17),
        *range(20, 22),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 80_000,
        '{"a":' * 20_000,
        "[1," * 20_000,
        "['" + "' " * 40_000,
        '["' + "\\" * 79_999,
        "[" + "//\n" * 26_000,
        "[" + "/**/" * 20_000,
        "```" * 26_000,
        "[]" + "}" * 80_000,
        '{"a":1,' * 10_000,
    ],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_hostile_text_costs_two_looks_a_character_at_most(text: str) -> None:
    assert read_whole(*text).looked <= 2 * len(text)
