"""Histories of files: revisions, differences, who wrote what, restoring."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from vitrail.adapters.media import SNIFFED_BYTES, media_type_of
from vitrail.protocol.history import (
    FileBlame,
    FileDiff,
    NewRestore,
    ProjectHistory,
    RevisionPage,
)
from vitrail.protocol.http import WriteResult
from vitrail.protocol.records import Revision
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
from vitrail.server.sending import check_destination, safe_type
from vitrail.workflow.history import MAX_PAGE, WORKING

__all__ = ["router"]

router = APIRouter(prefix="/projects/{project_id}", tags=["history"])

_FILE_PROBLEMS = declare("project-not-found", "file-not-found", *PATH_PROBLEMS)
_REVISION_PROBLEMS = declare("project-not-found", "revision-not-found")

_Side = Annotated[str, Query(max_length=64, min_length=1)]


@router.get("/history", responses=declare("project-not-found"))
async def list_histories(runtime: RuntimeDep, project_id: Id) -> ProjectHistory:
    """List every path of a project that has revisions, those of gone files too."""
    return await runtime.history.project(project_id)


@router.get("/history/{path:file_path}", responses=_FILE_PROBLEMS)
async def list_revisions(
    runtime: RuntimeDep,
    project_id: Id,
    path: FilePath,
    *,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 100,
) -> RevisionPage:
    """List revisions of a file, the newest first; ``before`` a number goes on."""
    return await runtime.history.log(project_id, path, before=before, limit=limit)


@router.get("/revisions/{revision_id}", responses=_REVISION_PROBLEMS)
async def get_revision(
    runtime: RuntimeDep, project_id: Id, revision_id: Id
) -> Revision:
    """Return what is known of a revision."""
    return await runtime.history.revision(project_id, revision_id)


@router.get(
    "/revisions/{revision_id}/content",
    response_class=Response,
    responses={200: BYTES, **_REVISION_PROBLEMS},
)
async def read_revision(
    request: Request,
    runtime: RuntimeDep,
    project_id: Id,
    revision_id: Id,
    *,
    download: Annotated[bool, Query()] = False,
) -> Response:
    """Return a revision's bytes, which never change; nothing in them runs."""
    check_destination(request.headers)
    content, revision = await runtime.history.content(project_id, revision_id)
    return Response(
        content,
        media_type=safe_type(media_type_of(revision.path, content[:SNIFFED_BYTES])),
        headers={
            "ETag": etag(revision.digest),
            "Cache-Control": "private, max-age=31536000, immutable",
            "Content-Security-Policy": RAW_POLICY,
            "X-Content-Type-Options": "nosniff",
            "Content-Disposition": content_disposition(
                revision.path, is_attachment=download
            ),
        },
    )


@router.get(
    "/diff/{path:file_path}",
    responses=declare(
        "project-not-found", "file-not-found", "revision-not-found", *PATH_PROBLEMS
    ),
)
async def get_diff(
    runtime: RuntimeDep,
    project_id: Id,
    path: FilePath,
    *,
    old: Annotated[_Side | None, Query(alias="from")] = None,
    new: Annotated[_Side, Query(alias="to")] = WORKING,
    context: Annotated[int, Query(ge=0, le=1000)] = 3,
) -> FileDiff:
    """Tell two texts of a file apart: revisions by id, or ``working``.

    Without ``from``: what was last done to it.
    """
    return await runtime.history.diff(
        project_id, path, old=old, new=new, context=context
    )


@router.get(
    "/blame/{path:file_path}",
    responses=declare(
        "project-not-found", "file-not-found", "not-text", *PATH_PROBLEMS
    ),
)
async def get_blame(runtime: RuntimeDep, project_id: Id, path: FilePath) -> FileBlame:
    """Tell who wrote each range of a file as it is now."""
    return await runtime.history.blame(project_id, path)


@router.post(
    "/restore/{path:file_path}",
    responses=declare(
        "file-not-found",
        "revision-not-found",
        "not-text",
        "passages-not-missing",
        *WRITE_PROBLEMS,
    ),
)
async def restore_file(
    runtime: RuntimeDep,
    project_id: Id,
    path: FilePath,
    body: NewRestore,
    condition: Condition,
    response: Response,
) -> WriteResult:
    """Bring a revision back as a new one, over the file that ``If-Match`` names.

    ``If-None-Match: *`` brings back a file that is gone. With ``passages``, ranges
    of that revision, only these are put back into the file as it is.
    """
    result = await runtime.history.restore(
        project_id,
        path,
        body.revision,
        parent_digest=condition.digest,
        passages=body.passages,
    )
    response.headers["ETag"] = etag(result.file.digest)
    return result
