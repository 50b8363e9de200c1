"""Redaction: keys, tokens, e-mail addresses and paths of a home taken out of text.

Strategy: the patterns are data (`REDACTIONS`). Each looks only at a place that
the text must hold for it to fit (``needles``, found at the speed of memory),
begins where its run of characters begins, and gives nothing back once it took
it (possessive quantifiers), so that no text takes more than one pass a pattern.
What stands for a finding never fits a pattern itself: redacting twice changes
nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["REDACTIONS", "Redaction", "Redactor"]

_MIN_SECRET_CHARS: Final = 8
"""Shorter values would be found in ordinary words, as `vitrail.core.text.scrub` has it."""
_NAMES: Final = re.compile(r"[/\\]")
_MIN_HOME_CHARS: Final = 3
"""A home at ``/`` is every path."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """One kind of thing that is taken out."""

    name: str
    """Counted under it; stands in the text as ``[NAME removed]``."""
    needles: tuple[str, ...]
    """One of them, small letters, is in every text that the pattern fits."""
    pattern: re.Pattern[str]
    """The group ``secret``, or all of it where it has none, is taken out."""


def _redaction(name: str, needles: tuple[str, ...], pattern: str) -> Redaction:
    return Redaction(name, needles, re.compile(pattern))


REDACTIONS: Final = (
    # a key's own lines: base64, and the headers of an encrypted one
    _redaction(
        "private key",
        ("private key-----",),
        r"-----BEGIN [A-Z ]{0,40}?PRIVATE KEY-----"
        r"(?:[A-Za-z0-9+/=\s\\:,.]|-(?!----))*+"
        r"(?:-----END [A-Z ]{0,40}?PRIVATE KEY-----)?+",
    ),
    # keys that say by their first letters whose they are
    _redaction(
        "provider key",
        ("sk-", "gsk_", "xai-", "hf_", "aiza", "r8_"),
        r"(?<![A-Za-z0-9_-])(?:sk-|gsk_|xai-|hf_|AIza|r8_)[A-Za-z0-9_-]{16,}+",
    ),
    _redaction(
        "service key",
        (
            *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"),
            *("xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "npm_", "pypi-"),
            *("sk_live_", "sk_test_", "rk_live_", "rk_test_", "akia", "asia"),
        ),
        r"(?<![A-Za-z0-9_-])(?:"
        r"gh[pousr]_[A-Za-z0-9]{16,}+|github_pat_[A-Za-z0-9_]{16,}+"
        r"|glpat-[A-Za-z0-9_-]{16,}+|xox[abprs]-[A-Za-z0-9-]{10,}+"
        r"|npm_[A-Za-z0-9]{16,}+|pypi-[A-Za-z0-9_-]{16,}+"
        r"|[sr]k_(?:live|test)_[A-Za-z0-9]{10,}+"
        r"|A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9_-]))",
    ),
    _redaction(
        "web token",
        ("eyj",),
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]*+",
    ),
    _redaction(
        "authorization",
        ("bearer", "basic"),
        r"(?<![A-Za-z0-9_])(?:[Bb]earer|BEARER|[Bb]asic|BASIC)[ \t]{1,8}+"
        r"(?P<secret>(?=[A-Za-z_+/.~=-]{0,255}[0-9])[A-Za-z0-9_+/.~=-]{12,}+)",
    ),
    # a name that says so, and what is given to it
    _redaction(
        "secret",
        ("key", "secret", "token", "passw", "passphrase", "pwd"),
        r"(?ai:(?<![A-Za-z0-9])"
        r"(?:api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|"
        r"client[_-]?secret|auth[_-]?token|access[_-]?token|refresh[_-]?token|"
        r"secret|token|passwd|password|passphrase|pwd))"
        r"[\"']?+[ \t]{0,8}+(?:=|:)[ \t]{0,8}+"
        r"(?:\"(?P<double>[^\"\s\\<>{}]{8,}+)\"|'(?P<single>[^'\s\\<>{}]{8,}+)'"
        r"|(?P<secret>(?=[A-Za-z_+/.~-]{0,255}[0-9])[A-Za-z0-9_+/.~-]{12,}+=*+)"
        r"(?![(\[A-Za-z]))",
    ),
    _redaction(
        "password in a URL",
        ("://",),
        r"(?<=://)[^\s/:@\"'<>]*+:(?P<secret>[^\s/@\"'<>]++)(?=@)",
    ),
    _redaction(
        "e-mail address",
        ("@",),
        r"(?<![\w.+%-])[\w.+%-]++@(?=(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2})"
        # one that touches another, dots between them, begins in no place of its own
        r"(?:[\w-]|\.(?=\w))++(?:[\w.+%-]*+@(?:[\w-]|\.(?=\w))++)*+",
    ),
)
"""What is taken out, in this order; a later one sees what the earlier ones left."""


class Redactor:
    """Takes out what `REDACTIONS` name, with what this machine knows of itself.

    ``secrets`` are values that are secret here, ``homes`` paths that name the
    person. ``counts`` says how often each was found, over everything that this
    object was given.
    """

    def __init__(
        self, *, secrets: Iterable[str] = (), homes: Iterable[str] = ()
    ) -> None:
        usable = {value for value in secrets if len(value) >= _MIN_SECRET_CHARS}
        self._secrets = sorted(usable, key=lambda value: (-len(value), value))
        paths = _home_paths(homes)
        self._homes = _home_pattern(paths)
        self._names = tuple(_NAMES.split(path)[-1].lower() for path in paths)
        self._clashes = 0
        self.counts: Counter[str] = Counter()

    def text(self, text: str) -> str:
        """Return the text without them.

        >>> Redactor().text("Ask ada@example.org.")
        'Ask [e-mail address removed].'
        """
        for secret in self._secrets:
            if found := text.count(secret):
                self.counts["known secret"] += found
                text = text.replace(secret, "[known secret removed]")
        folded = text.lower()
        if self._homes is not None and any(name in folded for name in self._names):
            text, found = self._homes.subn("~", text)
            self._count("home path", found)
        for redaction in REDACTIONS:
            if any(needle in folded for needle in redaction.needles):
                text, found = redaction.pattern.subn(_replacement(redaction), text)
                self._count(redaction.name, found)
        return text

    def value(self, value: Any) -> Any:
        """Return a JSON value with every string in it redacted, keys too.

        Keys that become the same are told apart by a number.
        """
        match value:
            case str():
                return self.text(value)
            case dict():
                redacted: dict[str, Any] = {}
                for key, inner in value.items():
                    redacted[self._free(redacted, self.text(key))] = self.value(inner)
                return redacted
            case list() | tuple():
                return [self.value(inner) for inner in value]
            case _:
                return value

    def _free(self, taken: dict[str, Any], key: str) -> str:
        free = key
        while free in taken:
            # counted on and never back, so that no set of keys makes this slow
            self._clashes += 1
            free = f"{key} {self._clashes}"
        return free

    def _count(self, name: str, found: int) -> None:
        if found:
            self.counts[name] += found


def _replacement(redaction: Redaction) -> Any:
    sign = f"[{redaction.name} removed]"

    def replace(found: re.Match[str]) -> str:
        for name, secret in found.groupdict().items():
            if secret is not None:
                start, end = found.span(name)
                whole, offset = found.group(), found.start()
                return whole[: start - offset] + sign + whole[end - offset :]
        return sign

    return replace


def _home_paths(homes: Iterable[str]) -> list[str]:
    usable = {home.rstrip("/\\") for home in homes}
    return sorted(home for home in usable if len(home) >= _MIN_HOME_CHARS)


def _home_pattern(paths: list[str]) -> re.Pattern[str] | None:
    """Return a pattern of the paths, with either slash, written once or twice."""
    if not paths:
        return None
    written = []
    for path in paths:
        names = [re.escape(name) for name in _NAMES.split(path)]
        written.append(r"(?:/|\\{1,2})".join(names))
    return re.compile(rf"(?<![\w.~-])(?:{'|'.join(reversed(written))})(?![\w-]|\.\w)")
