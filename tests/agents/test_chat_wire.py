"""The wire format: what servers that call themselves compatible really send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.adapters.agents.chat_wire import (
    ChatReader,
    detail_of,
    model_names,
    refusal,
    request_body,
)
from vitrail.adapters.agents.fake_openai import chat_stream
from vitrail.adapters.agents.sse import SseDecoder
from vitrail.errors import AgentError
from vitrail.ports import (
    AgentChunk,
    AgentPrompt,
    AgentReasoning,
    AgentText,
    AgentUsage,
    PromptMessage,
)


def read(*pieces: bytes) -> list[AgentChunk]:
    reader, decoder = ChatReader("host"), SseDecoder()
    events = [event for piece in pieces for event in decoder.feed(piece)]
    chunks = [chunk for event in events for chunk in reader.event(event.data)]
    return chunks + reader.rest()


def text_of(chunks: list[AgentChunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, AgentText))


def event(**choice: Any) -> str:
    return json.dumps({"choices": [choice]})


SIGNS = "数据 🧪 👩🏽‍🚀 é"


def test_bytes_cut_anywhere_give_the_same_text() -> None:
    stream = chat_stream([SIGNS, ' "q" \n', "end"], usage=(3, 5))
    for at in range(len(stream) + 1):
        chunks = read(stream[:at], stream[at:])
        assert text_of(chunks) == f'{SIGNS} "q" \nend'
        assert chunks[-1] == AgentUsage(3, 5)


@given(st.text(), st.integers(1, 40))
def test_any_text_comes_through_any_cut(text: str, size: int) -> None:
    stream = chat_stream([text])
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert text_of(read(*pieces)) == text


def test_halves_of_a_character_in_two_events_are_joined() -> None:
    stream = (
        b'data: {"choices":[{"delta":{"content":"a\\ud83e"}}]}\n\n'
        b'data: {"choices":[{"delta":{"content":"\\uddea b"}}]}\n\n'
        b'data: {"choices":[{"delta":{"reasoning":"\\ud83e"}}]}\n\n'
        b'data: {"choices":[{"delta":{"reasoning":"\\uddea"}}]}\n\n'
    )
    chunks = read(stream)
    assert text_of(chunks) == "a🧪 b"
    assert AgentReasoning("🧪") in chunks


def test_a_half_that_stays_alone_is_one_replacement_sign() -> None:
    stream = b'data: {"choices":[{"delta":{"content":"a\\ud83e"}}]}\n\n'
    assert text_of(read(stream)) == "a\ufffd"


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_reasoning_has_a_channel_of_its_own(key: str) -> None:
    reader = ChatReader("host")
    assert reader.event(event(delta={key: "so", "content": None})) == [
        AgentReasoning("so")
    ]


@pytest.mark.parametrize(
    ("finish", "reason"),
    [("stop", "done"), ("length", "length"), ("tool_calls", "done"), (None, None)],
)
def test_the_finish_reason_is_told(finish: str | None, reason: str | None) -> None:
    reader = ChatReader("host")
    reader.event(event(delta={}, finish_reason=finish))
    assert reader.reason == reason


def test_a_content_filter_is_an_error_in_words() -> None:
    reader = ChatReader("host")
    with pytest.raises(AgentError, match="filter") as refused:
        reader.event(event(delta={}, finish_reason="content_filter"))
    assert refused.value.code == "agent-refused"


@pytest.mark.parametrize(
    "choice",
    [
        {"delta": {"content": [{"type": "text", "text": "hi"}, {"type": "x"}]}},
        {"message": {"role": "assistant", "content": "hi"}},
        {"delta": {"content": None, "refusal": "hi"}},
    ],
)
def test_other_shapes_of_text_are_read(choice: dict[str, Any]) -> None:
    assert ChatReader("host").event(event(**choice)) == [AgentText("hi")]


@pytest.mark.parametrize(
    "data",
    ['{"choices":[]}', '{"choices":null}', "{}", " ", '{"choices":[{"delta":null}]}'],
)
def test_events_that_say_nothing_are_nothing(data: str) -> None:
    assert ChatReader("host").event(data) == []


@pytest.mark.parametrize(
    "data",
    [
        "nonsense",
        "[1]",
        '"x"',
        '{"choices":5}',
        '{"choices":[7]}',
        '{"choices":[{"delta":"x"}]}',
        "[" * 100_000,
    ],
)
def test_what_is_not_the_format_is_told_with_the_place_to_look(data: str) -> None:
    with pytest.raises(AgentError, match="/v1") as refused:
        ChatReader("host").event(data)
    assert refused.value.code == "agent-protocol"


def test_an_answer_that_is_not_streamed_is_taken() -> None:
    reader = ChatReader("host")
    body = json.dumps(
        {
            "choices": [{"message": {"content": "whole"}, "finish_reason": "length"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": True},
        }
    )
    assert reader.whole(body) == [AgentText("whole"), AgentUsage(1, None)]
    assert (reader.reason, reader.is_over) == ("length", True)


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
    with pytest.raises(AgentError) as raised:
        ChatReader("host").event(json.dumps({"error": error}))
    assert raised.value.code == code


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ('{"error":{"message":"No\\nway"}}', "No way"),
        ('{"error":"flat"}', "flat"),
        ('{"detail":[{"msg":"field required"}]}', "field required"),
        ('{"message":"m"}', "m"),
        ("<html>long page</html>", ""),
        ("plain words", "plain words"),
        ("", ""),
        ("x" * 9999, "x" * 300 + "…"),
        ('{"error":{"message":"\\u001b[31mred"}}', "[31mred"),
    ],
)
def test_the_server_s_own_words_are_found_and_kept_short(
    body: str, detail: str
) -> None:
    assert detail_of(body) == detail


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (301, "agent-protocol"),
        (400, "agent-refused"),
        (401, "agent-key-refused"),
        (403, "agent-key-refused"),
        (404, "agent-refused"),
        (413, "agent-refused"),
        (429, "agent-rate-limited"),
        (500, "agent-failed"),
        (503, "agent-unreachable"),
    ],
)
def test_every_status_has_a_code_and_words(status: int, code: str) -> None:
    error = refusal("host", status, '{"error":"why"}', model="m")
    assert error.code == code
    assert error.message.startswith("host ")
    assert error.message.endswith("It says: why")


def test_without_a_key_the_words_ask_for_one() -> None:
    assert "wants a key" in refusal("host", 401, "", has_key=False).message
    assert "refused the key" in refusal("host", 401, "").message


def test_the_request_asks_for_a_stream_with_usage() -> None:
    prompt = AgentPrompt((PromptMessage("user", "hi"),))
    assert request_body(prompt, "m") == {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert "stream_options" not in request_body(prompt, "m", asks_usage=False)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ('{"data":[{"id":"b"},{"id":"a"},{"id":""},{"x":1},7]}', ("a", "b")),
        ('[{"id":"a"}]', ("a",)),
        ('{"data":{}}', ()),
        ("<html>", ()),
    ],
)
def test_models_are_listed_as_far_as_they_are_told(
    body: str, names: tuple[str, ...]
) -> None:
    assert model_names(body) == names
