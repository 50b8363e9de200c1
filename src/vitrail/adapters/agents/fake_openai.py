"""A strict local server of the Chat Completions format, for tests.

It is never an agent that somebody could choose. It speaks HTTP by hand, so
that a test decides where bytes are cut, when the connection drops and how long
nothing comes; and it refuses requests that a real server would refuse.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self, TypeAlias

__all__ = [
    "FakeAnswer",
    "FakeOpenAI",
    "FakeRequest",
    "Gate",
    "chat_event",
    "chat_stream",
    "error_answer",
    "stream_answer",
]

_MAX_HEAD_BYTES: Final = 64 * 1024
_KNOWN_KEYS: Final = frozenset({"model", "messages", "stream", "stream_options"})
_ROLES: Final = frozenset({"system", "user", "assistant"})


@dataclass(frozen=True, slots=True)
class Gate:
    """A place in an answer where the server waits until the test opens it."""

    opened: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)


_Step: TypeAlias = bytes | Gate | Literal["drop"]
"""Bytes to send, a gate to wait at, or the end of the connection in the middle."""


@dataclass(frozen=True, slots=True)
class FakeAnswer:
    """One answer: what is sent, step by step."""

    steps: tuple[_Step, ...]
    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/event-stream"),)


@dataclass(frozen=True, slots=True)
class FakeRequest:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes

    def json(self) -> Any:
        """Return the body's JSON."""
        return json.loads(self.body)


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


def error_answer(
    status: int, message: str, *, code: str | None = None, **headers: str
) -> FakeAnswer:
    """Return an answer with an ``error`` object; ``_`` in header names is ``-``."""
    body = json.dumps({"error": {"message": message, "code": code, "type": "error"}})
    given = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return FakeAnswer(
        (body.encode(),), status, (("Content-Type", "application/json"), *given)
    )


class FakeOpenAI:
    """The server; a context that runs while it is entered.

    ``answers`` are given to chat requests one after the other; when they are
    used up the last one is given again.
    """

    def __init__(
        self,
        *answers: FakeAnswer,
        api_key: str | None = None,
        models: Sequence[str] = ("fake-1",),
    ) -> None:
        self._answers = list(answers) or [stream_answer("Ready.")]
        self._api_key = api_key
        self._models = tuple(models)
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self.requests: list[FakeRequest] = []
        """Every request that came, in order."""
        self.base_url = ""
        """Where it listens; known once it is entered."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)
        try:
            request = await _read_request(reader)
            self.requests.append(request)
            await _send(writer, self._answer(request))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away, which is what some tests are about
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    def _answer(self, request: FakeRequest) -> FakeAnswer:
        sent_key = request.headers.get("authorization", "").removeprefix("Bearer ")
        if self._api_key is not None and sent_key != self._api_key:
            # Real servers repeat the key they refuse, too.
            return error_answer(
                401, f"Incorrect API key provided: {sent_key}.", code="invalid_api_key"
            )
        if (request.method, request.path) == ("GET", "/v1/models"):
            listed = {"object": "list", "data": [{"id": name} for name in self._models]}
            return FakeAnswer(
                (json.dumps(listed).encode(),),
                headers=(("Content-Type", "application/json"),),
            )
        if (request.method, request.path) != ("POST", "/v1/chat/completions"):
            return error_answer(404, "Not found")
        if fault := self._fault(request):
            return fault
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    def _fault(self, request: FakeRequest) -> FakeAnswer | None:
        """Return how a real server would refuse the request, if it would."""
        if request.headers.get("content-type") != "application/json":
            return error_answer(415, "Expected application/json")
        try:
            body = request.json()
        except ValueError:
            return error_answer(400, "We could not parse the JSON body of your request")
        if unknown := body.keys() - _KNOWN_KEYS:
            return error_answer(400, f"Unknown parameter: {min(unknown)}")
        messages = body.get("messages")
        if not messages or not all(_is_message(message) for message in messages):
            return error_answer(400, "Invalid 'messages'")
        if body.get("model") not in self._models:
            return error_answer(404, f"The model {body.get('model')!r} does not exist")
        return None


def _is_message(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"role", "content"}
        and value["role"] in _ROLES
        and isinstance(value["content"], str)
    )


async def _read_request(reader: asyncio.StreamReader) -> FakeRequest:
    head = (await reader.readuntil(b"\r\n\r\n"))[:_MAX_HEAD_BYTES]
    first, *lines = head.decode("latin-1").rstrip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return FakeRequest(method, path, headers, body)


async def _send(writer: asyncio.StreamWriter, answer: FakeAnswer) -> None:
    """Send an answer with chunked coding, one chunk for each step."""
    head = [f"HTTP/1.1 {answer.status} Status"]
    head += [f"{name}: {value}" for name, value in answer.headers]
    head += ["Transfer-Encoding: chunked", "Connection: close", "", ""]
    writer.write("\r\n".join(head).encode("latin-1"))
    for step in answer.steps:
        match step:
            case bytes():
                if step:
                    writer.write(b"%x\r\n%b\r\n" % (len(step), step))
                await writer.drain()
            case Gate():
                step.reached.set()
                await step.opened.wait()
            case "drop":
                writer.transport.abort()
                return
    writer.write(b"0\r\n\r\n")
    await writer.drain()
