"""What is asked of a model server, in each of the three formats.

Strategy: a format says where a prompt is sent, with which headers and in which
body, and which decoder of `vitrail.core.parse.inputs` reads what comes back.
Nothing here does IO; `vitrail.adapters.agents.model_agent` does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final, Protocol, TypeGuard

from vitrail.core.parse.inputs import (
    ChatCompletionsDecoder,
    MessagesDecoder,
    ResponsesDecoder,
    WireDecoder,
)
from vitrail.ports import AgentPrompt

__all__ = ["CHAT", "MAX_MODEL_CHARS", "MESSAGES", "RESPONSES", "Wire", "model_names"]

_ANTHROPIC_VERSION: Final = "2023-06-01"
_MAX_TOKENS: Final = 64_000
"""What a reply of the Messages format may have, thinking included; a model that writes
less says how much."""

MAX_MODEL_CHARS: Final = 200
"""Longest name of a model."""
_MAX_MODELS: Final = 2000
"""Of a server's list, what is shown; the longest of a gateway has some hundreds."""

_TOKENS_ALLOWED: Final = re.compile(r"max_tokens: \d{1,9} > (\d{1,9})")
"""How the Messages API says that a model writes less."""


class Wire(Protocol):
    """One wire format; it has no state."""

    what: str
    """What a server of this format answers with, for messages."""
    path: str
    """Where a prompt is sent, below the base URL."""
    models_path: str
    """Where the models are listed, below the base URL."""

    def headers(self, api_key: str | None) -> dict[str, str]:
        """Return the headers that carry the key, and those the format demands."""
        ...

    def body(self, prompt: AgentPrompt, model: str) -> dict[str, object]:
        """Return the body of a request for a streamed answer."""
        ...

    def plainer(
        self, asked: Mapping[str, object], said: str
    ) -> dict[str, object] | None:
        """Return the body to ask with instead, after a refusal that said this.

        None where nothing that is optional was refused. Each body returned asks
        for less than the one before, so that asking again comes to an end.
        """
        ...

    def decoder(self) -> WireDecoder:
        """Return a new decoder for one answer."""
        ...


class _Chat:
    """Chat Completions, as OpenAI and every compatible server speak it."""

    what = "chat completions"
    path = "/chat/completions"
    models_path = "/models"

    def headers(self, api_key: str | None) -> dict[str, str]:
        return _bearer(api_key)

    def body(self, prompt: AgentPrompt, model: str) -> dict[str, object]:
        return {
            "model": model,
            "messages": _messages(prompt),
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    def plainer(
        self, asked: Mapping[str, object], said: str
    ) -> dict[str, object] | None:
        return _without_named(asked, said, ("stream_options",))

    def decoder(self) -> ChatCompletionsDecoder:
        return ChatCompletionsDecoder()


class _Responses:
    """OpenAI's Responses."""

    what = "responses"
    path = "/responses"
    models_path = "/models"

    def headers(self, api_key: str | None) -> dict[str, str]:
        return _bearer(api_key)

    def body(self, prompt: AgentPrompt, model: str) -> dict[str, object]:
        system = _system(prompt)
        spoken = [item for item in _messages(prompt) if item["role"] != "system"]
        return {
            "model": model,
            **({"instructions": system} if system else {}),
            "input": spoken,
            "stream": True,
            "store": False,  # the conversation is kept here, and nowhere else
            "reasoning": {"summary": "auto"},
        }

    def plainer(
        self, asked: Mapping[str, object], said: str
    ) -> dict[str, object] | None:
        return _without_named(asked, said, ("reasoning", "store"))

    def decoder(self) -> ResponsesDecoder:
        return ResponsesDecoder()


class _Messages:
    """Anthropic's Messages."""

    what = "messages"
    path = "/messages"
    models_path = "/models?limit=1000"

    def headers(self, api_key: str | None) -> dict[str, str]:
        version = {"anthropic-version": _ANTHROPIC_VERSION}
        return version | ({"x-api-key": api_key} if api_key else {})

    def body(self, prompt: AgentPrompt, model: str) -> dict[str, object]:
        system = _system(prompt)
        return {
            "model": model,
            "max_tokens": _MAX_TOKENS,
            **({"system": system} if system else {}),
            "messages": _turns(prompt),
            "stream": True,
            # The model decides whether to think; what it thinks comes in words.
            "thinking": {"type": "adaptive", "display": "summarized"},
        }

    def plainer(
        self, asked: Mapping[str, object], said: str
    ) -> dict[str, object] | None:
        told = _TOKENS_ALLOWED.search(said)
        tokens, before = int(told[1]) if told else 0, asked.get("max_tokens")
        if isinstance(before, int) and 0 < tokens < before:
            return {**asked, "max_tokens": tokens}
        return _without_named(asked, said, ("thinking",))

    def decoder(self) -> MessagesDecoder:
        return MessagesDecoder()


CHAT: Final[Wire] = _Chat()
"""Chat Completions."""
RESPONSES: Final[Wire] = _Responses()
"""OpenAI's Responses."""
MESSAGES: Final[Wire] = _Messages()
"""Anthropic's Messages."""


def _bearer(api_key: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {api_key}"} if api_key else {}


def _messages(prompt: AgentPrompt) -> list[dict[str, str]]:
    return [
        {"role": message.role, "content": message.content}
        for message in prompt.messages
    ]


def _system(prompt: AgentPrompt) -> str:
    """Return all instructions as one text."""
    texts = [item.content for item in prompt.messages if item.role == "system"]
    return "\n\n".join(texts)


def _turns(prompt: AgentPrompt) -> list[dict[str, str]]:
    """Return the turns as Messages takes them: none blank, the person's first.

    The Messages API refuses a blank text, a reply in front of the first
    question (older messages were left out), and white space at the end of a
    reply that the model is to go on with.
    """
    turns = [
        item
        for item in _messages(prompt)
        if item["role"] != "system" and item["content"].strip()
    ]
    if turns and turns[0]["role"] == "assistant":
        turns.insert(0, {"role": "user", "content": "(Earlier messages are left out.)"})
    if turns and turns[-1]["role"] == "assistant":
        turns[-1]["content"] = turns[-1]["content"].rstrip()
    return turns


def _without_named(
    asked: Mapping[str, object], said: str, optional: tuple[str, ...]
) -> dict[str, object] | None:
    """Return the body without the first optional key that a refusal names, or None."""
    refused = next((key for key in optional if key in asked and key in said), None)
    if refused is None:
        return None
    return {key: value for key, value in asked.items() if key != refused}


def model_names(body: str) -> tuple[str, ...] | None:
    """Return the names in a server's list of models, sorted; None if it is no list.

    What is no name that could be asked for is left out. ``GET /models`` of all formats has ``data`` with an ``id`` each, Ollama's
    ``/api/tags`` has ``models`` with a ``name`` each.

    >>> model_names('{"models": [{"name": "qwen3:8b"}]}')
    ('qwen3:8b',)
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        value = value.get("data", value.get("models"))
    if not isinstance(value, list):
        return None
    named = [
        item.get("id", item.get("name")) for item in value if isinstance(item, dict)
    ]
    return tuple(sorted({name for name in named if _is_name(name)})[:_MAX_MODELS])


def _is_name(name: object) -> TypeGuard[str]:
    if not isinstance(name, str) or not name.isprintable():
        return False
    return 0 < len(name) <= MAX_MODEL_CHARS
