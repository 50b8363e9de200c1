"""What every route shares: the runtime it works with, the ids in its address."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Depends, Path, Request

from vitrail.server.problems import declare
from vitrail.server.runtime import Runtime

__all__ = ["COMMON_PROBLEMS", "Id", "RuntimeDep"]

_MAX_ID_CHARS: Final = 64
"""UUIDs have 36; what is longer is no id of ours."""


def _runtime(request: Request) -> Runtime:
    runtime: Runtime = request.app.state.runtime
    return runtime


RuntimeDep = Annotated[Runtime, Depends(_runtime)]
"""The runtime of the application that answers."""

Id = Annotated[str, Path(max_length=_MAX_ID_CHARS)]
"""An id in an address."""

COMMON_PROBLEMS: Final = declare(
    "json-invalid",
    "input-invalid",
    "token-required",
    "origin-not-allowed",
    "payload-too-large",
    "host-not-allowed",
    "unprocessable",
    "internal-error",
    "storage-failed",
    "storage-busy",
    "storage-full",
)
"""Problems that any route of the API may answer with."""
