"""Drafts that are kept beside a good file until a person decides."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from vitrail.protocol.history import AcceptDraft, DraftList
from vitrail.protocol.http import WriteResult
from vitrail.server.etags import etag
from vitrail.server.problems import declare
from vitrail.server.routes.deps import WRITE_PROBLEMS, Condition, Id, RuntimeDep

__all__ = ["router"]

router = APIRouter(prefix="/projects/{project_id}/quarantine", tags=["quarantine"])


@router.get("", responses=declare("project-not-found"))
async def list_drafts(runtime: RuntimeDep, project_id: Id) -> DraftList:
    """List the drafts that wait, the newest first, each with what its file would lose."""
    return DraftList(drafts=await runtime.drafts.drafts(project_id))


@router.post(
    "/{quarantine_id}/accept",
    responses=declare("quarantine-not-found", *WRITE_PROBLEMS),
)
async def accept_draft(
    runtime: RuntimeDep,
    project_id: Id,
    quarantine_id: Id,
    condition: Condition,
    response: Response,
    body: AcceptDraft | None = None,
) -> WriteResult:
    """Put a draft onto the good file that ``If-Match`` names.

    ``content`` is the person's own text instead, such as a merge by hand;
    ``If-None-Match: *`` where the good file is gone.
    """
    result = await runtime.drafts.accept(
        project_id,
        quarantine_id,
        parent_digest=condition.digest,
        content=body.content if body else None,
    )
    response.headers["ETag"] = etag(result.file.digest)
    return result


@router.post(
    "/{quarantine_id}/drop",
    status_code=204,
    responses=declare("project-not-found", "quarantine-not-found"),
)
async def drop_draft(runtime: RuntimeDep, project_id: Id, quarantine_id: Id) -> None:
    """Let a draft go; the good file is not touched, the draft's revisions stay."""
    await runtime.drafts.drop(project_id, quarantine_id)
