"""The providers: what a model can be reached through, and how each is set up.

Strategy: a provider is a row of one table; how it is set up is read from the
data folder's settings, then the environment, then the row. A key belongs to an
origin: whoever changes an address cannot make a key travel with it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias, cast, get_args

from vitrail.adapters.agents.endpoint import Endpoint, endpoint_of
from vitrail.adapters.agents.wire import CHAT, MESSAGES, RESPONSES, Wire
from vitrail.adapters.secrets import SECRETS_NAME, StoredKey, checked_key, key_hint
from vitrail.errors import InvalidInput, SetupError
from vitrail.protocol.http import AgentName, ProviderName, ProviderView

__all__ = [
    "NO_KEY",
    "PROVIDERS",
    "ModelDefaults",
    "Provider",
    "ProviderSetup",
    "agent_name",
    "check_environment",
    "setting_of",
    "setup_of",
    "setups_of",
]

NO_KEY: Final = "There is no key yet. Enter one in the model settings."
"""What a hosted server lacks, and how to mend it."""

_Source: TypeAlias = Literal["settings", "environment", "none"]


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
    def key_name(self) -> str | None:
        """Name of the variable that the key comes from."""
        ...

    @property
    def model(self) -> str | None:
        """The model to ask."""
        ...

    @property
    def agent(self) -> str | None:
        """Who answers where nobody is named."""
        ...

    @property
    def anthropic(self) -> ModelDefaults | None:
        """The same of the Messages format; what is above is OpenAI's."""
        ...


@dataclass(frozen=True, slots=True)
class Provider:
    """One way to a model."""

    name: ProviderName
    title: str
    wire: Wire | None
    """None: a program."""
    built_in: str = ""
    """Base URL where nobody says another."""
    is_hosted: bool = False
    """Whether the server at that address wants a key."""

    def endpoint(self, address: str) -> Endpoint:
        """Return the endpoint that an address means; raise ``InvalidInput``."""
        return endpoint_of(address, always_v1=self.wire is MESSAGES)


PROVIDERS: Final[dict[str, Provider]] = {
    provider.name: provider
    for provider in (
        Provider(
            "openai",
            "OpenAI-compatible server",
            CHAT,
            "https://api.openai.com/v1",
            is_hosted=True,
        ),
        Provider(
            "openai-responses",
            "OpenAI Responses",
            RESPONSES,
            "https://api.openai.com/v1",
            is_hosted=True,
        ),
        Provider(
            "anthropic",
            "Anthropic",
            MESSAGES,
            "https://api.anthropic.com/v1",
            is_hosted=True,
        ),
        Provider("ollama", "Ollama", CHAT, "http://127.0.0.1:11434/v1"),
        Provider("lmstudio", "LM Studio", CHAT, "http://127.0.0.1:1234/v1"),
        Provider("command", "Program", None),
    )
}
"""All of them, in the order they are shown."""


@dataclass(frozen=True, slots=True)
class ProviderSetup:
    """How one provider is set up now."""

    provider: Provider
    base_url: str = ""
    base_url_source: Literal["settings", "environment", "built-in", "none"] = "none"
    model: str = ""
    model_source: _Source = "none"
    key: str | None = field(default=None, repr=False)
    key_source: _Source = "none"
    key_place: str | None = None
    key_origin: str | None = None
    """Origin of a kept key that may not be sent to this address."""
    command: tuple[str, ...] = ()

    @property
    def endpoint(self) -> Endpoint:
        """Where its server is."""
        return self.provider.endpoint(self.base_url)

    @property
    def wants_key(self) -> bool:
        """Whether nothing comes without a key."""
        return self.provider.is_hosted and self.base_url == self.provider.built_in

    @property
    def why_not(self) -> str | None:
        """What is missing, and how to mend it, or None if it is ready."""
        if self.provider.wire is None:
            return self._why_no_program()
        if not self.model:
            return "No model is chosen. Choose one in the model settings."
        if self.wants_key and self.key is None:
            return NO_KEY
        return None

    def _why_no_program(self) -> str | None:
        if not self.command:
            return "No program is set up. Enter one in the model settings."
        if shutil.which(self.command[0]) is None:
            return (
                f"The program {self.command[0]!r} is not on this machine, or may "
                "not be run. Check the command in the model settings."
            )
        return None

    def view(self) -> ProviderView:
        """Return it as it may be shown."""
        is_server = self.provider.wire is not None
        why_not = self.why_not
        return ProviderView(
            name=self.provider.name,
            title=self.provider.title,
            kind="server" if is_server else "program",
            base_url=self.base_url or None,
            built_in_base_url=self.provider.built_in or None,
            base_url_source=self.base_url_source,
            model=self.model,
            model_source=self.model_source,
            wants_key=self.wants_key,
            key_hint=key_hint(self.key) if self.key else None,
            key_source=self.key_source,
            key_place=self.key_place,
            key_origin=self.key_origin,
            command=self.command,
            is_ready=why_not is None,
            why_not=why_not,
        )


def setting_of(
    name: ProviderName, field_name: Literal["base_url", "model", "command"]
) -> str:
    """Return under which name a provider's setting is kept.

    >>> setting_of("anthropic", "model")
    'anthropic.model'
    """
    # The first two had the settings for themselves.
    return field_name if name in ("openai", "command") else f"{name}.{field_name}"


def setup_of(
    provider: Provider,
    stored: Mapping[str, str],
    keys: Mapping[str, StoredKey],
    environment: ModelDefaults | None,
) -> ProviderSetup:
    """Return how a provider is set up, from what is kept and what the environment says."""
    if provider.wire is None:
        command = stored.get(setting_of(provider.name, "command")) or "[]"
        return ProviderSetup(provider, command=tuple(json.loads(command)))
    told = _told(provider, environment)
    kept_url = stored.get(setting_of(provider.name, "base_url"))
    told_url = _own(provider, told.base_url if told else None)
    base_url = kept_url or told_url or provider.built_in
    kept_model = stored.get(setting_of(provider.name, "model"))
    told_model = _own(provider, told.model if told else None)
    kept_key = keys.get(provider.name)
    endpoint = provider.endpoint(base_url)
    key, source, place = _key_for(endpoint, kept_key, provider, told)
    is_elsewhere = kept_key is not None and kept_key.origin != endpoint.origin
    return ProviderSetup(
        provider,
        base_url=endpoint.base_url,
        base_url_source="settings"
        if kept_url
        else "environment"
        if told_url
        else "built-in",
        model=kept_model or told_model or "",
        model_source="settings"
        if kept_model
        else "environment"
        if told_model
        else "none",
        key=key,
        key_source=source,
        key_place=place,
        key_origin=kept_key.origin if kept_key and is_elsewhere else None,
    )


def setups_of(
    stored: Mapping[str, str],
    keys: Mapping[str, StoredKey],
    environment: ModelDefaults | None,
) -> dict[str, ProviderSetup]:
    """Return how every provider is set up, by name, in the order of `PROVIDERS`."""
    return {
        name: setup_of(provider, stored, keys, environment)
        for name, provider in PROVIDERS.items()
    }


def _told(
    provider: Provider, environment: ModelDefaults | None
) -> ModelDefaults | None:
    """Return the part of the environment that speaks of a provider."""
    match provider.name:
        case "openai" | "openai-responses":
            return environment
        case "anthropic":
            return environment.anthropic if environment else None
        case _:
            return None


def _own(provider: Provider, value: str | None) -> str | None:
    """Return an address or a model that is said of this provider alone."""
    # A compatible server that the environment names need not speak Responses.
    return None if provider.name == "openai-responses" else value


def _key_for(
    endpoint: Endpoint,
    kept: StoredKey | None,
    provider: Provider,
    told: ModelDefaults | None,
) -> tuple[str | None, _Source, str | None]:
    """Return the key that may be sent to this endpoint, its source and its place."""
    if kept is not None and kept.origin == endpoint.origin:
        return kept.key, "settings", SECRETS_NAME
    if told is not None and told.api_key:
        told_url = told.base_url or provider.built_in
        if provider.endpoint(told_url).origin == endpoint.origin:
            return told.api_key, "environment", told.key_name
    return None, "none", None


def agent_name(value: str | None) -> AgentName | None:
    """Return the name if an agent has it."""
    return cast("AgentName", value) if value in get_args(AgentName) else None


def check_environment(environment: ModelDefaults) -> None:
    """Raise ``SetupError`` for what the environment says and cannot be used."""
    openai, anthropic = PROVIDERS["openai"], PROVIDERS["anthropic"]
    for provider, told in ((openai, environment), (anthropic, environment.anthropic)):
        if told is None:
            continue
        try:
            if told.base_url:
                provider.endpoint(told.base_url)
            if told.api_key:
                checked_key(told.api_key)
        except InvalidInput as cause:
            raise SetupError(
                f"The environment names a model that cannot be used: {cause.message}"
            ) from cause
    if environment.agent and agent_name(environment.agent) is None:
        raise SetupError(
            f"VITRAIL_AGENT expected one of {', '.join(get_args(AgentName))}, "
            f"got {environment.agent!r}."
        )
