"""The HTTP API, one resource a file."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from vitrail.server.routes import (
    agents,
    conversations,
    enter,
    events,
    exports,
    files,
    forms,
    history,
    imports,
    moves,
    previews,
    projects,
    quarantine,
    runs,
    status,
    transcripts,
)
from vitrail.server.routes.deps import COMMON_PROBLEMS

__all__ = ["api_router", "page_router"]

_RESOURCES: Final = (
    status,
    projects,
    conversations,
    runs,
    forms,
    files,
    moves,
    history,
    quarantine,
    transcripts,
    imports,
    exports,
    agents,
    previews,
    events,
)


def api_router() -> APIRouter:
    """Return everything under ``/api``."""
    router = APIRouter(prefix="/api", responses=COMMON_PROBLEMS)
    for resource in _RESOURCES:
        router.include_router(resource.router)
    return router


def page_router() -> APIRouter:
    """Return the pages that are no part of the web bundle."""
    router = APIRouter()
    router.include_router(enter.router)
    return router
