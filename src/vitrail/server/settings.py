"""Settings: what the environment says, read once, in this module only.

A value that cannot be used is a ``SetupError`` that names the variable, says
what was expected and what came.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from vitrail.core.validate.gated import GatePolicy
from vitrail.core.validate.stub_guard import policy_of
from vitrail.errors import SetupError
from vitrail.limits import MAX_CONTINUATIONS

__all__ = [
    "DEFAULT_HOST",
    "DEFAULT_PORT",
    "DEFAULT_PREVIEW_PORT",
    "ModelEnvironment",
    "Settings",
    "check_port",
    "host_of",
    "origin_of",
    "read_gate_policy",
    "read_settings",
]

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 7717
DEFAULT_PREVIEW_PORT: Final = 7718
_MAX_PORT: Final = 65535


@dataclass(frozen=True, slots=True)
class ModelEnvironment:
    """How the environment says a model is reached; the data folder's settings win."""

    base_url: str | None = None
    """``VITRAIL_OPENAI_BASE_URL``, then ``OPENAI_BASE_URL``."""
    api_key: str | None = field(default=None, repr=False)
    """``VITRAIL_OPENAI_API_KEY``, then ``OPENAI_API_KEY``."""
    model: str | None = None
    """``VITRAIL_MODEL``."""
    key_name: str | None = None
    """Which variable the key comes from."""
    agent: str | None = None
    """``VITRAIL_AGENT``: who answers where nobody is named."""
    anthropic: ModelEnvironment | None = None
    """The same of Anthropic's format, from the variables that have it in their names."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the server is told from outside."""

    data: Path | None = None
    """``VITRAIL_DATA``: the data folder."""
    host: str = DEFAULT_HOST
    """Address to listen on."""
    port: int = DEFAULT_PORT
    """Port of the app; 0 takes any free one."""
    preview_port: int = DEFAULT_PREVIEW_PORT
    """Port of the preview site; 0 takes any free one."""
    public_url: str | None = None
    """``VITRAIL_PUBLIC_URL``: origin under which people reach the app."""
    preview_url: str | None = None
    """``VITRAIL_PREVIEW_URL``: origin under which they reach the preview site."""
    allowed_hosts: tuple[str, ...] = ()
    """``VITRAIL_ALLOWED_HOSTS``: further names the app answers to, without port."""
    embed_origins: tuple[str, ...] = ()
    """``VITRAIL_EMBED_ORIGINS``: origins whose pages may frame the app."""
    trusted_proxies: tuple[str, ...] = ()
    """``VITRAIL_TRUSTED_PROXIES``: addresses or networks whose ``X-Forwarded-*`` count."""
    continues: int = 0
    """``VITRAIL_CONTINUE``: how often a cut artifact is continued without being asked."""
    gates: GatePolicy = field(default_factory=GatePolicy)
    """``VITRAIL_STUB_GUARD``, ``…_MIN_RATIO``, ``…_MIN_PRIOR_BYTES``: what happens to a
    page that is far shorter than what it replaces."""
    unread: tuple[str, ...] = ()
    """Words about settings whose values say nothing, and what is taken instead."""
    model: ModelEnvironment = field(default_factory=ModelEnvironment)
    chromium: str | None = None
    """``VITRAIL_CHROMIUM``: the Chromium to drive, where it is not found by its name."""


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings that the environment gives.

    Raises ``SetupError('settings-invalid')``.

    >>> read_settings({"VITRAIL_PUBLIC_URL": "https://v.example/"}).public_url
    'https://v.example'
    """
    if environment is None:
        environment = os.environ  # noqa: TID251 - the one place that reads it
    said = {name: value.strip() for name, value in environment.items()}
    data = said.get("VITRAIL_DATA")
    gates, unread = read_gate_policy(said)
    return Settings(
        data=Path(data).expanduser() if data else None,
        public_url=_origin(said, "VITRAIL_PUBLIC_URL"),
        preview_url=_origin(said, "VITRAIL_PREVIEW_URL"),
        allowed_hosts=tuple(map(_host, _items(said, "VITRAIL_ALLOWED_HOSTS"))),
        embed_origins=tuple(
            origin_of(item, name="VITRAIL_EMBED_ORIGINS")
            for item in _items(said, "VITRAIL_EMBED_ORIGINS")
        ),
        trusted_proxies=tuple(map(_network, _items(said, "VITRAIL_TRUSTED_PROXIES"))),
        continues=_continues(said.get("VITRAIL_CONTINUE") or "0"),
        gates=gates,
        unread=unread,
        model=_model(said),
        chromium=said.get("VITRAIL_CHROMIUM") or None,
    )


def read_gate_policy(
    environment: Mapping[str, str] | None = None,
) -> tuple[GatePolicy, tuple[str, ...]]:
    """Return the stub guard's policy, and words about values that say none.

    Unlike other settings, a slip of the pen here ends nothing: the guard stays
    on, as it is built in, and whoever starts the program is told.

    >>> read_gate_policy({"VITRAIL_STUB_GUARD": "maybe"})[0].mode
    'quarantine'
    """
    if environment is None:
        environment = os.environ  # noqa: TID251 - the one place that reads it
    name = "VITRAIL_STUB_GUARD"
    policy, wrong = policy_of(
        environment.get(name),
        environment.get(f"{name}_MIN_RATIO"),
        environment.get(f"{name}_MIN_PRIOR_BYTES"),
    )
    return policy, tuple(found.message for found in wrong)


def origin_of(value: str, *, name: str) -> str:
    """Return the origin that ``value`` is, in its one spelling.

    ``name`` is the setting it came from. Raises ``SetupError`` for anything
    that is not just scheme, host and port.
    """
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError as cause:
        raise _bad_origin(name, value) from cause
    host = parts.hostname
    is_origin = (
        parts.scheme in ("http", "https")
        and host
        and parts.path in ("", "/")
        and not (parts.query or parts.fragment or "@" in parts.netloc)
        and _is_host(host)
    )
    if not is_origin or host is None:
        raise _bad_origin(name, value)
    shown = f"[{host}]" if ":" in host else host
    default = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{shown}" + (
        "" if port is None or port == default else f":{port}"
    )


def host_of(origin: str) -> str:
    """Return the bare host name of an origin.

    >>> host_of("http://[::1]:7717")
    '::1'
    """
    return urlsplit(origin).hostname or ""


def check_port(value: int, *, name: str) -> int:
    """Return the port if there is such a one, 0 included; else ``SetupError``."""
    if not 0 <= value <= _MAX_PORT:
        raise SetupError(f"{name} expected a port from 0 to {_MAX_PORT}, got {value}.")
    return value


def _continues(value: str) -> int:
    if value.isascii() and value.isdecimal() and int(value) <= MAX_CONTINUATIONS:
        return int(value)
    raise SetupError(
        f"VITRAIL_CONTINUE expected a number from 0 to {MAX_CONTINUATIONS}, "
        f"got {value!r}."
    )


def _model(said: Mapping[str, str]) -> ModelEnvironment:
    openai_key = _first(said, "VITRAIL_OPENAI_API_KEY", "OPENAI_API_KEY")
    anthropic_key = _first(said, "VITRAIL_ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY")
    anthropic_url = _first(said, "VITRAIL_ANTHROPIC_BASE_URL", "ANTHROPIC_BASE_URL")
    anthropic = ModelEnvironment(
        base_url=said.get(anthropic_url or ""),
        api_key=said.get(anthropic_key or ""),
        key_name=anthropic_key,
        model=said.get("VITRAIL_ANTHROPIC_MODEL") or None,
    )
    openai_url = _first(said, "VITRAIL_OPENAI_BASE_URL", "OPENAI_BASE_URL")
    return ModelEnvironment(
        base_url=said.get(openai_url or ""),
        api_key=said.get(openai_key or ""),
        key_name=openai_key,
        model=said.get("VITRAIL_MODEL") or None,
        agent=said.get("VITRAIL_AGENT") or None,
        anthropic=None if anthropic == ModelEnvironment() else anthropic,
    )


def _first(said: Mapping[str, str], *names: str) -> str | None:
    """Return the first of these variables that says something."""
    return next((name for name in names if said.get(name)), None)


def _bad_origin(name: str, value: str) -> SetupError:
    return SetupError(
        f"{name} expected an origin such as https://vitrail.example "
        f"(scheme, host and port, no path), got {value!r}."
    )


def _origin(said: Mapping[str, str], name: str) -> str | None:
    value = said.get(name)
    return origin_of(value, name=name) if value else None


def _items(said: Mapping[str, str], name: str) -> list[str]:
    """Return the items of a list that commas or spaces separate."""
    return said.get(name, "").replace(",", " ").split()


def _is_host(value: str) -> bool:
    if ":" in value:
        try:
            ipaddress.IPv6Address(value)
        except ValueError:
            return False
        return True
    return value.isascii() and all(c.isalnum() or c in "-._" for c in value)


def _host(value: str) -> str:
    bare = value.removeprefix("[").removesuffix("]").lower()
    if not bare or not _is_host(bare):
        raise SetupError(
            "VITRAIL_ALLOWED_HOSTS expected host names without scheme and port, "
            f"such as vitrail.example, got {value!r}."
        )
    return bare


def _network(value: str) -> str:
    try:
        ipaddress.ip_network(value, strict=False)
    except ValueError as cause:
        raise SetupError(
            "VITRAIL_TRUSTED_PROXIES expected addresses or networks such as "
            f"10.0.0.0/8, got {value!r}."
        ) from cause
    return value
