"""Counts and digest of a body that comes in pieces."""

from __future__ import annotations

import hashlib
from typing import Final

__all__ = ["HEAD_CHARS", "Body"]

_BATCH: Final = 256
"""Pieces hashed at once: a digest's call costs as much as hashing 500 characters."""


HEAD_CHARS: Final = 256
"""Of a body's beginning, what is kept to tell a page from a remark about one."""


class Body:
    """Length in code points and SHA-256 of the UTF-8 of one artifact's body."""

    __slots__ = ("_digest", "_pieces", "head", "length")

    def __init__(self) -> None:
        self._digest: hashlib._Hash | None = None  # of the pieces that are gone
        self._pieces: list[str] = []
        self.head = ""
        """Its first `HEAD_CHARS` characters."""
        self.length = 0

    def add(self, text: str) -> None:
        """Take a piece of the body."""
        if self.length < HEAD_CHARS:
            self.head += text[: HEAD_CHARS - self.length]
        self.length += len(text)
        self._pieces.append(text)
        if len(self._pieces) >= _BATCH:
            self._flush()

    def sha256(self) -> str:
        """Return the digest of all pieces in lower-case hex."""
        if self._digest is None:
            return hashlib.sha256("".join(self._pieces).encode()).hexdigest()
        return self._flush().hexdigest()

    def _flush(self) -> hashlib._Hash:
        data = "".join(self._pieces).encode()
        self._pieces.clear()
        if self._digest is None:
            self._digest = hashlib.sha256(data)
        else:
            self._digest.update(data)
        return self._digest
