"""Shares of the soak: which part of the long suites a test belongs to."""

from __future__ import annotations

import hashlib

__all__ = ["part_of", "read_share"]


def part_of(node_id: str, parts: int) -> int:
    """Return the part, from 0, that a test's name falls to; the same on every machine."""
    digest = hashlib.sha256(node_id.encode()).digest()
    return int.from_bytes(digest[:8], "big") % parts


def read_share(option: str) -> tuple[int, int]:
    """Return part and number of parts of ``I/N``; raise ``ValueError`` for anything else."""
    part, _, parts = option.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and int(part) < int(parts)):
        msg = f"expected I/N with 0 <= I < N, got {option!r}"
        raise ValueError(msg)
    return int(part), int(parts)
