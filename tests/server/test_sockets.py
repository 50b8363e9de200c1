"""Sockets: bound before anything begins, and refused in words."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from vitrail.errors import SetupError
from vitrail.server.settings import Settings
from vitrail.server.sockets import Listeners, has_ipv6_loopback, listen

ANY = Settings(port=0, preview_port=0)


@pytest.fixture
def taken() -> Iterator[int]:
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        yield other.getsockname()[1]


def hosts(listeners: Listeners) -> tuple[list[str], list[str]]:
    return (
        [listener.getsockname()[0] for listener in listeners.app],
        [listener.getsockname()[0] for listener in listeners.preview],
    )


def refuse_ipv6(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let the system say ``number`` to whoever wants a socket of IPv6."""
    real = socket.socket

    def make(family: int = -1, kind: int = -1, protocol: int = -1) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(number, "refused")
        return real(family, kind, protocol)

    monkeypatch.setattr(socket, "socket", make)


def test_a_machine_without_ipv6_serves_on_the_other_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refuse_ipv6(monkeypatch, errno.EAFNOSUPPORT)
    listeners = listen(ANY)
    try:
        assert hosts(listeners) == (["127.0.0.1"], ["127.0.0.1"])
    finally:
        listeners.close()
    assert not has_ipv6_loopback()


@pytest.mark.skipif(not has_ipv6_loopback(), reason="this machine has no IPv6")
def test_previews_are_on_both_loopbacks_under_one_port() -> None:
    listeners = listen(ANY)
    try:
        assert hosts(listeners)[1] == ["127.0.0.1", "::1"]
        ports = {listener.getsockname()[1] for listener in listeners.preview}
        assert ports == {listeners.ports(ANY).preview_port}
    finally:
        listeners.close()


@pytest.mark.parametrize("which", ["port", "preview_port"])
def test_a_taken_port_is_named_with_the_option_that_changes_it(
    taken: int, which: str
) -> None:
    settings = (
        Settings(port=taken, preview_port=0)
        if which == "port"
        else Settings(port=0, preview_port=taken)
    )
    with pytest.raises(SetupError) as refused:
        listen(settings)
    assert refused.value.code == "port-taken"
    assert str(taken) in refused.value.message
    assert f"--{which.replace('_', '-')}." in refused.value.message


def test_both_sites_on_one_port_are_refused(taken: int) -> None:
    with pytest.raises(SetupError, match="cannot share"):
        listen(Settings(port=taken, preview_port=taken))


def test_what_is_no_name_of_an_address_is_refused_in_words() -> None:
    with pytest.raises(SetupError) as refused:
        listen(Settings(host="\udcff", port=0, preview_port=0))
    assert refused.value.code == "settings-invalid"
