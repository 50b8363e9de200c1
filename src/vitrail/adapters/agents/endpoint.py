"""Where a model is reached: the address that a person typed, made usable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from vitrail.errors import InvalidInput

__all__ = ["Endpoint", "endpoint_of"]

_SUFFIXES: Final = (
    "/chat/completions",
    "/completions",
    "/models",
    "/responses",
    "/messages",
)
"""What people copy from documentation together with the address itself."""

_MAX_CHARS: Final = 2000


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A checked base URL; made by `endpoint_of`."""

    base_url: str
    """Without a slash at its end."""
    origin: str
    """Scheme, host and port; a key is sent to the origin it was given for only."""
    host: str
    """For messages: host and, where it is given, port."""


def endpoint_of(text: str, *, always_v1: bool = False) -> Endpoint:
    """Return the endpoint that a person means by an address.

    ``/v1`` is added where there is no path, since every compatible server has
    it there; a path of the interface itself is taken off. ``always_v1`` adds it
    after any path: so the Messages format's own clients read a base address.
    Raises ``InvalidInput`` for what is no address of a server.

    >>> endpoint_of("http://localhost:11434/").base_url
    'http://localhost:11434/v1'
    >>> endpoint_of("https://Models.example/api/v1/chat/completions").base_url
    'https://models.example/api/v1'
    >>> endpoint_of("https://gateway.example/anthropic", always_v1=True).base_url
    'https://gateway.example/anthropic/v1'
    """
    text = text.strip()
    if not text or len(text) > _MAX_CHARS or not text.isprintable() or " " in text:
        raise _invalid("one address without spaces")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as cause:
        raise _invalid("a host and, if any, a port from 0 to 65535") from cause
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _invalid("an address such as http://localhost:11434/v1")
    if parts.username is not None or parts.query or parts.fragment:
        raise _invalid("an address without user name, query and fragment")
    path = parts.path.rstrip("/")
    for suffix in _SUFFIXES:
        path = path.removesuffix(suffix)
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    host = name if port is None else f"{name}:{port}"
    default_port = {"http": 80, "https": 443}[parts.scheme]
    origin = f"{parts.scheme}://{name}:{default_port if port is None else port}"
    if not path or (always_v1 and not path.endswith("/v1")):
        path += "/v1"
    base_url = f"{parts.scheme}://{host}{path}"
    return Endpoint(base_url=base_url, origin=origin, host=host)


def _invalid(expected: str) -> InvalidInput:
    return InvalidInput(f"The address of the model server has to be {expected}.")
