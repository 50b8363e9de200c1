"""The agents of model servers against servers that speak the real wire formats.

Every case is held for every format: Chat Completions, Responses, Messages.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from tests.agents.formats import (
    CHAT_FORMAT,
    FORMATS,
    MESSAGES_FORMAT,
    RESPONSES_FORMAT,
    Format,
)
from vitrail.adapters.agents.endpoint import endpoint_of
from vitrail.adapters.agents.fake_anthropic import messages_stream
from vitrail.adapters.agents.fake_openai import error_answer, response_thought
from vitrail.adapters.agents.fake_server import FakeAnswer, FakeServer, Gate
from vitrail.adapters.agents.model_agent import ModelAgent, ModelTimes
from vitrail.adapters.clock import FixedClock
from vitrail.errors import AgentError
from vitrail.ports import (
    AgentChunk,
    AgentEnd,
    AgentPrompt,
    AgentReasoning,
    AgentText,
    AgentUsage,
    PromptMessage,
)

PROMPT = AgentPrompt((PromptMessage("system", "S"), PromptMessage("user", "Hi 数据")))
KEY = "sk-0123456789abcdefghij"


class Try:
    """One agent at a fake server, and what it waited for."""

    def __init__(
        self,
        server: FakeServer,
        form: Format,
        *,
        key: str | None = None,
        times: ModelTimes | None = None,
    ) -> None:
        self.server = server
        self.form = form
        self.slept: list[float] = []
        self.agent = ModelAgent(
            endpoint_of(server.base_url),
            name=form.name,
            wire=form.wire,
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
    form: Format,
    *answers: FakeAnswer,
    key: str | None = None,
    wants: str | None = None,
    times: ModelTimes | None = None,
) -> AsyncIterator[Try]:
    async with form.make(*answers, api_key=wants) as server:
        yield Try(server, form, key=key, times=times)


def text_of(chunks: list[AgentChunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, AgentText))


@pytest.fixture(params=FORMATS, ids=lambda form: form.name)
def form(request: pytest.FixtureRequest) -> Format:
    found: Format = request.param
    return found


async def test_a_reply_streams_and_says_how_it_ended(form: Format) -> None:
    answer = FakeAnswer((form.stream(["Hel", "lo 🧪"], usage=(7, 9)),))
    async with at(form, answer, key=KEY, wants=KEY) as tried:
        assert await tried.chunks() == [
            AgentText("Hel"),
            AgentText("lo 🧪"),
            AgentUsage(7, 9),
            AgentEnd("done"),
        ]
        (request,) = tried.server.requests
        assert request.path == f"/v1{form.wire.path}"
        assert {"role": "user", "content": "Hi 数据"} in (
            request.json().get("messages") or request.json()["input"]
        )
        assert request.headers["accept-encoding"] == "identity"
        assert KEY in request.headers[form.key_header]


async def test_words_come_out_before_the_reply_is_over(form: Format) -> None:
    gate = Gate()
    last = form.piece(".") + form.ends("First.")
    answer = FakeAnswer((form.begins + form.piece("First"), gate, last))
    async with at(form, answer) as tried:
        stream = tried.agent.stream(PROMPT)
        assert await anext(stream) == AgentText("First")
        gate.opened.set()
        rest = [chunk async for chunk in stream]
        assert text_of(rest) == "."
        assert rest[-1] == AgentEnd("done")


async def test_bytes_cut_by_the_network_change_nothing(form: Format) -> None:
    body = form.stream(["数据 🧪 ", "👩🏽‍🚀 é"])
    cut = FakeAnswer(tuple(body[i : i + 1] for i in range(len(body))))
    async with at(form, cut) as tried:
        texts = [c.text for c in await tried.chunks() if isinstance(c, AgentText)]
        assert texts == ["数据 🧪 ", "👩🏽‍🚀 é"]


async def test_length_is_told(form: Format) -> None:
    async with at(form, FakeAnswer((form.cut,))) as tried:
        chunks = await tried.chunks()
        assert text_of(chunks) == "cut"
        assert chunks[-1] == AgentEnd("length")


async def test_a_whole_answer_is_taken_where_a_stream_was_asked_for(
    form: Format,
) -> None:
    answer = FakeAnswer(
        (json.dumps(form.whole).encode(),),
        headers=(("Content-Type", "application/json; charset=utf-8"),),
    )
    async with at(form, answer) as tried:
        chunks = await tried.chunks()
        assert text_of(chunks) == "Whole"
        assert chunks[-1] == AgentEnd("done")


async def test_a_whole_answer_of_another_format_is_told(form: Format) -> None:
    answer = FakeAnswer(
        (b'{"hello": "world"}',), headers=(("Content-Type", "application/json"),)
    )
    async with at(form, answer) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("", "agent-protocol")


@pytest.mark.parametrize(
    ("form", "key"),
    [
        (CHAT_FORMAT, "stream_options"),
        (RESPONSES_FORMAT, "reasoning"),
        (RESPONSES_FORMAT, "store"),
    ],
)
async def test_a_server_that_refuses_an_option_is_asked_without_it(
    form: Format, key: str
) -> None:
    refused = form.refuse(400, f"Unknown parameter: {key}")
    async with at(form, refused, form.answer("Fine")) as tried:
        assert AgentText("Fine") in await tried.chunks()
        first, second = tried.server.requests
        assert first.json().keys() - second.json().keys() == {key}


async def test_a_model_that_writes_less_is_asked_for_less() -> None:
    async with MESSAGES_FORMAT.make(max_tokens=4096) as server:
        tried = Try(server, MESSAGES_FORMAT)
        assert AgentText("Ready.") in await tried.chunks()
        assert [r.json()["max_tokens"] for r in server.requests] == [64_000, 4096]


async def test_a_model_that_does_not_decide_to_think_is_asked_plainly() -> None:
    async with MESSAGES_FORMAT.make(max_tokens=8192, thinks=False) as server:
        tried = Try(server, MESSAGES_FORMAT)
        assert AgentText("Ready.") in await tried.chunks()
        first, *_, last = (request.json() for request in server.requests)
        assert first["thinking"]["type"] == "adaptive"
        assert "thinking" not in last
        assert len(server.requests) == 3


async def test_thinking_is_told_as_reasoning() -> None:
    answer = FakeAnswer((messages_stream(["So."], thoughts=["Hm, ", "数据"]),))
    async with at(MESSAGES_FORMAT, answer) as tried:
        assert (await tried.chunks())[:3] == [
            AgentReasoning("Hm, "),
            AgentReasoning("数据"),
            AgentText("So."),
        ]
    thought = response_thought("Hm, ") + response_thought("so")
    answer = FakeAnswer((thought, RESPONSES_FORMAT.stream(["So."])))
    async with at(RESPONSES_FORMAT, answer) as tried:
        chunks = await tried.chunks()
        assert chunks[:2] == [AgentReasoning("Hm, "), AgentReasoning("so")]
        assert text_of(chunks) == "So."


# --- later --------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 503, 529])
async def test_retry_after_is_obeyed_before_the_first_word(
    form: Format, status: int
) -> None:
    busy = form.refuse(status, "Slow down", Retry_After="7")
    dated = form.refuse(
        status, "Slow down", Retry_After="Thu, 01 Jan 2026 00:00:12 GMT"
    )
    async with at(form, busy, dated, form.answer("Now")) as tried:
        assert AgentText("Now") in await tried.chunks()
        assert tried.slept == [7.0, 12.0]


@pytest.mark.parametrize(
    ("status", "code"), [(503, "agent-unreachable"), (529, "agent-rate-limited")]
)
async def test_without_a_time_the_waits_double_and_end(
    form: Format, status: int, code: str
) -> None:
    async with at(form, form.refuse(status, "Overloaded")) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("", code)
        assert "Overloaded" in error.message
        assert tried.slept == [1.0, 2.0, 4.0]


async def test_a_wait_that_is_too_long_is_told_instead(form: Format) -> None:
    async with at(form, form.refuse(429, "Tomorrow", Retry_After="86400")) as tried:
        _, error = await tried.failed()
        assert error.code == "agent-rate-limited"
        assert "86400 seconds" in error.message
        assert tried.slept == []


@pytest.mark.parametrize("value", ["soon", "nan", "", "-5"])
async def test_a_retry_after_that_makes_no_sense_is_not_waited_for(
    form: Format, value: str
) -> None:
    busy = form.refuse(429, "Slow down", Retry_After=value)
    async with at(form, busy, form.answer("Now")) as tried:
        await tried.chunks()
        assert tried.slept in ([1.0], [0.0])


@pytest.mark.parametrize("form", [CHAT_FORMAT, RESPONSES_FORMAT])
async def test_used_up_credit_is_not_waited_for(form: Format) -> None:
    async with at(form, error_answer(429, "Pay", code="insufficient_quota")) as tried:
        _, error = await tried.failed()
        assert error.code == "agent-rate-limited"
        assert tried.slept == []


# --- refusals -----------------------------------------------------------


async def test_a_wrong_key_is_told_without_the_key(form: Format) -> None:
    async with at(form, key=KEY, wants="another") as tried:
        _, error = await tried.failed()
        assert error.code == "agent-key-refused"
        assert KEY not in error.message
        assert "[key removed]" in error.message


@pytest.mark.parametrize("status", [401, 400, 500])
@pytest.mark.parametrize("before", [145, 290])
async def test_no_half_of_a_key_is_left_where_words_are_cut(
    form: Format, status: int, before: int
) -> None:
    words = "x " * (before // 2) + KEY
    async with at(form, form.refuse(status, words), key=KEY) as tried:
        _, error = await tried.failed()
        assert KEY[:4] not in error.message
    async with at(form, FakeAnswer((form.fault(words),)), key=KEY) as tried:
        _, error = await tried.failed()
        assert KEY[:4] not in error.message


async def test_a_compressed_reply_is_told_instead_of_read(form: Format) -> None:
    packed = gzip.compress(form.stream(["Hi"]))
    kind = (("Content-Type", "text/event-stream"), ("Content-Encoding", "gzip"))
    async with at(form, FakeAnswer((packed,), headers=kind)) as tried:
        _, error = await tried.failed()
        assert error.code == "agent-protocol"
        assert "compressed" in error.message


async def test_a_missing_key_is_asked_for(form: Format) -> None:
    async with at(form, wants="another") as tried:
        _, error = await tried.failed()
        assert "wants a key" in error.message


async def test_an_unknown_model_is_named(form: Format) -> None:
    async with at(form) as tried:
        with pytest.raises(AgentError, match="'other'") as refused:
            async for _ in tried.agent.stream(AgentPrompt(PROMPT.messages, "other")):
                pass
        assert form.wire.what in refused.value.message


async def test_a_web_page_is_no_reply(form: Format) -> None:
    page = FakeAnswer((b"<html>",), headers=(("Content-Type", "text/html"),))
    async with at(form, page) as tried:
        _, error = await tried.failed()
        assert error.code == "agent-protocol"
        assert "/v1" in error.message


async def test_a_redirection_does_not_take_the_key_with_it(form: Format) -> None:
    async with form.make() as other:
        moved = FakeAnswer((), 307, (("Location", other.base_url),))
        async with at(form, moved, key=KEY) as tried:
            _, error = await tried.failed()
        assert error.code == "agent-protocol"
        assert other.requests == []


# --- what breaks --------------------------------------------------------


async def test_a_dropped_connection_keeps_what_came(form: Format) -> None:
    answer = FakeAnswer((form.begins + form.piece("Half a"), "drop"))
    async with at(form, answer) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half a", "agent-interrupted")
        assert error.retryable


async def test_a_stream_that_just_ends_is_interrupted(form: Format) -> None:
    answer = FakeAnswer((form.begins + form.piece("Half"),))
    async with at(form, answer) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half", "agent-interrupted")


async def test_a_drop_after_the_end_is_told_is_an_end(form: Format) -> None:
    answer = FakeAnswer((form.begins + form.piece("All") + form.ends("All"), "drop"))
    async with at(form, answer) as tried:
        chunks = await tried.chunks()
        assert text_of(chunks) == "All"
        assert chunks[-1] == AgentEnd("done")


async def test_an_error_in_the_middle_keeps_what_came(form: Format) -> None:
    fault = form.fault("CUDA out of memory")
    answer = FakeAnswer((form.begins + form.piece("Half"), fault))
    async with at(form, answer) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half", "agent-interrupted")
        assert "CUDA out of memory" in error.message


async def test_words_and_an_error_in_one_piece_lose_no_word(form: Format) -> None:
    whole = form.begins + form.piece("Half") + form.fault("CUDA out of memory")
    async with at(form, FakeAnswer((whole,))) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half", "agent-interrupted")


async def test_nothing_is_tried_again_after_the_first_word(form: Format) -> None:
    answer = FakeAnswer((form.begins + form.piece("Half"), form.busy))
    async with at(form, answer) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half", "agent-rate-limited")
        assert "Slow down" in error.message
        assert len(tried.server.requests) == 1


async def test_a_server_that_says_nothing_is_given_up(form: Format) -> None:
    times = ModelTimes(first_byte_s=0.05, idle_s=0.05, connect_s=0.05)
    async with at(form, FakeAnswer((Gate(),)), times=times) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("", "agent-timeout")


async def test_a_server_that_falls_silent_is_given_up_and_its_words_kept(
    form: Format,
) -> None:
    times = ModelTimes(idle_s=0.05)
    answer = FakeAnswer((form.begins + form.piece("Half"), Gate()))
    async with at(form, answer, times=times) as tried:
        text, error = await tried.failed()
        assert (text, error.code) == ("Half", "agent-timeout")


async def test_a_server_that_keeps_the_line_open_after_the_end_is_not_waited_for(
    form: Format,
) -> None:
    times = ModelTimes(last_s=0.05)
    all_of_it = form.begins + form.piece("All") + form.ends("All")
    async with at(form, FakeAnswer((all_of_it, Gate())), times=times) as tried:
        assert (await tried.chunks())[-1] == AgentEnd("done")


def nowhere(form: Format, port: int) -> ModelAgent:
    return ModelAgent(
        endpoint_of(f"http://127.0.0.1:{port}"),
        name=form.name,
        wire=form.wire,
        model="m",
        api_key=None,
        clock=FixedClock(),
    )


async def test_nobody_at_the_address_is_told_in_words(form: Format) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        agent = nowhere(form, taken.getsockname()[1])
        with pytest.raises(AgentError, match="Nothing answers") as refused:
            await anext(agent.stream(PROMPT))
    assert refused.value.code == "agent-unreachable"


async def test_a_server_of_another_kind_is_told_in_words(form: Format) -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 smtp.example ESMTP\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server:
        agent = nowhere(form, server.sockets[0].getsockname()[1])
        with pytest.raises(AgentError) as refused:
            await anext(agent.stream(PROMPT))
    assert refused.value.code == "agent-unreachable"


async def test_closing_the_stream_closes_the_connection(form: Format) -> None:
    gate = Gate()
    first = form.begins + form.piece("First")
    answer = FakeAnswer((first, gate, *[b"x" * 65536] * 64))
    async with at(form, answer) as tried:
        stream = tried.agent.stream(PROMPT)
        await anext(stream)
        await stream.aclose()
        gate.opened.set()


# --- models -------------------------------------------------------------


async def test_models_are_listed(form: Format) -> None:
    async with form.make(models=("b", "a"), api_key=KEY) as server:
        tried = Try(server, form, key=KEY)
        assert await tried.agent.models() == ("a", "b")


async def test_listing_models_with_a_wrong_key_is_told(form: Format) -> None:
    async with at(form, key=KEY, wants="another") as tried:
        with pytest.raises(AgentError) as refused:
            await tried.agent.models()
        assert refused.value.code == "agent-key-refused"
        assert KEY not in refused.value.message


async def test_a_place_without_a_list_is_no_list(form: Format) -> None:
    async with at(form) as tried:
        host = tried.server.base_url.removesuffix("/v1")
        assert await tried.agent.listed(f"{host}/elsewhere") is None
        assert await tried.agent.models(f"{host}/elsewhere") == ()


# --- what a real server would refuse --------------------------------------------


async def test_the_messages_server_wants_its_version_and_refuses_strange_requests() -> (
    None
):
    """The fake is as strict as what it stands for, so a slip in a request is seen."""
    async with MESSAGES_FORMAT.make(api_key=KEY) as server:
        tried = Try(server, MESSAGES_FORMAT, key=KEY)
        await tried.chunks()
        (request,) = server.requests
        assert request.headers["anthropic-version"] == "2023-06-01"
        assert request.headers["x-api-key"] == KEY
        assert "authorization" not in request.headers
        bare = type(request)("POST", "/v1/messages", {"x-api-key": KEY}, request.body)
        assert server.answer(bare).status == 400
        keyless = type(request)("POST", "/v1/messages", {}, request.body)
        assert server.answer(keyless).status == 401
