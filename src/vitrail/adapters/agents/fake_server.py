"""A local server by hand, for tests: what it sends is told step by step.

It is never an agent that somebody could choose. It speaks HTTP itself, so that
a test decides where bytes are cut, when the connection drops and how long
nothing comes. Which requests a format's real server would refuse, its own
fake says.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self, TypeAlias

__all__ = [
    "FakeAnswer",
    "FakeRequest",
    "FakeServer",
    "Gate",
    "json_answer",
    "server_event",
]

_MAX_HEAD_BYTES: Final = 64 * 1024


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
    """Without its query."""
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes

    def json(self) -> Any:
        """Return the body's JSON."""
        return json.loads(self.body)


def json_answer(value: object, status: int = 200, **headers: str) -> FakeAnswer:
    """Return an answer of JSON; ``_`` in header names is ``-``."""
    given = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return FakeAnswer(
        (json.dumps(value).encode(),),
        status,
        (("Content-Type", "application/json"), *given),
    )


def server_event(kind: str, value: dict[str, object]) -> bytes:
    """Return one event with its name, ASCII only, as most servers write JSON."""
    data = json.dumps({"type": kind, **value})
    return f"event: {kind}\ndata: {data}\n\n".encode()


class FakeServer:
    """The server; a context that runs while it is entered.

    ``answers`` are given to prompts one after the other; when they are used up
    the last one is given again. A subclass says where prompts come and what is
    wrong with a request.
    """

    path = ""
    """Where prompts come."""

    def __init__(
        self,
        *answers: FakeAnswer,
        api_key: str | None = None,
        models: Sequence[str] = ("fake-1",),
    ) -> None:
        self._answers = list(answers)
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

    # --- what a subclass says ----------------------------------------------

    def unauthorized(self, request: FakeRequest) -> FakeAnswer | None:
        """Return how the key of a request is refused, if it is."""
        raise NotImplementedError

    def listed(self) -> FakeAnswer:
        """Return the list of models."""
        raise NotImplementedError

    def refused(self, status: int, message: str) -> FakeAnswer:
        """Return a refusal in the format's own shape."""
        raise NotImplementedError

    def fault(self, body: dict[str, Any]) -> FakeAnswer | None:
        """Return how a real server would refuse this prompt, if it would."""
        raise NotImplementedError

    # --- answering -----------------------------------------------------------

    def answer(self, request: FakeRequest) -> FakeAnswer:
        """Return the answer to a request."""
        if refused := self.unauthorized(request):
            return refused
        if (request.method, request.path) == ("GET", "/v1/models"):
            return self.listed()
        if (request.method, request.path) != ("POST", self.path):
            return self.refused(404, "Not found")
        if request.headers.get("content-type") != "application/json":
            return self.refused(415, "Expected application/json")
        try:
            body = request.json()
        except ValueError:
            return self.refused(400, "We could not parse the JSON body of your request")
        if not isinstance(body, dict):
            return self.refused(400, "Expected an object")
        if fault := self.fault(body):
            return fault
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

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
            await _send(writer, self.answer(request))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away, which is what some tests are about
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def _read_request(reader: asyncio.StreamReader) -> FakeRequest:
    head = (await reader.readuntil(b"\r\n\r\n"))[:_MAX_HEAD_BYTES]
    first, *lines = head.decode("latin-1").rstrip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return FakeRequest(method, path.partition("?")[0], headers, body)


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
