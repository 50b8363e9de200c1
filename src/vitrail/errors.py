"""Everything that can go wrong in the world, as one tree of exceptions.

    VitrailError
    ├── InvalidInput          the caller's value cannot be used (400, 413, 415, 422)
    │   ├── InvalidPath       a path that is refused, whether or not it exists
    │   └── NotText           bytes that are not UTF-8 text where text is needed
    ├── NotPermitted          no token, wrong host, wrong origin (401, 403, 421)
    ├── NotFound              a project, conversation, run or file that is not there (404)
    ├── Conflict              the world moved on: exists, running, stale (409, 412, 428)
    ├── StorageError          the disk or the database refused (500, 507)
    ├── AgentError            a model provider or program failed (502, 504)
    └── SetupError            this machine or these settings cannot do it (port taken)

What a *model* gets wrong is never an exception: it is a
[`Diagnostic`][vitrail.protocol.diagnostics.Diagnostic].

Every error carries a stable kebab-case ``code`` from :data:`CODES`, which is
the one table from codes to HTTP statuses and exit codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = [
    "CODES",
    "AgentError",
    "Conflict",
    "ErrorCode",
    "InvalidInput",
    "InvalidPath",
    "NotFound",
    "NotPermitted",
    "NotText",
    "SetupError",
    "StorageError",
    "VitrailError",
]


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """What one code means at the surfaces."""

    status: int
    """HTTP status of the problem document."""
    retryable: bool = False
    """Whether the same call may go through later without a change."""


CODES: Final[dict[str, ErrorCode]] = {
    # the caller's value
    "input-invalid": ErrorCode(400),
    "json-invalid": ErrorCode(400),
    "path-invalid": ErrorCode(400),
    "path-outside-project": ErrorCode(403),
    "path-reserved": ErrorCode(403),
    "not-text": ErrorCode(415),
    "passages-not-missing": ErrorCode(422),
    "payload-too-large": ErrorCode(413),
    "unprocessable": ErrorCode(422),
    "form-answers-invalid": ErrorCode(422),
    "archive-invalid": ErrorCode(422),
    "import-refused": ErrorCode(422),
    "bundle-damaged": ErrorCode(422),
    "bundle-too-new": ErrorCode(422),
    "transcript-invalid": ErrorCode(422),
    "transcript-incomplete": ErrorCode(422),
    "transcript-too-new": ErrorCode(422),
    # the write entry's own refusals (the reference's words)
    "artifact-manifest-required": ErrorCode(422),
    "artifact-manifest-invalid": ErrorCode(422),
    "artifact-regression": ErrorCode(422),
    "artifact-publication-blocked": ErrorCode(422),
    # who is asking
    "token-required": ErrorCode(401),
    "link-spent": ErrorCode(401),
    "host-not-allowed": ErrorCode(421),
    "origin-not-allowed": ErrorCode(403),
    "preview-expired": ErrorCode(410),
    # what is not there
    "not-found": ErrorCode(404),
    "project-not-found": ErrorCode(404),
    "conversation-not-found": ErrorCode(404),
    "run-not-found": ErrorCode(404),
    "form-not-found": ErrorCode(404),
    "file-not-found": ErrorCode(404),
    "revision-not-found": ErrorCode(404),
    "quarantine-not-found": ErrorCode(404),
    "recording-not-found": ErrorCode(404),
    "agent-not-found": ErrorCode(404),
    "method-not-allowed": ErrorCode(405),
    # the world moved on
    "file-exists": ErrorCode(409),
    "path-clash": ErrorCode(409),
    "project-exists": ErrorCode(409),
    "run-active": ErrorCode(409),
    "transcript-locked": ErrorCode(409, retryable=True),
    "nothing-to-continue": ErrorCode(409),
    "revision-conflict": ErrorCode(412),
    "precondition-required": ErrorCode(428),
    # storage
    "storage-failed": ErrorCode(500),
    "storage-full": ErrorCode(507, retryable=True),
    "storage-read-only": ErrorCode(500),
    "storage-too-new": ErrorCode(500),
    "storage-busy": ErrorCode(503, retryable=True),
    # agents
    "agent-unreachable": ErrorCode(502, retryable=True),
    "agent-timeout": ErrorCode(504, retryable=True),
    "agent-key-refused": ErrorCode(502),
    "agent-rate-limited": ErrorCode(503, retryable=True),
    "agent-refused": ErrorCode(502),
    "agent-interrupted": ErrorCode(502, retryable=True),
    "agent-protocol": ErrorCode(502),
    "agent-failed": ErrorCode(502),
    "agent-not-configured": ErrorCode(409),
    "recording-invalid": ErrorCode(422),
    # this machine and its settings
    "port-taken": ErrorCode(500),
    "settings-invalid": ErrorCode(500),
    "web-bundle-missing": ErrorCode(503),
    "internal-error": ErrorCode(500),
}
"""Every code that can leave the program, with its HTTP status."""


class VitrailError(Exception):
    """The world failed; the message says what happened and what to do next.

    ``message`` is written for people and never names a path outside the
    project. ``details`` are further facts for programs (JSON values).
    """

    default_code = "internal-error"

    def __init__(
        self, message: str, *, code: str | None = None, **details: object
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.details = details
        if self.code not in CODES:
            msg = f"expected a code of vitrail.errors.CODES, got {self.code!r}"
            raise ValueError(msg)

    @property
    def status(self) -> int:
        """The HTTP status that goes with the code."""
        return CODES[self.code].status

    @property
    def retryable(self) -> bool:
        """Whether the same call may go through later without a change."""
        return CODES[self.code].retryable


class InvalidInput(VitrailError):
    """The caller's value cannot be used; the message says what was expected."""

    default_code = "input-invalid"


class InvalidPath(InvalidInput):
    """A path that is refused, by the same error whether the target exists or not."""

    default_code = "path-invalid"


class NotText(InvalidInput):
    """Bytes that are not UTF-8 text where text is needed."""

    default_code = "not-text"


class NotPermitted(VitrailError):
    """The request carries no token, or comes by a host or origin that is not ours."""

    default_code = "token-required"


class NotFound(VitrailError):
    """The named thing is not there."""

    default_code = "not-found"


class Conflict(VitrailError):
    """The world moved on since the caller looked."""

    default_code = "revision-conflict"


class StorageError(VitrailError):
    """The disk or the database refused; what was there before is intact."""

    default_code = "storage-failed"


class AgentError(VitrailError):
    """A model provider or a program that speaks for one failed."""

    default_code = "agent-failed"


class SetupError(VitrailError):
    """This machine or these settings cannot do what was asked."""

    default_code = "settings-invalid"
