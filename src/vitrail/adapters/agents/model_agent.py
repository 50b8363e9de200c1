"""The agent behind every model server, and the one place that sends requests.

Strategy: what is said on the wire is the work of a `Wire`; everything else is
the same for all of them. One request, one connection, nothing shared. Waiting is bounded at
every step: to connect, for the first byte, between bytes, and when a server
says "later" before it has said anything. After the first word nothing is tried
again, since the reply would begin anew; what came stands.
"""

from __future__ import annotations

import asyncio
import email.utils
import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from typing import Final

import httpx2

from vitrail.adapters.agents.endpoint import Endpoint
from vitrail.adapters.agents.refusals import detail_of, refusal
from vitrail.adapters.agents.reply_reader import ReplyReader
from vitrail.adapters.agents.wire import Wire, model_names
from vitrail.core.text.scrub import scrub
from vitrail.errors import AgentError
from vitrail.ports import AgentChunk, AgentEnd, AgentPrompt, Clock

__all__ = ["ModelAgent", "ModelTimes"]

_MAX_ERROR_BYTES: Final = 64 * 1024
_MAX_ANSWER_BYTES: Final = 32 * 1024 * 1024
_USER_AGENT: Final = "vitrail"
_RETRIED: Final = frozenset({429, 503, 529})
_DISLIKED: Final = frozenset({400, 422})
"""What a server says to a request that has something it does not know."""
_NO_CREDIT: Final = "insufficient_quota"
"""Said with 429 too, but waiting does not help."""


@dataclass(frozen=True, slots=True)
class ModelTimes:
    """How long each step may take, and how often "later" is obeyed."""

    connect_s: float = 10.0
    first_byte_s: float = 180.0
    """A local server may load its model first."""
    idle_s: float = 90.0
    """Between two pieces of a reply; reasoning models pause."""
    last_s: float = 5.0
    """For the usage and the end mark after the last word."""
    retries: int = 3
    longest_wait_s: float = 30.0
    """What a server may ask to wait; beyond it the run fails at once, saying so."""


class ModelAgent:
    """A model behind an endpoint, spoken to in the words of its wire format."""

    def __init__(  # noqa: PLR0913 - who, where, in which words, with which key and times
        self,
        endpoint: Endpoint,
        *,
        name: str,
        wire: Wire,
        model: str,
        api_key: str | None,
        clock: Clock,
        times: ModelTimes | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.name = name
        self._endpoint = endpoint
        self._wire = wire
        self._model = model
        self._api_key = api_key or None
        self._secrets = (api_key,) if api_key else ()
        self._clock = clock
        self._times = times or ModelTimes()
        self._sleep = sleep

    async def stream(self, prompt: AgentPrompt) -> AsyncGenerator[AgentChunk, None]:
        """Yield the reply as it comes; see `vitrail.ports.Agent`."""
        host = self._endpoint.host
        reader = ReplyReader(self._wire.decoder(), host, self._secrets)
        try:
            async with AsyncExitStack() as stack:
                response = await self._request(prompt, stack)
                answer = self._answer(response, reader)
                async for chunks in await stack.enter_async_context(aclosing(answer)):
                    for chunk in chunks:
                        yield chunk
        except AgentError as error:
            for chunk in reader.rest():
                yield chunk
            raise self._clean(error) from error.__cause__
        for chunk in reader.rest():
            yield chunk
        yield AgentEnd(reader.reason or "done")

    async def models(self, url: str | None = None) -> tuple[str, ...]:
        """Return the names of the server's models; may be empty.

        ``url`` is another place where they are listed. Raises ``AgentError``
        as a run would.
        """
        return await self.listed(url) or ()

    async def listed(self, url: str | None = None) -> tuple[str, ...] | None:
        """Return the same, or None where the server has no such list."""
        try:
            async with AsyncExitStack() as stack:
                client = await stack.enter_async_context(self._client())
                request = client.build_request("GET", url or self._models_url())
                response = await self._sent(client, request, stack)
                body = await self._body(response, _MAX_ANSWER_BYTES)
                if response.status_code in (404, 405, 501):
                    return None  # a server that lists nothing may still answer
                if not response.is_success:
                    raise self._refusal(response.status_code, body)
                return model_names(scrub(body, self._secrets))
        except AgentError as error:
            raise self._clean(error) from error.__cause__

    def _models_url(self) -> str:
        return f"{self._endpoint.base_url}{self._wire.models_path}"

    # --- the request ------------------------------------------------------

    async def _request(
        self, prompt: AgentPrompt, stack: AsyncExitStack
    ) -> httpx2.Response:
        """Return a response with a status of success; obey "later" before it."""
        client = await stack.enter_async_context(self._client())
        model = prompt.model or self._model
        url = f"{self._endpoint.base_url}{self._wire.path}"
        asked, waited = self._wire.body(prompt, model), 0
        while True:
            request = client.build_request("POST", url, json=asked)
            response = await self._sent(client, request, stack)
            if response.is_success:
                return response
            said = await self._body(response, _MAX_ERROR_BYTES)
            plainer = self._plainer(asked, response.status_code, said)
            if plainer is not None:
                await response.aclose()
                asked = plainer
                continue
            is_passing = response.status_code in _RETRIED and _NO_CREDIT not in said
            if not is_passing or waited >= self._times.retries:
                raise self._refusal(response.status_code, said, model)
            await self._wait_as_told(response, said, waited)
            waited += 1

    def _plainer(
        self, asked: dict[str, object], status: int, said: str
    ) -> dict[str, object] | None:
        """Return the request without what an older or smaller server refuses, or None."""
        if status not in _DISLIKED:
            return None
        return self._wire.plainer(asked, said)

    async def _sent(
        self, client: httpx2.AsyncClient, request: httpx2.Request, stack: AsyncExitStack
    ) -> httpx2.Response:
        try:
            async with asyncio.timeout(
                self._times.connect_s + self._times.first_byte_s
            ):
                response = await client.send(request, stream=True)
        except TimeoutError as cause:
            raise self._too_slow("did not begin to answer") from cause
        except httpx2.TimeoutException as cause:
            if isinstance(cause, httpx2.ConnectTimeout):
                raise self._unreachable() from cause
            raise self._too_slow("did not begin to answer") from cause
        except (httpx2.ConnectError, httpx2.UnsupportedProtocol) as cause:
            raise self._unreachable() from cause
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as cause:
            raise AgentError(
                f"{self._endpoint.host} closed the connection without an answer. "
                "Check that a model server listens at this address.",
                code="agent-unreachable",
            ) from cause
        stack.push_async_callback(response.aclose)
        return response

    async def _wait_as_told(
        self, response: httpx2.Response, body: str, waited: int
    ) -> None:
        told = _retry_after_s(response.headers.get("retry-after"), self._clock)
        wait_s = float(2**waited) if told is None else told
        if wait_s > self._times.longest_wait_s:
            detail = detail_of(body, self._secrets)
            raise AgentError(
                f"{self._endpoint.host} asks to wait {round(wait_s)} seconds before "
                "the next request. Try again then."
                + (f" It says: {detail}" if detail else ""),
                code="agent-rate-limited",
                retry_after_s=wait_s,
            )
        await response.aclose()
        await self._sleep(wait_s)

    def _client(self) -> httpx2.AsyncClient:
        headers = {
            "Accept": "text/event-stream, application/json",
            "Accept-Encoding": "identity",  # a compressor would hold words back
            "User-Agent": _USER_AGENT,
        }
        headers |= self._wire.headers(self._api_key)
        return httpx2.AsyncClient(
            headers=headers,
            trust_env=False,
            follow_redirects=False,  # a key goes to the address it was given for
            timeout=httpx2.Timeout(
                connect=self._times.connect_s,
                read=None,  # every read has its own limit here
                write=self._times.first_byte_s,
                pool=None,
            ),
        )

    # --- the answer -------------------------------------------------------

    async def _answer(
        self, response: httpx2.Response, reader: ReplyReader
    ) -> AsyncGenerator[list[AgentChunk], None]:
        kind = response.headers.get("content-type", "").partition(";")[0].strip()
        self._refuse_compressed(response)
        if kind.endswith("json"):
            yield reader.whole(await self._body(response, _MAX_ANSWER_BYTES))
            if reader.failure is not None:
                raise reader.failure
            return
        if kind == "text/html":
            raise AgentError(
                f"{self._endpoint.host} sent a web page instead of a reply. Check the "
                "address in the model settings; it usually ends with /v1.",
                code="agent-protocol",
            )
        async with aclosing(self._pieces(response, reader)) as pieces:
            async for data in pieces:
                yield reader.feed(data)
                if reader.failure is not None:
                    raise reader.failure
                if reader.is_over:
                    return
        yield reader.close()
        if reader.failure is not None:
            raise reader.failure
        if reader.reason is None and not reader.is_over:
            raise self._interrupted()

    async def _pieces(
        self, response: httpx2.Response, reader: ReplyReader
    ) -> AsyncGenerator[bytes, None]:
        """Yield the body's bytes; what is missing after the last word is no failure."""
        pieces = response.aiter_raw()
        limit_s = self._times.first_byte_s
        while True:
            try:
                async with asyncio.timeout(limit_s):
                    data = await anext(pieces)
            except StopAsyncIteration:
                return
            except TimeoutError as cause:
                if reader.reason is not None:
                    return
                raise self._too_slow("said nothing more") from cause
            except httpx2.HTTPError as cause:
                if reader.reason is not None:
                    return
                raise self._interrupted() from cause
            yield data
            limit_s = self._times.last_s if reader.reason else self._times.idle_s

    async def _body(self, response: httpx2.Response, limit_bytes: int) -> str:
        content = bytearray()
        try:
            async with asyncio.timeout(self._times.first_byte_s):
                async for data in response.aiter_raw():
                    content += data
                    if len(content) > limit_bytes:
                        break
        except TimeoutError as cause:
            raise self._too_slow("said nothing more") from cause
        except httpx2.HTTPError as cause:
            if response.is_success:
                raise self._interrupted() from cause
        return bytes(content[:limit_bytes]).decode("utf-8", "replace")

    def _refuse_compressed(self, response: httpx2.Response) -> None:
        encoding = response.headers.get("content-encoding", "identity").strip()
        if encoding.lower() not in ("", "identity"):
            raise AgentError(
                f"{self._endpoint.host} sent a compressed reply although none was asked "
                "for. Check for a proxy in between.",
                code="agent-protocol",
            )

    # --- words ------------------------------------------------------------

    def _refusal(self, status: int, body: str, model: str = "") -> AgentError:
        return refusal(
            self._endpoint.host,
            status,
            body,
            model=model,
            has_key=self._api_key is not None,
            secrets=self._secrets,
            what=self._wire.what,
        )

    def _unreachable(self) -> AgentError:
        return AgentError(
            f"Nothing answers at {self._endpoint.base_url}. Check that the model "
            "server runs and that the address is right.",
            code="agent-unreachable",
        )

    def _too_slow(self, what: str) -> AgentError:
        return AgentError(
            f"{self._endpoint.host} {what} in time. What had come is kept; try again, "
            "or choose a smaller model.",
            code="agent-timeout",
        )

    def _interrupted(self) -> AgentError:
        return AgentError(
            f"The connection to {self._endpoint.host} broke in the middle of the "
            "reply. What had come is kept; ask it to go on.",
            code="agent-interrupted",
        )

    def _clean(self, error: AgentError) -> AgentError:
        """Return the error without the key, which some servers repeat."""
        message = scrub(error.message, self._secrets)
        return AgentError(message, code=error.code, **error.details)


def _retry_after_s(value: str | None, clock: Clock) -> float | None:
    """Return what a ``Retry-After`` header asks for, in seconds from now."""
    if value is None:
        return None
    value = value.strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = email.utils.parsedate_to_datetime(value)
            seconds = (moment - clock.now()).total_seconds()
        except (ValueError, TypeError):
            return None
    return None if math.isnan(seconds) else max(0.0, seconds)
