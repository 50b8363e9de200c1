"""The guard that keeps tests on this machine."""

from __future__ import annotations

import socket

import pytest

from tests.support.loopback import attempts_to_leave, is_loopback


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("::1", True),
        ("localhost", True),
        ("a1b2.localhost", True),
        ("0.0.0.0", True),  # noqa: S104 - an address to judge, nothing binds to it
        ("10.0.0.1", False),
        ("169.254.169.254", False),
        ("2001:db8::1", False),
        ("example.org", False),
        ("localhost.example.org", False),
    ],
)
def test_only_this_machine_is_loopback(host, expected):
    assert is_loopback(host) is expected


def test_another_address_is_refused_and_remembered():
    with socket.socket() as client, pytest.raises(PermissionError):
        client.connect(("192.0.2.1", 80))
    assert attempts_to_leave == ["192.0.2.1"]
    attempts_to_leave.clear()


def test_another_name_is_not_looked_up():
    with pytest.raises(PermissionError):
        socket.getaddrinfo("example.org", 443)
    attempts_to_leave.clear()


def test_loopback_is_reached():
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()[:2], timeout=5),
    ):
        pass
    assert attempts_to_leave == []
