"""Tests talk to this machine only: any other address is refused and remembered."""

from __future__ import annotations

import ipaddress
import sys

__all__ = ["attempts_to_leave", "is_loopback", "keep_to_loopback"]

attempts_to_leave: list[str] = []
"""Hosts that code under test tried to reach since the list was last cleared."""


def is_loopback(host: str) -> bool:
    """Return whether ``host`` is an address or a name of this machine."""
    if host in {"", "localhost"} or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _host_of(event: str, arguments: tuple[object, ...]) -> str | None:
    match event, arguments:
        case "socket.getaddrinfo", (str() | bytes() as host, *_):
            return host.decode() if isinstance(host, bytes) else host
        case "socket.gethostbyname", (str() as host, *_):
            return host
        case (("socket.connect" | "socket.sendto"), (_, (str() as host, *_))):
            return host
    return None  # a Unix socket, or a name of no host


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if not event.startswith("socket."):
        return
    host = _host_of(event, arguments)
    if host is not None and not is_loopback(host):
        attempts_to_leave.append(host)
        message = f"tests stay on loopback, got {host!r}"
        raise PermissionError(message)


_kept = False


def keep_to_loopback() -> None:
    """Refuse every other address from now on, for the life of the process."""
    global _kept  # noqa: PLW0603 - an audit hook cannot be taken out again, so one is enough
    if not _kept:
        _kept = True
        sys.addaudithook(_refuse)
