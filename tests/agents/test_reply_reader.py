"""What a server's answer becomes, in each format: chunks, an end, a failure in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.adapters.agents.fake_anthropic import messages_error, messages_stream
from vitrail.adapters.agents.fake_openai import chat_stream, response_stream
from vitrail.adapters.agents.reply_reader import ReplyReader
from vitrail.adapters.agents.wire import CHAT, MESSAGES, RESPONSES, Wire
from vitrail.ports import AgentChunk, AgentReasoning, AgentText, AgentUsage

SIGNS = "数据 🧪 👩🏽‍🚀 é"
STREAMS = {
    "chat": (CHAT, chat_stream([SIGNS, ' "q" \n', "end"], usage=(3, 5))),
    "responses": (RESPONSES, response_stream([SIGNS, ' "q" \n', "end"], usage=(3, 5))),
    "messages": (MESSAGES, messages_stream([SIGNS, ' "q" \n', "end"], usage=(3, 5))),
}
MAKERS: dict[str, Callable[[list[str]], bytes]] = {
    "chat": chat_stream,
    "responses": response_stream,
    "messages": messages_stream,
}
WIRES = {"chat": CHAT, "responses": RESPONSES, "messages": MESSAGES}


def reader(wire: Wire = CHAT, *secrets: str) -> ReplyReader:
    return ReplyReader(wire.decoder(), "host", secrets)


def read(wire: Wire, *pieces: bytes) -> list[AgentChunk]:
    it = reader(wire)
    chunks = [chunk for piece in pieces for chunk in it.feed(piece)]
    assert it.failure is None
    return chunks + it.close() + it.rest()


def text_of(chunks: list[AgentChunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, AgentText))


def event(value: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


@pytest.mark.parametrize("name", STREAMS)
def test_bytes_cut_anywhere_give_the_same_text(name: str) -> None:
    wire, stream = STREAMS[name]
    for at in range(0, len(stream) + 1, 3):
        chunks = read(wire, stream[:at], stream[at:])
        assert text_of(chunks) == f'{SIGNS} "q" \nend'
        assert AgentUsage(3, 5) in chunks


@pytest.mark.parametrize("name", WIRES)
@given(text=st.text(), size=st.integers(1, 40))
def test_any_text_comes_through_any_cut(name: str, text: str, size: int) -> None:
    stream = MAKERS[name]([text])
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert text_of(read(WIRES[name], *pieces)) == text


def test_halves_of_a_character_in_two_events_are_joined() -> None:
    stream = (
        b'data: {"choices":[{"delta":{"content":"a\\ud83e"}}]}\n\n'
        b'data: {"choices":[{"delta":{"content":"\\uddea b"}}]}\n\n'
        b'data: {"choices":[{"delta":{"reasoning":"\\ud83e"}}]}\n\n'
        b'data: {"choices":[{"delta":{"reasoning":"\\uddea"}}]}\n\n'
    )
    chunks = read(CHAT, stream)
    assert text_of(chunks) == "a🧪 b"
    assert AgentReasoning("🧪") in chunks


def test_a_half_that_stays_alone_is_one_replacement_sign() -> None:
    stream = b'data: {"choices":[{"delta":{"content":"a\\ud83e"}}]}\n\n'
    assert text_of(read(CHAT, stream)) == "a\ufffd"


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_reasoning_has_a_channel_of_its_own(key: str) -> None:
    value = {"choices": [{"delta": {key: "so", "content": None}}]}
    assert reader().feed(event(value)) == [AgentReasoning("so")]


def test_thinking_is_reasoning() -> None:
    chunks = read(MESSAGES, messages_stream(["Done"], thoughts=["Let", " me"]))
    assert chunks[:2] == [AgentReasoning("Let"), AgentReasoning(" me")]
    assert text_of(chunks) == "Done"


@pytest.mark.parametrize(
    ("finish", "reason"),
    [("stop", "done"), ("length", "length"), ("tool_calls", "done"), (None, None)],
)
def test_chat_s_finish_reason_is_told(finish: str | None, reason: str | None) -> None:
    it = reader()
    it.feed(event({"choices": [{"delta": {}, "finish_reason": finish}]}))
    assert it.reason == reason


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ("end_turn", "done"),
        ("stop_sequence", "done"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
    ],
)
def test_messages_stop_reason_is_told(stop: str, reason: str) -> None:
    it = reader(MESSAGES)
    it.feed(messages_stream(["x"], reason=stop))
    assert (it.reason, it.is_over) == (reason, True)


@pytest.mark.parametrize(
    ("cut_by", "reason"), [(None, "done"), ("max_output_tokens", "length")]
)
def test_responses_status_is_told(cut_by: str | None, reason: str) -> None:
    it = reader(RESPONSES)
    it.feed(response_stream(["x"], cut_by=cut_by))
    assert (it.reason, it.is_over) == (reason, True)


@pytest.mark.parametrize(
    ("wire", "stream"),
    [
        (
            CHAT,
            event(
                {
                    "choices": [
                        {
                            "delta": {"content": "Half"},
                            "finish_reason": "content_filter",
                        }
                    ]
                }
            ),
        ),
        (RESPONSES, response_stream(["Half"], cut_by="content_filter")),
        (MESSAGES, messages_stream(["Half"], reason="refusal")),
    ],
)
def test_what_a_filter_ends_is_refused_and_the_words_before_are_kept(
    wire: Wire, stream: bytes
) -> None:
    it = reader(wire)
    assert text_of(it.feed(stream)) == "Half"
    assert it.failure is not None
    assert it.failure.code == "agent-refused"
    assert "What had come is kept" in it.failure.message


def test_a_cancelled_response_is_interrupted() -> None:
    it = reader(RESPONSES)
    response = {"object": "response", "status": "cancelled"}
    it.feed(event({"type": "response.cancelled", "response": response}))
    assert it.failure is not None
    assert it.failure.code == "agent-interrupted"


@pytest.mark.parametrize(
    "choice",
    [
        {"delta": {"content": [{"type": "text", "text": "hi"}, {"type": "x"}]}},
        {"message": {"role": "assistant", "content": "hi"}},
        {"delta": {"content": None, "refusal": "hi"}},
    ],
)
def test_other_shapes_of_text_are_read(choice: dict[str, Any]) -> None:
    assert reader().feed(event({"choices": [choice]})) == [AgentText("hi")]


@pytest.mark.parametrize(
    "data",
    ['{"choices":[]}', '{"choices":null}', " ", '{"choices":[{"delta":null}]}'],
)
def test_events_that_say_nothing_are_nothing(data: str) -> None:
    it = reader()
    assert it.feed(f"data: {data}\n\n".encode()) == []
    assert it.failure is None


@pytest.mark.parametrize("name", WIRES)
@pytest.mark.parametrize("data", ["nonsense", "[1]", '"x"', "{}", "[" * 100_000])
def test_what_is_not_the_format_is_told_with_the_place_to_look(
    name: str, data: str
) -> None:
    it = reader(WIRES[name])
    it.feed(f"data: {data}\n\n".encode())
    assert it.failure is not None
    assert it.failure.code == "agent-protocol"
    assert "/v1" in it.failure.message


def test_nothing_after_a_failure_is_part_of_the_reply() -> None:
    it = reader(MESSAGES)
    late = messages_error("overloaded_error", "Overloaded") + messages_stream(["more"])
    assert it.feed(late) == []
    assert it.failure is not None


def test_an_answer_that_is_not_streamed_is_taken() -> None:
    it = reader()
    body = {
        "choices": [{"message": {"content": "whole"}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": True},
    }
    assert it.whole(json.dumps(body)) == [AgentText("whole"), AgentUsage(1, None)]
    assert (it.reason, it.is_over) == ("length", True)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (
            {"message": "Rate limit", "type": "rate_limit_exceeded"},
            "agent-rate-limited",
        ),
        ({"message": "Slow down", "code": 429}, "agent-rate-limited"),
        ({"message": "No", "code": "invalid_api_key"}, "agent-key-refused"),
        ({"message": "CUDA out of memory"}, "agent-interrupted"),
        ("CUDA out of memory", "agent-interrupted"),
    ],
)
def test_an_error_in_the_middle_keeps_its_meaning(error: object, code: str) -> None:
    it = reader()
    it.feed(event({"error": error}))
    assert it.failure is not None
    assert it.failure.code == code


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("overloaded_error", "agent-rate-limited"),
        ("rate_limit_error", "agent-rate-limited"),
        ("authentication_error", "agent-key-refused"),
        ("api_error", "agent-interrupted"),
        ("invalid_request_error", "agent-refused"),
    ],
)
def test_an_error_event_of_messages_keeps_its_meaning(kind: str, code: str) -> None:
    it = reader(MESSAGES)
    it.feed(messages_error(kind, "Why"))
    assert it.failure is not None
    assert it.failure.code == code
    assert it.failure.message.endswith("It says: Why")


@pytest.mark.parametrize("before", [0, 100, 145, 280, 290, 297, 1190])
def test_no_half_of_a_key_is_left_wherever_words_are_cut(before: int) -> None:
    key = "sk-0123456789abcdefghij"
    for sign in ("x", " "):
        it = reader(MESSAGES, key)
        it.feed(messages_error("api_error", sign * before + key + " y" * 400))
        assert it.failure is not None
        assert key[:5] not in it.failure.message


KEYS = st.sampled_from(
    [
        "type",
        "message",
        "delta",
        "content",
        "choices",
        "error",
        "usage",
        "index",
        "content_block",
        "text",
        "thinking",
        "response",
        "output",
        "item",
        "part",
        "object",
        "status",
        "incomplete_details",
        "reason",
        "stop_reason",
        "finish_reason",
        "output_index",
        "content_index",
        "item_id",
        "id",
        "name",
        "tool_calls",
        "function",
        "arguments",
        "partial_json",
        "input_tokens",
        "output_tokens",
        "prompt_tokens",
        "summary",
    ]
)
WORDS = st.sampled_from(
    [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "message",
        "error",
        "response.output_text.delta",
        "response.output_text.done",
        "response.output_item.done",
        "response.completed",
        "response.failed",
        "response",
        "text_delta",
        "function_call",
        "output_text",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | WORDS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6)
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("name", WIRES)
@given(values=st.lists(st.dictionaries(KEYS, VALUES, max_size=6), max_size=4))
def test_no_event_of_any_shape_is_more_than_a_failure_in_words(
    name: str, values: list[dict[str, Any]]
) -> None:
    it, whole = reader(WIRES[name]), reader(WIRES[name])
    for value in values:
        it.feed(event(value))
        whole.whole(json.dumps(value))
    it.close()
    it.rest()
    for one in (it, whole):
        assert (
            one.failure is None
            or one.failure.message.endswith((".", "…"))
            or "It says: " in one.failure.message
        )


@pytest.mark.parametrize("name", WIRES)
@given(pieces=st.lists(st.binary(max_size=60), max_size=8))
def test_no_bytes_are_more_than_a_failure_in_words(
    name: str, pieces: list[bytes]
) -> None:
    it = reader(WIRES[name])
    for piece in pieces:
        it.feed(piece)
    it.close()
    assert it.failure is None or it.failure.code.startswith("agent-")
