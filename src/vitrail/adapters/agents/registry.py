"""The agents that are set up: which there are, who answers, and how they are tried."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol, TypeAlias

from vitrail.adapters.agents.command import CommandAgent
from vitrail.adapters.agents.endpoint import (
    DEFAULT_BASE_URL,
    Endpoint,
    endpoint_of,
)
from vitrail.adapters.agents.openai_chat import ChatTimes, OpenAIAgent
from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.adapters.agents.replay import ReplayAgent
from vitrail.adapters.secrets import KeyFile, StoredKey, checked_key, key_hint
from vitrail.core.text.scrub import scrub
from vitrail.errors import AgentError, InvalidInput, NotFound, SetupError, VitrailError
from vitrail.ports import (
    Agent,
    AgentChoice,
    AgentPrompt,
    AgentReasoning,
    AgentText,
    Clock,
    PromptMessage,
    Store,
)
from vitrail.protocol.http import (
    AgentInfo,
    AgentTest,
    AgentTestResult,
    ModelSettings,
    ModelSettingsView,
    NewRun,
)

__all__ = ["AgentRegistry", "ModelDefaults"]

_AgentName: TypeAlias = Literal["replay", "openai", "command"]

_TITLES: Final[dict[_AgentName, str]] = {
    "replay": "Recorded example",
    "openai": "Model server",
    "command": "Program",
}
_MAX_MODEL_CHARS: Final = 200
_MAX_COMMAND_CHARS: Final = 8000
_TEST_S: Final = 60.0
_TEST_PROMPT: Final = AgentPrompt(
    messages=(PromptMessage("user", "Answer with the one word: ready"),)
)


class ModelDefaults(Protocol):
    """How the environment says a model is reached."""

    @property
    def base_url(self) -> str | None:
        """Address of the model server."""
        ...

    @property
    def api_key(self) -> str | None:
        """Its key."""
        ...

    @property
    def model(self) -> str | None:
        """The model to ask."""
        ...


@dataclass(frozen=True, slots=True)
class _Setup:
    """The settings in force: the data folder's, then the environment's."""

    agent: _AgentName
    base_url: str
    model: str
    command: tuple[str, ...]
    key: str | None
    key_source: Literal["settings", "environment", "none"]


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
        times: ChatTimes | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._shelf = shelf
        self._keys = keys
        self._clock = clock
        self._environment = environment
        self._times = times
        self._sleep = sleep
        self._seen_keys: set[str] = set()
        if environment is not None:
            _check_environment(environment)
            self._seen_keys.update(filter(None, [environment.api_key]))

    # --- who answers ------------------------------------------------------

    async def choose(self, request: NewRun) -> AgentChoice:
        """Return who answers; see `vitrail.ports.Agents`."""
        setup = await self._setup()
        name = request.agent or ("replay" if request.recording else setup.agent)
        match name:
            case "replay":
                return await self._replay(request.recording)
            case "openai":
                model = request.model or setup.model
                return AgentChoice(self._openai(setup, model), model)
            case "command":
                return AgentChoice(self._command(setup), None)
            case _:
                raise NotFound(
                    f"There is no agent named {name!r}. "
                    f"There are: {', '.join(_TITLES)}.",
                    code="agent-not-found",
                )

    def secrets(self) -> tuple[str, ...]:
        """Return every key that this process has seen; see `vitrail.ports.Agents`."""
        self._seen_keys.update(stored.key for stored in self._keys.read().values())
        return tuple(self._seen_keys)

    async def infos(self) -> tuple[AgentInfo, ...]:
        """Return the agents, ready or not, with what is missing."""
        setup = await self._setup()
        infos = []
        for name, title in _TITLES.items():
            why_not = _why_not(name, setup)
            models = (setup.model,) if name == "openai" and setup.model else ()
            infos.append(
                AgentInfo(
                    name=name,
                    title=title,
                    is_ready=why_not is None,
                    why_not=why_not,
                    models=models,
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

    def _openai(self, setup: _Setup, model: str) -> OpenAIAgent:
        if not model:
            raise _not_configured("openai", setup)
        return OpenAIAgent(
            endpoint_of(setup.base_url),
            model=model,
            api_key=setup.key,
            clock=self._clock,
            times=self._times,
            sleep=self._sleep,
        )

    def _command(self, setup: _Setup) -> CommandAgent:
        if _why_not("command", setup):
            raise _not_configured("command", setup)
        return CommandAgent(setup.command, secrets=self.secrets())

    # --- settings ---------------------------------------------------------

    async def view(self) -> ModelSettingsView:
        """Return the settings as they may be shown."""
        setup = await self._setup()
        return ModelSettingsView(
            agent=setup.agent,
            base_url=setup.base_url,
            model=setup.model,
            key_hint=key_hint(setup.key) if setup.key else None,
            key_source=setup.key_source,
            command=setup.command,
        )

    async def update(self, settings: ModelSettings) -> ModelSettingsView:
        """Change what is given, all of it or nothing; raise ``InvalidInput``."""
        values: dict[str, str | None] = {}
        if settings.agent is not None:
            values["agent"] = settings.agent
        if settings.base_url is not None:
            base_url = settings.base_url.strip()
            values["base_url"] = endpoint_of(base_url).base_url if base_url else None
        if settings.model is not None:
            values["model"] = _checked_model(settings.model) or None
        if settings.command is not None:
            command = _checked_command(settings.command)
            values["command"] = json.dumps(command) if command else None
        key = None if settings.api_key is None else checked_key(settings.api_key)
        if values:
            await self._store.put_settings(values)
        if key is not None:
            endpoint = endpoint_of((await self._setup()).base_url)
            stored = StoredKey(key, endpoint.origin) if key else None
            await asyncio.to_thread(self._keys.put, "openai", stored)
        return await self.view()

    async def _setup(self) -> _Setup:
        return self._in_force(
            await self._store.settings(), await asyncio.to_thread(self._keys.read)
        )

    def _in_force(
        self, stored: Mapping[str, str], keys: Mapping[str, StoredKey]
    ) -> _Setup:
        environment = self._environment
        told_url = environment.base_url if environment else None
        told_model = environment.model if environment else None
        base_url = stored.get("base_url") or told_url or DEFAULT_BASE_URL
        model = stored.get("model") or told_model or ""
        key, source = self._key_for(endpoint_of(base_url), keys.get("openai"))
        command = tuple(json.loads(stored.get("command") or "[]"))
        can_answer = model and (key is not None or base_url != DEFAULT_BASE_URL)
        agent = _agent_name(stored.get("agent")) or (
            "openai" if can_answer else "replay"
        )
        return _Setup(
            agent=agent,
            base_url=base_url,
            model=model,
            command=command,
            key=key,
            key_source=source,
        )

    def _key_for(
        self, endpoint: Endpoint, stored: StoredKey | None
    ) -> tuple[str | None, Literal["settings", "environment", "none"]]:
        """Return the key that may be sent to this endpoint, and where it is from."""
        if stored is not None and stored.origin == endpoint.origin:
            return stored.key, "settings"
        environment = self._environment
        if environment is not None and environment.api_key:
            told_url = environment.base_url or DEFAULT_BASE_URL
            if endpoint_of(told_url).origin == endpoint.origin:
                return environment.api_key, "environment"
        return None, "none"

    # --- trying -----------------------------------------------------------

    async def test(self, request: AgentTest) -> AgentTestResult:
        """Try an agent with these settings, without saving them.

        Nothing is raised for what fails behind the agent: the result says it.
        """
        keys = list(self.secrets())
        try:
            setup = await self._tried(request)
            keys += [setup.key] if setup.key else []
            if request.agent == "command":
                return await self._test_command(setup)
            return await self._test_openai(setup)
        except VitrailError as error:
            return AgentTestResult(
                ok=False, code=error.code, message=scrub(error.message, keys)
            )

    async def _tried(self, request: AgentTest) -> _Setup:
        """Return the settings with the request's on top, checked as if to be saved."""
        values = dict(await self._store.settings())
        if request.base_url is not None and request.base_url.strip():
            values["base_url"] = endpoint_of(request.base_url).base_url
        if request.model is not None:
            values["model"] = _checked_model(request.model)
        if request.command is not None:
            values["command"] = json.dumps(_checked_command(request.command))
        setup = self._in_force(values, await asyncio.to_thread(self._keys.read))
        if request.api_key is not None:
            key = checked_key(request.api_key) or None
            self._seen_keys.update(filter(None, [key]))
            setup = replace(setup, key=key)
        return setup

    async def _test_openai(self, setup: _Setup) -> AgentTestResult:
        endpoint = endpoint_of(setup.base_url)
        models = await OpenAIAgent(
            endpoint,
            model="",
            api_key=setup.key,
            clock=self._clock,
            times=self._times,
            sleep=self._sleep,
        ).models()
        if not setup.model:
            return AgentTestResult(
                ok=bool(models),
                code=None if models else "agent-not-configured",
                message=f"{endpoint.host} answers. Choose one of its models."
                if models
                else f"{endpoint.host} answers, but names no models. Enter the name "
                "of one.",
                models=models,
            )
        # The list alone proves little: some servers show it without a key.
        try:
            await self._first_words(self._openai(setup, setup.model))
        except AgentError as error:
            return AgentTestResult(
                ok=False,
                code=error.code,
                message=scrub(error.message, self.secrets()),
                models=models,
            )
        return AgentTestResult(
            ok=True, message=f"{setup.model} at {endpoint.host} answers.", models=models
        )

    async def _test_command(self, setup: _Setup) -> AgentTestResult:
        words = await self._first_words(self._command(setup))
        shown = scrub(" ".join(words.split())[:80], self.secrets())
        return AgentTestResult(ok=True, message=f"The program answers: {shown}")

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


def _agent_name(value: str | None) -> _AgentName | None:
    match value:
        case "replay" | "openai" | "command":
            return value
        case _:
            return None


def _why_not(name: _AgentName, setup: _Setup) -> str | None:
    """Return what an agent lacks, and how to mend it, or None if it is ready."""
    match name:
        case "openai" if not setup.model:
            return "No model is chosen. Choose one in the model settings."
        case "openai" if setup.key is None and setup.base_url == DEFAULT_BASE_URL:
            return "There is no key yet. Enter one in the model settings."
        case "command" if not setup.command:
            return "No program is set up. Enter one in the model settings."
        case "command" if shutil.which(setup.command[0]) is None:
            return (
                f"The program {setup.command[0]!r} is not on this machine, or may "
                "not be run. Check the command in the model settings."
            )
        case _:
            return None


def _not_configured(name: _AgentName, setup: _Setup) -> AgentError:
    return AgentError(
        _why_not(name, setup) or "The agent is not set up.", code="agent-not-configured"
    )


def _checked_model(text: str) -> str:
    model = text.strip()
    if len(model) > _MAX_MODEL_CHARS or not (model.isprintable()):
        raise InvalidInput(
            "The name of the model has to be one line of at most "
            f"{_MAX_MODEL_CHARS} characters."
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


def _check_environment(environment: ModelDefaults) -> None:
    """Refuse what the environment says where it cannot be used."""
    try:
        if environment.base_url:
            endpoint_of(environment.base_url)
        if environment.api_key:
            checked_key(environment.api_key)
    except InvalidInput as cause:
        raise SetupError(
            f"The environment names a model that cannot be used: {cause.message}"
        ) from cause
