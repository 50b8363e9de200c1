"""What every route shares: the runtime it works with, the ids in its address."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import Depends, Header, Path, Request
from starlette.convertors import PathConvertor, register_url_convertor

from vitrail.core.names import valid_path
from vitrail.server.etags import WriteCondition, write_condition
from vitrail.server.problems import declare
from vitrail.server.runtime import Runtime

__all__ = [
    "BYTES",
    "COMMON_PROBLEMS",
    "PATH_PROBLEMS",
    "WRITE_PROBLEMS",
    "Condition",
    "FilePath",
    "Id",
    "RuntimeDep",
]

_MAX_ID_CHARS: Final = 64
"""UUIDs have 36; what is longer is no id of ours."""


def _runtime(request: Request) -> Runtime:
    runtime: Runtime = request.app.state.runtime
    return runtime


RuntimeDep = Annotated[Runtime, Depends(_runtime)]
"""The runtime of the application that answers."""

Id = Annotated[str, Path(max_length=_MAX_ID_CHARS)]
"""An id in an address."""

_SEGMENTS_BEFORE: Final = 5
"""``/api/projects/ID/files/``: what comes before the path of a file."""


def _requested_path(request: Request, path: str) -> str:
    """Return the path of the file, from the address as it was written.

    The decoded address cannot tell a slash from an encoded one, nor bytes that
    are not UTF-8 from the sign that replaced them. Raises ``InvalidPath``, the
    same whether or not there is such a file.
    """
    del path  # named in the route for the documentation
    raw = request.scope.get("raw_path") or quote(request.scope["path"]).encode()
    written = raw.split(b"/", _SEGMENTS_BEFORE)[-1]
    return valid_path(written.decode("utf-8", "surrogateescape"), "url_path")


FilePath = Annotated[str, Depends(_requested_path)]
"""A checked path of a file, last in an address with four segments before it; its route
names it ``{path:file_path}``."""


class _FilePathConvertor(PathConvertor):
    """All that is left of an address, line breaks too.

    With starlette's own, a name that holds a line break would be an address
    where nothing is, instead of a name that is refused.
    """

    regex = "(?s:.*)"


register_url_convertor("file_path", _FilePathConvertor())


def _condition(
    if_match: Annotated[str | None, Header()] = None,
    if_none_match: Annotated[str | None, Header()] = None,
) -> WriteCondition:
    """Return what the write says about the file that it replaces."""
    return write_condition(if_match, if_none_match)


Condition = Annotated[WriteCondition, Depends(_condition)]
"""The revision that a write names."""

PATH_PROBLEMS: Final = ("path-invalid", "path-outside-project", "path-reserved")
"""Codes of every route that takes a path."""

WRITE_PROBLEMS: Final = (
    "project-not-found",
    "file-exists",
    "revision-conflict",
    "precondition-required",
    "artifact-manifest-required",
    "artifact-manifest-invalid",
    "artifact-regression",
    "artifact-publication-blocked",
    *PATH_PROBLEMS,
)
"""Codes of every route that writes a file."""

BYTES: Final[dict[str, Any]] = {
    "content": {"application/octet-stream": {"schema": {"type": "string"}}},
    "description": "The bytes of the file.",
}
"""The answer of a route that sends a file."""

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
