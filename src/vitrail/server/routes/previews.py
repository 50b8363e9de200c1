"""Addresses on the preview site."""

from __future__ import annotations

from fastapi import APIRouter

from vitrail.protocol.http import NewPreview, PreviewInfo
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep

__all__ = ["router"]

router = APIRouter(tags=["previews"])


@router.post(
    "/projects/{project_id}/previews",
    status_code=201,
    responses=declare(
        "project-not-found",
        "file-not-found",
        "path-invalid",
        "path-outside-project",
        "path-reserved",
        "not-text",
    ),
)
async def open_preview(
    runtime: RuntimeDep, project_id: Id, body: NewPreview
) -> PreviewInfo:
    """Make an address that shows a file while somebody keeps it alive."""
    return await runtime.previews.open(project_id, body.path)


@router.post("/previews/{capability}/keep", responses=declare("preview-expired"))
async def keep_preview(runtime: RuntimeDep, capability: Id) -> PreviewInfo:
    """Keep an address alive for another hour."""
    return await runtime.previews.keep(capability)


@router.delete("/previews/{capability}", status_code=204)
async def close_preview(runtime: RuntimeDep, capability: Id) -> None:
    """Let an address go."""
    await runtime.previews.drop(capability)
