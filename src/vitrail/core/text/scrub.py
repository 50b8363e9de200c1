"""Secrets taken out of text, in one piece or as it streams.

Strategy: a secret is a literal value of a few dozen characters, and there are
one or two of them. Text that streams is held back only where its end is a
proper prefix of a secret, so nothing is withheld in practice, and a secret cut
by chunk borders is still found.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = ["MIN_SECRET_CHARS", "SCRUBBED", "Scrubber", "scrub"]

SCRUBBED: Final = "[key removed]"
"""What stands where a secret stood."""

MIN_SECRET_CHARS: Final = 8
"""Shorter values are not taken out: they would be found in ordinary words.

Keys of the providers have 20 characters and more; local servers take any
placeholder such as ``ollama``, which is no secret.
"""


def scrub(text: str, secrets: Iterable[str]) -> str:
    """Return the text with every secret replaced by `SCRUBBED`, the longest first.

    >>> scrub("Incorrect key sk-abcdefgh.", ["sk-abcdefgh"])
    'Incorrect key [key removed].'
    """
    for secret in _usable(secrets):
        text = text.replace(secret, SCRUBBED)
    return text


class Scrubber:
    """The same for text that comes in pieces, cut anywhere.

    ``feed`` and ``flush`` together return exactly what `scrub` would return
    for the joined text.
    """

    __slots__ = ("_held", "_secrets")

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = _usable(secrets)
        self._held = ""

    def feed(self, text: str) -> str:
        """Return what can be let out; may be empty."""
        if not self._secrets:
            return text
        text = self._held + text
        whole = self._cut(text)
        self._held = text[whole:]
        return scrub(text[:whole], self._secrets)

    def flush(self) -> str:
        """Return what was held back; the text is over."""
        held, self._held = self._held, ""
        return scrub(held, self._secrets)

    def _cut(self, text: str) -> int:
        """Return where the text may be cut so that no secret is cut with it."""
        cut = len(text)
        for secret in self._secrets:
            for length in range(min(len(secret) - 1, len(text)), 0, -1):
                if text.endswith(secret[:length]):
                    cut = min(cut, len(text) - length)
                    break
        return self._before_any_match(text, cut)

    def _before_any_match(self, text: str, cut: int) -> int:
        """Move the cut in front of a whole secret that lies across it."""
        for secret in self._secrets:
            found = text.find(secret, max(0, cut - len(secret) + 1))
            if 0 <= found < cut:
                return self._before_any_match(text, found)
        return cut


def _usable(secrets: Iterable[str]) -> tuple[str, ...]:
    values = {secret for secret in secrets if len(secret) >= MIN_SECRET_CHARS}
    return tuple(sorted(values, key=lambda value: (-len(value), value)))
