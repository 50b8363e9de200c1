"""Renames of files."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from vitrail.protocol.history import MoveResult, NewMove
from vitrail.server.etags import etag
from vitrail.server.problems import declare
from vitrail.server.routes.deps import WRITE_PROBLEMS, Condition, Id, RuntimeDep

__all__ = ["router"]

router = APIRouter(prefix="/projects/{project_id}/moves", tags=["files"])


@router.post("", responses=declare("file-not-found", *WRITE_PROBLEMS))
async def move_file(
    runtime: RuntimeDep,
    project_id: Id,
    body: NewMove,
    condition: Condition,
    response: Response,
) -> MoveResult:
    """Give the file of the revision that ``If-Match`` names another name.

    Its manifest goes with it, and what points to it follows, in one commit.
    """
    result = await runtime.moves.move(
        project_id, body.source, body.target, digest=condition.digest
    )
    response.headers["ETag"] = etag(result.moved.digest)
    return result
