"""The Chat Completions wire format: what is sent, and what comes back.

Strategy: no IO here. `ChatReader` takes the events of the stream, or a whole
answer, and gives chunks; `refusal` turns a status and a body into an error in
words. Servers that call themselves compatible differ in small ways, and every
way that is taken care of is named where it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from vitrail.core.text import SurrogateJoiner
from vitrail.core.text.scrub import scrub
from vitrail.errors import AgentError
from vitrail.ports import (
    AgentChunk,
    AgentPrompt,
    AgentReasoning,
    AgentText,
    AgentUsage,
)
from vitrail.protocol.events import RunEndReason

__all__ = [
    "ChatReader",
    "detail_of",
    "model_names",
    "refusal",
    "request_body",
]

_DETAIL_CHARS: Final = 300
"""Of what a server says about an error, what is shown."""

_REASONING_KEYS: Final = ("reasoning_content", "reasoning")
"""DeepSeek, vLLM and llama.cpp say the first, OpenRouter and Ollama the second."""

_TOLD_BY_STATUS: Final = frozenset({401, 403, 429, 529})
_STATUS_DIGITS: Final = 3


def request_body(
    prompt: AgentPrompt, model: str, *, asks_usage: bool = True
) -> dict[str, object]:
    """Return the body of a request for a streamed answer."""
    body: dict[str, object] = {
        "model": model,
        "messages": [
            {"role": message.role, "content": message.content}
            for message in prompt.messages
        ],
        "stream": True,
    }
    if asks_usage:
        body["stream_options"] = {"include_usage": True}
    return body


# --- the answer ---------------------------------------------------------


class ChatReader:
    """The answer of one request, in pieces or whole.

    ``reason`` is set once the server has said why it stopped; ``is_over``
    once nothing more can come.
    """

    def __init__(self, host: str, secrets: Iterable[str] = ()) -> None:
        """``secrets`` are taken out of what an error says."""
        self._host = host
        self._secrets = tuple(secrets)
        self._text = SurrogateJoiner()
        self._reasoning = SurrogateJoiner()
        self.reason: RunEndReason | None = None
        self.is_over = False

    def event(self, data: str) -> list[AgentChunk]:
        """Return the chunks of one event's data; raise ``AgentError``."""
        if data.strip() == "[DONE]":
            self.is_over = True
            return []
        if not data.strip():
            return []
        return self._answer(self._parsed(data), "delta")

    def whole(self, body: str) -> list[AgentChunk]:
        """Return the chunks of an answer that was not streamed."""
        chunks = self._answer(self._parsed(body), "message")
        self.reason = self.reason or "done"
        self.is_over = True
        return chunks

    def rest(self) -> list[AgentChunk]:
        """Return what is left at the end: the sign for half a character, if any."""
        chunks: list[AgentChunk] = []
        if thought := self._reasoning.close():
            chunks.append(AgentReasoning(thought))
        if text := self._text.close():
            chunks.append(AgentText(text))
        return chunks

    def _parsed(self, data: str) -> dict[str, Any]:
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as cause:
            raise self._not_the_format("what is no JSON") from cause
        if not isinstance(value, dict):
            raise self._not_the_format("JSON that is no object")
        return value

    def _answer(self, value: Mapping[str, Any], key: str) -> list[AgentChunk]:
        if error := value.get("error"):
            raise _error_inside(self._host, error, self._secrets)
        chunks: list[AgentChunk] = []
        choices = value.get("choices") or []
        if not isinstance(choices, Sequence):
            raise self._not_the_format("choices that are no list")
        for choice in choices[:1]:
            if not isinstance(choice, Mapping):
                raise self._not_the_format("a choice that is no object")
            chunks += self._choice(choice, key)
        usage = value.get("usage")
        if isinstance(usage, Mapping):
            chunks.append(
                AgentUsage(
                    _count(usage.get("prompt_tokens")),
                    _count(usage.get("completion_tokens")),
                )
            )
        return chunks

    def _choice(self, choice: Mapping[str, Any], key: str) -> list[AgentChunk]:
        # A few servers put ``message`` into stream events, or ``delta`` nowhere.
        said = choice.get(key) or choice.get("message") or choice.get("delta") or {}
        if not isinstance(said, Mapping):
            raise self._not_the_format("a message that is no object")
        chunks: list[AgentChunk] = []
        for name in _REASONING_KEYS:
            thought = said.get(name)
            if isinstance(thought, str):
                thought = self._reasoning.feed(thought)
                chunks += [AgentReasoning(thought)] if thought else []
                break
        text = self._text.feed(_content(said))
        chunks += [AgentText(text)] if text else []
        self._finish(choice.get("finish_reason"))
        return chunks

    def _finish(self, reason: object) -> None:
        match reason:
            case None | "":
                pass
            case "length":
                self.reason = "length"
            case "content_filter":
                raise AgentError(
                    f"A content filter of {self._host} ended the reply. "
                    "What had come is kept.",
                    code="agent-refused",
                )
            case _:
                self.reason = "done"

    def _not_the_format(self, what: str) -> AgentError:
        return AgentError(
            f"{self._host} sent {what}, so it does not speak the Chat Completions "
            "format here. Check the address; it usually ends with /v1.",
            code="agent-protocol",
        )


def _content(said: Mapping[str, Any]) -> str:
    content = said.get("content")
    if content is None:
        content = said.get("refusal")
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # content parts, as some gateways send them
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(text for text in texts if isinstance(text, str))
    return ""


def _count(value: object) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count and isinstance(value, int) else None


# --- models -------------------------------------------------------------


def model_names(body: str) -> tuple[str, ...]:
    """Return the names in the answer of ``GET /models``, sorted; none if it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    items = value.get("data") if isinstance(value, dict) else value
    if not isinstance(items, list):
        return ()
    names = {item.get("id") for item in items if isinstance(item, dict)}
    return tuple(sorted(name for name in names if isinstance(name, str) and name))


# --- errors -------------------------------------------------------------


def detail_of(body: str, secrets: Iterable[str] = ()) -> str:
    """Return in one line what an error's body says; may be empty.

    The secrets are gone before the line is cut, so that no half of one is left.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        is_page = body.lstrip()[:1] == "<"
        return "" if is_page else _one_line(body, secrets)
    return _one_line(_message_in(value), secrets)


def _message_in(value: object) -> str:
    """Return the message of the shapes that are about: error, message, detail."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _message_in(value[0]) if value else ""
    if isinstance(value, Mapping):
        for key in ("error", "message", "detail", "msg"):
            if found := _message_in(value.get(key)):
                return found
    return ""


def _one_line(text: str, secrets: Iterable[str]) -> str:
    line = " ".join(scrub(text, secrets)[: 4 * _DETAIL_CHARS].split())
    printable = "".join(sign for sign in line if sign.isprintable())
    if len(printable) <= _DETAIL_CHARS:
        return printable
    return f"{printable[:_DETAIL_CHARS]}…"


def refusal(
    host: str,
    status: int,
    body: str,
    *,
    model: str = "",
    has_key: bool = True,
    secrets: Iterable[str] = (),
) -> AgentError:
    """Return the error for an answer whose status is not a success."""
    detail = detail_of(body, secrets)
    code, words = _words(status, model=model, has_key=has_key)
    said = f" It says: {detail}" if detail else ""
    return AgentError(f"{host} {words}{said}", code=code, status=status)


def _words(status: int, *, model: str, has_key: bool) -> tuple[str, str]:
    """Return the code and the words for a status; the words follow the host's name."""
    match status:
        case 401 | 403:
            return "agent-key-refused", (
                f"refused the key ({status}). Enter another one in the model settings."
                if has_key
                else f"wants a key ({status}). Enter one in the model settings."
            )
        case 404:
            return "agent-refused", (
                f"has no model {model!r}, or no chat completions at this address "
                "(404). Check both in the model settings."
            )
        case 429 | 529:
            return "agent-rate-limited", (
                f"takes no more requests for now ({status}). Try again later, or "
                "check the limits of your account."
            )
        case 502 | 503 | 504:
            return "agent-unreachable", (
                f"answers, but the model behind it does not ({status}). Try again in "
                "a moment."
            )
        case _:
            return _words_by_class(status)


def _words_by_class(status: int) -> tuple[str, str]:
    match status // 100:
        case 3:
            return "agent-protocol", (
                f"sends requests on to another address ({status}). Enter that address "
                "in the model settings."
            )
        case 5:
            return "agent-failed", f"failed ({status})."
        case _:
            return "agent-refused", f"refused the request ({status})."


def _error_inside(host: str, error: object, secrets: Iterable[str]) -> AgentError:
    """Return the error for an ``error`` object in the middle of a stream."""
    status = _status_in(error)
    if status in _TOLD_BY_STATUS:
        return refusal(host, status, json.dumps({"error": error}), secrets=secrets)
    detail = _one_line(_message_in(error), secrets)
    return AgentError(
        f"{host} broke off the reply. What had come is kept."
        + (f" It says: {detail}" if detail else ""),
        code="agent-interrupted",
    )


def _status_in(error: object) -> int:
    """Return the HTTP status that an ``error`` object names or means, or 0."""
    if not isinstance(error, Mapping):
        return 0
    kind = f"{error.get('type', '')} {error.get('code', '')}".lower()
    if "rate_limit" in kind or "overloaded" in kind:
        return 429
    if "api_key" in kind or "authentication" in kind:
        return 401
    for key in ("code", "status", "status_code"):
        digits = str(error.get(key))
        if digits.isascii() and digits.isdigit() and len(digits) == _STATUS_DIGITS:
            return int(digits)
    return 0
