"""The agents that are set up: which there are, who answers, and how they are tried."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from vitrail.adapters.agents.command import CommandAgent
from vitrail.adapters.agents.model_agent import ModelTimes
from vitrail.adapters.agents.providers import (
    PROVIDERS,
    ModelDefaults,
    Provider,
    ProviderSetup,
    agent_name,
    check_environment,
    setting_of,
    setup_of,
    setups_of,
)
from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.adapters.agents.replay import ReplayAgent
from vitrail.adapters.agents.trials import (
    Trials,
    find_local_servers,
    server_agent,
)
from vitrail.adapters.agents.wire import MAX_MODEL_CHARS
from vitrail.adapters.secrets import KeyFile, StoredKey, checked_key
from vitrail.core.text.scrub import scrub
from vitrail.errors import AgentError, InvalidInput, NotFound, VitrailError
from vitrail.ports import Agent, AgentChoice, Clock, Store
from vitrail.protocol.http import (
    AgentInfo,
    AgentName,
    AgentTest,
    AgentTestResult,
    LocalServers,
    ModelSettings,
    ModelSettingsView,
    NewRun,
    ProviderDefault,
    ProviderModels,
    ProviderSettings,
    ProvidersView,
    ProviderTry,
    ProviderVerdict,
)

__all__ = ["AgentRegistry"]

_REPLAY_TITLE: Final = "Recorded example"
_MAX_COMMAND_CHARS: Final = 8000
_AUTOMATIC: Final[tuple[AgentName, ...]] = (
    "openai",
    "anthropic",
    "openai-responses",
    "ollama",
    "lmstudio",
)
"""Who answers where nobody chose: the first of these that is ready."""


class _Changes(Protocol):
    """What a body says of a provider; None: not said."""

    @property
    def base_url(self) -> str | None: ...

    @property
    def model(self) -> str | None: ...

    @property
    def api_key(self) -> str | None: ...

    @property
    def command(self) -> tuple[str, ...] | None: ...


@dataclass(frozen=True, slots=True)
class _Now:
    """Everything as it is set up at this moment."""

    default: AgentName
    is_chosen: bool
    setups: dict[str, ProviderSetup]


class AgentRegistry:
    """`vitrail.ports.Agents` and the settings behind it.

    Settings are read anew for every question, so a change counts from the next
    run on, whichever process made it.
    """

    def __init__(  # noqa: PLR0913 - a composition root hands over its parts
        self,
        store: Store,
        *,
        shelf: RecordingShelf,
        keys: KeyFile,
        clock: Clock,
        environment: ModelDefaults | None = None,
        times: ModelTimes | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._shelf = shelf
        self._keys = keys
        self._clock = clock
        self._environment = environment
        self._times = times
        self._sleep = sleep
        self._trials = Trials(clock, times)
        self._seen_keys: set[str] = set()
        if environment is not None:
            check_environment(environment)
            told = (environment, environment.anthropic)
            self._seen_keys.update(one.api_key for one in told if one and one.api_key)

    # --- who answers ------------------------------------------------------

    async def choose(self, request: NewRun) -> AgentChoice:
        """Return who answers; see `vitrail.ports.Agents`."""
        now = await self._now()
        name = request.agent or ("replay" if request.recording else now.default)
        if name == "replay":
            return await self._replay(request.recording)
        if name not in now.setups:
            raise NotFound(
                f"There is no agent named {name!r}. "
                f"There are: {', '.join(['replay', *PROVIDERS])}.",
                code="agent-not-found",
            )
        setup = now.setups[name]
        if setup.provider.wire is None:
            return AgentChoice(self._agent(setup), None)
        setup = replace(setup, model=request.model or setup.model)
        return AgentChoice(self._agent(setup), setup.model)

    def secrets(self) -> tuple[str, ...]:
        """Return every key that this process has seen; see `vitrail.ports.Agents`."""
        self._seen_keys.update(stored.key for stored in self._keys.read().values())
        return tuple(self._seen_keys)

    async def infos(self) -> tuple[AgentInfo, ...]:
        """Return the agents, ready or not, with what is missing."""
        now = await self._now()
        infos = [AgentInfo(name="replay", title=_REPLAY_TITLE, is_ready=True)]
        for setup in now.setups.values():
            why_not = setup.why_not
            infos.append(
                AgentInfo(
                    name=setup.provider.name,
                    title=setup.provider.title,
                    is_ready=why_not is None,
                    why_not=why_not,
                    models=(setup.model,) if setup.model else (),
                )
            )
        return tuple(infos)

    async def _replay(self, recording: str | None) -> AgentChoice:
        if recording is None:
            raise AgentError(
                "No model is connected yet. Connect one in the settings, "
                "or play one of the recorded examples.",
                code="agent-not-configured",
            )
        await self._shelf.load(recording)  # says now what a run would say later
        return AgentChoice(ReplayAgent(self._shelf, sleep=self._sleep), None)

    def _agent(self, setup: ProviderSetup) -> Agent:
        if why_not := setup.why_not:
            raise AgentError(why_not, code="agent-not-configured")
        if setup.provider.wire is None:
            return CommandAgent(setup.command, secrets=self.secrets())
        return server_agent(
            setup, setup.model, clock=self._clock, times=self._times, sleep=self._sleep
        )

    # --- providers ----------------------------------------------------------

    async def providers(self) -> ProvidersView:
        """Return all providers as they may be shown; nothing is asked for it."""
        now = await self._now()
        return ProvidersView(
            default=now.default,
            default_is_chosen=now.is_chosen,
            providers=tuple(setup.view() for setup in now.setups.values()),
        )

    async def update_provider(
        self, name: str, settings: ProviderSettings
    ) -> ProvidersView:
        """Change what is given, all of it or nothing.

        Raises ``NotFound`` for a provider that is not there and ``InvalidInput``.
        """
        provider = _provider(name)
        values = _values(provider, settings)
        if settings.is_default is not None:
            values |= await self._default_values(provider, settings)
        await self._save(provider, values, settings.api_key)
        return await self.providers()

    async def _default_values(
        self, provider: Provider, settings: ProviderSettings
    ) -> dict[str, str | None]:
        if settings.is_default:
            return {"agent": provider.name}
        stored = await self._store.settings()
        return {"agent": None} if stored.get("agent") == provider.name else {}

    async def forget_provider(self, name: str) -> ProvidersView:
        """Forget what is kept of a provider, its key too; raise ``NotFound``."""
        provider = _provider(name)
        fields: tuple[str, ...] = (
            setting_of(provider.name, "base_url"),
            setting_of(provider.name, "model"),
        )
        if provider.wire is None:
            fields = (setting_of(provider.name, "command"),)
        values: dict[str, str | None] = dict.fromkeys(fields)
        if (await self._store.settings()).get("agent") == provider.name:
            values["agent"] = None
        self.secrets()  # what it knew is still taken out of texts
        await self._store.put_settings(values)
        await asyncio.to_thread(self._keys.put, provider.name, None)
        return await self.providers()

    async def update_default(self, chosen: ProviderDefault) -> ProvidersView:
        """Say who answers where nobody is named; None: whoever is set up."""
        await self._store.put_settings({"agent": chosen.default})
        return await self.providers()

    async def provider_models(self, name: str, tried: ProviderTry) -> ProviderModels:
        """Ask a provider for its models, with values that need not be saved."""
        provider = _provider(name)
        try:
            setup = await self._tried(provider, tried)
        except InvalidInput as error:
            return ProviderModels(ok=False, code=error.code, message=error.message)
        return await self._trials.models(setup, self.secrets())

    async def try_provider(self, name: str, tried: ProviderTry) -> ProviderVerdict:
        """Try a provider by one short call, with values that need not be saved."""
        provider = _provider(name)
        try:
            setup = await self._tried(provider, tried)
        except InvalidInput as error:
            return ProviderVerdict(
                ok=False, verdict="failed", code=error.code, message=error.message
            )
        return await self._trials.verdict(setup, self.secrets())

    async def find_local_servers(self) -> LocalServers:
        """Look for the usual model servers of this machine."""
        return await find_local_servers(self._clock)

    # --- the settings of the first two --------------------------------------

    async def view(self) -> ModelSettingsView:
        """Return the settings as they may be shown."""
        now = await self._now()
        openai = now.setups["openai"].view()
        return ModelSettingsView(
            agent=now.default,
            base_url=openai.base_url or "",
            model=openai.model,
            key_hint=openai.key_hint,
            key_source=openai.key_source,
            command=now.setups["command"].command,
        )

    async def update(self, settings: ModelSettings) -> ModelSettingsView:
        """Change what is given, all of it or nothing; raise ``InvalidInput``."""
        openai, command = PROVIDERS["openai"], PROVIDERS["command"]
        server = ProviderTry(base_url=settings.base_url, model=settings.model)
        values = _values(openai, server)
        values |= _values(command, ProviderTry(command=settings.command))
        if settings.agent is not None:
            values["agent"] = settings.agent
        await self._save(openai, values, settings.api_key)
        return await self.view()

    async def test(self, request: AgentTest) -> AgentTestResult:
        """Try an agent with these settings, without saving them.

        Nothing is raised for what fails behind the agent: the result says it.
        """
        provider = PROVIDERS[request.agent]
        is_program = provider.wire is None
        tried = ProviderTry(
            base_url=None if is_program else (request.base_url or "").strip() or None,
            model=None if is_program else request.model,
            api_key=None if is_program else request.api_key,
            command=request.command if is_program else None,
        )
        try:
            setup = await self._tried(provider, tried)
        except VitrailError as error:
            return AgentTestResult(
                ok=False, code=error.code, message=scrub(error.message, self.secrets())
            )
        found: ProviderModels | ProviderVerdict
        if setup.model or is_program:
            found = await self._trials.verdict(setup, self.secrets())
        else:
            found = await self._trials.models(setup, self.secrets())
        return AgentTestResult(
            ok=found.ok, code=found.code, message=found.message, models=found.models
        )

    # --- reading and saving ---------------------------------------------------

    async def _now(self) -> _Now:
        stored = await self._store.settings()
        keys = await asyncio.to_thread(self._keys.read)
        setups = setups_of(stored, keys, self._environment)
        told = self._environment.agent if self._environment else None
        chosen = agent_name(stored.get("agent")) or agent_name(told)
        ready = (name for name in _AUTOMATIC if setups[name].why_not is None)
        automatic: AgentName = next(ready, "replay")
        return _Now(chosen or automatic, chosen is not None, setups)

    async def _save(
        self, provider: Provider, values: Mapping[str, str | None], api_key: str | None
    ) -> None:
        key = None if api_key is None else checked_key(api_key)
        if values:
            await self._store.put_settings(values)
        if key is None:
            return
        self.secrets()  # a key that goes is still taken out of texts
        setup = (await self._now()).setups[provider.name]
        stored = StoredKey(key, setup.endpoint.origin) if key else None
        await asyncio.to_thread(self._keys.put, provider.name, stored)

    async def _tried(self, provider: Provider, tried: _Changes) -> ProviderSetup:
        """Return the settings with these on top, checked as if to be saved."""
        values = dict(await self._store.settings())
        for name, value in _values(provider, tried).items():
            if value is None:
                values.pop(name, None)
            else:
                values[name] = value
        keys = await asyncio.to_thread(self._keys.read)
        setup = setup_of(provider, values, keys, self._environment)
        if tried.api_key is None:
            return setup
        key = checked_key(tried.api_key) or None
        self._seen_keys.update(filter(None, [key]))
        return replace(setup, key=key)


def _provider(name: str) -> Provider:
    provider = PROVIDERS.get(name)
    if provider is None:
        raise NotFound(
            f"There is no provider named {name[:40]!r}. "
            f"There are: {', '.join(PROVIDERS)}.",
            code="agent-not-found",
        )
    return provider


def _values(provider: Provider, changes: _Changes) -> dict[str, str | None]:
    """Return what is said of a provider, checked, by the names of its settings."""
    values: dict[str, str | None] = {}
    is_program = provider.wire is None
    server_fields = (changes.base_url, changes.model, changes.api_key)
    if is_program and any(value is not None for value in server_fields):
        raise InvalidInput("A program has a command, and no address, model or key.")
    if not is_program and changes.command is not None:
        raise InvalidInput(f"{provider.title} has an address, and no command.")
    if changes.base_url is not None:
        address = changes.base_url.strip()
        base_url = provider.endpoint(address).base_url if address else None
        values[setting_of(provider.name, "base_url")] = base_url
    if changes.model is not None:
        model = _checked_model(changes.model) or None
        values[setting_of(provider.name, "model")] = model
    if changes.command is not None:
        command = _checked_command(changes.command)
        said = json.dumps(command) if command else None
        values[setting_of(provider.name, "command")] = said
    return values


def _checked_model(text: str) -> str:
    model = text.strip()
    if len(model) > MAX_MODEL_CHARS or not (model.isprintable()):
        raise InvalidInput(
            "The name of the model has to be one line of at most "
            f"{MAX_MODEL_CHARS} characters."
        )
    return model


def _checked_command(command: tuple[str, ...]) -> tuple[str, ...]:
    is_sendable = all("\0" not in part for part in command)
    if not is_sendable or sum(map(len, command)) > _MAX_COMMAND_CHARS:
        raise InvalidInput(
            "The command has to be a program and its arguments, of at most "
            f"{_MAX_COMMAND_CHARS} characters."
        )
    if command and not command[0].strip():
        raise InvalidInput("The command has to begin with the name of a program.")
    return command
