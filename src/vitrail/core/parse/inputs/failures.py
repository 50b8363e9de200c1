"""What an ``error`` object in a stream says, in the shapes that servers use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vitrail.core.parse.inputs.facts import WireError, WireErrorCode

__all__ = ["in_one_line", "message_in", "status_in", "wire_error"]

_DETAIL_CHARS: Final = 300
"""Of what a server says, what is shown."""

_MAX_DEPTH: Final = 8
"""Of objects in an error; deeper ones say nothing to people."""

_STATUSES: Final = range(100, 600)
_WRITTEN_STATUSES: Final = frozenset(map(str, _STATUSES))

_BY_WORD: Final = (
    ("rate_limit", 429),
    ("overloaded", 529),
    ("quota", 429),
    ("api_key", 401),
    ("authentication", 401),
    ("permission", 403),
    ("billing", 402),
    ("invalid_request", 400),
    ("invalid_prompt", 400),
    ("not_found", 404),
)
"""Words in an error's ``type`` or ``code``, and the HTTP status that they mean."""


def wire_error(error: object) -> WireError:
    """Return the fact that an error, an object or words, stands for.

    >>> wire_error({"type": "overloaded_error", "message": "Overloaded"}).code
    'agent-rate-limited'
    """
    code = _code(status_in(error))
    return WireError(
        code,
        in_one_line(message_in(error)),
        retryable=code in ("agent-rate-limited", "agent-interrupted"),
    )


def _code(status: int) -> WireErrorCode:
    match status:
        case 401 | 403:
            return "agent-key-refused"
        case 429 | 529:
            return "agent-rate-limited"
        case _ if status // 100 == 4:  # noqa: PLR2004 - the class of HTTP's refusals
            return "agent-refused"
        case _:
            return "agent-interrupted"


def message_in(value: object) -> str:
    """Return the message in the shapes that are about: error, message, detail.

    >>> message_in({"error": {"message": "no credit"}})
    'no credit'
    """
    return _message(value, _MAX_DEPTH)


def _message(value: object, depth: int) -> str:
    match value:
        case str():
            return value
        case _ if depth == 0:
            return ""
        case [first, *_]:
            return _message(first, depth - 1)
        case Mapping():
            inner = (value.get(key) for key in ("error", "message", "detail", "msg"))
            return next(filter(None, (_message(item, depth - 1) for item in inner)), "")
        case _:
            return ""


def status_in(error: object) -> int:
    """Return the HTTP status that an error names or means, or 0."""
    if not isinstance(error, Mapping):
        return 0
    inner = error.get("error")
    if isinstance(inner, Mapping):
        return _status_in_object(inner) or _status_in_object(error)
    return _status_in_object(error)


def _status_in_object(error: Mapping[str, object]) -> int:
    told = (error.get("type"), error.get("code"))
    words = " ".join(word for word in told if isinstance(word, str))
    words = words[:_DETAIL_CHARS].lower()
    for word, status in _BY_WORD:
        if word in words:
            return status
    for key in ("code", "status", "status_code"):
        told_status = error.get(key)
        if isinstance(told_status, int) and told_status in _STATUSES:
            return int(told_status)
        if isinstance(told_status, str) and told_status in _WRITTEN_STATUSES:
            return int(told_status)
    return 0


def in_one_line(text: str) -> str:
    r"""Return what can be shown of a text: one line, printable, not long.

    >>> in_one_line("a\n b")
    'a b'
    """
    line = " ".join(text[: 4 * _DETAIL_CHARS].split())
    printable = "".join(sign for sign in line if sign.isprintable())
    if len(printable) <= _DETAIL_CHARS:
        return printable
    return f"{printable[:_DETAIL_CHARS]}…"
