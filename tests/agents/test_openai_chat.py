"""The ``openai`` agent against a server that speaks the real wire format."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from vitrail.adapters.agents.endpoint import endpoint_of
from vitrail.adapters.agents.fake_openai import (
    FakeAnswer,
    FakeOpenAI,
    Gate,
    chat_event,
    chat_stream,
    error_answer,
    stream_answer,
)
from vitrail.adapters.agents.openai_chat import ChatTimes, OpenAIAgent
from vitrail.adapters.clock import FixedClock
from vitrail.errors import AgentError
from vitrail.ports import (
    AgentChunk,
    AgentEnd,
    AgentPrompt,
    AgentText,
    AgentUsage,
    PromptMessage,
)

PROMPT = AgentPrompt((PromptMessage("system", "S"), PromptMessage("user", "Hi 数据")))
KEY = "sk-0123456789abcdefghij"


class Try:
    """One agent at a fake server, and what it waited for."""

    def __init__(
        self, server: FakeOpenAI, *, key: str | None, times: ChatTimes | None
    ) -> None:
        self.server = server
        self.slept: list[float] = []
        self.agent = OpenAIAgent(
            endpoint_of(server.base_url),
            model="fake-1",
            api_key=key,
            clock=FixedClock(datetime(2026, 1, 1, tzinfo=UTC)),
            times=times,
            sleep=self._sleep,
        )

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def chunks(self) -> list[AgentChunk]:
        return [chunk async for chunk in self.agent.stream(PROMPT)]

    async def failed(self) -> tuple[str, AgentError]:
        """Return what came, and the error that ended it."""
        text = ""
        try:
            async for chunk in self.agent.stream(PROMPT):
                text += chunk.text if isinstance(chunk, AgentText) else ""
        except AgentError as error:
            return text, error
        pytest.fail("expected an error, got a whole reply")


@asynccontextmanager
async def at(
    *answers: FakeAnswer,
    key: str | None = None,
    wants: str | None = None,
    times: ChatTimes | None = None,
) -> AsyncIterator[Try]:
    async with FakeOpenAI(*answers, api_key=wants) as server:
        yield Try(server, key=key, times=times)


async def test_a_reply_streams_and_says_how_it_ended() -> None:
    answer = FakeAnswer((chat_stream(["Hel", "lo 🧪"], usage=(7, 9)),))
    async with at(answer, key=KEY, wants=KEY) as tried:
        assert await tried.chunks() == [
            AgentText("Hel"),
            AgentText("lo 🧪"),
            AgentUsage(7, 9),
            AgentEnd("done"),
        ]
        (request,) = tried.server.requests
        assert request.json()["messages"][1] == {"role": "user", "content": "Hi 数据"}
        assert request.headers["accept-encoding"] == "identity"


async def test_words_come_out_before_the_reply_is_over() -> None:
    gate = Gate()
    answer = FakeAnswer((chat_event({"content": "First"}), gate, chat_stream(["."])))
    async with at(answer) as tried:
        stream = tried.agent.stream(PROMPT)
        assert await anext(stream) == AgentText("First")
        gate.opened.set()
        assert [chunk async for chunk in stream][-1] == AgentEnd("done")


async def test_bytes_cut_by_the_network_change_nothing() -> None:
    body = chat_stream(["数据 🧪 ", "👩🏽‍🚀 é"])
    cut = FakeAnswer(tuple(body[i : i + 1] for i in range(len(body))))
    async with at(cut) as tried:
        texts = [c.text for c in await tried.chunks() if isinstance(c, AgentText)]
        assert texts == ["数据 🧪 ", "👩🏽‍🚀 é"]


async def test_length_is_told() -> None:
    async with at(stream_answer("cut", finish="length")) as tried:
        assert (await tried.chunks())[-1] == AgentEnd("length")


async def test_a_whole_answer_is_taken_where_a_stream_was_asked_for() -> None:
    body = {"choices": [{"message": {"content": "Whole"}, "finish_reason": "stop"}]}
    answer = FakeAnswer(
        (json.dumps(body).encode(),),
        headers=(("Content-Type", "application/json; charset=utf-8"),),
    )
    async with at(answer) as tried:
        assert await tried.chunks() == [AgentText("Whole"), AgentEnd("done")]


async def test_a_server_that_refuses_the_usage_option_is_asked_without_it() -> None:
    refused = error_answer(400, "Unknown parameter: stream_options")
    async with at(refused, stream_answer("Fine")) as tried:
        assert AgentText("Fine") in await tried.chunks()
        assert "stream_options" not in tried.server.requests[1].json()


# --- later --------------------------------------------------------------


async def test_retry_after_is_obeyed_before_the_first_word() -> None:
    busy = error_answer(429, "Slow down", Retry_After="7")
    dated = error_answer(429, "Slow down", Retry_After="Thu, 01 Jan 2026 00:00:12 GMT")
    async with at(busy, dated, stream_answer("Now")) as tried:
        assert AgentText("Now") in await tried.chunks()
        assert tried.slept == [7.0, 12.0]


async def test_without_a_time_the_waits_double_and_end() -> None:
    async with at(error_answer(503, "Loading")) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("", "agent-unreachable")
        assert tried.slept == [1.0, 2.0, 4.0]


async def test_a_wait_that_is_too_long_is_told_instead() -> None:
    async with at(error_answer(429, "Tomorrow", Retry_After="86400")) as tried:
        _, error = await tried.failed()
        assert error.code == "agent-rate-limited"
        assert "86400 seconds" in error.message
        assert tried.slept == []


@pytest.mark.parametrize("value", ["soon", "nan", "", "-5"])
async def test_a_retry_after_that_makes_no_sense_is_not_waited_for(value: str) -> None:
    busy = error_answer(429, "Slow down", Retry_After=value)
    async with at(busy, stream_answer("Now")) as tried:
        await tried.chunks()
        assert tried.slept in ([1.0], [0.0])


async def test_used_up_credit_is_not_waited_for() -> None:
    async with at(error_answer(429, "Pay", code="insufficient_quota")) as tried:
        _, error = await tried.failed()
        assert error.code == "agent-rate-limited"
        assert tried.slept == []


# --- refusals -----------------------------------------------------------


async def test_a_wrong_key_is_told_without_the_key() -> None:
    async with at(key=KEY, wants="another") as tried:
        _, error = await tried.failed()
        assert error.code == "agent-key-refused"
        assert KEY not in error.message
        assert "[key removed]" in error.message


@pytest.mark.parametrize("status", [401, 400, 500])
async def test_no_half_of_a_key_is_left_where_words_are_cut(status: int) -> None:
    said = json.dumps({"error": {"message": "x " * 145 + KEY}}).encode()
    kind = (("Content-Type", "application/json"),)
    async with at(FakeAnswer((said,), status, kind), key=KEY) as tried:
        _, error = await tried.failed()
        assert KEY[:4] not in error.message
    fault = b"data: " + said + b"\n\n"
    async with at(FakeAnswer((fault,)), key=KEY) as tried:
        _, error = await tried.failed()
        assert KEY[:4] not in error.message


async def test_a_compressed_reply_is_told_instead_of_read() -> None:
    packed = gzip.compress(chat_event({"content": "Hi"}, finish="stop"))
    kind = (("Content-Type", "text/event-stream"), ("Content-Encoding", "gzip"))
    async with at(FakeAnswer((packed,), headers=kind)) as tried:
        _, error = await tried.failed()
        assert error.code == "agent-protocol"
        assert "compressed" in error.message


async def test_a_missing_key_is_asked_for() -> None:
    async with at(wants="another") as tried:
        _, error = await tried.failed()
        assert "wants a key" in error.message


async def test_an_unknown_model_is_named() -> None:
    async with at() as tried:
        with pytest.raises(AgentError, match="'other'"):
            async for _ in tried.agent.stream(AgentPrompt(PROMPT.messages, "other")):
                pass


async def test_a_web_page_is_no_reply() -> None:
    page = FakeAnswer((b"<html>",), headers=(("Content-Type", "text/html"),))
    async with at(page) as tried:
        _, error = await tried.failed()
        assert error.code == "agent-protocol"
        assert "/v1" in error.message


async def test_a_redirection_does_not_take_the_key_with_it() -> None:
    async with FakeOpenAI() as other:
        moved = FakeAnswer((), 307, (("Location", other.base_url),))
        async with at(moved, key=KEY) as tried:
            _, error = await tried.failed()
        assert error.code == "agent-protocol"
        assert other.requests == []


# --- what breaks --------------------------------------------------------


async def test_a_dropped_connection_keeps_what_came() -> None:
    answer = FakeAnswer((chat_event({"content": "Half a"}), "drop"))
    async with at(answer) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half a", "agent-interrupted")
        assert error.retryable


async def test_a_stream_that_just_ends_is_interrupted() -> None:
    answer = FakeAnswer((chat_event({"content": "Half"}),))
    async with at(answer) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half", "agent-interrupted")


async def test_a_drop_after_the_finish_reason_is_an_end() -> None:
    answer = FakeAnswer((chat_event({"content": "All"}, finish="stop"), "drop"))
    async with at(answer) as tried:
        assert (await tried.chunks())[-1] == AgentEnd("done")


async def test_an_error_in_the_middle_keeps_what_came() -> None:
    fault = b'data: {"error":{"message":"CUDA out of memory"}}\n\n'
    answer = FakeAnswer((chat_event({"content": "Half"}), fault))
    async with at(answer) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half", "agent-interrupted")
        assert "CUDA out of memory" in error.message


async def test_nothing_is_tried_again_after_the_first_word() -> None:
    late = b'data: {"error":{"message":"Slow down","code":429}}\n\n'
    answer = FakeAnswer((chat_event({"content": "Half"}), late))
    async with at(answer) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half", "agent-rate-limited")
        assert len(tried.server.requests) == 1


async def test_a_server_that_says_nothing_is_given_up() -> None:
    times = ChatTimes(first_byte_s=0.05, idle_s=0.05, connect_s=0.05)
    async with at(FakeAnswer((Gate(),)), times=times) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("", "agent-timeout")


async def test_a_server_that_falls_silent_is_given_up_and_its_words_kept() -> None:
    times = ChatTimes(idle_s=0.05)
    answer = FakeAnswer((chat_event({"content": "Half"}), Gate()))
    async with at(answer, times=times) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half", "agent-timeout")


async def test_a_server_that_keeps_the_line_open_after_the_end_is_not_waited_for() -> (
    None
):
    times = ChatTimes(last_s=0.05)
    answer = FakeAnswer((chat_event({"content": "All"}, finish="stop"), Gate()))
    async with at(answer, times=times) as tried:
        assert (await tried.chunks())[-1] == AgentEnd("done")


async def test_nobody_at_the_address_is_told_in_words() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        port = taken.getsockname()[1]
        agent = OpenAIAgent(
            endpoint_of(f"http://127.0.0.1:{port}"),
            model="m",
            api_key=None,
            clock=FixedClock(),
        )
        with pytest.raises(AgentError, match="Nothing answers") as refused:
            await anext(agent.stream(PROMPT))
    assert refused.value.code == "agent-unreachable"


async def test_a_server_of_another_kind_is_told_in_words() -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 smtp.example ESMTP\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        agent = OpenAIAgent(
            endpoint_of(f"http://127.0.0.1:{port}"),
            model="m",
            api_key=None,
            clock=FixedClock(),
        )
        with pytest.raises(AgentError) as refused:
            await anext(agent.stream(PROMPT))
    assert refused.value.code == "agent-unreachable"


async def test_closing_the_stream_closes_the_connection() -> None:
    gate = Gate()
    answer = FakeAnswer((chat_event({"content": "First"}), gate, *[b"x" * 65536] * 64))
    async with at(answer) as tried:
        stream = tried.agent.stream(PROMPT)
        await anext(stream)
        await stream.aclose()
        gate.opened.set()


# --- models -------------------------------------------------------------


async def test_models_are_listed() -> None:
    async with FakeOpenAI(models=("b", "a"), api_key=KEY) as server:
        tried = Try(server, key=KEY, times=None)
        assert await tried.agent.models() == ("a", "b")


async def test_listing_models_with_a_wrong_key_is_told() -> None:
    async with at(key=KEY, wants="another") as tried:
        with pytest.raises(AgentError) as refused:
            await tried.agent.models()
        assert refused.value.code == "agent-key-refused"
        assert KEY not in refused.value.message
