"""Failures as RFC 9457 problem details: the one way an error leaves the server.

Strategy: `problem_of` turns any exception into a `Problem`; FastAPI's handlers
use it for what routes raise, and `Problems`, the outermost application, for
what nobody expected. That one is logged with a reference, and the reference is
all that the client is told.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vitrail.errors import CODES, VitrailError
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.http import Problem

__all__ = [
    "PROBLEM_TYPE",
    "Problems",
    "declare",
    "install_problem_handlers",
    "problem_of",
    "problem_response",
]

PROBLEM_TYPE: Final = "application/problem+json"
_MAX_FINDINGS: Final = 20
"""Of one invalid body, what is listed."""

_log = structlog.get_logger(__name__)

_WORDS: Final[dict[int, tuple[str, str]]] = {
    400: ("json-invalid", "The body could not be read as JSON."),
    404: ("not-found", "There is nothing at this address."),
    405: ("method-not-allowed", "This address does not take that method."),
    413: ("payload-too-large", "The body is larger than this server takes."),
}
"""Code and words for what the framework itself refuses."""


def problem_of(error: Exception) -> Problem:
    """Return the problem document that tells a client about ``error``."""
    match error:
        case VitrailError():
            return _problem(
                error.code, error.message, status=error.status, details=error.details
            )
        case RequestValidationError():
            return _invalid(error)
        case HTTPException():
            code, words = _WORDS.get(
                error.status_code, ("input-invalid", str(error.detail))
            )
            return _problem(code, words, status=error.status_code)
        case _:
            return _problem(
                "internal-error",
                "Something went wrong inside Vitrail. What was saved before is "
                "intact; try again.",
                status=500,
            )


def problem_response(
    problem: Problem, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the response that carries a problem; it is never cached."""
    return Response(
        problem.model_dump_json(by_alias=True),
        status_code=problem.status,
        headers={"Cache-Control": "no-store", **(headers or {})},
        media_type=PROBLEM_TYPE,
    )


def declare(*codes: str) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI responses for a route that may fail with these codes."""
    by_status: dict[int | str, list[str]] = {}
    for code in codes:
        by_status.setdefault(CODES[code].status, []).append(code)
    return {
        status: {
            "description": ", ".join(f"`{code}`" for code in names),
            "content": {
                PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}
            },
        }
        for status, names in sorted(by_status.items(), key=lambda item: str(item[0]))
    }


def install_problem_handlers(app: FastAPI) -> None:
    """Let everything that routes raise leave as a problem document."""

    async def answer(request: Request, error: Exception) -> Response:
        del request
        headers = dict(getattr(error, "headers", None) or {})
        return problem_response(problem_of(error), headers)

    for expected in (VitrailError, RequestValidationError, HTTPException):
        app.add_exception_handler(expected, answer)


class Problems:
    """The outermost application: what nobody expected becomes a 500 with words."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the inner application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - the outermost loop of the server
            reference = secrets.token_hex(4)
            _log.exception(
                "request failed",
                method=scope["method"],
                reference=reference,
            )
            if started:
                # Nothing can be said any more; that the response is cut off is
                # the signal, and the server closes the connection for it.
                return
            problem = problem_of(error)
            if problem.code == "internal-error":
                problem = problem.model_copy(
                    update={"details": {"reference": reference}}
                )
            await problem_response(problem)(scope, receive, send)


def _problem(
    code: str,
    detail: str,
    *,
    status: int,
    details: Mapping[str, object] | None = None,
) -> Problem:
    rest = dict(details or {})
    diagnostics = rest.pop("diagnostics", ())
    expected, actual = rest.get("expected_digest"), rest.get("actual_digest")
    return Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        code=code,
        retryable=CODES[code].retryable,
        diagnostics=tuple(_diagnostics(diagnostics)),
        expected_digest=expected if isinstance(expected, str) else None,
        actual_digest=actual if isinstance(actual, str) else None,
        details=rest,
    )


def _diagnostics(value: object) -> Iterable[Diagnostic]:
    if isinstance(value, (list, tuple)):
        yield from (item for item in value if isinstance(item, Diagnostic))


def _invalid(error: RequestValidationError) -> Problem:
    """Name each wrong field; what was sent is not echoed."""
    found = error.errors()
    if any(item["type"] == "json_invalid" for item in found):
        code, words = _WORDS[400]
        return _problem(code, words, status=400)
    findings = [
        {"field": _field(item["loc"]), "message": str(item["msg"])}
        for item in found[:_MAX_FINDINGS]
    ]
    words = "; ".join(f"{item['field']}: {item['message']}" for item in findings)
    return _problem(
        "unprocessable",
        f"The request does not fit: {words}.",
        status=422,
        details={"findings": findings, "count": len(found)},
    )


def _field(place: Iterable[object]) -> str:
    names = [str(part) for part in place]
    if len(names) > 1 and names[0] in ("body", "query", "path", "header"):
        del names[0]
    # A field's name may be the client's own (an unknown key): keep it short
    # and printable.
    shown = ".".join(names)[:80]
    return "".join(c if c.isprintable() else "?" for c in shown)
