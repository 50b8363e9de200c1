"""Trials: whether a provider answers, which models it lists, who is on this machine.

Nothing is raised for what fails behind a provider, and nothing is saved: the
answer says what was found.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from vitrail.adapters.agents.command import CommandAgent
from vitrail.adapters.agents.model_agent import ModelAgent, ModelTimes
from vitrail.adapters.agents.providers import NO_KEY, PROVIDERS, Provider, ProviderSetup
from vitrail.core.text.scrub import scrub
from vitrail.errors import AgentError, VitrailError
from vitrail.ports import (
    Agent,
    AgentPrompt,
    AgentReasoning,
    AgentText,
    Clock,
    PromptMessage,
)
from vitrail.protocol.http import (
    LocalServer,
    LocalServers,
    ProviderModels,
    ProviderVerdict,
)

__all__ = ["Trials", "find_local_servers", "server_agent"]

_LocalName: TypeAlias = Literal["ollama", "lmstudio"]

_LOCAL_SERVERS: Final[Mapping[_LocalName, str]] = {
    "ollama": PROVIDERS["ollama"].built_in,
    "lmstudio": PROVIDERS["lmstudio"].built_in,
}
"""Where the usual model servers of a machine listen, and nowhere else is looked."""

_TEST_S: Final = 60.0
_LIST_S: Final = 20.0
_FIND_S: Final = 0.3
_SHOWN_CHARS: Final = 80
_TEST_PROMPT: Final = AgentPrompt(
    messages=(PromptMessage("user", "Answer with the one word: ready"),)
)
_GONE: Final = frozenset({"agent-unreachable", "agent-timeout"})


def server_agent(
    setup: ProviderSetup,
    model: str,
    *,
    clock: Clock,
    times: ModelTimes | None = None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> ModelAgent:
    """Return the agent of a provider that is a server."""
    wire = setup.provider.wire
    if wire is None:
        msg = f"expected a provider with a server, got {setup.provider.name!r}"
        raise ValueError(msg)
    return ModelAgent(
        setup.endpoint,
        name=setup.provider.name,
        wire=wire,
        model=model,
        api_key=setup.key,
        clock=clock,
        times=times,
        sleep=sleep,
    )


class Trials:
    """Tries providers with settings that need not be saved."""

    def __init__(
        self,
        clock: Clock,
        times: ModelTimes | None = None,
    ) -> None:
        self._clock = clock
        # Somebody looks on: "later" is told at once, and a list comes soon or never.
        self._times = replace(times or ModelTimes(), retries=0)
        self._list_times = replace(
            self._times, first_byte_s=min(self._times.first_byte_s, _LIST_S)
        )

    async def models(
        self, setup: ProviderSetup, secrets: Iterable[str]
    ) -> ProviderModels:
        """Ask a provider for the list of its models."""
        if setup.provider.wire is None:
            return ProviderModels(ok=True, message="A program has no list of models.")
        try:
            if setup.wants_key and setup.key is None:
                raise AgentError(NO_KEY, code="agent-not-configured")
            models = await self._listed(setup)
        except VitrailError as error:
            return ProviderModels(
                ok=False, code=error.code, message=scrub(error.message, secrets)
            )
        host = setup.endpoint.host
        return ProviderModels(
            ok=bool(models),
            code=None if models else "agent-not-configured",
            message=f"{host} answers. Choose one of its models."
            if models
            else f"{host} answers, but names no models. Enter the name of one.",
            models=models,
        )

    async def verdict(
        self, setup: ProviderSetup, secrets: Iterable[str]
    ) -> ProviderVerdict:
        """Try a provider by one short call, and say what came of it."""
        secrets = tuple(secrets)
        models: tuple[str, ...] = ()
        try:
            if setup.provider.wire is not None:
                models = await self._offered(setup)
                if not setup.model:
                    found = await self.models(setup, secrets)
                    return _unchosen(found)
            if why_not := setup.why_not:
                raise AgentError(why_not, code="agent-not-configured")
            began_s = asyncio.get_running_loop().time()
            words = await self._first_words(self._agent(setup, secrets))
            took_s = asyncio.get_running_loop().time() - began_s
        except VitrailError as error:
            return _failed(error, setup, models, secrets)
        return ProviderVerdict(
            ok=True,
            verdict="works",
            message=_works(setup, scrub(words, secrets)),
            models=models,
            took_ms=round(took_s * 1000),
        )

    async def _offered(self, setup: ProviderSetup) -> tuple[str, ...]:
        """Return the models to choose from, as far as they are told.

        A key that may ask a model need not be one that may list them; only a
        server that is not there ends the trial.
        """
        if setup.wants_key and setup.key is None:
            return ()
        try:
            return await self._listed(setup)
        except AgentError as error:
            if error.code in _GONE:
                raise
            return ()

    async def _listed(self, setup: ProviderSetup) -> tuple[str, ...]:
        agent = server_agent(setup, "", clock=self._clock, times=self._list_times)
        if setup.provider.name == "ollama":
            tags = _tags_url(setup.base_url)
            return await agent.models(tags) or await agent.models()
        return await agent.models()

    def _agent(self, setup: ProviderSetup, secrets: Iterable[str]) -> Agent:
        if setup.provider.wire is None:
            return CommandAgent(setup.command, secrets=secrets)
        return server_agent(setup, setup.model, clock=self._clock, times=self._times)

    async def _first_words(self, agent: Agent) -> str:
        """Return the first words of an answer, and end it there."""
        try:
            async with (
                asyncio.timeout(_TEST_S),
                aclosing(agent.stream(_TEST_PROMPT)) as chunks,
            ):
                async for chunk in chunks:
                    if isinstance(chunk, AgentText | AgentReasoning) and chunk.text:
                        return chunk.text
        except TimeoutError as cause:
            raise AgentError(
                f"No answer came within {round(_TEST_S)} seconds. A local server may "
                "still be loading its model; try again.",
                code="agent-timeout",
            ) from cause
        raise AgentError("It answers, but with an empty reply.", code="agent-protocol")


def _works(setup: ProviderSetup, words: str) -> str:
    if setup.provider.wire is not None:
        return f"{setup.model} at {setup.endpoint.host} answers."
    shown = " ".join(words.split())[:_SHOWN_CHARS]
    return f"The program answers: {shown}"


def _unchosen(found: ProviderModels) -> ProviderVerdict:
    return ProviderVerdict(
        ok=False,
        verdict="not-set-up",
        code=found.code or "agent-not-configured",
        message=found.message,
        models=found.models,
    )


def _failed(
    error: VitrailError,
    setup: ProviderSetup,
    models: tuple[str, ...],
    secrets: Iterable[str],
) -> ProviderVerdict:
    verdict: Literal[
        "unreachable", "key-refused", "no-such-model", "busy", "not-set-up", "failed"
    ]
    match error.code:
        case "agent-unreachable" | "agent-timeout":
            verdict = "unreachable"
        case "agent-key-refused":
            verdict = "key-refused"
        case "agent-rate-limited":
            verdict = "busy"
        case "agent-not-configured":
            verdict = "not-set-up"
        case "agent-refused" if _lacks_model(error, setup.model, models):
            verdict = "no-such-model"
        case _:
            verdict = "failed"
    return ProviderVerdict(
        ok=False,
        verdict=verdict,
        code=error.code,
        message=scrub(error.message, secrets),
        models=models,
    )


def _lacks_model(error: VitrailError, model: str, models: tuple[str, ...]) -> bool:
    is_listed = model in models
    return error.details.get("status") == 404 or (bool(models) and not is_listed)  # noqa: PLR2004 - HTTP's "not found"


# --- this machine -----------------------------------------------------------------


async def find_local_servers(
    clock: Clock,
    places: Mapping[_LocalName, str] = _LOCAL_SERVERS,
    *,
    within_s: float = _FIND_S,
) -> LocalServers:
    """Look for Ollama and LM Studio where they listen, both at once, for so long.

    Only these addresses of this machine are asked, and nothing but their
    lists of models.
    """
    found = await asyncio.gather(
        *(_look(name, base_url, clock, within_s) for name, base_url in places.items())
    )
    return LocalServers(servers=tuple(found))


async def _look(
    name: _LocalName, base_url: str, clock: Clock, within_s: float
) -> LocalServer:
    provider: Provider = PROVIDERS[name]
    setup = ProviderSetup(provider, base_url=base_url)
    times = ModelTimes(connect_s=within_s, first_byte_s=within_s)
    agent = server_agent(setup, "", clock=clock, times=times)
    url = _tags_url(base_url) if name == "ollama" else None
    models = None
    try:
        async with asyncio.timeout(within_s):
            models = await agent.listed(url)
        why_not = f"{setup.endpoint.host} answers, but not as {provider.title} does."
    except (AgentError, TimeoutError):
        why_not = f"Nothing answers at {setup.endpoint.host}."
    return LocalServer(
        name=name,
        title=provider.title,
        base_url=setup.endpoint.base_url,
        is_found=models is not None,
        models=models or (),
        message=why_not if models is None else _found(provider, models),
    )


def _found(provider: Provider, models: tuple[str, ...]) -> str:
    if not models:
        return f"{provider.title} answers, but has no model yet."
    count = "1 model" if len(models) == 1 else f"{len(models)} models"
    return f"{provider.title} answers with {count}."


def _tags_url(base_url: str) -> str:
    """Return where Ollama itself lists its models."""
    return f"{base_url.removesuffix('/v1')}/api/tags"
