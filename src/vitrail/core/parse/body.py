"""Counts and digest of a body that comes in pieces."""

from __future__ import annotations

import hashlib
from typing import Final

__all__ = ["HEAD_CHARS", "Body"]

HEAD_CHARS: Final = 256
"""Of a body's beginning, what is kept to tell a page from a remark about one."""

_BATCH: Final = HEAD_CHARS
"""Pieces hashed at once: a digest's call costs as much as hashing 500 characters. None is
empty, so that the first of them hold the head."""


class Body:
    """Length in code points and SHA-256 of the UTF-8 of one artifact's body."""

    __slots__ = ("_digest", "_head", "_pieces", "length")

    def __init__(self) -> None:
        self._digest: hashlib._Hash | None = None  # of the pieces that are gone
        self._pieces: list[str] = []
        self._head = ""  # what of them is its head, once pieces are gone
        self.length = 0

    def add(self, text: str) -> None:
        """Take a piece of the body."""
        self.length += len(text)
        self._pieces.append(text)
        if len(self._pieces) >= _BATCH:
            self._flush()

    @property
    def head(self) -> str:
        """Its first `HEAD_CHARS` characters."""
        return (self._head or "".join(self._pieces))[:HEAD_CHARS]

    def sha256(self) -> str:
        """Return the digest of all pieces in lower-case hex."""
        if self._digest is None:
            return hashlib.sha256("".join(self._pieces).encode()).hexdigest()
        return self._flush().hexdigest()

    def _flush(self) -> hashlib._Hash:
        text = "".join(self._pieces)
        self._pieces.clear()
        if self._digest is None:
            self._head = text[:HEAD_CHARS]
            self._digest = hashlib.sha256(text.encode())
        else:
            self._digest.update(text.encode())
        return self._digest
