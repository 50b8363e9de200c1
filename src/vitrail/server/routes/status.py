"""What a client has to know first."""

from __future__ import annotations

from fastapi import APIRouter

from vitrail import __version__
from vitrail.protocol.http import ServerStatus
from vitrail.server.routes.deps import RuntimeDep

__all__ = ["router"]

router = APIRouter(tags=["status"])


@router.get("/status")
async def get_status(runtime: RuntimeDep) -> ServerStatus:
    """Say which version this is, where previews live, and how far the log is."""
    view = await runtime.agents.view()
    watched = runtime.folders.state if runtime.folders else None
    return ServerStatus(
        version=__version__,
        preview_origin=runtime.places.preview_origin,
        preview_mode=runtime.places.preview_mode,
        default_agent=view.agent,
        seq=await runtime.store.last_seq(),
        folders=watched.mode if watched else "off",
        folders_reason=watched.reason if watched else None,
    )
