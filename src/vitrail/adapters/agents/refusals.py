"""Refusals of model servers in words: what happened, what was kept, what to do."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from vitrail.core.parse.inputs import in_one_line, message_in
from vitrail.core.text.scrub import SCRUBBED, scrub
from vitrail.errors import AgentError

__all__ = ["broken_off", "detail_of", "one_line", "refusal"]

_HALF_CHARS: Final = 4
"""So much of a secret's beginning, at a line's end, counts as half of it."""

_STATUS_BY_CODE: Final = {"agent-key-refused": 401, "agent-rate-limited": 429}
"""Errors in the middle of a stream that are told as the answer's status would be."""


def detail_of(body: str, secrets: Iterable[str] = ()) -> str:
    """Return in one line what an error's body says; may be empty.

    The secrets are gone before the line is cut, so that no half of one is left.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        is_page = body.lstrip()[:1] == "<"
        return "" if is_page else one_line(body, secrets)
    return one_line(message_in(value), secrets)


def one_line(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a server's words in one printable line without secrets, cut where long."""
    return in_one_line(scrub(text, secrets))


def refusal(  # noqa: PLR0913 - all that the words depend on
    host: str,
    status: int,
    body: str,
    *,
    model: str = "",
    has_key: bool = True,
    secrets: Iterable[str] = (),
    what: str = "chat completions",
) -> AgentError:
    """Return the error for an answer whose status is not a success.

    ``what`` is what the server was asked for, in the words of its format.
    """
    detail = detail_of(body, secrets)
    code, words = _words(status, model=model, has_key=has_key, what=what)
    said = f" It says: {detail}" if detail else ""
    return AgentError(f"{host} {words}{said}", code=code, status=status)


def broken_off(
    host: str, code: str, detail: str, secrets: Iterable[str] = ()
) -> AgentError:
    """Return the error for what a server says in the middle of a reply.

    ``detail`` may have been cut already, even in the middle of a secret.
    """
    secrets = tuple(secrets)
    detail = _without_half(one_line(detail, secrets), secrets)
    status = _STATUS_BY_CODE.get(code)
    if status is not None:
        return refusal(host, status, json.dumps({"error": detail}))
    words = "refused to go on with" if code == "agent-refused" else "broke off"
    return AgentError(
        f"{host} {words} the reply. What had come is kept."
        + (f" It says: {detail}" if detail else ""),
        code=code,
    )


def _without_half(line: str, secrets: Iterable[str]) -> str:
    """Return the line without the beginning of a secret that it was cut in."""
    bare = line.removesuffix("…")
    for secret in secrets:
        for length in range(len(secret) - 1, _HALF_CHARS - 1, -1):
            if bare.endswith(secret[:length]):
                return f"{bare[:-length]}{SCRUBBED}"
    return line


def _words(status: int, *, model: str, has_key: bool, what: str) -> tuple[str, str]:
    """Return the code and the words for a status; the words follow the host's name."""
    match status:
        case 401 | 403:
            return "agent-key-refused", (
                f"refused the key ({status}). Enter another one in the model settings."
                if has_key
                else f"wants a key ({status}). Enter one in the model settings."
            )
        case 404:
            return "agent-refused", (
                f"has no model {model!r}, or no {what} at this address "
                "(404). Check both in the model settings."
            )
        case 429 | 529:
            return "agent-rate-limited", (
                f"takes no more requests for now ({status}). Try again later, or "
                "check the limits of your account."
            )
        case 502 | 503 | 504:
            return "agent-unreachable", (
                f"answers, but the model behind it does not ({status}). Try again in "
                "a moment."
            )
        case _:
            return _words_by_class(status)


def _words_by_class(status: int) -> tuple[str, str]:
    match status // 100:
        case 3:
            return "agent-protocol", (
                f"sends requests on to another address ({status}). Enter that address "
                "in the model settings."
            )
        case 5:
            return "agent-failed", f"failed ({status})."
        case _:
            return "agent-refused", f"refused the request ({status})."
