"""Laws of parts in a transcript: what was told is read, and unknown things stay."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from vitrail.core.export.redaction import Redactor
from vitrail.core.export.transcript import (
    MessageLine,
    TranscriptTally,
    read_line,
    write_message,
)
from vitrail.errors import InvalidInput
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.records import (
    ArtifactPart,
    DiagnosticPart,
    DirectivePart,
    EmbedPart,
    ErrorPart,
    FormAnswersPart,
    FormPart,
    Message,
    Part,
    ReasoningPart,
    SuppressedPart,
    TextPart,
)
from vitrail.protocol.transcript import Carried, ToldMessage
from vitrail.workflow.transcript_parts import Telling, read_parts

AT = "2026-01-01T00:00:00.000Z"
WORDS = st.text(max_size=6) | st.sampled_from(["</artifact>", "☂", "\u2028", "\\", '"'])
NUMBERS = st.integers(0, 99)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3)
    ),
    max_leaves=5,
)
OBJECTS = st.dictionaries(WORDS, JSON, max_size=3)


def made(kind: type[Part], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Part]:
    return st.fixed_dictionaries(fields).map(lambda values: kind(**values))


PARTS: st.SearchStrategy[Part] = st.one_of(
    made(TextPart, text=WORDS, start=NUMBERS),
    made(ReasoningPart, text=WORDS),
    made(
        ArtifactPart,
        artifact=NUMBERS,
        identifier=WORDS,
        artifact_type=WORDS,
        title=WORDS,
        attributes=st.dictionaries(WORDS, WORDS, max_size=2),
        recovered=st.none() | WORDS,
        text=WORDS,
        state=st.sampled_from(["complete", "cut"]),
        diagnostics=st.lists(
            st.builds(Diagnostic, WORDS, st.just("info"), WORDS), max_size=1
        ).map(tuple),
    ),
    made(
        FormPart,
        form=st.fixed_dictionaries(
            {"id": st.just("f"), "title": WORDS, "questions": st.just([])}
        ),
        complete=st.booleans(),
    ),
    made(
        FormAnswersPart,
        message_id=WORDS,
        form_id=WORDS,
        answers=st.dictionaries(WORDS, st.none() | WORDS, max_size=2),
    ),
    made(EmbedPart, ref=WORDS, url=st.none(), title=WORDS, height=NUMBERS),
    made(DirectivePart, name=WORDS, value=st.none() | WORDS),
    made(SuppressedPart, name=WORDS, chars=NUMBERS),
    made(DiagnosticPart, code=WORDS, severity=st.just("info"), message=WORDS),
    made(ErrorPart, code=WORDS, message=WORDS, retryable=st.booleans()),
)


def message(parts: tuple[Part, ...], chars: int = 0) -> Message:
    return Message(
        id="m",
        conversation_id="c",
        role="assistant",
        parts=parts,
        chars=chars,
        created_at=AT,
    )


def told(parts: tuple[Part, ...], carried: Carried, chars: int = 0) -> bytes:
    said = ToldMessage(message(parts, chars), None, carried)
    telling = Telling()
    pieces = telling.pieces(said)
    shown = ToldMessage(said.message, None, telling.carried(carried))
    (line,) = write_message(shown, 0, pieces, TranscriptTally())
    return line


def read(line: bytes) -> tuple[tuple[Part, ...], int, Carried]:
    found = read_line(line, 2)
    assert isinstance(found, MessageLine)
    return read_parts(found, 2)


@given(st.lists(PARTS, max_size=7).map(tuple), NUMBERS)
def test_parts_come_back_as_they_were(parts: tuple[Part, ...], chars: int) -> None:
    line = told(parts, {}, chars)
    assert read(line) == (parts, chars, {})


@given(st.lists(PARTS, max_size=7).map(tuple))
def test_neighbours_in_the_blocks_are_one(parts: tuple[Part, ...]) -> None:
    blocks = json.loads(told(parts, {}))["blocks"]
    kinds = [block["type"] for block in blocks]
    assert all(a == "thinking" for a, b in pairwise(kinds) if a == b)
    said = [block.get("text", block.get("thinking")) for block in blocks]
    assert all(said)


BLOCKS = st.lists(
    st.builds(lambda text, more: {**more, "type": "text", "text": text}, WORDS, OBJECTS)
    | st.builds(
        lambda text, more: {**more, "type": "thinking", "thinking": text},
        WORDS,
        OBJECTS,
    )
    | st.builds(lambda kind, more: {**more, "type": kind}, WORDS, OBJECTS),
    max_size=4,
)
PLACES = st.lists(st.integers(0, 3), min_size=1, max_size=3)
KINDS = st.sampled_from(["text", "reasoning", "artifact", "form", "error", "later"])
ODD_PARTS = st.builds(
    lambda kind, place, more, part: {
        **(part.model_dump(mode="json") if more.get("known") else {"type": kind}),
        **more.get("more", {}),
        **({"at": place} if more.get("placed") else {}),
    },
    KINDS,
    PLACES,
    st.fixed_dictionaries(
        {"known": st.booleans(), "placed": st.booleans(), "more": OBJECTS}
    ),
    PARTS,
)


@settings(max_examples=300)
@given(BLOCKS, st.none() | st.lists(ODD_PARTS, max_size=4), OBJECTS)
def test_what_was_taken_once_is_taken_again_and_nothing_is_lost(
    blocks: list[dict[str, Any]], parts: list[Any] | None, more: dict[str, Any]
) -> None:
    line: dict[str, Any] = {
        **more,
        "kind": "message",
        "conversationId": "c",
        "id": "m",
        "role": "assistant",
        "position": 0,
        "createdAt": AT,
        "blocks": blocks,
    }
    if parts is not None:
        line["vitrail"] = {"parts": parts}
    try:
        found = read_line(json.dumps(line).encode(), 2)
        assert isinstance(found, MessageLine)
        came, chars, kept = read_parts(found, 2)
    except InvalidInput:
        return
    carried = {**found.carried, **({"parts": kept} if kept else {})}
    first = told(came, carried, chars)
    again = read_line(first, 2)
    assert isinstance(again, MessageLine)
    assert again.carried == found.carried
    parts_again, chars_again, kept_again = read_parts(again, 2)
    assert (parts_again, chars_again) == (came, chars)
    carried = {**again.carried, **({"parts": kept_again} if kept_again else {})}
    assert told(parts_again, carried, chars_again) == first
    if parts is None:
        others = [b for b in blocks if b["type"] not in ("text", "thinking")]
        told_blocks = json.loads(first)["blocks"]
        assert [b for b in told_blocks if b["type"] not in SAID] == others
        assert [b for b in map(_more, told_blocks) if b] == [
            b for b in map(_more, blocks) if b
        ]


SAID = ("text", "thinking")


def _more(block: dict[str, Any]) -> dict[str, Any]:
    """Return what a text or thinking block says besides."""
    key = block["type"]
    if key not in SAID:
        return {}
    return {name: said for name, said in block.items() if name not in ("type", key)}


@given(st.lists(PARTS, max_size=7).map(tuple))
def test_a_redacted_message_can_be_read(parts: tuple[Part, ...]) -> None:
    said = ToldMessage(message(parts))
    pieces = Telling(Redactor(homes=("/home/ada",))).pieces(said)
    (line,) = write_message(said, 0, pieces, TranscriptTally())
    assert len(read(line)[0]) == len(parts)
