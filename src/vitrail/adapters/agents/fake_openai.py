"""Strict local servers of OpenAI's two formats, for tests; never an agent."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from vitrail.adapters.agents.fake_server import (
    FakeAnswer,
    FakeRequest,
    FakeServer,
    json_answer,
    server_event,
)

__all__ = [
    "FakeOpenAI",
    "FakeResponses",
    "chat_event",
    "chat_stream",
    "error_answer",
    "response_begins",
    "response_delta",
    "response_ends",
    "response_reply",
    "response_stream",
    "response_thought",
    "stream_answer",
]

_CHAT_KEYS: Final = frozenset({"model", "messages", "stream", "stream_options"})
_RESPONSES_KEYS: Final = frozenset(
    {"model", "input", "instructions", "stream", "store", "reasoning"}
)
_ROLES: Final = frozenset({"system", "user", "assistant"})


def error_answer(
    status: int, message: str, *, code: str | None = None, **headers: str
) -> FakeAnswer:
    """Return an answer with an ``error`` object; ``_`` in header names is ``-``."""
    error = {"message": message, "code": code, "type": "error"}
    return json_answer({"error": error}, status, **headers)


# --- Chat Completions ---------------------------------------------------------


def chat_event(delta: dict[str, object], *, finish: str | None = None) -> bytes:
    """Return one event of a stream, ASCII only, as most servers write JSON."""
    value = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return f"data: {json.dumps(value)}\n\n".encode()


def chat_stream(
    pieces: Iterable[str],
    *,
    finish: str = "stop",
    usage: tuple[int, int] | None = None,
) -> bytes:
    """Return the bytes of a whole, well-formed stream."""
    events = [chat_event({"role": "assistant", "content": ""})]
    events += [chat_event({"content": piece}) for piece in pieces]
    events.append(chat_event({}, finish=finish))
    if usage is not None:
        counts = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
        value = {"id": "chatcmpl-1", "choices": [], "usage": counts}
        events.append(f"data: {json.dumps(value)}\n\n".encode())
    return b"".join([*events, b"data: [DONE]\n\n"])


def stream_answer(*pieces: str, finish: str = "stop") -> FakeAnswer:
    """Return the answer that streams these pieces."""
    return FakeAnswer((chat_stream(pieces, finish=finish),))


class _OpenAIServer(FakeServer):
    """What OpenAI's two formats have in common: keys, errors, models."""

    def unauthorized(self, request: FakeRequest) -> FakeAnswer | None:
        sent_key = request.headers.get("authorization", "").removeprefix("Bearer ")
        if self._api_key is None or sent_key == self._api_key:
            return None
        # Real servers repeat the key they refuse, too.
        return error_answer(
            401, f"Incorrect API key provided: {sent_key}.", code="invalid_api_key"
        )

    def listed(self) -> FakeAnswer:
        data = [{"id": name, "object": "model"} for name in self._models]
        return json_answer({"object": "list", "data": data})

    def refused(self, status: int, message: str) -> FakeAnswer:
        return error_answer(status, message)

    def _refused_keys(
        self, body: dict[str, Any], known: frozenset[str]
    ) -> FakeAnswer | None:
        if unknown := body.keys() - known:
            return error_answer(400, f"Unknown parameter: {min(unknown)}")
        return None

    def _refused_model(self, body: dict[str, Any]) -> FakeAnswer | None:
        if body.get("model") in self._models:
            return None
        return error_answer(404, f"The model {body.get('model')!r} does not exist")


class FakeOpenAI(_OpenAIServer):
    """A server of Chat Completions; see `FakeServer`."""

    path = "/v1/chat/completions"

    def __init__(self, *answers: FakeAnswer, **options: Any) -> None:
        super().__init__(*(answers or (stream_answer("Ready."),)), **options)

    def fault(self, body: dict[str, Any]) -> FakeAnswer | None:
        """Return how a real server would refuse this prompt, if it would."""
        if refused := self._refused_keys(body, _CHAT_KEYS):
            return refused
        messages = body.get("messages")
        if not messages or not all(_is_message(message) for message in messages):
            return error_answer(400, "Invalid 'messages'")
        return self._refused_model(body)


def _is_message(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"role", "content"}
        and value["role"] in _ROLES
        and isinstance(value["content"], str)
    )


# --- Responses ------------------------------------------------------------------


def response_begins() -> bytes:
    """Return the events in front of the first piece of a reply."""
    response = {"id": "resp_1", "object": "response", "status": "in_progress"}
    item = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
    part = {"type": "output_text", "text": "", "annotations": []}
    return b"".join(
        [
            server_event("response.created", {"response": response}),
            server_event("response.in_progress", {"response": response}),
            server_event(
                "response.output_item.added", {"output_index": 0, "item": item}
            ),
            server_event("response.content_part.added", {**_PLACE, "part": part}),
        ]
    )


_PLACE: Final[dict[str, object]] = {
    "item_id": "msg_1",
    "output_index": 0,
    "content_index": 0,
}


def response_delta(text: str) -> bytes:
    """Return the event of one piece of a reply."""
    return server_event("response.output_text.delta", {**_PLACE, "delta": text})


def response_thought(text: str) -> bytes:
    """Return the event of one piece of a summary of the model's thinking."""
    return server_event(
        "response.reasoning_summary_text.delta",
        {"item_id": "rs_1", "output_index": 0, "summary_index": 0, "delta": text},
    )


def response_reply(
    text: str,
    *,
    cut_by: str | None = None,
    usage: tuple[int, int] | None = None,
) -> dict[str, object]:
    """Return the response object of a reply that is over; ``cut_by`` is why it is cut."""
    content = [{"type": "output_text", "text": text, "annotations": []}]
    counts = usage and {"input_tokens": usage[0], "output_tokens": usage[1]}
    item = {"id": "msg_1", "type": "message", "role": "assistant", "content": content}
    return {
        "id": "resp_1",
        "object": "response",
        "status": "incomplete" if cut_by else "completed",
        "incomplete_details": {"reason": cut_by} if cut_by else None,
        "error": None,
        "output": [item],
        "usage": counts,
    }


def response_ends(
    text: str,
    *,
    cut_by: str | None = None,
    usage: tuple[int, int] | None = None,
) -> bytes:
    """Return the events after the last piece of a reply, which repeat all of it."""
    response = response_reply(text, cut_by=cut_by, usage=usage)
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"id": "msg_1", "type": "message", "role": "assistant", "content": [part]}
    kind = "response.incomplete" if cut_by else "response.completed"
    return b"".join(
        [
            server_event("response.output_text.done", {**_PLACE, "text": text}),
            server_event("response.content_part.done", {**_PLACE, "part": part}),
            server_event(
                "response.output_item.done", {"output_index": 0, "item": item}
            ),
            server_event(kind, {"response": response}),
        ]
    )


def response_stream(
    pieces: Iterable[str],
    *,
    cut_by: str | None = None,
    usage: tuple[int, int] | None = None,
) -> bytes:
    """Return the bytes of a whole, well-formed stream."""
    told = tuple(pieces)
    return b"".join(
        [
            response_begins(),
            *map(response_delta, told),
            response_ends("".join(told), cut_by=cut_by, usage=usage),
        ]
    )


class FakeResponses(_OpenAIServer):
    """A server of Responses; see `FakeServer`."""

    path = "/v1/responses"

    def __init__(self, *answers: FakeAnswer, **options: Any) -> None:
        ready = FakeAnswer((response_stream(["Ready."]),))
        super().__init__(*(answers or (ready,)), **options)

    def fault(self, body: dict[str, Any]) -> FakeAnswer | None:
        """Return how a real server would refuse this prompt, if it would."""
        if refused := self._refused_keys(body, _RESPONSES_KEYS):
            return refused
        items = body.get("input")
        if not items or not all(_is_message(item) for item in items):
            return error_answer(400, "Invalid type for 'input'")
        if not isinstance(body.get("instructions", ""), str):
            return error_answer(400, "Invalid type for 'instructions'")
        return self._refused_model(body)
