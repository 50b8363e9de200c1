"""Lines of a transcript: what is written is read, and what is wrong is named."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.export.transcript import (
    ConversationLine,
    HeaderLine,
    MessageLine,
    OtherLine,
    TranscriptTally,
    read_line,
    write_header,
)
from vitrail.core.export.transcript_blocks import Blocks, Piece, place_parts
from vitrail.errors import InvalidInput

AT = "2026-01-01T00:00:00.000Z"
HEADER = {"kind": "header", "schemaVersion": 2, "projectId": "p", "exportedAt": AT}
MESSAGE: dict[str, Any] = {
    "kind": "message",
    "conversationId": "c",
    "id": "m",
    "role": "user",
    "position": 0,
    "createdAt": AT,
    "blocks": [{"type": "text", "text": "hi"}],
}


def line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in MESSAGE.items() if key != name}


# --- header -------------------------------------------------------------------


def test_the_header_has_the_keys_of_schema_2_in_their_order() -> None:
    header = json.loads(write_header("p", AT, TranscriptTally()))
    ours = header.pop("vitrail")
    assert list(header.items()) == [
        ("kind", "header"),
        ("schemaVersion", 2),
        ("projectId", "p"),
        ("exportedAt", AT),
        ("conversationCount", 0),
        ("messageCount", 0),
        ("attachmentCount", 0),
        ("commentAttachmentCount", 0),
        ("attachmentsInlined", False),
    ]
    assert set(ours) == {"sha256"}


def test_the_header_counts_what_was_redacted() -> None:
    redacted = Counter({"web token": 2, "e-mail address": 1})
    header = json.loads(write_header("p", AT, TranscriptTally(), redacted=redacted))
    assert header["vitrail"]["redacted"] == {"e-mail address": 1, "web token": 2}


def test_a_header_is_read_as_it_was_written() -> None:
    tally = TranscriptTally(conversations=2, messages=3)
    read = read_line(write_header("p", AT, tally), 1)
    assert read == HeaderLine(AT, 2, 3, tally.sha256, ())


def test_a_header_of_the_first_schema_is_read() -> None:
    read = read_line(line({**HEADER, "schemaVersion": 1}), 1)
    assert read == HeaderLine(AT, None, None, None, ())


def test_a_header_of_a_later_schema_is_refused() -> None:
    with pytest.raises(InvalidInput, match="schema 3") as caught:
        read_line(line({**HEADER, "schemaVersion": 3}), 1)
    assert caught.value.code == "transcript-too-new"


# --- lines that are wrong -------------------------------------------------------

DEEP = b"[" * 100 + b"]" * 100
WRONG = {
    "cut": b'{"kind":"mess',
    "no JSON": b"hello",
    "not UTF-8": b'{"kind":"\xff"}',
    "a lone surrogate": b'{"kind":"\\ud800"}',
    "not a number": b'{"kind":"message","position":NaN}',
    "too large a number": b'{"kind":"message","position":1e999}',
    "a list": b"[]",
    "no kind": b"{}",
    "kind is a number": b'{"kind":1}',
    "deep": b'{"kind":"later","x":' + DEEP + b"}",
    "very deep": b'{"kind":"later","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "second header": line(HEADER),
    "no id": line(without("id")),
    "empty id": line({**MESSAGE, "id": ""}),
    "no conversation": line(without("conversationId")),
    "no role": line(without("role")),
    "another role": line({**MESSAGE, "role": "system"}),
    "no position": line(without("position")),
    "a negative position": line({**MESSAGE, "position": -1}),
    "a position that is true": line({**MESSAGE, "position": True}),
    "no time": line(without("createdAt")),
    "no such time": line({**MESSAGE, "createdAt": "yesterday"}),
    "a time out of range": line({**MESSAGE, "createdAt": 10**18}),
    "a time at the edge": line({**MESSAGE, "createdAt": "0001-01-01T00:00:00+23:00"}),
    "no blocks": line(without("blocks")),
    "a block without type": line({**MESSAGE, "blocks": [{}]}),
    "blocks are texts": line({**MESSAGE, "blocks": ["hi"]}),
    "vitrail is a text": line({**MESSAGE, "vitrail": "x"}),
    "an attachment of no kind": line({**MESSAGE, "attachments": [{"path": "a", "name": "a"}]}),
    "an attachment without path": line({**MESSAGE, "attachments": [{"kind": "file", "name": "a"}]}),
    "attachments are no list": line({**MESSAGE, "attachments": {}}),
    "a comment without id": line({**MESSAGE, "commentAttachments": [{"filePath": "a"}]}),
    "a title that is a number": line(
        {"kind": "conversation", "id": "c", "title": 1, "createdAt": AT, "updatedAt": AT}
    ),
}  # fmt: skip


@pytest.mark.parametrize("data", WRONG.values(), ids=WRONG)
def test_a_wrong_line_is_named_by_its_number(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="Line 7: ") as caught:
        read_line(data, 7)
    assert caught.value.code == "transcript-invalid"
    assert caught.value.details["line"] == 7


@pytest.mark.parametrize(
    "data", [line(MESSAGE), b"{}", b"", line({**HEADER, "schemaVersion": 0})]
)
def test_the_first_line_has_to_be_a_header(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="Line 1: "):
        read_line(data, 1)


@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_no_bytes_do_more_than_be_refused(data: bytes) -> None:
    with contextlib.suppress(InvalidInput):
        read_line(data, 2)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(MESSAGE)), JSON)
def test_no_value_of_a_field_does_more_than_be_refused(name: str, value: Any) -> None:
    with contextlib.suppress(InvalidInput):
        read_line(line({**MESSAGE, name: value}), 2)


# --- what is kept ---------------------------------------------------------------


def test_unknown_fields_and_kinds_are_carried() -> None:
    read = read_line(line({**MESSAGE, "later": [1]}), 2)
    assert isinstance(read, MessageLine)
    assert read.carried == {"fields": {"later": [1]}}
    conversation = {"kind": "conversation", "id": "c", "createdAt": AT, "updatedAt": AT}
    began = read_line(line({**conversation, "title": None, "tags": []}), 2)
    assert began == ConversationLine("c", "", AT, AT, {"fields": {"tags": []}})
    later = {"kind": "later", "x": 10**30}
    assert read_line(line(later), 2) == OtherLine(later)


def test_times_in_milliseconds_and_with_other_zones_are_read() -> None:
    for written in (1_767_225_600_000, "2026-01-01T01:00:00+01:00", "2026-01-01"):
        read = read_line(line({**MESSAGE, "createdAt": written}), 2)
        assert isinstance(read, MessageLine)
        assert read.created_at == AT


def test_a_comment_gets_its_label_and_words_if_it_has_none() -> None:
    told = {**MESSAGE, "commentAttachments": [{"id": "1", "filePath": "a.html"}]}
    read = read_line(line(told), 2)
    assert isinstance(read, MessageLine)
    (comment,) = read.carried["fields"]["commentAttachments"]
    assert comment == {"id": "1", "filePath": "a.html", "label": "", "comment": ""}


# --- blocks -----------------------------------------------------------------------

PIECES = st.builds(
    lambda kind, before, text, after, is_apart: Piece(
        {"type": "text"},
        kind,
        before + text + after,
        (len(before), len(before) + len(text)),
        is_apart=is_apart,
    ),
    st.sampled_from(["text", "thinking"]),
    st.text(max_size=2),
    st.text(min_size=1, max_size=3),
    st.text(max_size=2),
    st.booleans(),
) | st.just(Piece({"type": "tool"}, whole={"type": "tool_use", "id": "1"}))


@given(st.lists(PIECES, max_size=8))
def test_every_part_finds_its_own_text_in_the_blocks(pieces: list[Piece]) -> None:
    blocks = Blocks()
    parts = [blocks.add(piece) for piece in pieces]
    placed = place_parts(parts, blocks.written())
    for piece, found in zip(pieces, placed, strict=True):
        if piece.text_span is None:
            assert found.block == piece.whole
        else:
            assert found.text == piece.raw[slice(*piece.text_span)]
            assert found.kind == piece.block


@given(st.lists(PIECES, max_size=8))
def test_blocks_hold_all_that_was_said_once(pieces: list[Piece]) -> None:
    blocks = Blocks()
    for piece in pieces:
        blocks.add(piece)
    said = [block.get("text", block.get("thinking", "")) for block in blocks.written()]
    assert "".join(said) == "".join(piece.raw for piece in pieces)


TEXT = {"type": "text", "text": "hello"}
TOOL = {"type": "tool_use", "id": "1"}


@pytest.mark.parametrize(
    "places",
    [
        [[1, 0, 1]],
        [[0, 0, 9]],
        [[0, -1, 2]],
        [[0, 3, 2]],
        [[0]],
        [[0, 0]],
        ["0"],
        [{}],
        [[True, 0, 1]],
        [[0, 0, 3], [0, 2, 4]],
        [[0, 0, 5], [0, 0, 5]],
    ],
)
def test_a_place_that_is_not_there_or_was_named_before_is_refused(places: Any) -> None:
    parts = [{"type": "text", "at": place} for place in places]
    with pytest.raises(ValueError, match=r"part . names"):
        place_parts(parts, [TEXT])


def test_one_block_cannot_be_named_many_times() -> None:
    parts = [{"type": "x", "at": [0]}, {"type": "x", "at": [0]}]
    with pytest.raises(ValueError, match="earlier part"):
        place_parts(parts, [TOOL])


def test_a_block_that_no_part_names_is_not_lost() -> None:
    placed = place_parts([{"type": "text", "at": [0, 0, 5]}], [TEXT, TOOL])
    assert [item.block for item in placed] == [None, TOOL]
