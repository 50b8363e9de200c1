"""Renames of files, and what goes along."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from vitrail.protocol.history import MoveResult, NewMove, PageParts
from vitrail.server.etags import etag
from vitrail.server.problems import declare
from vitrail.server.routes.deps import (
    PATH_PROBLEMS,
    WRITE_PROBLEMS,
    Condition,
    FilePath,
    Id,
    RuntimeDep,
)
from vitrail.workflow.page_parts import page_parts

__all__ = ["router"]

router = APIRouter(prefix="/projects/{project_id}", tags=["files"])


@router.post("/moves", responses=declare("file-not-found", *WRITE_PROBLEMS))
async def move_file(
    runtime: RuntimeDep,
    project_id: Id,
    body: NewMove,
    condition: Condition,
    response: Response,
) -> MoveResult:
    """Give the file of the revision that ``If-Match`` names another name.

    Its manifest goes with it, and what points to it follows, in one commit; with
    ``parts`` so do the files that only this page needs.
    """
    result = await runtime.moves.move(
        project_id,
        body.source,
        body.target,
        digest=condition.digest,
        with_parts=body.parts,
    )
    response.headers["ETag"] = etag(result.moved.digest)
    return result


@router.get(
    "/parts/{path:file_path}",
    responses=declare("project-not-found", "file-not-found", *PATH_PROBLEMS),
)
async def read_parts(runtime: RuntimeDep, project_id: Id, path: FilePath) -> PageParts:
    """Return the other files of a page: those that only it needs, and those that stay."""
    return await page_parts(runtime.store, project_id, path)
