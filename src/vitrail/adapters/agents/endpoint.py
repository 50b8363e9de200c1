"""Where a model is reached: the address that a person typed, made usable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from vitrail.errors import InvalidInput

__all__ = ["DEFAULT_BASE_URL", "Endpoint", "endpoint_of"]

DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"

_SUFFIXES: Final = ("/chat/completions", "/completions", "/models")
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

    @property
    def chat_url(self) -> str:
        """Where a conversation is sent."""
        return f"{self.base_url}/chat/completions"

    @property
    def models_url(self) -> str:
        """Where the models are listed."""
        return f"{self.base_url}/models"


def endpoint_of(text: str) -> Endpoint:
    """Return the endpoint that a person means by an address.

    ``/v1`` is added where there is no path, since every compatible server has
    it there; a path of the interface itself is taken off. Raises
    ``InvalidInput`` for what is no address of a server.

    >>> endpoint_of("http://localhost:11434/").base_url
    'http://localhost:11434/v1'
    >>> endpoint_of("https://Models.example/api/v1/chat/completions").base_url
    'https://models.example/api/v1'
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
    base_url = f"{parts.scheme}://{host}{path or '/v1'}"
    return Endpoint(base_url=base_url, origin=origin, host=host)


def _invalid(expected: str) -> InvalidInput:
    return InvalidInput(f"The address of the model server has to be {expected}.")
