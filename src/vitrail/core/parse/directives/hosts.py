"""Which hosts an attachment's address may name, judged by the address alone.

No name is resolved here: whoever fetches judges every answer again, with the
same `address_fault`. An address that two readers may read differently (a
backslash, digits that are no ASCII digits, short forms of IPv4) is refused.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from typing import Final

from vitrail import limits

__all__ = ["address_fault", "host_fault", "remote_fault"]

_NAMES: Final = frozenset(
    ["localhost", "localhost.localdomain", "metadata.google.internal"]
)
_SUFFIXES: Final = (
    ".localhost",
    ".local",
    ".internal",
    ".lan",
    ".home.arpa",
    ".corp",
    ".home",
    ".intranet",
    ".private",
    ".localdomain",
    ".test",
    ".invalid",
    ".onion",
    ".svc",
)
"""Special-use names (RFC 6761, 6762, 7686, 8375, 9476) and what local networks use."""

_V4: Final = tuple(
    ipaddress.IPv4Network(block)
    for block in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",  # a cloud platform's host agent, at a public address
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
    )
)
"""Special-purpose IPv4, IANA registry (RFC 6890), multicast and reserved included."""

_V6_PUBLIC: Final = ipaddress.IPv6Network("2000::/3")
_V6: Final = tuple(
    ipaddress.IPv6Network(block)
    for block in (
        "2001::/23",  # Teredo, benchmarking, ORCHID and others
        "2001:db8::/32",
        "2002::/16",  # 6to4 holds an IPv4 address
        "3fff::/20",
    )
)
"""What is special of the only block that is public; IANA registry (RFC 6890)."""

_ISATAP: Final = (0x00005EFE, 0x02005EFE)
_QUAD: Final = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}")
_NUMERIC: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PORT: Final = re.compile(r"[0-9]{1,5}")
_MAX_PORT: Final = 65_535
_MAX_HOST_CHARS: Final = 253
"""RFC 1035 §2.3.4, without the dot at the end."""
_RAW: Final = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029\ufeff]")
_HTTPS: Final = "https://"


def remote_fault(url: str) -> str | None:
    """Return why nothing may be fetched from this address, or None.

    The reason is a clause for people and does not repeat the address.

    >>> remote_fault("https://example.com/a.png")
    >>> remote_fault("https://127.0.0.1/a.png")
    'its host is not a public address'
    """
    if len(url) > limits.MAX_MEDIA_REFERENCE_CHARS:
        return "it is longer than an address may be"
    if url[: len(_HTTPS)].lower() != _HTTPS:
        return "it does not begin with https://"
    if _RAW.search(url) is not None:
        return "it holds white space, a control character or a backslash"
    authority = re.split(r"[/?#]", url[len(_HTTPS) :], maxsplit=1)[0]
    if "@" in authority:
        return "it holds a user name"
    host, port = _split_port(authority)
    if port is not None and not (_PORT.fullmatch(port) and 0 < int(port) <= _MAX_PORT):
        return "its port is none"
    return host_fault(host)


def _split_port(authority: str) -> tuple[str, str | None]:
    """Return host and port; a port is what stands behind the last colon outside brackets."""
    head, bracket, tail = authority.rpartition("]")
    host, colon, port = tail.partition(":")
    return head + bracket + host, port if colon else None


def host_fault(host: str) -> str | None:
    """Return why this host is none to fetch from, or None.

    An IPv6 address stands in brackets.

    >>> host_fault("example.com"), host_fault("[2606:4700:4700::1111]")
    (None, None)
    >>> host_fault("printer")
    'its host has no domain'
    """
    if host.startswith("["):
        return _v6_fault(host)
    name = host.lower()
    if not name or len(name) > _MAX_HOST_CHARS + 1:
        return "it has no host" if not name else "its host is too long"
    if unicodedata.normalize("NFKC", name) != name or not all(map(_may_be_in, name)):
        return "its host has characters that are read in two ways"
    name = name.rstrip(".")
    labels = name.split(".")
    if not all(labels):
        return "its host has an empty part"
    if _NUMERIC.fullmatch(labels[-1]):
        if _QUAD.fullmatch(name) is None:
            return "its host is a number that is no plain IPv4 address"
        return address_fault(name)
    if name in _NAMES or name.endswith(_SUFFIXES):
        return "its host is a name of this machine or network"
    return "its host has no domain" if len(labels) == 1 else None


def _may_be_in(ch: str) -> bool:
    """Whether a character may be in a name: letters, marks, digits, some signs."""
    return ch in "-._" or unicodedata.category(ch)[0] in "LM" or ch in "0123456789"


def _v6_fault(host: str) -> str | None:
    if not host.endswith("]") or "%" in host:
        return "its host is no plain IPv6 address"
    return address_fault(host[1:-1])


def address_fault(address: str) -> str | None:
    """Return why nothing may be fetched from this IP address, or None.

    Addresses that hold an IPv4 address are refused, whatever it is.

    >>> address_fault("93.184.216.34")
    >>> address_fault("64:ff9b::a00:1")
    'its host is not a public address'
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return "its host is no IP address"
    if isinstance(ip, ipaddress.IPv4Address):
        special = any(ip in block for block in _V4)
    else:
        embeds = (int(ip) >> 32) & 0xFFFF_FFFF in _ISATAP
        special = embeds or ip not in _V6_PUBLIC or any(ip in b for b in _V6)
    return "its host is not a public address" if special else None
