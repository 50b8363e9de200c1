"""What is asked of a server in each format, and asked again where less is wanted."""

from __future__ import annotations

import pytest

from vitrail.adapters.agents.wire import CHAT, MESSAGES, RESPONSES, model_names
from vitrail.ports import AgentPrompt, PromptMessage

PROMPT = AgentPrompt(
    (
        PromptMessage("system", "S"),
        PromptMessage("user", "hi"),
        PromptMessage("assistant", "yes"),
        PromptMessage("user", "go"),
    )
)
TURNS = [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": "yes"},
    {"role": "user", "content": "go"},
]


def test_chat_asks_for_a_stream_with_usage() -> None:
    body = CHAT.body(PROMPT, "m")
    assert body == {
        "model": "m",
        "messages": [{"role": "system", "content": "S"}, *TURNS],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    plainer = CHAT.plainer(body, "Unknown parameter: stream_options")
    assert plainer is not None
    assert "stream_options" not in plainer
    assert CHAT.plainer(plainer, "Unknown parameter: stream_options") is None
    assert CHAT.plainer(body, "Too long") is None


def test_responses_keeps_nothing_at_the_server() -> None:
    body = RESPONSES.body(PROMPT, "m")
    assert body == {
        "model": "m",
        "instructions": "S",
        "input": TURNS,
        "stream": True,
        "store": False,
        "reasoning": {"summary": "auto"},
    }
    plainer = RESPONSES.plainer(body, "Unsupported parameter: 'reasoning.summary'")
    assert plainer is not None
    assert "reasoning" not in plainer
    assert RESPONSES.plainer(plainer, "Unsupported parameter: 'reasoning'") is None


def test_messages_has_its_instructions_apart_and_says_how_long_a_reply_may_be() -> None:
    body = MESSAGES.body(PROMPT, "m")
    assert body == {
        "model": "m",
        "max_tokens": 64_000,
        "system": "S",
        "messages": TURNS,
        "stream": True,
        "thinking": {"type": "adaptive", "display": "summarized"},
    }
    said = "max_tokens: 64000 > 8192, which is the maximum allowed number"
    plainer = MESSAGES.plainer(body, said)
    assert plainer is not None
    assert plainer["max_tokens"] == 8192
    assert MESSAGES.plainer(plainer, said) is None
    assert MESSAGES.plainer(body, "max_tokens: 5 > 64000") is None
    said = "adaptive thinking is not supported on this model"
    thoughtless = MESSAGES.plainer(plainer, said)
    assert thoughtless is not None
    assert "thinking" not in thoughtless
    assert MESSAGES.plainer(thoughtless, said) is None


def test_messages_is_never_sent_what_it_refuses() -> None:
    prompt = AgentPrompt(
        (
            PromptMessage("assistant", "an old reply"),
            PromptMessage("user", " \n"),
            PromptMessage("user", "go on"),
            PromptMessage("assistant", "half a \n"),
        )
    )
    body = MESSAGES.body(prompt, "m")
    assert "system" not in body
    assert body["messages"] == [
        {"role": "user", "content": "(Earlier messages are left out.)"},
        {"role": "assistant", "content": "an old reply"},
        {"role": "user", "content": "go on"},
        {"role": "assistant", "content": "half a"},
    ]


def test_a_key_is_in_the_header_of_its_format_and_nowhere_without_one() -> None:
    assert CHAT.headers("k") == {"Authorization": "Bearer k"}
    assert RESPONSES.headers("k") == {"Authorization": "Bearer k"}
    assert MESSAGES.headers("k") == {
        "anthropic-version": "2023-06-01",
        "x-api-key": "k",
    }
    assert CHAT.headers(None) == {}
    assert MESSAGES.headers(None) == {"anthropic-version": "2023-06-01"}


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ('{"data":[{"id":"b"},{"id":"a"},{"id":""},{"x":1},7]}', ("a", "b")),
        ('{"data":[{"id":["a"]},{"id":"a\\nb"},{"id":null}]}', ()),
        ('{"models":[{"name":"qwen3:8b","model":"qwen3:8b"}]}', ("qwen3:8b",)),
        ('[{"id":"a"}]', ("a",)),
        ('{"data":[]}', ()),
        ('{"data":{}}', None),
        ('{"object":"list"}', None),
        ("<html>", None),
        ("[" * 100_000, None),
    ],
)
def test_models_are_listed_as_far_as_they_are_told(
    body: str, names: tuple[str, ...] | None
) -> None:
    assert model_names(body) == names


def test_names_that_nobody_could_ask_for_are_left_out() -> None:
    long = "x" * 201
    assert model_names(f'{{"data":[{{"id":"{long}"}},{{"id":"a"}}]}}') == ("a",)
