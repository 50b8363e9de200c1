"""Files of a project, as they are on disk."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from vitrail.errors import VitrailError
from vitrail.protocol.http import WriteResult
from vitrail.protocol.records import FileInfo
from vitrail.server.etags import etag
from vitrail.server.headers import RAW_POLICY, content_disposition
from vitrail.server.problems import declare
from vitrail.server.routes.deps import (
    BYTES,
    PATH_PROBLEMS,
    WRITE_PROBLEMS,
    Condition,
    FilePath,
    Id,
    RuntimeDep,
)
from vitrail.server.sending import (
    check_destination,
    decide,
    safe_type,
    send_file,
)
from vitrail.server.writes import ReplaceReason

__all__ = ["router"]

router = APIRouter(prefix="/projects/{project_id}/files", tags=["files"])


@router.get("", responses=declare("project-not-found"))
async def list_files(runtime: RuntimeDep, project_id: Id) -> tuple[FileInfo, ...]:
    """List the files of a project by path."""
    return await runtime.store.files(project_id)


@router.get(
    "/{path:file_path}",
    response_class=Response,
    responses={
        200: BYTES,
        206: {**BYTES, "description": "The range of bytes that was asked for."},
        304: {"description": "The client has these bytes."},
        416: {"description": "The file has no such bytes."},
        **declare(
            "project-not-found", "file-not-found", "revision-conflict", *PATH_PROBLEMS
        ),
    },
)
@router.head("/{path:file_path}", response_class=Response, include_in_schema=False)
async def read_file(
    request: Request,
    runtime: RuntimeDep,
    project_id: Id,
    path: FilePath,
    *,
    download: Annotated[bool, Query()] = False,
) -> Response:
    """Return a file's bytes, or a range of them; ``download`` sends an attachment.

    Opened in a browser, a stored page has an origin of its own, runs nothing
    and requests nothing; a stored script is text, and is not sent to be run.
    """
    check_destination(request.headers)
    opened, info = await runtime.store.open_file(project_id, path)
    try:
        sent = decide(
            request.headers, request.method, size=info.size, digest=info.digest
        )
    except VitrailError:
        opened.close()
        raise
    return send_file(
        opened,
        info,
        sent,
        {
            "ETag": etag(info.digest),
            "Cache-Control": "private, no-cache",
            "Content-Security-Policy": RAW_POLICY,
            "X-Content-Type-Options": "nosniff",
            "Content-Disposition": content_disposition(path, is_attachment=download),
        },
        media_type=safe_type(info.media_type),
        is_head=request.method == "HEAD",
    )


@router.put(
    "/{path:file_path}",
    responses=declare("not-text", *WRITE_PROBLEMS),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string"}}},
        }
    },
)
async def write_file(  # noqa: PLR0913, PLR0917 - an address, a body, conditions
    request: Request,
    runtime: RuntimeDep,
    project_id: Id,
    path: FilePath,
    condition: Condition,
    replace: ReplaceReason,
    response: Response,
) -> WriteResult:
    """Write a file over the revision that ``If-Match`` names.

    ``If-None-Match: *`` creates one. The answer carries the ``ETag`` of the file
    as it is now: a write that loses too much is kept beside it as a draft, unless
    ``Vitrail-Replace: {"reason": "…"}`` says why it is meant.
    """
    result = await runtime.files.write(
        project_id,
        path,
        await request.body(),
        parent_digest=condition.digest,
        replace_reason=replace,
    )
    response.headers["ETag"] = etag(result.file.digest)
    return result


@router.delete(
    "/{path:file_path}",
    status_code=204,
    responses=declare(
        "project-not-found",
        "file-not-found",
        "revision-conflict",
        "precondition-required",
        *PATH_PROBLEMS,
    ),
)
async def delete_file(
    runtime: RuntimeDep,
    project_id: Id,
    path: FilePath,
    condition: Condition,
    *,
    parts: Annotated[bool, Query()] = False,
) -> None:
    """Remove the file of the revision that ``If-Match`` names, and its manifest.

    ``parts`` removes the files that only this page needs too, all or none. The
    revisions of each are kept; a restore brings it back.
    """
    await runtime.files.delete(
        project_id, path, digest=condition.digest, with_parts=parts
    )
