"""Listening sockets: all of them are bound before anything else begins.

So a taken port is met with words and leaves nothing half started.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final

from vitrail.errors import SetupError
from vitrail.server.settings import Settings, check_port

__all__ = ["Listeners", "has_ipv6_loopback", "listen", "reaches_names_below"]

_BACKLOG: Final = 256
_TRIES: Final = 8
"""For a free port that both loopback addresses have free."""

_NO_SUCH_ADDRESS: Final = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}


@dataclass(frozen=True, slots=True)
class Listeners:
    """Bound sockets of both sites."""

    app: tuple[socket.socket, ...]
    preview: tuple[socket.socket, ...]

    def ports(self, settings: Settings) -> Settings:
        """Return the settings with the ports that were really bound."""
        return replace(
            settings,
            port=self.app[0].getsockname()[1],
            preview_port=self.preview[0].getsockname()[1],
        )

    def close(self) -> None:
        """Give all ports back."""
        for listener in (*self.app, *self.preview):
            listener.close()


def listen(settings: Settings) -> Listeners:
    """Bind the app's address and the preview site's.

    On a loopback address the preview site is bound on 127.0.0.1 and, where
    there is IPv6, on ::1, since ``localhost`` may mean either. Raises
    ``SetupError``: ``port-taken``, or ``settings-invalid`` for an address that
    this machine does not have or a port that it does not give.
    """
    port = check_port(settings.port, name="--port")
    preview_port = check_port(settings.preview_port, name="--preview-port")
    if port == preview_port != 0:
        raise SetupError(
            f"The app and the preview site cannot share port {port}; "
            "give one of them another with --port or --preview-port."
        )
    with ExitStack() as undo:
        app = _bind(settings.host, port, option="--port")
        undo.callback(app.close)
        if _is_loopback(settings.host):
            preview = _bind_both_loopbacks(preview_port)
        else:
            preview = (_bind(settings.host, preview_port, option="--preview-port"),)
        undo.pop_all()
    return Listeners((app,), preview)


def has_ipv6_loopback() -> bool:
    """Return whether this machine has ``::1``."""
    try:
        _bind("::1", 0, option="").close()
    except SetupError:
        return False
    return True


def reaches_names_below(name: str, port: int) -> bool:
    """Return whether names below ``name`` lead to this machine, as this machine sees it.

    Browsers that run here and resolve names themselves reach them too; one
    that asks the system gets the same answer.
    """
    try:
        found = socket.getaddrinfo(f"probe.{name}", port, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return bool(found) and all(
        ipaddress.ip_address(address[0]).is_loopback for *_, address in found
    )


def _bind_both_loopbacks(port: int) -> tuple[socket.socket, ...]:
    for left in reversed(range(_TRIES)):
        first = _bind("127.0.0.1", port, option="--preview-port")
        try:
            second = _bind("::1", first.getsockname()[1], option="--preview-port")
        except SetupError as error:
            if error.code != "port-taken":
                return (first,)  # no IPv6 here
            first.close()
            if port or not left:
                raise
        else:
            return (first, second)
    raise AssertionError


def _bind(host: str, port: int, *, option: str) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as cause:
        raise SetupError(
            f"There is no address called {host!r} on this machine; give one with "
            "--host, such as 127.0.0.1."
        ) from cause
    try:
        listener = socket.socket(family, kind, protocol)
    except OSError as cause:  # a system that has no IPv6 at all
        raise _refused(cause, host, port, option) from cause
    try:
        # A port that a server of before has just left counts as free.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
        listener.setblocking(False)  # noqa: FBT003 - the standard library's signature
    except OSError as cause:
        listener.close()
        raise _refused(cause, host, port, option) from cause
    return listener


def _refused(cause: OSError, host: str, port: int, option: str) -> SetupError:
    if cause.errno == errno.EADDRINUSE:
        return SetupError(
            f"Port {port} is taken by another program, perhaps another "
            f"`vitrail serve`. Stop that one, or choose another port with {option}.",
            code="port-taken",
        )
    if cause.errno == errno.EACCES:
        return SetupError(
            f"This user may not listen on port {port}; choose one from 1024 up "
            f"with {option}."
        )
    if cause.errno in _NO_SUCH_ADDRESS:
        return SetupError(
            f"This machine does not have the address {host}; give another with --host."
        )
    return SetupError(f"Cannot listen on {host}, port {port}: {cause.strerror}.")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
