"""Files of a project, as they are on disk."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Depends, Header, Query, Request
from starlette.responses import Response

from vitrail.core.names import valid_path
from vitrail.protocol.http import WriteResult
from vitrail.protocol.records import FileInfo
from vitrail.server.etags import WriteCondition, etag, is_unchanged, write_condition
from vitrail.server.headers import RAW_POLICY, content_disposition
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep

__all__ = ["router"]

router = APIRouter(prefix="/projects/{project_id}/files", tags=["files"])

_PATH_PROBLEMS: Final = ("path-invalid", "path-outside-project", "path-reserved")
_SEGMENTS_BEFORE: Final = 5
"""``/api/projects/ID/files/``: what comes before the path of the file."""

_BYTES: Final[dict[str, Any]] = {
    "content": {"application/octet-stream": {"schema": {"type": "string"}}},
    "description": "The bytes of the file.",
}


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


_FilePath = Annotated[str, Depends(_requested_path)]
"""A checked path of a file."""


def _condition(
    if_match: Annotated[str | None, Header()] = None,
    if_none_match: Annotated[str | None, Header()] = None,
) -> WriteCondition:
    """Return what the write says about the file that it replaces."""
    return write_condition(if_match, if_none_match)


_Condition = Annotated[WriteCondition, Depends(_condition)]
"""The revision that a write names."""


@router.get("", responses=declare("project-not-found"))
async def list_files(runtime: RuntimeDep, project_id: Id) -> tuple[FileInfo, ...]:
    """List the files of a project by path."""
    return await runtime.store.files(project_id)


@router.get(
    "/{path:path}",
    response_class=Response,
    responses={
        200: _BYTES,
        304: {"description": "The client has these bytes."},
        **declare("project-not-found", "file-not-found", *_PATH_PROBLEMS),
    },
)
@router.head("/{path:path}", response_class=Response, include_in_schema=False)
async def read_file(
    runtime: RuntimeDep,
    project_id: Id,
    path: _FilePath,
    *,
    download: Annotated[bool, Query()] = False,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Return a file's bytes; ``download`` sends them as an attachment.

    Opened in a browser, a stored page has an origin of its own, runs nothing
    and requests nothing.
    """
    content, info = await runtime.store.read_file(project_id, path)
    headers = {
        "ETag": etag(info.digest),
        "Cache-Control": "private, no-cache",
        "Content-Security-Policy": RAW_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Content-Disposition": content_disposition(path, is_attachment=download),
    }
    if is_unchanged(if_none_match, info.digest):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=info.media_type, headers=headers)


@router.put(
    "/{path:path}",
    responses=declare(
        "project-not-found",
        "file-exists",
        "revision-conflict",
        "precondition-required",
        "not-text",
        "artifact-manifest-required",
        "artifact-manifest-invalid",
        "artifact-regression",
        "artifact-publication-blocked",
        *_PATH_PROBLEMS,
    ),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string"}}},
        }
    },
)
async def write_file(
    request: Request,
    runtime: RuntimeDep,
    project_id: Id,
    path: _FilePath,
    condition: _Condition,
    response: Response,
) -> WriteResult:
    """Write a file over the revision that ``If-Match`` names.

    ``If-None-Match: *`` creates one. The answer carries the new ``ETag``.
    """
    result = await runtime.files.write(
        project_id,
        path,
        await request.body(),
        parent_digest=condition.digest,
    )
    response.headers["ETag"] = etag(result.file.digest)
    return result
