"""Rules of what Vitrail adds to a manifest, all of it under ``metadata``.

Strategy: one reader a key. What a reader cannot use is left out and told as a
warning, since a manifest is good without it and nobody must trust it; keys
that no reader knows are somebody else's, and stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from vitrail.core.validate.placeholders import declared_placeholders
from vitrail.limits import MAX_REFERENCE_ID_CHARS
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["CHECK_OUTCOMES", "NETWORK_POLICIES", "read_additions"]

NETWORK_POLICIES: Final = frozenset({"closed", "listed"})
"""``closed``: a preview reaches its own files; ``listed``: the origins beside it too."""

CHECK_OUTCOMES: Final = frozenset({"passed", "failed", "skipped"})

_MAX_ORIGINS: Final = 32
_MAX_CHECKS: Final = 64
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")

_Read = tuple[Any, str | None]
"""The value to keep, None for none; and what is wrong with the one that came."""


def read_additions(
    metadata: Mapping[str, Any],
) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """Return the metadata without additions that cannot be used, and what they are.

    >>> read_additions({"digest": "x", "theirs": 1})[0]
    {'theirs': 1}
    """
    kept: dict[str, Any] = {}
    wrong: list[Diagnostic] = []
    for key, value in metadata.items():
        reader = _READERS.get(key)
        read, what = (value, None) if reader is None else reader(value)
        if what is not None:
            wrong.append(_told(key, what))
        if read is not None or reader is None:
            kept[key] = read
    return kept, tuple(wrong)


def _origin(value: object) -> _Read:
    what = "is an object of run, message and model, each a text or null"
    if not isinstance(value, Mapping) or not value.keys() <= _ORIGIN_KEYS:
        return None, what
    ids = [one for one in value.values() if one is not None]
    is_good = all(
        isinstance(one, str) and len(one) <= MAX_REFERENCE_ID_CHARS for one in ids
    )
    return (dict(value), None) if is_good else (None, what)


_ORIGIN_KEYS: Final = frozenset({"run", "message", "model"})


def _digest(value: object) -> _Read:
    if isinstance(value, str) and _DIGEST.fullmatch(value):
        return value, None
    return None, "is 64 lower-case hexadecimal digits"


def _recovery(value: object) -> _Read:
    if isinstance(value, str) and 0 < len(value) <= MAX_REFERENCE_ID_CHARS:
        return value, None
    return None, "names how the content was found"


def _network(value: object) -> _Read:
    what = (
        "is an object of a policy, closed or listed, and for the latter of origins: "
        f"at most {_MAX_ORIGINS} addresses of https servers without a path"
    )
    if not isinstance(value, Mapping) or value.get("policy") not in NETWORK_POLICIES:
        return None, what
    if value["policy"] == "closed":
        return {"policy": "closed"}, None
    origins = value.get("origins")
    if not isinstance(origins, list) or not 0 < len(origins) <= _MAX_ORIGINS:
        return None, what
    if not all(map(_is_origin, origins)):
        return None, what
    return {"policy": "listed", "origins": list(dict.fromkeys(origins))}, None


def _is_origin(value: object) -> bool:
    if not isinstance(value, str) or len(value) > MAX_REFERENCE_ID_CHARS:
        return False
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        return False
    # a policy is written into a header: nothing but a plain name may get there
    host = parts.hostname or ""
    rebuilt = f"https://{host}" + ("" if port is None else f":{port}")
    return _HOST.fullmatch(host) is not None and value == rebuilt


_HOST: Final = re.compile(
    r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+"
)


def _checks(value: object) -> _Read:
    what = (
        f"is a list of at most {_MAX_CHECKS} objects of name, outcome (passed, failed "
        "or skipped), digest and at"
    )
    if not isinstance(value, list) or len(value) > _MAX_CHECKS:
        return None, what
    checks = [_check(one) for one in value]
    return (None, what) if None in checks else (checks, None)


def _check(value: object) -> dict[str, str] | None:
    if not isinstance(value, Mapping):
        return None
    name, at = value.get("name"), value.get("at")
    digest, _ = _digest(value.get("digest"))
    if not isinstance(name, str) or not 0 < len(name) <= MAX_REFERENCE_ID_CHARS:
        return None
    if digest is None or value.get("outcome") not in CHECK_OUTCOMES or not _is_time(at):
        return None
    return {"name": name, "outcome": value["outcome"], "digest": digest, "at": str(at)}


def _is_time(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _placeholders(value: object) -> _Read:
    proven, wrong = declared_placeholders(value)
    kept = [
        {
            "text": one.text,
            "fixture": {"unfinished": one.unfinished, "finished": one.finished},
        }
        for one in proven
    ]
    return kept or None, wrong[0].message.rstrip(".") if wrong else None


_READERS: Final[Mapping[str, Callable[[object], _Read]]] = {
    "origin": _origin,
    "digest": _digest,
    "parentDigest": _digest,
    "recoveredFrom": _recovery,
    "network": _network,
    "checks": _checks,
    "placeholders": _placeholders,
}


def _told(key: str, what: str) -> Diagnostic:
    verb = "" if key == "placeholders" else f"metadata.{key} "
    return Diagnostic(
        "manifest-addition", "warning", f"{verb}{what}. It does not count."
    )
