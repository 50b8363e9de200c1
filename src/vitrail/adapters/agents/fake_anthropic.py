"""A strict local server of Anthropic's Messages format, for tests; never an agent."""

from __future__ import annotations

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
    "FakeAnthropic",
    "block_begins",
    "block_delta",
    "messages_begin",
    "messages_end",
    "messages_error",
    "messages_reply",
    "messages_stream",
    "refused_answer",
]

_KNOWN_KEYS: Final = frozenset(
    {"model", "max_tokens", "system", "messages", "stream", "thinking"}
)
_VERSION: Final = "2023-06-01"
_KINDS: Final = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}
"""What an error of each status is called."""

_MAX_TOKENS: Final = 64_000


def refused_answer(status: int, message: str, **headers: str) -> FakeAnswer:
    """Return an answer with an error; ``_`` in header names is ``-``."""
    return json_answer(
        _error(_KINDS.get(status, "api_error"), message), status, **headers
    )


def _error(kind: str, message: str) -> dict[str, object]:
    error = {"type": kind, "message": message}
    return {"type": "error", "error": error, "request_id": "req_1"}


# --- the stream -----------------------------------------------------------------


def messages_begin(input_tokens: int = 25) -> bytes:
    """Return the event that begins a reply."""
    message = {**messages_reply("", input_tokens=input_tokens), "content": []}
    return server_event("message_start", {"message": message | {"stop_reason": None}})


def block_begins(kind: str = "text", index: int = 0) -> bytes:
    """Return the event that begins a ``text`` or ``thinking`` block."""
    block: dict[str, object] = {"type": kind, kind: ""}
    if kind == "thinking":
        block["signature"] = ""
    return server_event("content_block_start", {"index": index, "content_block": block})


def block_delta(text: str, kind: str = "text", index: int = 0) -> bytes:
    """Return the event of one piece of a ``text`` or ``thinking`` block."""
    delta = {"type": f"{kind}_delta", kind: text}
    return server_event("content_block_delta", {"index": index, "delta": delta})


def messages_end(
    reason: str = "end_turn", *, output_tokens: int = 15, index: int = 0
) -> bytes:
    """Return the events after the last piece of a reply."""
    delta = {"stop_reason": reason, "stop_sequence": None}
    return b"".join(
        [
            server_event("content_block_stop", {"index": index}),
            server_event(
                "message_delta",
                {"delta": delta, "usage": {"output_tokens": output_tokens}},
            ),
            server_event("message_stop", {}),
        ]
    )


def messages_error(kind: str, message: str) -> bytes:
    """Return the event of an error in the middle of a reply."""
    return server_event("error", {"error": {"type": kind, "message": message}})


def messages_stream(
    pieces: Iterable[str],
    *,
    thoughts: Iterable[str] = (),
    reason: str = "end_turn",
    usage: tuple[int, int] = (25, 15),
) -> bytes:
    """Return the bytes of a whole, well-formed stream, its thinking first."""
    events = [messages_begin(usage[0]), server_event("ping", {})]
    index = 0
    thinking = [block_delta(thought, "thinking") for thought in thoughts]
    if thinking:
        signature = {"type": "signature_delta", "signature": "EqQBCgIYAhIM"}
        events += [block_begins("thinking"), *thinking]
        events.append(
            server_event("content_block_delta", {"index": 0, "delta": signature})
        )
        events.append(server_event("content_block_stop", {"index": 0}))
        index = 1
    events.append(block_begins(index=index))
    events += [block_delta(piece, index=index) for piece in pieces]
    events.append(messages_end(reason, output_tokens=usage[1], index=index))
    return b"".join(events)


def messages_reply(
    text: str, *, reason: str = "end_turn", input_tokens: int = 25
) -> dict[str, object]:
    """Return a reply in one piece, as it comes where no stream was made."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "fake-1",
        "content": [{"type": "text", "text": text}],
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": input_tokens, "output_tokens": 1},
    }


# --- the server -------------------------------------------------------------------


class FakeAnthropic(FakeServer):
    """A server of Messages; see `FakeServer`.

    ``max_tokens`` is the most that its model writes; ``thinks`` says whether
    the model decides about its thinking, as the newer ones do.
    """

    path = "/v1/messages"

    def __init__(
        self,
        *answers: FakeAnswer,
        max_tokens: int = _MAX_TOKENS,
        thinks: bool = True,
        **options: Any,
    ) -> None:
        ready = FakeAnswer((messages_stream(["Ready."]),))
        super().__init__(*(answers or (ready,)), **options)
        self._max_tokens = max_tokens
        self._thinks = thinks

    def unauthorized(self, request: FakeRequest) -> FakeAnswer | None:
        """Return how the key or the version of a request is refused, if it is."""
        key = request.headers.get("x-api-key")
        if self._api_key is not None and key is None:
            return refused_answer(401, "x-api-key header is required")
        if self._api_key is not None and key != self._api_key:
            # A gateway in front of it may repeat the key.
            return refused_answer(401, f"invalid x-api-key {key}")
        if request.headers.get("anthropic-version") is None:
            return refused_answer(400, "anthropic-version: header is required")
        if request.headers["anthropic-version"] != _VERSION:
            return refused_answer(400, "anthropic-version: unknown version")
        return None

    def listed(self) -> FakeAnswer:
        """Return the list of models."""
        data = [
            {"type": "model", "id": name, "display_name": name} for name in self._models
        ]
        return json_answer({"data": data, "has_more": False})

    def refused(self, status: int, message: str) -> FakeAnswer:
        """Return a refusal in the format's own shape."""
        return refused_answer(status, message)

    def fault(self, body: dict[str, Any]) -> FakeAnswer | None:
        """Return how a real server would refuse this prompt, if it would."""
        if unknown := body.keys() - _KNOWN_KEYS:
            return refused_answer(
                400, f"{min(unknown)}: Extra inputs are not permitted"
            )
        tokens = body.get("max_tokens")
        if not isinstance(tokens, int):
            return refused_answer(400, "max_tokens: Field required")
        if wrong := _wrong_messages(body.get("messages")):
            return refused_answer(400, wrong)
        if not isinstance(body.get("system", ""), str):
            return refused_answer(400, "system: Input should be a valid string")
        if body.get("model") not in self._models:
            return refused_answer(404, f"model: {body.get('model')}")
        if "thinking" in body and not self._thinks:
            return refused_answer(
                400, "adaptive thinking is not supported on this model"
            )
        if tokens > self._max_tokens:
            return refused_answer(
                400,
                f"max_tokens: {tokens} > {self._max_tokens}, which is the maximum "
                f"allowed number of output tokens for {body['model']}",
            )
        return None


def _wrong_messages(messages: object) -> str | None:
    """Return what is wrong with the turns, in the real server's words."""
    if not isinstance(messages, list) or not messages:
        return "messages: at least one message is required"
    for at, message in enumerate(messages):
        if not isinstance(message, dict) or message.keys() != {"role", "content"}:
            return f"messages.{at}: Extra inputs are not permitted"
        if message["role"] not in ("user", "assistant"):
            return f'messages: Unexpected role "{message["role"]}"'
        if not isinstance(message["content"], str) or not message["content"].strip():
            return "messages: text content blocks must contain non-whitespace text"
    if messages[0]["role"] != "user":
        return 'messages: first message must use the "user" role'
    last = messages[-1]
    if last["role"] == "assistant" and last["content"] != last["content"].rstrip():
        return "messages: final assistant content cannot end with trailing whitespace"
    return None
