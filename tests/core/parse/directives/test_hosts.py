"""Hosts that an attachment may come from, spec/openclaw-zeus-investment §1.4."""

from __future__ import annotations

from pathlib import Path

import pytest

from vitrail.core.parse.directives import address_fault, host_fault, remote_fault

CASES = [
    line.split("\t")
    for line in (Path(__file__).parent / "address_cases.tsv")
    .read_text(encoding="utf-8")
    .splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(
    ("url", "verdict", "why"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_an_address_is_judged_by_what_it_says(url, verdict, why):
    address = url.encode("ascii").decode("unicode_escape")
    fault = remote_fault(address)
    assert (fault is None) == (verdict == "allow"), (why, fault)


BLOCKED = [
    "198.18.0.1",
    "198.51.100.42",
    "203.0.113.10",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "8.8.2056",
    "08.0.0.1",
    "0x7g.0.0.1",
    "127..0.1",
    "999.1.1.1",
    "localhost",
    "localhost.localdomain",
    "metadata.google.internal",
    "a.localhost",
    "a.local",
    "a.internal",
    "a.lan",
    "a.home.arpa",
    "a.corp",
    "a.test",
    "a.onion",
    "printer",
    "example..com",
    ".example.com",
]
BLOCKED_V6 = [
    "::ffff:127.0.0.1",
    "0:0:0:0:0:ffff:7f00:1",
    "::127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::8.8.8.8",
    "2002:7f00:0001::",
    "2001:0:0:0:0:0:80ff:fefe",
    "fe80::1%lo0",
    "fd00::1",
    "fec0::1",
    "100::1",
    "2001:db8::1",
    "2001:2::1",
    "2001:20::1",
    "2606:4700::5efe:7f00:1",
    "::::",
    "ff02::1",
    "::",
    "::1",
]
PUBLIC = [
    "93.184.216.34",
    "198.17.255.255",
    "198.20.0.1",
    "203.0.114.1",
    "1password.com",
    "abc.123.example",
    "0x.example.com",
    "example.com",
    "EXAMPLE.com.",
    "bücher.example",
    "例え.jp",
    "xn--bcher-kva.example",
    "a_b.example.com",
    "local.example.com",
]


@pytest.mark.parametrize("host", [*BLOCKED, *(f"[{ip}]" for ip in BLOCKED_V6)])
def test_a_host_that_is_not_public_is_refused(host):
    assert host_fault(host) is not None


@pytest.mark.parametrize("host", [*PUBLIC, "[2606:4700:4700::1111]"])
def test_a_public_host_is_taken(host):
    assert host_fault(host) is None


def test_the_reason_repeats_nothing_of_the_address():
    for url in (
        "https://u:secret@example.com/",
        "http://secret.example/",
        "https://secret/",
    ):
        assert "secret" not in (remote_fault(url) or "secret")


def test_what_is_no_ip_address_is_none_to_fetch_from():
    assert address_fault("example.com") == "its host is no IP address"


def test_an_address_longer_than_the_limit_is_refused():
    url = "https://example.com/"
    assert remote_fault(url + "a" * (4096 - len(url))) is None
    assert remote_fault(url + "a" * (4097 - len(url))) is not None


def test_a_very_long_host_is_refused():
    assert host_fault("a." * 200 + "com") == "its host is too long"
